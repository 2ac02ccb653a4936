@testable import GTFSImport

/// One small feed for each kind of notice.
enum NoticeCases {
    /// Kinds caused by locations.geojson, by the container, or by more rows than a test can write.
    static let testedElsewhere: Set<NoticeKind> = [
        .duplicateGeoJsonKey, .geoJsonDuplicatedElement, .geoJsonUnknownElement, .invalidGeometry, .malformedJson,
        .missingRequiredElement, .unsupportedFeatureType, .unsupportedGeoJsonType, .unsupportedGeometryType,
        .containerAnomaly,
    ]

    static let all =
        aboutFiles + aboutHeaders + aboutRows + aboutPresence + aboutTexts + aboutNumbers + aboutKeys + rulesOfRoutes
        + rulesOfAgencies
        + rulesOfTexts + rulesOfStops + rulesOfPathways + rulesOfTransfers + rulesOfTimes + rulesOfBooking
        + rulesOfFares + rulesOfTrips + rulesOfSpeeds + rulesOfStopsAlongShapes + rulesOfCalls + rulesOfCallsOnDemand
        + rulesOfServicesAndShapes

    static let agencies =
        "agency_id,agency_name,agency_url,agency_timezone,agency_lang,agency_phone,agency_email\n"
    static let stops = "stop_id,stop_name,stop_lat,stop_lon"
    static let right = "s1,One,50.1,8.1\ns2,Two,50.2,8.2\n"
    static let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    static let days =
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
    /// Trips without shapes.
    static let trips = "route_id,service_id,trip_id\nr,w,t\nr,w,u\n"
    static let fares = "fare_product_id,amount,currency\n"

    static let aboutFiles: [NoticeCase] = [
        NoticeCase(
            .emptyFile, ["frequencies.txt": ""],
            [
                "frequencies.txt: the file is empty; its table has no rows"
            ]),
        NoticeCase(
            .unknownFile, ["Notes.TXT": "a\n1\n", "logo.png": "png", "old/Shapes.txt": "x\n"],
            [
                "Notes.TXT: not a file of GTFS; kept as a table of texts",
                "logo.png: not a file of GTFS; kept as it is in extra_file",
                "old/Shapes.txt: shapes.txt must not be in a folder; kept as it is in extra_file",
            ]),
        NoticeCase(
            .invalidInputFilesInSubfolder, ["old/shapes.txt": "x\n", "old/stops.txt": "x\n", "new/trips.txt": "x\n"],
            [
                "new/trips.txt: this and 2 more files of GTFS must not be in a folder; kept as they are in extra_file"
            ]),
        NoticeCase(
            .unknownFileAnomaly,
            ["notes.txt": "a, \"b\",b,\n1,2\n\n1,\"x\ny\"z,\u{FFFD},\" 3\",5\n", "blank.txt": ""],
            [
                "blank.txt: not a file of GTFS; kept as a table of texts",
                "notes.txt: not a file of GTFS; kept as a table of texts",
                "blank.txt: the file is empty; no table is made for it",
                "notes.txt, row 1, b: the column's name has white space around it, which was removed",
                "notes.txt, row 1, b: column 3 has the name of column 2; the first is read, the other kept as text",
                "notes.txt, row 1, column 4: the column has no name; kept as column_4",
                "notes.txt, row 2: has 2 cells where the header has 4; missing ones are empty",
                "notes.txt, row 4: b has a line break in its value; stored as it is",
                "notes.txt, row 4: text follows a closing quote; it was added to the value as it stands",
                "notes.txt, row 4: has 5 cells where the header has 4; further ones are kept in extra_cell",
                "notes.txt, row 4, b: \"\u{FFFD}\" has a replacement character (U+FFFD); stored as it is",
                "notes.txt, row 4, : \"3\" has white space around it, which was removed",
                "notes.txt, row 3: the row is blank; left out",
            ]),
        NoticeCase(
            .unknownFile, ["trips.txt": nil, "Trips.TXT": SmallFeed.files["trips.txt"]],
            [
                "Trips.TXT: read as trips.txt, which is how GTFS spells it"
            ]),
        NoticeCase(
            .missingRecommendedFile, ["feed_info.txt": nil],
            [
                "feed_info.txt: the file is missing and recommended"
            ]),
        NoticeCase(
            .missingRecommendedFile, ["shapes.txt": nil, "trips.txt": trips],
            ["shapes.txt: the file is missing and recommended"]),
        NoticeCase(
            .missingRecommendedFile,
            ["shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n", "trips.txt": trips],
            ["shapes.txt: the file has no rows and is recommended"]),
        NoticeCase(
            .missingRecommendedFile,
            [
                "shapes.txt": nil, "trips.txt": trips,
                "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,location_id\n"
                    + "t,06:00:00,06:00:00,s1,1,zone\nt,06:10:00,06:10:00,s2,2,\n",
            ],
            [
                "stop_times.txt, row 2, location_id: \"zone\" is not an id of locations.geojson; the column is left "
                    + "empty and the text kept in kept_value",
                "shapes.txt: the file is missing and recommended",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: has more than one of stop_id, location_group_id and "
                    + "location_id; stored as it is",
            ]),
        // A stop that the feed lacks is still a stop, so these trips are not on demand.
        NoticeCase(
            .missingRecommendedFile,
            [
                "shapes.txt": nil, "trips.txt": trips,
                "location_groups.txt": "location_group_id,location_group_name\ng,Group\n",
                "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,location_group_id\n"
                    + "t,06:00:00,06:00:00,lost,1,g\nt,06:10:00,06:10:00,s2,2,\n",
            ],
            [
                "stop_times.txt, row 2, stop_id: \"lost\" is not a stop_id of stops.txt; "
                    + "the column is left empty and the "
                    + "text kept in kept_value",
                "shapes.txt: the file is missing and recommended",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: has more than one of stop_id, location_group_id and "
                    + "location_id; stored as it is",
            ]),
        NoticeCase(
            .missingRequiredFile, ["trips.txt": nil],
            []),
        NoticeCase(
            .missingRequiredFile,
            [
                "feed_info.txt": nil,
                "translations.txt": "table_name,field_name,language,translation,field_value\n",
            ],
            [
                "feed_info.txt: the file is missing and required with translations.txt"
            ]),
        NoticeCase(
            .missingCalendarAndCalendarDateFiles, ["calendar.txt": nil],
            [
                "calendar.txt, calendar_dates.txt: both are missing, so no trip has a day of service",
                "trips.txt, row 2, service_id: \"w\" is not a service_id of calendar.txt or calendar_dates.txt; "
                    + "the column is left empty and "
                    + "the text kept in kept_value",
                "trips.txt, row 3, service_id: \"w\" is not a service_id of calendar.txt or calendar_dates.txt; "
                    + "the column is left empty and "
                    + "the text kept in kept_value",
            ]),
        NoticeCase(
            .moreThanOneEntity,
            [
                "feed_info.txt": SmallFeed.feedInfo("A,http://a.example,de", "B,http://b.example,de")
            ],
            [
                "feed_info.txt: has 2 rows where one is allowed; all are stored"
            ]),
    ]
}
