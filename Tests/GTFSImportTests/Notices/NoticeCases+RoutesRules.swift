@testable import GTFSImport

/// Rules about routes, agencies, translations and shapes. Each feed breaks a rule and has rows that just do not.
extension NoticeCases {
    static let rulesOfRoutes: [NoticeCase] = [
        NoticeCase(
            .routeBothShortAndLongNameMissing,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\nr,a,1,,3\nq,a,,,3\n"
                    + "p,a,,Long,3\n"
            ],
            [
                "routes.txt, row 3: has neither route_short_name nor route_long_name; stored as it is"
            ]),
        NoticeCase(
            .routeShortNameTooLong,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\n"
                    + "r,a,Twelve chars,,3\nq,a,Thirteen char,,3\n"
            ],
            [
                "routes.txt, row 3, route_short_name: \"Thirteen char\" has more than 12 characters; stored "
                    + "as it is"
            ]),
        NoticeCase(
            .routeLongNameContainsShortName,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\nr,a,1,1 Centre,3\n"
                    + "q,a,U2,u2-Ring,3\np,a,Ü3,ü3,3\no,a,4,4th Street,3\nn,a,5,Line 5,3\n"
            ],
            [
                "routes.txt, row 2, route_long_name: \"1 Centre\" repeats route_short_name \"1\"; stored as "
                    + "it is",
                "routes.txt, row 3, route_long_name: \"u2-Ring\" repeats route_short_name \"U2\"; stored as "
                    + "it is",
                "routes.txt, row 4, route_long_name: \"ü3\" repeats route_short_name \"Ü3\"; stored as it is",
            ]),
        NoticeCase(
            .sameNameAndDescriptionForRoute,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type,route_desc\n"
                    + "r,a,One,First,3,ONE\nq,a,Two,Straße,3,straße\np,a,Three,Third,3,Threefold\n"
            ],
            [
                "routes.txt, row 3, route_desc: \"straße\" has no word with both capitals and small letters; "
                    + "stored as it is",
                "routes.txt, row 2, route_desc: \"ONE\" only repeats route_short_name; stored as it is",
                "routes.txt, row 3, route_desc: \"straße\" only repeats route_long_name; stored as it is",
            ]),
        NoticeCase(
            .sameRouteAndAgencyUrl,
            [
                "agency.txt": "agency_id,agency_name,agency_url,agency_timezone,agency_lang\n"
                    + "a,A,http://a.example,Europe/Berlin,\nb,B,http://A.example,Europe/Berlin,\n",
                "routes.txt": "route_id,agency_id,route_short_name,route_type,route_url\nr,a,1,3,HTTP://a.example\n"
                    + "q,b,2,3,http://a.example/2\np,b,3,3,\n",
            ],
            [
                "routes.txt, row 2, route_url: \"HTTP://a.example\" is also the agency_url of row 2 of "
                    + "agency.txt; stored as it is",
                "routes.txt, row 2, route_url: \"HTTP://a.example\" is also the agency_url of row 2 of "
                    + "agency.txt and of others; stored as it is",
            ]),
        NoticeCase(
            .duplicateRouteName,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_long_name,route_type\nr,a,1,,3\nq,a,1,,3\n"
                    + "p,a,1,,2\no,a,1,Long,3\nn,x,1,,3\nm,y,1,,3\nl,x,1,,3\nk,a,1,,3\n"
            ],
            [
                "routes.txt, row 6, agency_id: \"x\" is not an agency_id of agency.txt; the column is left empty "
                    + "and the text kept in kept_value",
                "routes.txt, row 7, agency_id: \"y\" is not an agency_id of agency.txt; the column is left empty "
                    + "and the text kept in kept_value",
                "routes.txt, row 8, agency_id: \"x\" is not an agency_id of agency.txt; the column is left empty "
                    + "and the text kept in kept_value",
                "routes.txt, row 3, route_id: \"q\" has the same route_short_name, route_long_name, "
                    + "route_type and agency_id as an earlier row; stored as it is",
                "routes.txt, row 8, route_id: \"l\" has the same route_short_name, route_long_name, "
                    + "route_type and agency_id as an earlier row; stored as it is",
                "routes.txt, row 9, route_id: \"k\" has the same route_short_name, route_long_name, "
                    + "route_type and agency_id as an earlier row; stored as it is",
            ]),
        NoticeCase(
            .routeColorContrast,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_type,route_color,route_text_color\n"
                    + "r,a,1,3,000000,484848\nq,a,2,3,000000,474747\np,a,3,3,ff0000,FF5555\n"
                    + "o,a,4,3,FF0000,\n"
            ],
            [
                "routes.txt, row 3, route_text_color: \"474747\" is hard to read on route_color \"000000\"; "
                    + "stored as it is",
                "routes.txt, row 4, route_text_color: \"FF5555\" is hard to read on route_color \"ff0000\"; "
                    + "stored as it is",
            ]),
        NoticeCase(
            .routeNetworksSpecifiedInMoreThanOneFile,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_type,network_id\nr,a,1,3,n\n",
                "networks.txt": "network_id,network_name\nn,Net\n",
                "route_networks.txt": "network_id,route_id\nn,r\n",
            ],
            [
                "routes.txt, row 1, network_id: the feed has networks.txt as well; fare networks belong in "
                    + "one place; stored as it is",
                "routes.txt, row 1, network_id: the feed has route_networks.txt as well; fare networks "
                    + "belong in one place; stored as it is",
            ]),
    ]

    static let rulesOfAgencies: [NoticeCase] = [
        NoticeCase(
            .inconsistentAgencyTimezone,
            [
                "agency.txt": "agency_id,agency_name,agency_url,agency_timezone,agency_lang\n"
                    + "a,A,http://a.example,Europe/Berlin,\nb,B,http://b.example,Europe/Berlin,\n"
                    + "c,C,http://c.example,Europe/Vienna,\n"
            ],
            [
                "agency.txt, row 4, agency_timezone: \"Europe/Vienna\" is not \"Europe/Berlin\", the time "
                    + "zone of the first agency; stored as it is"
            ]),
        NoticeCase(
            .inconsistentAgencyLang,
            [
                "feed_info.txt": SmallFeed.feedInfo("A,http://a.example,mul"),
                "agency.txt": "agency_id,agency_name,agency_url,agency_timezone,agency_lang\n"
                    + "a,A,http://a.example,Europe/Berlin,\nb,B,http://b.example,Europe/Berlin,de\n"
                    + "c,C,http://c.example,Europe/Berlin,DE\nd,D,http://d.example,Europe/Berlin,fr\n",
            ],
            [
                "agency.txt, row 5, agency_lang: \"fr\" is not \"de\", the language of the first agency that "
                    + "names one; stored as it is"
            ]),
        NoticeCase(
            .feedInfoLangAndAgencyLangMismatch,
            [
                "agency.txt": "agency_id,agency_name,agency_url,agency_timezone,agency_lang\n"
                    + "a,A,http://a.example,Europe/Berlin,fr\n"
            ],
            [
                "agency.txt, row 2, agency_lang: \"fr\" is not feed_lang \"de\" of feed_info.txt; stored as "
                    + "it is"
            ]),
        NoticeCase(
            .missingFeedInfoDate,
            [
                "feed_info.txt":
                    "feed_publisher_name,feed_publisher_url,feed_lang,feed_contact_url,feed_start_date,feed_end_date,feed_version\n"
                    + "A,http://a.example,de,http://a.example/contact,20260101,,1\n"
            ],
            [
                "feed_info.txt, row 2: feed_end_date is empty but recommended",
                "feed_info.txt, row 2: has feed_start_date without feed_end_date; stored as it is",
            ]),
        NoticeCase(
            .missingFeedContactEmailAndUrl,
            [
                "feed_info.txt":
                    "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version\n"
                    + "A,http://a.example,de,20260101,20261231,1\n"
            ],
            [
                "feed_info.txt, row 2: has neither feed_contact_email nor feed_contact_url; stored as it is"
            ]),
        NoticeCase(
            .attributionWithoutRole,
            [
                "attributions.txt": "attribution_id,organization_name,is_producer,is_operator\nx,X,1,\ny,Y,,0\n"
                    + "z,Z,soon,\n"
            ],
            [
                "attributions.txt, row 4, is_producer: \"soon\" is not a whole number; the column is left "
                    + "empty and the text kept in kept_value",
                "attributions.txt, row 3: is_producer, is_operator and is_authority are all empty or 0; "
                    + "stored as it is",
            ]),
    ]

    static let rulesOfTexts: [NoticeCase] = [
        NoticeCase(
            .translationUnknownTableName,
            [
                "translations.txt": "table_name,field_name,language,translation,record_id,record_sub_id,field_value\n"
                    + "stops,stop_name,en,One,s1,,\nlevels,level_name,en,Ground,,,Erdgeschoss\n"
                    + "Stops,stop_name,fr,Un,,,One\n"
            ],
            [
                "translations.txt, row 3, table_name: \"levels\" is not the name of a GTFS file that the "
                    + "feed has; stored as it is"
            ]),
        NoticeCase(
            .translationUnexpectedValue,
            [
                "translations.txt": "table_name,field_name,language,translation,record_id,record_sub_id,field_value\n"
                    + "stops,stop_name,en,One,s1,,One\nstops,stop_name,fr,One,s1,1,\n"
                    + "feed_info,feed_publisher_name,en,A,x,,\nstop_times,stop_headsign,en,A,t,1,\n"
                    + "stops,stop_name,en,Two,,7,Two\n"
            ],
            [
                "translations.txt, row 2, record_id: \"s1\" must be empty beside field_value; stored as it is",
                "translations.txt, row 3, record_sub_id: \"1\" must be empty for stops, whose ID is in one "
                    + "field; stored as it is",
                "translations.txt, row 4, record_id: \"x\" must be empty for feed_info, whose rows have no "
                    + "ID; stored as it is",
                "translations.txt, row 6, record_sub_id: \"7\" must be empty beside field_value; stored as "
                    + "it is",
            ]),
        NoticeCase(
            .missingRequiredField,
            [
                "translations.txt": "table_name,field_name,language,translation,record_id,record_sub_id,field_value\n"
                    + "stops,stop_name,de,Eins,,,\nstop_times,stop_headsign,de,Zwei,t,,\n"
                    + "stop_times,stop_headsign,de,Zwei,,2,\nfeed_info,feed_publisher_name,de,A,,,\n"
                    + "stops,stop_name,de,Eins,s1,,\nstop_times,stop_headsign,de,Zwei,t,1,\n"
                    + "stops,stop_name,de,Eins,,,One\nlevels,level_name,de,Eins,,,\n"
            ],
            [
                "translations.txt, row 2: record_id is required, because field_value is empty; stored as it is",
                "translations.txt, row 3: record_sub_id is required beside record_id, because an ID of stop_times "
                    + "is in two fields; stored as it is",
                "translations.txt, row 4: record_id is required, because field_value is empty; stored as it is",
                "translations.txt, row 9, table_name: \"levels\" is not the name of a GTFS file that the feed has; "
                    + "stored as it is",
            ]),
        NoticeCase(
            .unusedShape,
            [
                "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nx,50.1,8.1,1\nx,50.2,8.2,2\n"
                    + "y,50.1,8.1,1\ny,50.2,8.2,2\n",
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,x\n",
            ],
            [
                "shapes.txt, shape_id: \"y\" is a shape that no trip takes; stored as it is"
            ]),
    ]
}
