@testable import GTFSImport

/// Faults of headers and of whole rows.
extension NoticeCases {
    static let aboutHeaders: [NoticeCase] = [
        NoticeCase(
            .duplicatedColumn,
            ["stops.txt": stops + ",stop_name,x,x\ns1,One,50.1,8.1,Eins,a,b\ns2,Two,50.2,8.2,Zwei,,\n"],
            [
                "stops.txt, row 1, stop_name: column 5 has the name of column 2; the first is read, the other "
                    + "kept as text",
                "stops.txt, row 1, x: column 7 has the name of column 6; the first is read, the other kept as "
                    + "text",
                "stops.txt, row 1, x: not a column of GTFS; kept as text",
            ]),
        NoticeCase(
            .emptyColumnName, ["stops.txt": stops + ",,\ns1,One,50.1,8.1,a,b\ns2,Two,50.2,8.2,,\n"],
            [
                "stops.txt, row 1, column 5: the column has no name; kept as column_5",
                "stops.txt, row 1, column 6: the column has no name; kept as column_6",
            ]),
        NoticeCase(
            .unknownColumn,
            ["stops.txt": "STOP_ID,stop_name,stop_lat,stop_lon,Note\ns1,One,50.1,8.1,a\ns2,Two,50.2,8.2,b\n"],
            [
                "stops.txt, row 1, STOP_ID: read as stop_id, which is how GTFS spells it",
                "stops.txt, row 1, Note: not a column of GTFS; kept as text",
            ]),
        NoticeCase(
            .leadingOrTrailingWhitespaces,
            ["stops.txt": "stop_id, stop_name ,stop_lat,stop_lon\ns1, One,50.1,8.1\ns2,Two\t,50.2,8.2\n"],
            [
                "stops.txt, row 1, stop_name: the column's name has white space around it, which was removed",
                "stops.txt, row 2, stop_name: \"One\" has white space around it, which was removed",
                "stops.txt, row 3, stop_name: \"Two\" has white space around it, which was removed",
            ]),
        // As in the validator, blanks alone are a fault in quotes only. A blank row has one notice for all.
        NoticeCase(
            .leadingOrTrailingWhitespaces,
            [
                "stops.txt": stops + ",stop_desc,stop_code,stop_url\n"
                    + "\"s1\",One,50.1,8.1,\"  \",  ,\"\"\ns2,Two,50.2,8.2,,\"\t\",\n\" \",\" \",,,,,\n"
            ],
            [
                "stops.txt, row 2, stop_desc: \"  \" has only white space in its quotes; read as empty",
                "stops.txt, row 3, stop_code: \"\t\" has only white space in its quotes; read as empty",
                "stops.txt, row 4: the row is blank; left out",
            ]),
        NoticeCase(
            .duplicatedColumn,
            [
                "agency.txt": "agency_id,agency_name,agency_url,agency_timezone,agency_timezone\n"
                    + "a,A,http://a.example,,Europe/Berlin\n"
            ],
            [
                "agency.txt, row 1, agency_timezone: column 5 has the name of column 4; the first is read, the other "
                    + "kept as text",
                "agency.txt, row 2: agency_timezone is empty but required, so the agency's times are read in UTC",
            ]),
        NoticeCase(
            .missingRequiredColumn,
            [
                "agency.txt": "agency_id,agency_name,agency_url\na,A,http://a.example\n",
                "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date\n"
                    + "w,1,1,1,1,1,0,0,20260101\n",
            ],
            [
                "agency.txt, row 1, agency_timezone: the column is missing and required, so all times are read in UTC",
                "calendar.txt, row 1, end_date: the column is missing and required, so the file gives no service any "
                    + "days",
            ]),
        NoticeCase(
            .missingRequiredColumn, ["agency.txt": "agency_id,agency_name,agency_timezone\na,A,Europe/Berlin\n"],
            [
                "agency.txt, row 1, agency_url: the column is missing and required"
            ]),
    ]

    static let aboutRows: [NoticeCase] = [
        NoticeCase(
            .emptyRow, ["stops.txt": stops + "\n\ns1,One,50.1,8.1\n,,,\n \ns2,Two,50.2,8.2\n\n"],
            [
                "stops.txt, row 4: the row is blank; left out",
                "stops.txt, row 5: the row is blank; left out",
                "stops.txt, row 2: the row is blank; left out",
                "stops.txt, row 7: the row is blank; left out",
            ]),
        NoticeCase(
            .invalidRowLength, ["stops.txt": stops + ",stop_code\ns1,One,50.1,8.1\ns2,Two,50.2,8.2,2,more, ,most\n"],
            [
                "stops.txt, row 2: has 4 cells where the header has 5; missing ones are empty",
                "stops.txt, row 3: has 8 cells where the header has 5; further ones are kept in extra_cell",
            ]),
        NoticeCase(
            .invalidRowLength, ["stops.txt": stops + "\ns1,One,50.1,8.1,\ns2,Two,50.2,8.2,, \n"],
            [
                "stops.txt, row 2: has 5 cells where the header has 4; further ones are empty",
                "stops.txt, row 3: has 6 cells where the header has 4; further ones are empty",
            ]),
        NoticeCase(
            .newLineInValue, ["stops.txt": stops + "\ns1,\"One\nA\",50.1,8.1\ns2,Two,50.2,8.2\n"],
            [
                "stops.txt, row 2: stop_name has a line break in its value; stored as it is"
            ]),
        NoticeCase(
            .csvParsingFailed, ["stops.txt": stops + "\ns1,\"One\"A,50.1,8.1\ns2,Two,50.2,\"8.2\n"],
            [
                "stops.txt, row 2: text follows a closing quote; it was added to the value as it stands",
                "stops.txt, row 3: stop_lon has a line break in its value; stored as it is",
                "stops.txt, row 3: a quote is opened and never closed; read to the end of the line or file",
                "stops.txt, row 3, stop_lon: \"8.2\" has white space around it, which was removed",
            ]),
        NoticeCase(
            .missingRequiredField, ["agency.txt": agencies + "a,,http://a.example,Europe/Berlin,,,\n"],
            [
                "agency.txt, row 2: agency_name is empty but required"
            ]),
        NoticeCase(
            .missingRequiredField,
            ["agency.txt": agencies, "routes.txt": "route_id,route_short_name,route_type\nr,1,3\n"],
            ["agency.txt: has no agency and so no agency_timezone; times are read in UTC"]),
        NoticeCase(
            .missingRequiredField,
            ["stop_times.txt": times + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,\n,,,s1,7\n"],
            [
                "stop_times.txt, row 3: stop_sequence is empty but required; without it the row is not in "
                    + "stop_time but kept in kept_row",
                "stop_times.txt, row 4: trip_id is empty but required; without it the row is not in stop_time "
                    + "but kept in kept_row",
            ]),
        NoticeCase(
            .missingRecommendedField,
            [
                "feed_info.txt":
                    "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version,"
                    + "feed_contact_url\nA,http://a.example,de,,20261231,1,http://a.example/contact\n"
            ],
            [
                "feed_info.txt, row 2: feed_start_date is empty but recommended",
                "feed_info.txt, row 2: has feed_end_date without feed_start_date; stored as it is",
            ]),
    ]
}
