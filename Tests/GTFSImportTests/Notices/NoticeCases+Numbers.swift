@testable import GTFSImport

/// Times, dates and numbers that are impossible or implausible.
extension NoticeCases {
    static let aboutNumbers: [NoticeCase] = [
        NoticeCase(
            .invalidTime, ["stop_times.txt": times + "t,6:00,06:00:00,s1,1\nt,soon,06:10:00,s2,2\n"],
            [
                "stop_times.txt, row 2, arrival_time: \"6:00\" is not written HH:MM:SS; read as 06:00:00",
                "stop_times.txt, row 3, arrival_time: \"soon\" is not a time (HH:MM:SS); the column is left "
                    + "empty and the text kept in kept_value",
            ]),
        NoticeCase(
            .invalidDate, ["calendar.txt": days + "w,1,1,1,1,1,0,0,2026-01-01,20260230\n"],
            [
                "calendar.txt, row 2, start_date: \"2026-01-01\" is not a date (YYYYMMDD); the column is left "
                    + "empty and the text kept in kept_value, so the row gives its service no days",
                "calendar.txt, row 2, end_date: \"20260230\" is not a date (YYYYMMDD); the column is left empty "
                    + "and the text kept in kept_value, so the row gives its service no days",
            ]),
        NoticeCase(
            .missingRequiredField, ["calendar.txt": days + "w,1,1,1,1,1,0,0,20260101,\n"],
            ["calendar.txt, row 2: end_date is empty but required, so the row gives its service no days"]),
        // A row that is not stored gives no days anyway.
        NoticeCase(
            .invalidDate, ["calendar.txt": days + "w,1,1,1,1,1,0,0,20260101,20261231\nw,1,1,1,1,1,0,0,soon,\n"],
            [
                "calendar.txt, row 3, service_id: \"w\" is already the ID of row 2; this row is not in service but "
                    + "kept in kept_row",
                "calendar.txt, row 3, start_date: \"soon\" is not a date (YYYYMMDD); the row is not in service but "
                    + "kept in kept_row",
                "calendar.txt, row 3: end_date is empty but required",
            ]),
        NoticeCase(
            .invalidInteger,
            [
                "frequencies.txt":
                    "trip_id,start_time,end_time,headway_secs,exact_times\nu,06:00:00,07:00:00,600.0,many\n"
                    + "u,08:00:00,09:00:00,-600.0,7.0\n",
                "stop_times.txt": times
                    + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,second\nt,06:10:00,06:10:00,s2,2.0\n",
            ],
            [
                "stop_times.txt, row 3, stop_sequence: \"second\" is not a whole number; without it the row is "
                    + "not in stop_time but kept in kept_row",
                "stop_times.txt, row 4, stop_sequence: \"2.0\" is not written as a whole number; read as 2",
                "frequencies.txt, row 2, headway_secs: \"600.0\" is not written as a whole number; read as 600",
                "frequencies.txt, row 2, exact_times: \"many\" is not a whole number; the column is left empty "
                    + "and the text kept in kept_value",
                "frequencies.txt, row 3, headway_secs: \"-600.0\" is not written as a whole number; read as -600",
                "frequencies.txt, row 3, headway_secs: \"-600.0\" must be more than 0; stored as it is",
                "frequencies.txt, row 3, exact_times: \"7.0\" is not written as a whole number; read as 7",
                "frequencies.txt, row 3, exact_times: \"7.0\" is not one of the values that the field has; "
                    + "stored as it is",
            ]),
        NoticeCase(
            .invalidFloat, ["stops.txt": stops + "\ns1,One,\"50,1\",8.1\ns2,Two,50.2,east\n"],
            [
                "stops.txt, row 2, stop_lat: \"50,1\" is not a number; the column is left empty and the text "
                    + "kept in kept_value",
                "stops.txt, row 3, stop_lon: \"east\" is not a number; the column is left empty and the text "
                    + "kept in kept_value",
            ]),
        NoticeCase(
            .unexpectedEnumValue, ["routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,700\n"],
            [
                "routes.txt, row 2, route_type: \"700\" is not one of the values that the field has; stored as "
                    + "it is"
            ]),
        NoticeCase(
            .numberOutOfRange,
            [
                "stops.txt": stops + "\ns1,One,90.5,8.1\ns2,Two,50.2,-180.5\ns3,Three,50.2,180\ns4,Four,50.2,-180\n",
                "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nu,06:00:00,07:00:00,0\n",
                "routes.txt": "route_id,agency_id,route_short_name,route_type,route_sort_order\nr,a,1,3,-1\n",
                "pathways.txt":
                    "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,stair_count\np,s1,s2,2,1,0\n",
            ],
            [
                "stops.txt, row 2, stop_lat: \"90.5\" must be between -90 and 90; stored as it is",
                "stops.txt, row 3, stop_lon: \"-180.5\" must be between -180 and 180; stored as it is",
                "routes.txt, row 2, route_sort_order: \"-1\" must be at least 0; stored as it is",
                "frequencies.txt, row 2, headway_secs: \"0\" must be more than 0; stored as it is",
                "pathways.txt, row 2, stair_count: \"0\" must be other than 0; stored as it is",
            ]),
        NoticeCase(
            .pointNearOrigin,
            [
                "stops.txt": stops
                    + "\ns1,One,0.5,-0.5\ns2,Two,50.2,8.2\ns3,Three,-1,1\ns4,Four,1,-1.01\ns5,Five,1.01,1\n"
            ],
            [
                "stops.txt, row 2: stop_lat 0.5, stop_lon -0.5 is near the point 0, 0; stored as it is",
                "stops.txt, row 4: stop_lat -1.0, stop_lon 1.0 is near the point 0, 0; stored as it is",
            ]),
        NoticeCase(
            .pointNearPole,
            ["stops.txt": stops + "\ns1,One,89.5,8.1\ns2,Two,50.2,8.2\ns3,Three,-89,8.1\ns4,Four,88.99,8.1\n"],
            [
                "stops.txt, row 2: stop_lat 89.5, stop_lon 8.1 is near a pole; stored as it is",
                "stops.txt, row 4: stop_lat -89.0, stop_lon 8.1 is near a pole; stored as it is",
            ]),
        NoticeCase(
            .startAndEndRangeEqual,
            ["frequencies.txt": "trip_id,start_time,end_time,headway_secs\nu,06:00:00,06:00:00,600\n"],
            [
                "frequencies.txt, row 2: end_time 06:00:00 is equal to start_time 06:00:00; stored as it is"
            ]),
        NoticeCase(
            .startAndEndRangeOutOfOrder,
            [
                "calendar.txt": days + "w,1,1,1,1,1,0,0,20261231,20260101\n",
                "stop_times.txt": times + "t,06:00:00,05:59:59,s1,1\nt,06:10:00,06:10:00,s2,2\n",
            ],
            [
                "calendar.txt, row 2: end_date 20260101 is before start_date 20261231; stored as it is, so the "
                    + "row gives its service no days",
                "stop_times.txt, row 2: departure_time 05:59:59 is before arrival_time 06:00:00; stored as it is",
            ]),
        NoticeCase(
            .serviceExtendsFarInTheFuture,
            ["calendar.txt": days + "w,1,1,1,1,1,0,0,19000101,99991231\nx,1,1,1,1,1,1,1,20000101,20991231\n"],
            [
                "calendar.txt, row 2: the service runs from 19000101 to 99991231; service_day has its days from 20000101 to "
                    + "20991231 only",
                "calendar.txt, row 2, service_id: \"w\" runs from 20000103 to 20991231, but the feed is valid "
                    + "from 20260101 to 20261231; stored as it is",
            ]),
    ]
}
