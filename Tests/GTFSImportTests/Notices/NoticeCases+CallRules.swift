@testable import GTFSImport

/// Rules about calls, and about trips and stops by their calls. Each feed breaks a rule and has rows that just do not.
extension NoticeCases {
    static let rulesOfCalls: [NoticeCase] = [
        // An arrival at the time of the last departure is sound, and a call without times is left out.
        NoticeCase(
            .stopTimeWithArrivalBeforePreviousDepartureTime,
            [
                "stop_times.txt":
                    "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,06:00:00,06:05:00,s1,1\n"
                    + "t,,,s2,2\nt,06:04:59,06:04:59,s1,3\nt,06:04:59,06:05:00,s2,4\nu,06:00:00,06:05:00,s1,1\n"
                    + "u,06:05:00,06:05:00,s2,2\n"
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 3, arrival_time: \"06:04:59\" is before "
                    + "06:05:00, the departure_time at stop_sequence 1; stored as it is"
            ]),
        // The time that the importer fills in is not the feed's. A value that cannot be read counts as a time.
        NoticeCase(
            .stopTimeWithOnlyArrivalOrDepartureTime,
            [
                "stop_times.txt":
                    "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,06:00:00,06:00:00,s1,1\n"
                    + "t,06:05:00,,s2,2\nt,,06:07:00,s2,3\nt,soon,06:08:00,s2,4\nt,06:10:00,06:10:00,s2,5\n"
                    + "u,06:00:00,06:00:00,s1,1\nu,,,s2,2\nu,06:10:00,06:10:00,s2,3\n"
            ],
            [
                "stop_times.txt, row 5, arrival_time: \"soon\" is not a time (HH:MM:SS); the column is left "
                    + "empty and the text kept in kept_value",
                "stop_times.txt, trip_id \"t\", stop_sequence 2: has an arrival_time but no departure_time; "
                    + "stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 3: has a departure_time but no arrival_time; "
                    + "stored as it is",
            ]),
        // The first and the last call of t; those of u have windows.
        NoticeCase(
            .missingTripEdge,
            [
                "location_groups.txt": "location_group_id,location_group_name\ng,Group\n",
                "stop_times.txt":
                    "trip_id,arrival_time,departure_time,stop_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type\n"
                    + "t,,06:00:00,s1,1,,,,\nt,,,s2,2,,,,\nt,,,s2,3,,,,\nu,,,s1,1,08:00:00,09:00:00,2,1\n"
                    + "u,,,s2,2,08:00:00,09:00:00,1,2\n",
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 1: has a departure_time but no arrival_time; "
                    + "stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: the first call of the trip has no "
                    + "arrival_time; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 3: the last call of the trip has no "
                    + "arrival_time; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 3: the last call of the trip has no "
                    + "departure_time; stored as it is",
            ]),
        NoticeCase(
            .unusableTrip,
            [
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,x\nr,w,v,x\n",
                "stop_times.txt":
                    "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,06:00:00,06:00:00,s1,1\n"
                    + "t,06:10:00,06:10:00,s2,2\nu,06:00:00,06:00:00,s1,1\n",
            ],
            [
                "trips.txt, row 4, trip_id: \"v\" has no stop times; stored as it is",
                "trips.txt, row 3, trip_id: \"u\" has only one stop time, so that no one can ride it; stored "
                    + "as it is",
                "trips.txt, row 4, trip_id: \"v\" has no stop times, so that no one can ride it; stored as it "
                    + "is",
            ]),
        NoticeCase(
            .unusedTrip,
            [
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,x\n",
                "stop_times.txt":
                    "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,06:00:00,06:00:00,s1,1\n"
                    + "t,06:10:00,06:10:00,s2,2\n",
            ],
            [
                "trips.txt, row 3, trip_id: \"u\" has no stop times; stored as it is",
                "trips.txt, row 3, trip_id: \"u\" has no stop times, so that no one can ride it; stored as it "
                    + "is",
            ]),
        // Trips call at s1 and s2, on demand at s3; z is a station.
        NoticeCase(
            .stopWithoutStopTime,
            [
                "location_groups.txt": "location_group_id,location_group_name\ng,Group\n",
                "location_group_stops.txt": "location_group_id,stop_id\ng,s3\n",
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1,One,50.1,8.1,,\n"
                    + "s2,Two,50.2,8.2,0,z\ns3,Three,50.3,8.3,,\ns4,Four,50.4,8.4,,\nz,Station,50.2,8.2,1,\n",
                "stop_times.txt":
                    "trip_id,arrival_time,departure_time,stop_id,location_group_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type\n"
                    + "t,06:00:00,06:00:00,s1,,1,,,,\nt,06:10:00,06:10:00,s2,,2,,,,\nu,,,,g,1,08:00:00,09:00:00,2,1\n"
                    + "u,,,,g,2,08:00:00,09:00:00,1,2\n",
            ],
            [
                "stops.txt, row 5, stop_id: \"s4\" is a stop at which no trip calls; stored as it is"
            ]),
        NoticeCase(
            .locationWithUnexpectedStopTime,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1,One,50.1,8.1,,z\n"
                    + "s2,Two,50.2,8.2,0,\nz,Station,50.2,8.2,1,\ny,Idle,50.2,8.2,2,z\n",
                "stop_times.txt":
                    "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,06:00:00,06:00:00,s1,1\n"
                    + "t,06:10:00,06:10:00,z,2\nu,06:00:00,06:00:00,s1,1\nu,06:10:00,06:10:00,s2,2\n",
            ],
            [
                "stops.txt, row 4, stop_id: \"z\" is a station, where no vehicle stops, but trips call there; "
                    + "stored as it is"
            ]),
        // The rows of u stand together and grow, those of t do not.
        NoticeCase(
            .unsortedStopTimes,
            [
                "stop_times.txt":
                    "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,06:00:00,06:00:00,s1,1\n"
                    + "u,06:00:00,06:00:00,s1,1\nu,06:10:00,06:10:00,s2,2\nt,06:10:00,06:10:00,s2,2\n"
            ],
            [
                "stop_times.txt, trip_id: \"t\" has rows that do not stand together in the order of "
                    + "stop_sequence; stored as it is"
            ]),
        // Calls without a stop or a distance are left out.
        NoticeCase(
            .decreasingOrEqualStopTimeDistance,
            [
                "location_groups.txt": "location_group_id,location_group_name\ng,Group\n",
                "stop_times.txt":
                    "trip_id,arrival_time,departure_time,stop_id,location_group_id,stop_sequence,shape_dist_traveled\n"
                    + "t,06:00:00,06:00:00,s1,,1,0\nt,06:01:00,06:01:00,s2,,2,1.5\nt,06:02:00,06:02:00,,g,3,\n"
                    + "t,06:03:00,06:03:00,s1,,4,1.5\nt,06:04:00,06:04:00,s2,,5,\nt,06:05:00,06:05:00,s1,,6,1\n"
                    + "t,06:06:00,06:06:00,s2,,7,0.5\nu,06:00:00,06:00:00,s1,,1,0\nu,06:10:00,06:10:00,s2,,2,0.1\n",
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 4, shape_dist_traveled: \"1.5\" is not more than "
                    + "1.5, the distance at stop_sequence 2; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 7, shape_dist_traveled: \"0.5\" is not more than "
                    + "1.0, the distance at stop_sequence 6; stored as it is",
            ]),
        NoticeCase(
            .stopTimeTimepointWithoutTimes,
            [
                "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,timepoint\n"
                    + "t,06:00:00,06:00:00,s1,1,1\nt,,,s2,2,1\nt,,,s2,3,0\nt,06:10:00,06:10:00,s2,4,1\n"
                    + "u,06:00:00,06:00:00,s1,1,0\nu,06:10:00,06:10:00,s2,2,0\n"
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 2: is called exact (timepoint 1) but has no "
                    + "arrival_time; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 2: is called exact (timepoint 1) but has no "
                    + "departure_time; stored as it is",
            ]),
        // A call without times needs no timepoint.
        NoticeCase(
            .missingTimepointValue,
            [
                "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,timepoint\n"
                    + "t,06:00:00,06:00:00,s1,1,1\nt,06:05:00,06:05:00,s2,2,\nt,,,s2,3,\nt,06:10:00,06:10:00,s2,4,0\n"
                    + "u,06:00:00,06:00:00,s1,1,soon\nu,06:10:00,06:10:00,s2,2,0\n"
            ],
            [
                "stop_times.txt, row 6, timepoint: \"soon\" is not a whole number; the column is left empty "
                    + "and the text kept in kept_value",
                "stop_times.txt, trip_id \"t\", stop_sequence 2: has a time but no timepoint; stored as it is",
            ]),
        NoticeCase(
            .forbiddenPickupType,
            [
                "location_groups.txt": "location_group_id,location_group_name\ng,Group\n",
                "stop_times.txt":
                    "trip_id,stop_id,location_group_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type\n"
                    + "t,,g,1,08:00:00,09:00:00,3,1\nt,,g,2,08:00:00,09:00:00,1,3\nu,,g,1,08:00:00,09:00:00,2,1\n"
                    + "u,,g,2,08:00:00,09:00:00,,2\n",
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 1: pickup_type 3 does not go with a pickup and "
                    + "drop-off window; stored as it is",
                "stop_times.txt, trip_id \"u\", stop_sequence 2: pickup_type 0 (empty) does not go with a "
                    + "pickup and drop-off window; stored as it is",
            ]),
        NoticeCase(
            .forbiddenDropOffType,
            [
                "location_groups.txt": "location_group_id,location_group_name\ng,Group\n",
                "stop_times.txt":
                    "trip_id,stop_id,location_group_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type\n"
                    + "t,,g,1,08:00:00,09:00:00,2,0\nt,,g,2,08:00:00,09:00:00,1,3\nu,,g,1,08:00:00,09:00:00,2,1\n"
                    + "u,,g,2,08:00:00,09:00:00,1,2\n",
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 1: drop_off_type 0 does not go with a pickup and "
                    + "drop-off window; stored as it is"
            ]),
        NoticeCase(
            .missingPickupDropOffBookingRuleId,
            [
                "location_groups.txt": "location_group_id,location_group_name\ng,Group\n",
                "booking_rules.txt": "booking_rule_id,booking_type\nb,0\n",
                "stop_times.txt":
                    "trip_id,stop_id,location_group_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type,pickup_booking_rule_id,drop_off_booking_rule_id\n"
                    + "t,,g,1,08:00:00,09:00:00,2,1,,\nt,,g,2,08:00:00,09:00:00,1,2,,\n"
                    + "u,,g,1,08:00:00,09:00:00,2,1,b,\nu,,g,2,08:00:00,09:00:00,1,2,,b\n",
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 1: boarding must be arranged by phone "
                    + "(pickup_type 2), but the call has no pickup_booking_rule_id; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 2: alighting must be arranged by phone "
                    + "(drop_off_type 2), but the call has no drop_off_booking_rule_id; stored as it is",
            ]),
    ]

    private static let groups = "location_group_id,location_group_name\ng,Group\n"
    private static let windows =
        "trip_id,arrival_time,departure_time,stop_id,location_group_id,location_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type,shape_dist_traveled\n"
    /// A trip on demand that is sound.
    private static let soundCalls = "u,,,,g,,1,08:00:00,08:00:01,2,1,\nu,,,s2,,,2,08:00:00,09:00:00,1,2,0.5\n"

    /// Rules about calls on demand, each by itself.
    static let rulesOfCallsOnDemand: [NoticeCase] = [
        // A time that cannot be read counts as a time.
        NoticeCase(
            .forbiddenArrivalOrDepartureTime,
            [
                "location_groups.txt": groups,
                "stop_times.txt": windows + "t,,08:00:00,,g,,1,08:00:00,09:00:00,2,1,\n"
                    + "t,soon,,,g,,2,08:00:00,09:00:00,1,2,\n" + soundCalls,
            ],
            [
                "stop_times.txt, row 3, arrival_time: \"soon\" is not a time (HH:MM:SS); the column is left "
                    + "empty and the text kept in kept_value",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: has a departure_time but no arrival_time; "
                    + "stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: has an arrival or departure time beside a "
                    + "pickup and drop-off window; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 2: has an arrival_time but no departure_time; "
                    + "stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 2: has an arrival or departure time beside a "
                    + "pickup and drop-off window; stored as it is",
            ]),
        NoticeCase(
            .missingPickupOrDropOffWindow,
            [
                "location_groups.txt": groups,
                "stop_times.txt": windows + "t,,,,g,,1,,09:00:00,2,1,\nt,,,,g,,2,08:00:00,,1,2,\n" + soundCalls,
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 1: has an end_pickup_drop_off_window but no "
                    + "start_pickup_drop_off_window; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 2: has a start_pickup_drop_off_window but no "
                    + "end_pickup_drop_off_window; stored as it is",
            ]),
        NoticeCase(
            .invalidPickupDropOffWindow,
            [
                "location_groups.txt": groups,
                "stop_times.txt": windows + "t,,,,g,,1,08:00:00,08:00:00,2,1,\n"
                    + "t,,,,g,,2,23:00:00,01:00:00,1,2,\n" + soundCalls,
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 1, end_pickup_drop_off_window: \"08:00:00\" is "
                    + "not after start_pickup_drop_off_window 08:00:00; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 2, end_pickup_drop_off_window: \"01:00:00\" is "
                    + "not after start_pickup_drop_off_window 23:00:00; stored as it is",
            ]),
        // A location group that the feed does not have counts as a place.
        NoticeCase(
            .forbiddenGeographyId,
            [
                "location_groups.txt": groups,
                "stop_times.txt": windows + "t,06:00:00,06:00:00,s1,g,,1,,,,,\n"
                    + "t,06:10:00,06:10:00,s2,,,2,,,,,\nt,06:20:00,06:20:00,s1,k,,3,,,,,\n" + soundCalls,
            ],
            [
                "stop_times.txt, row 4, location_group_id: \"k\" is not a location_group_id of location_groups.txt; "
                    + "the column is left empty and the text kept in kept_value",
                "stop_times.txt, trip_id \"t\", stop_sequence 1: has more than one of stop_id, "
                    + "location_group_id and location_id; stored as it is",
                "stop_times.txt, trip_id \"t\", stop_sequence 3: has more than one of stop_id, "
                    + "location_group_id and location_id; stored as it is",
            ]),
        NoticeCase(
            .forbiddenShapeDistTraveled,
            [
                "location_groups.txt": groups,
                "stop_times.txt": windows + "t,,,,g,,1,08:00:00,09:00:00,2,1,\n"
                    + "t,,,,g,,2,08:00:00,09:00:00,1,2,1.5\n" + soundCalls,
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 2, shape_dist_traveled: \"1.5\" is only for "
                    + "calls at stops, and this one has no stop_id; stored as it is"
            ]),
        // Continuous pickup on r and o, and drop-off on p; 1 on q means neither.
        NoticeCase(
            .forbiddenContinuousPickupDropOff,
            [
                "location_groups.txt": groups,
                "routes.txt": "route_id,agency_id,route_short_name,route_type,continuous_pickup,continuous_drop_off\n"
                    + "r,a,1,3,0,2\nq,a,2,3,1,\np,a,3,3,,3\no,a,4,3,3,1\n",
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nq,w,u,x\np,w,v,x\no,w,z,x\n",
                "stop_times.txt": windows + "t,,,,g,,1,08:00:00,09:00:00,2,1,\n"
                    + "t,06:00:00,06:00:00,s1,,,2,,,,,\nv,06:00:00,06:00:00,s1,,,1,,,,,\n"
                    + "v,,,,g,,2,08:00:00,09:00:00,1,2,\n" + soundCalls
                    + "z,,,,g,,1,08:00:00,09:00:00,2,1,\nz,06:00:00,06:00:00,s1,,,2,,,,,\n",
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 1: has a pickup and drop-off window, though "
                    + "route_id \"r\" has continuous_pickup 0; stored as it is",
                "stop_times.txt, trip_id \"v\", stop_sequence 2: has a pickup and drop-off window, though "
                    + "route_id \"p\" has continuous_drop_off 3; stored as it is",
                "stop_times.txt, trip_id \"z\", stop_sequence 1: has a pickup and drop-off window, though "
                    + "route_id \"o\" has continuous_pickup 3; stored as it is",
            ]),
        // The zones a and b share a square of half a degree. u goes to both at other times.
        NoticeCase(
            .overlappingZoneAndPickupDropOffWindow,
            [
                "locations.geojson": """
                {"type": "FeatureCollection", "features": [
                {"type": "Feature", "id": "a", "properties": {}, "geometry": {"type": "Polygon",
                "coordinates": [[[8, 50], [9, 50], [9, 51], [8, 51], [8, 50]]]}},
                {"type": "Feature", "id": "b", "properties": {}, "geometry": {"type": "Polygon",
                "coordinates": [[[8.5, 50.5], [9.5, 50.5], [9.5, 51.5], [8.5, 51.5], [8.5, 50.5]]]}}]}
                """,
                "stop_times.txt": windows + "t,,,,,a,1,08:00:00,09:00:00,2,1,\nt,,,,,b,2,08:30:00,10:00:00,1,1,\n"
                    + "u,,,,,a,1,08:00:00,09:00:00,2,1,\nu,,,,,b,2,09:00:00,10:00:00,1,1,\n",
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 2, location_id: \"b\" overlaps location_id \"a\" at "
                    + "stop_sequence 1, and both are served between 08:30:00 and 09:00:00; stored as it is"
            ]),
    ]
}
