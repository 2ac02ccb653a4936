@testable import GTFSImport

/// Fields that must or should have a value because of other fields or rows.
extension NoticeCases {
    private static let agencyHeader = "agency_id,agency_name,agency_url,agency_timezone\n"
    private static let transfers = "from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id\n"
    private static let flexTimes =
        "trip_id,stop_id,location_group_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window\n"

    static let aboutPresence: [NoticeCase] = [
        NoticeCase(
            .missingRequiredAgencyId,
            [
                "agency.txt": agencyHeader + "a,A,http://a.example,Europe/Berlin\n,B,http://b.example,Europe/Berlin\n",
                "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,,1,3\nq,gone,2,3\n",
                "fare_attributes.txt": "fare_id,price,currency_type,payment_method,transfers\nf,1.00,EUR,0,0\n",
            ],
            [
                "routes.txt, row 3, agency_id: \"gone\" is not an agency_id of agency.txt; "
                    + "the column is left empty and the "
                    + "text kept in kept_value",
                "agency.txt, row 3: agency_id is empty but required in a feed with several agencies",
                "routes.txt, row 2: agency_id is empty but required in a feed with several agencies",
                "fare_attributes.txt, row 2: agency_id is empty but required in a feed with several agencies",
            ]),
        NoticeCase(
            .missingRecommendedField,
            [
                "agency.txt": agencyHeader + ",A,http://a.example,Europe/Berlin\n",
                "routes.txt": "route_id,route_short_name,route_type\nr,1,3\n",
                "fare_attributes.txt":
                    "fare_id,price,currency_type,payment_method,transfers,agency_id\nf,1.00,EUR,0,0,\n",
            ],
            [
                "agency.txt, row 2: agency_id is empty but recommended in a feed with one agency",
                "routes.txt, row 2: agency_id is empty but recommended in a feed with one agency",
                "fare_attributes.txt, row 2: agency_id is empty but recommended in a feed with one agency",
            ]),
        NoticeCase(
            .missingRecommendedField,
            [
                "fare_media.txt": "fare_media_id,fare_media_name,fare_media_type\n"
                    + "a,,0\nb,,1\nc,,2\nd,,3\ne,,4\nf,Card,2\ng,,\nh,,x\n"
            ],
            [
                "fare_media.txt, row 4: fare_media_name is empty but recommended with fare_media_type 2",
                "fare_media.txt, row 6: fare_media_name is empty but recommended with fare_media_type 4",
                "fare_media.txt, row 8: fare_media_type is empty but required",
                "fare_media.txt, row 9, fare_media_type: \"x\" is not a whole number; the column is left empty and "
                    + "the text kept in kept_value",
                "fare_media.txt, row 8, fare_media_id: \"g\" has the same fare_media_name and fare_media_type as an "
                    + "earlier row; stored as it is",
            ]),
        // The column may be missing; a value that cannot be read is a value.
        NoticeCase(
            .missingRecommendedField,
            [
                "feed_info.txt":
                    "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_contact_url\n"
                    + "P,http://p.example,de,,soon,http://p.example/contact\n"
            ],
            [
                "feed_info.txt, row 2, feed_end_date: \"soon\" is not a date (YYYYMMDD); the column is left empty and "
                    + "the text kept in kept_value",
                "feed_info.txt, row 2: feed_start_date is empty but recommended",
                "feed_info.txt, row 2: feed_version is empty but recommended",
            ]),
        // The column may be missing as well.
        NoticeCase(
            .missingRecommendedField, ["fare_media.txt": "fare_media_id,fare_media_type\na,0\nb, 4.0 \n,\n"],
            [
                "fare_media.txt, row 3, fare_media_type: \"4.0\" has white space around it, which was removed",
                "fare_media.txt, row 3, fare_media_type: \"4.0\" is not written as a whole number; read as 4",
                "fare_media.txt, row 3: fare_media_name is empty but recommended with fare_media_type 4",
                "fare_media.txt, row 4: the row is blank; left out",
            ]),
        NoticeCase(
            .missingRequiredField,
            [
                "stops.txt": stops + "\ns1,One,50.1,8.1\ns2,Two,50.1,8.12\n",
                "transfers.txt": transfers
                    + "s1,,1,,\n,s2,0,,\n,,,t,u\n,,4,t,\n,,5,,u\ns1,s2,2,,\n,s2,9,t,\ns9,s1,2,,\n",
            ],
            [
                "transfers.txt, row 2: to_stop_id is empty but required with transfer_type 1",
                "transfers.txt, row 3: from_stop_id is empty but required with transfer_type 0",
                "transfers.txt, row 5: to_trip_id is empty but required with transfer_type 4",
                "transfers.txt, row 6: from_trip_id is empty but required with transfer_type 5",
                "transfers.txt, row 8, transfer_type: \"9\" is not one of the values that the field has; stored as "
                    + "it is",
                "transfers.txt, row 8: from_stop_id is empty but required with transfer_type 9",
                "transfers.txt, row 9, from_stop_id: \"s9\" is not a stop_id of stops.txt; "
                    + "the column is left empty and the "
                    + "text kept in kept_value",
            ]),
        NoticeCase(
            .missingRequiredField, ["transfers.txt": "from_stop_id,transfer_type\ns1,4\ns2,3\n"],
            [
                "transfers.txt, row 2: from_trip_id is empty but required with transfer_type 4",
                "transfers.txt, row 2: to_trip_id is empty but required with transfer_type 4",
                "transfers.txt, row 3: to_stop_id is empty but required with transfer_type 3",
            ]),
        NoticeCase(
            .missingRequiredField,
            [
                "networks.txt": "network_id\nn\n",
                "fare_leg_join_rules.txt":
                    "from_network_id,to_network_id,from_stop_id,to_stop_id\nn,n,s1,\nn,n,,s1\nn,n,,\nn,n,s1,s2\n",
            ],
            [
                "fare_leg_join_rules.txt, row 2: to_stop_id is empty but required with from_stop_id",
                "fare_leg_join_rules.txt, row 3: from_stop_id is empty but required with to_stop_id",
            ]),
        NoticeCase(
            .missingRequiredField,
            [
                "location_groups.txt": "location_group_id\ng\n",
                "stop_times.txt": flexTimes + "t,s1,,1,,\nt,,g,2,08:00:00,09:00:00\nt,,,3,,\nu, , ,1,,\n",
            ],
            [
                "stop_times.txt, row 4: stop_id is empty but required without location_group_id or location_id",
                "stop_times.txt, row 5: stop_id is empty but required without location_group_id or location_id",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: the first call of the trip has no arrival_time; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: the first call of the trip has no departure_time; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 2: pickup_type 0 (empty) does not go with a pickup and "
                    + "drop-off window; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 2: drop_off_type 0 (empty) does not go with a pickup and "
                    + "drop-off window; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 3: the last call of the trip has no arrival_time; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 3: the last call of the trip has no departure_time; stored as it is",
                "stop_times.txt, trip_id \"u\", stop_sequence 1: the first call of the trip has no arrival_time; stored as it is",
                "stop_times.txt, trip_id \"u\", stop_sequence 1: the first call of the trip has no departure_time; stored as it is",
            ]),
        // A feed with trips on demand needs no shapes.
        NoticeCase(
            .missingRequiredField,
            [
                "shapes.txt": nil, "trips.txt": trips, "location_groups.txt": "location_group_id\ng\n",
                "stop_times.txt": flexTimes + "t,,g,1,08:00:00,09:00:00\nt,,,2,,\n",
            ],
            [
                "stop_times.txt, row 3: stop_id is empty but required without location_group_id or location_id",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: pickup_type 0 (empty) does not go with a pickup and "
                    + "drop-off window; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: drop_off_type 0 (empty) does not go with a pickup and "
                    + "drop-off window; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 2: the last call of the trip has no arrival_time; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 2: the last call of the trip has no departure_time; stored as it is",
            ]),
        NoticeCase(
            .foreignKeyViolation,
            [
                "shapes.txt": nil, "trips.txt": trips,
                "stop_times.txt": "trip_id,stop_id,location_id,stop_sequence\nt,,l,1\nt,s2,,2\n",
            ],
            [
                "stop_times.txt, row 2, location_id: \"l\" is not an id of locations.geojson; "
                    + "the column is left empty and "
                    + "the text kept in kept_value",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: the first call of the trip has no arrival_time; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: the first call of the trip has no departure_time; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 2: the last call of the trip has no arrival_time; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 2: the last call of the trip has no departure_time; stored as it is",
            ]),
        // The validator does not ask for a stop if the header names no place at all.
        NoticeCase(
            .unknownColumn, ["stop_times.txt": "trip_id,stop_sequence,note\nt,1,x\n"],
            [
                "stop_times.txt, row 1, note: not a column of GTFS; kept as text",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: the first call of the trip has no arrival_time; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: the first call of the trip has no departure_time; stored as it is",
            ]),
        // Columns that must be there, but whose empty cells mean 0.
        NoticeCase(
            .missingRequiredColumn,
            [
                "stops.txt": stops + "\ns1,One,50.1,8.1\ns2,Two,50.1,8.12\n",
                "transfers.txt": "from_stop_id,to_stop_id\ns1,s2\n",
                "rider_categories.txt": "rider_category_id,rider_category_name,is_default_fare_category\nr,R,\n",
            ],
            ["transfers.txt, row 1, transfer_type: the column is missing and required"]),
        // The old form of translations.txt: nothing that its rows lack is a key.
        NoticeCase(
            .missingRequiredColumn,
            ["translations.txt": "trans_id,lang,translation\nOne,en,One\nOne,fr,Un\nTwo,en,Two\n"],
            [
                "translations.txt, row 1, trans_id: not a column of GTFS; kept as text",
                "translations.txt, row 1, lang: not a column of GTFS; kept as text",
                "translations.txt, row 1, table_name: the column is missing and required",
                "translations.txt, row 1, field_name: the column is missing and required",
                "translations.txt, row 1, language: the column is missing and required",
            ]),
    ]
}
