@testable import GTFSImport

/// Duplicate keys and dangling references.
extension NoticeCases {
    static let aboutKeys: [NoticeCase] = [
        NoticeCase(
            .duplicateKey,
            [
                "stops.txt": stops + "\ns1,One,50.1,8.1\ns2,Two,50.1,8.12\ns1,Again,50.1,8.1\n",
                "transfers.txt": "from_stop_id,to_stop_id,transfer_type\ns1,s2,0\ns2,s1,0\ns1,s2,2\n",
                "stop_times.txt": times
                    + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\nt,06:10:00,06:10:00,s2,2\n"
                    + "t,06:00:00,06:00:00,s1,1\n",
            ],
            [
                "stops.txt, row 4, stop_id: \"s1\" is already the ID of row 2; this row is not in stop but kept "
                    + "in kept_row",
                "stop_times.txt, row 4: has the same trip_id, stop_sequence as an earlier row; not in stop_time "
                    + "but kept in kept_row",
                "stop_times.txt, row 5: has the same trip_id, stop_sequence as an earlier row; not in stop_time "
                    + "but kept in kept_row",
                "transfers.txt, row 4: has the same from_stop_id, to_stop_id, from_trip_id, to_trip_id, "
                    + "from_route_id, to_route_id as row 2; stored all the same",
                "stop_times.txt, trip_id: \"t\" has rows that do not stand together in the order of "
                    + "stop_sequence; stored as it is",
            ]),
        // The whole row is the key: a row that differs in one column, or in a value that cannot be stored, is another.
        NoticeCase(
            .duplicateKey,
            [
                "fare_attributes.txt":
                    "fare_id,price,currency_type,payment_method,transfers,agency_id\nf,2,EUR,0,0,a\n",
                "fare_rules.txt": "fare_id,route_id\nf,r\nf,\nf,r\nf,gone\nf,lost\nf,\nf,gone\n",
                "areas.txt": "area_id\na\nb\n",
                "stop_areas.txt": "area_id,stop_id\na,s1\nb,s1\na,s2\nb,s1\n",
                "timeframes.txt": "timeframe_group_id,start_time,end_time,service_id\n"
                    + "g,06:00:00,09:00:00,w\ng,09:00:00,10:00:00,w\ng,6:00:00,09:00:00,w\n",
            ],
            [
                "fare_rules.txt, row 5, route_id: \"gone\" is not a route_id of routes.txt; "
                    + "the column is left empty and the "
                    + "text kept in kept_value",
                "fare_rules.txt, row 6, route_id: \"lost\" is not a route_id of routes.txt; "
                    + "the column is left empty and the "
                    + "text kept in kept_value",
                "fare_rules.txt, row 8, route_id: \"gone\" is not a route_id of routes.txt; "
                    + "the column is left empty and the "
                    + "text kept in kept_value",
                "fare_rules.txt, row 4: has the same fare_id, route_id, origin_id, destination_id, contains_id as row "
                    + "2; stored all the same",
                "fare_rules.txt, row 7: has the same fare_id, route_id, origin_id, destination_id, contains_id as row "
                    + "3; stored all the same",
                "fare_rules.txt, row 8: has the same fare_id, route_id, origin_id, destination_id, contains_id as row "
                    + "5; stored all the same",
                "timeframes.txt, row 4: has the same timeframe_group_id, start_time, end_time, service_id as row 2; "
                    + "stored all the same",
                "stop_areas.txt, row 5: has the same area_id, stop_id as row 3; stored all the same",
                "timeframes.txt, row 4: begins before row 2 of the same group and service ends; stored as it is",
            ]),
        // Notices about cells of rows that are kept whole: some found while reading, some when the rows are sorted.
        NoticeCase(
            .duplicateKey,
            [
                "stops.txt": stops + "\n" + right + "s1,Again,95,soon\n",
                "stop_times.txt": times
                    + "t,06:00:00,06:00:00,s1,1\nt,soon,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\n"
                    + "t,later,06:00:00,s9,1\nt,last,06:20:00,s2,3\nx,soon,06:00:00,s1,1\n",
            ],
            [
                "stops.txt, row 4, stop_id: \"s1\" is already the ID of row 2; this row is not in stop but kept "
                    + "in kept_row",
                "stops.txt, row 4, stop_lat: \"95\" must be between -90 and 90; the row is not in stop but kept in "
                    + "kept_row",
                "stops.txt, row 4, stop_lon: \"soon\" is not a number; the row is not in stop but kept in kept_row",
                "stop_times.txt, row 3, arrival_time: \"soon\" is not a time (HH:MM:SS); the row is not in "
                    + "stop_time but kept in kept_row",
                "stop_times.txt, row 3: has the same trip_id, stop_sequence as an earlier row; not in stop_time "
                    + "but kept in kept_row",
                "stop_times.txt, row 5, arrival_time: \"later\" is not a time (HH:MM:SS); the row is not in "
                    + "stop_time but kept in kept_row",
                "stop_times.txt, row 5, stop_id: \"s9\" is not a stop_id of stops.txt; the row is not in stop_time but "
                    + "kept in kept_row",
                "stop_times.txt, row 6, arrival_time: \"last\" is not a time (HH:MM:SS); the column is left empty "
                    + "and the text kept in kept_value",
                "stop_times.txt, row 7, trip_id: \"x\" is not a trip_id of trips.txt; without it the row is not in "
                    + "stop_time but kept in kept_row",
                "stop_times.txt, row 7, arrival_time: \"soon\" is not a time (HH:MM:SS); the row is not in "
                    + "stop_time but kept in kept_row",
                "stop_times.txt, row 5: has the same trip_id, stop_sequence as an earlier row; not in stop_time "
                    + "but kept in kept_row",
                "stop_times.txt, trip_id: \"t\" has rows that do not stand together in the order of "
                    + "stop_sequence; stored as it is",
            ]),
        NoticeCase(
            .duplicateGeographyId,
            [
                "location_groups.txt": "location_group_id,location_group_name\ns2,Group\ng,Other\nz,Third\n",
                "stops.txt": stops + "\ns1,One,50.1,8.1\ns2,Two,50.2,8.2\nz,Three,50.3,8.3\n",
                "locations.geojson": LocationsReading.collection(
                    LocationsReading.feature(id: #""s1""#), LocationsReading.feature(id: #""l""#),
                    LocationsReading.feature(id: #""g""#), LocationsReading.feature(id: #""z""#)),
            ],
            [
                "location_groups.txt, row 2, location_group_id: \"s2\" is also the ID of row 3 of stops.txt; "
                    + "stored all the same",
                "locations.geojson, feature 1, id: \"s1\" is also the ID of row 2 of stops.txt; stored all the same",
                "locations.geojson, feature 3, id: \"g\" is also the ID of row 3 of location_groups.txt; "
                    + "stored all the same",
                "locations.geojson, feature 4, id: \"z\" is also the ID of row 4 of stops.txt and of row 4 of "
                    + "location_groups.txt; stored all the same",
            ]),
        NoticeCase(
            .foreignKeyViolation,
            [
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nq,w,u,x\n",
                "stop_times.txt": times
                    + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s9,2\nx,06:10:00,06:10:00,s2,2\n",
                "stops.txt": stops + ",location_type,parent_station\ns1,One,50.1,8.1,2,z\ns2,Two,50.2,8.2,0,gone\n"
                    + "z,Station,50.3,8.3,1,\n",
                "fare_rules.txt": "fare_id,origin_id\n,z9\n",
            ],
            [
                "stops.txt, row 3, parent_station: \"gone\" is not a stop_id of stops.txt; the column is left empty "
                    + "and the text kept in kept_value",
                "trips.txt, row 3, route_id: \"q\" is not a route_id of routes.txt; the column is left empty and the "
                    + "text kept in kept_value",
                "stop_times.txt, row 3, stop_id: \"s9\" is not a stop_id of stops.txt; the column is left empty and "
                    + "the text kept in kept_value",
                "stop_times.txt, row 4, trip_id: \"x\" is not a trip_id of trips.txt; without it the row is not in "
                    + "stop_time but kept in kept_row",
                "fare_rules.txt, row 2: fare_id is empty but required",
                "fare_rules.txt, row 2, origin_id: \"z9\" is not a zone_id of stops.txt; stored as it is",
                "stops.txt, row 2, stop_id: \"s1\" is an entrance, where no vehicle stops, but trips call there; "
                    + "stored as it is",
                "stops.txt, row 4, stop_id: \"z\" is a station that no stop names as its parent; stored as it is",
            ]),
        NoticeCase(
            .translationForeignKeyViolation,
            [
                "translations.txt": "table_name,field_name,language,translation,record_id,record_sub_id\n"
                    + "stops,stop_name,en,One,s1,\nstops,stop_name,en,Nine,s9,\nstop_times,stop_headsign,en,Here,t,1\n"
            ],
            [
                "translations.txt, row 3, record_id: \"s9\" is not a stop_id of stops.txt; stored as it is"
            ]),
    ]
}
