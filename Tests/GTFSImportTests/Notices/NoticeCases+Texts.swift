@testable import GTFSImport

/// Texts that do not have the format of their field.
extension NoticeCases {
    static let aboutTexts: [NoticeCase] = [
        NoticeCase(
            .invalidCharacter, ["stops.txt": stops + "\ns1,On\u{FFFD},50.1,8.1\ns2,T\u{0}o,50.2,8.2\n"],
            [
                "stops.txt, row 2, stop_name: \"On\u{FFFD}\" has a replacement character (U+FFFD); stored as it "
                    + "is",
                "stops.txt, row 3, stop_name: \"T␀o\" has a NUL character; stored as it is",
            ]),
        NoticeCase(
            .nonAsciiOrNonPrintableChar,
            ["stops.txt": stops + ",zone_id\n" + "s1,One,50.1,8.1,zoné\ns2,Two,50.2,8.2,zoné\nsü,Süd,50.3,8.3,\n"],
            [
                "stops.txt, row 2, zone_id: \"zoné\" is an ID with characters other than printable ASCII; "
                    + "stored as it is",
                "stops.txt, row 3, zone_id: \"zoné\" is an ID with characters other than printable ASCII; "
                    + "stored as it is",
                "stops.txt, row 4, stop_id: \"sü\" is an ID with characters other than printable ASCII; stored "
                    + "as it is",
            ]),
        NoticeCase(
            .nonAsciiOrNonPrintableChar,
            ["stops.txt": stops + "\n\(right)s\t3,Three,50.1,8.1\n\"s\n4\",Four,50.2,8.2\n"],
            [
                "stops.txt, row 4, stop_id: \"s\t3\" is an ID with characters other than printable ASCII; stored as "
                    + "it is",
                "stops.txt, row 5: stop_id has a line break in its value; stored as it is",
                "stops.txt, row 5, stop_id: \"s\n4\" is an ID with characters other than printable ASCII; stored as "
                    + "it is",
            ]),
        NoticeCase(
            .nonAsciiOrNonPrintableChar,
            [
                "stops.txt": "stop_id\tstop_name\tstop_lat\tstop_lon\ns1\tOne\t50.1\t8.1\ns2\tTwo\t50.2\t8.2\n"
                    + "\"s\t3\"\tThree\t50.3\t8.3\n"
            ],
            [
                "stops.txt, row 1: the columns are divided by tabs where GTFS has commas; read as such",
                "stops.txt, row 4, stop_id: \"s\t3\" is an ID with characters other than printable ASCII; stored as "
                    + "it is",
            ]),
        // Shapes and services without a weekly calendar are defined by the first row that names them.
        NoticeCase(
            .nonAsciiOrNonPrintableChar,
            [
                "calendar_dates.txt": "service_id,date,exception_type\nw,20260101,2\n"
                    + "wé,20260101,1\nwé,20260102,1\n",
                "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nü,50.1,8.1,1\nü,50.2,8.2,2\n",
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,ü\nr,w,u,ü\n",
            ],
            [
                "calendar_dates.txt, row 3, service_id: \"wé\" is an ID with characters other than printable ASCII; "
                    + "stored as it is",
                "shapes.txt, row 2, shape_id: \"ü\" is an ID with characters other than printable ASCII; stored as "
                    + "it is",
            ]),
        NoticeCase(
            .mixedCaseRecommendedField, ["stops.txt": stops + "\ns1,MAIN STREET,50.1,8.1\ns2,Two,50.2,8.2\n"],
            [
                "stops.txt, row 2, stop_name: \"MAIN STREET\" has no word with both capitals and small letters; stored as it is"
            ]),
        NoticeCase(
            .invalidUrl, ["agency.txt": agencies + "a,A,www.a.example,Europe/Berlin,,,\n"],
            [
                "agency.txt, row 2, agency_url: \"www.a.example\" is not a URL that begins with http:// or "
                    + "https://; stored as it is"
            ]),
        NoticeCase(
            .invalidUrl, ["agency.txt": agencies + "a,A,http://a.example/b c,Europe/Berlin,,,\n"],
            [
                "agency.txt, row 2, agency_url: \"http://a.example/b c\" is not a well-formed URL (RFC 3986); stored as it "
                    + "is"
            ]),
        NoticeCase(
            .invalidTimezone, ["agency.txt": agencies + "a,A,http://a.example,Europe/Zag,,,\n"],
            [
                "agency.txt, row 2, agency_timezone: \"Europe/Zag\" is not a time zone of the IANA database; "
                    + "stored as it is, so the agency's times are read in UTC"
            ]),
        NoticeCase(
            .invalidTimezone,
            ["stops.txt": stops + ",stop_timezone\ns1,One,50.1,8.1,Europe/Zag\ns2,Two,50.2,8.2,\n"],
            [
                "stops.txt, row 2, stop_timezone: \"Europe/Zag\" is not a time zone of the IANA database; "
                    + "stored as it is"
            ]),
        NoticeCase(
            .invalidLanguageCode, ["agency.txt": agencies + "a,A,http://a.example,Europe/Berlin,deutsch_,,\n"],
            [
                "agency.txt, row 2, agency_lang: \"deutsch_\" is not a language code (BCP 47); stored as it is",
                "agency.txt, row 2, agency_lang: \"deutsch_\" is not feed_lang \"de\" of feed_info.txt; stored as it is",
            ]),
        NoticeCase(
            .invalidPhoneNumber, ["agency.txt": agencies + "a,A,http://a.example,Europe/Berlin,,call us,\n"],
            [
                "agency.txt, row 2, agency_phone: \"call us\" is not a phone number; stored as it is"
            ]),
        NoticeCase(
            .invalidEmail, ["agency.txt": agencies + "a,A,http://a.example,Europe/Berlin,,,a at b\n"],
            [
                "agency.txt, row 2, agency_email: \"a at b\" is not an email address; stored as it is"
            ]),
        NoticeCase(
            .invalidColor,
            ["routes.txt": "route_id,agency_id,route_short_name,route_type,route_color\nr,a,1,3,#FF0000\n"],
            [
                "routes.txt, row 2, route_color: \"#FF0000\" is not a color of six hexadecimal digits; stored "
                    + "as it is"
            ]),
        NoticeCase(
            .invalidCurrency, ["fare_products.txt": fares + "f,1.50,EURO\n"],
            [
                "fare_products.txt, row 2, currency: \"EURO\" is not a currency code of ISO 4217; stored as it is"
            ]),
        NoticeCase(
            .invalidCurrencyAmount,
            [
                "fare_products.txt": fares
                    + "f,1.5,EUR\ng,100.00,JPY\nh,1.50,EUR\ni,cheap,EUR\nj,1.50\u{A0},EUR\nk,1.5\u{A0},EUR\n"
            ],
            [
                "fare_products.txt, row 2: amount \"1.5\" has 1 decimal where EUR has 2; stored as it is",
                "fare_products.txt, row 3: amount \"100.00\" has 2 decimals where JPY has 0; stored as it is",
                "fare_products.txt, row 5, amount: \"cheap\" is not a number; the column is left empty and the "
                    + "text kept in kept_value",
                "fare_products.txt, row 6, amount: \"1.50\" has white space around it, which was removed",
                "fare_products.txt, row 7, amount: \"1.5\" has white space around it, which was removed",
                "fare_products.txt, row 7: amount \"1.5\u{A0}\" has 1 decimal where EUR has 2; stored as it is",
            ]),
        NoticeCase(
            .invalidCurrencyAmount, ["fare_products.txt": fares + "f,1.5e1,EUR\ng,1E3,JPY\n"],
            [
                "fare_products.txt, row 2: amount \"1.5e1\" has an exponent where EUR has 2 decimals; stored as it is",
                "fare_products.txt, row 3: amount \"1E3\" has an exponent where JPY has 0 decimals; stored as it is",
            ]),
    ]
}
