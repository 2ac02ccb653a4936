@testable import GTFSImport

/// Rules about pathways, transfers and times. Each feed breaks a rule and has rows that just do not.
extension NoticeCases {
    static let rulesOfPathways: [NoticeCase] = [
        NoticeCase(
            .missingLevelId,
            [
                "levels.txt": "level_id,level_index\nl,0\n",
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,stop_access\n"
                    + "s1,One,50.1,8.1,0,z,,\ns2,Two,50.2,8.2,,,,\nz,Station,50.3,8.3,1,,,\n"
                    + "p,Platform,50.3,8.3,0,z,,\ne,Entrance,50.3,8.3,2,z,l,\n",
                "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\nx,e,p,5,1\n"
                    + "y,e,s1,1,1\n",
            ],
            [
                "stops.txt, row 5: has no level_id, though a lift of pathways.txt leads there; stored as it "
                    + "is"
            ]),
        NoticeCase(
            .pathwayDanglingGenericNode,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,stop_access\n"
                    + "s1,One,50.1,8.1,0,z,,\ns2,Two,50.2,8.2,,,,\nz,Station,50.3,8.3,1,,,\n"
                    + "p,Platform,50.3,8.3,0,z,,\nn,Node,50.3,8.3,3,z,,\nm,Node,50.3,8.3,3,z,,\n"
                    + "o,Node,50.3,8.3,3,z,,\n",
                "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\nx,p,n,1,1\n"
                    + "w,n,p,1,0\ny,m,s1,1,1\nz,p,m,1,1\n",
            ],
            [
                "stops.txt, row 6, stop_id: \"n\" is a node that the pathways join to one place only; stored "
                    + "as it is"
            ]),
        NoticeCase(
            .pathwayLoop,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,stop_access\n"
                    + "s1,One,50.1,8.1,0,z,,\ns2,Two,50.2,8.2,,,,\nz,Station,50.3,8.3,1,,,\n"
                    + "p,Platform,50.3,8.3,0,z,,\n",
                "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\nx,p,p,1,1\n"
                    + "y,p,s1,1,1\n",
            ],
            [
                "pathways.txt, row 2, to_stop_id: \"p\" is from_stop_id as well; stored as it is"
            ]),
        NoticeCase(
            .bidirectionalExitGate,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,stop_access\n"
                    + "s1,One,50.1,8.1,0,z,,\ns2,Two,50.2,8.2,,,,\nz,Station,50.3,8.3,1,,,\n"
                    + "p,Platform,50.3,8.3,0,z,,\n",
                "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\nx,p,s1,7,1\n"
                    + "y,p,s1,7,0\nz,p,s1,6,1\n",
            ],
            [
                "pathways.txt, row 2: an exit gate (pathway_mode 7) is passable both ways (is_bidirectional "
                    + "1); stored as it is"
            ]),
        NoticeCase(
            .pathwayToWrongLocationType,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,stop_access\n"
                    + "s1,One,50.1,8.1,0,z,,\ns2,Two,50.2,8.2,,,,\nz,Station,50.3,8.3,1,,,\n"
                    + "p,Platform,50.3,8.3,0,z,,\n",
                "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\nx,p,z,1,1\n"
                    + "y,z,p,1,1\nw,p,s1,1,1\n",
            ],
            [
                "pathways.txt, row 2, to_stop_id: \"z\" is a station, where a pathway needs a place within "
                    + "it; stored as it is",
                "pathways.txt, row 3, from_stop_id: \"z\" is a station, where a pathway needs a place within "
                    + "it; stored as it is",
            ]),
        NoticeCase(
            .pathwayToPlatformWithBoardingAreas,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,stop_access\n"
                    + "s1,One,50.1,8.1,0,z,,\ns2,Two,50.2,8.2,,,,\nz,Station,50.3,8.3,1,,,\n"
                    + "p,Platform,50.3,8.3,0,z,,\nb,Area,50.3,8.3,4,p,,\n",
                "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\nx,p,s1,1,1\n"
                    + "y,s1,p,1,0\nw,b,s1,1,1\n",
            ],
            [
                "pathways.txt, row 2, from_stop_id: \"p\" is a platform with boarding areas, one of which "
                    + "the pathway should name; stored as it is",
                "pathways.txt, row 3, to_stop_id: \"p\" is a platform with boarding areas, one of which the "
                    + "pathway should name; stored as it is",
            ]),
        NoticeCase(
            .pathwayToStopWithAccessOutsideOfStationPathways,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,stop_access\n"
                    + "s1,One,50.1,8.1,0,z,,\ns2,Two,50.2,8.2,,,,\nz,Station,50.3,8.3,1,,,\n"
                    + "p,Platform,50.3,8.3,0,z,,\nd,Direct,50.3,8.3,,z,,1\n",
                "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\nx,d,p,1,1\n"
                    + "y,p,d,1,0\nw,p,s1,1,1\nv,d,d,1,1\n",
            ],
            [
                "pathways.txt, row 2, from_stop_id: \"d\" is reached straight from the street (stop_access "
                    + "1), not by pathways; stored as it is",
                "pathways.txt, row 3, to_stop_id: \"d\" is reached straight from the street (stop_access 1), "
                    + "not by pathways; stored as it is",
                "pathways.txt, row 5, to_stop_id: \"d\" is from_stop_id as well; stored as it is",
                "pathways.txt, row 5, from_stop_id: \"d\" is reached straight from the street (stop_access "
                    + "1), not by pathways; stored as it is",
            ]),
    ]

    static let rulesOfTransfers: [NoticeCase] = [
        NoticeCase(
            .transferWithInvalidStopLocationType,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,stop_access\n"
                    + "s1,One,50.1,8.1,0,z,,\ns2,Two,50.1,8.12,,,,\nz,Station,50.1,8.1,1,,,\n"
                    + "p,Platform,50.1,8.1,0,z,,\ne,Entrance,50.1,8.1,2,z,,\nb,Area,50.1,8.1,4,p,,\n",
                "transfers.txt":
                    "from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id,from_route_id,to_route_id\n"
                    + "s1,e,0,,,,\nb,z,0,,,,\nz,s2,4,,,,\ns1,s2,4,,,,\n",
            ],
            [
                "transfers.txt, row 4: from_trip_id is empty but required with transfer_type 4",
                "transfers.txt, row 4: to_trip_id is empty but required with transfer_type 4",
                "transfers.txt, row 5: from_trip_id is empty but required with transfer_type 4",
                "transfers.txt, row 5: to_trip_id is empty but required with transfer_type 4",
                "transfers.txt, row 2, to_stop_id: \"e\" is an entrance, not a stop or station; stored as it "
                    + "is",
                "transfers.txt, row 3, from_stop_id: \"b\" is a boarding area, not a stop or station; stored "
                    + "as it is",
                "transfers.txt, row 4, from_stop_id: \"z\" is a station, where a transfer between trips of "
                    + "one vehicle needs a stop; stored as it is",
            ]),
        NoticeCase(
            .transferWithInvalidTripAndRoute,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,3\n",
                "stops.txt": stops + "\ns1,One,50.1,8.1\ns2,Two,50.1,8.12\n",
                "transfers.txt":
                    "from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id,from_route_id,to_route_id\n"
                    + "s1,s2,0,t,,r,\ns1,s2,0,t,t,q,q\n",
            ],
            [
                "transfers.txt, row 3, from_route_id: \"q\" is not the route of from_trip_id \"t\"; stored "
                    + "as it is",
                "transfers.txt, row 3, to_route_id: \"q\" is not the route of to_trip_id \"t\"; stored as it "
                    + "is",
            ]),
        NoticeCase(
            .transferWithInvalidTripAndStop,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,level_id,stop_access\n"
                    + "s1,One,50.1,8.1,0,z,,\ns2,Two,50.1,8.12,,,,\nz,Station,50.1,8.1,1,,,\n"
                    + "p,Platform,50.1,8.1,0,z,,\n",
                "transfers.txt":
                    "from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id,from_route_id,to_route_id\n"
                    + "s1,s2,0,t,t,,\np,s2,0,t,t,,\nz,s2,0,t,,,\nz,s2,0,,u,,\n",
            ],
            [
                "transfers.txt, row 3, from_stop_id: \"p\" is not a stop of from_trip_id \"t\"; stored as it "
                    + "is",
                "transfers.txt, row 5, to_stop_id: \"s2\" is not a stop of to_trip_id \"u\"; stored as it is",
            ]),
        // 27.97 thousandths of a degree of longitude are 1.995 km here. A stop without a place has its parent's.
        NoticeCase(
            .transferDistanceAbove2Km,
            [
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1,One,50.1,8.1,,\n"
                    + "s2,Two,50.1,8.12797,,\ns3,Three,50.1,8.1281,,\ns4,Four,50.18992,8.1,1,\nb,Area,,,4,p\np,Platform,50.1,8.14,0,s4\n",
                "transfers.txt": "from_stop_id,to_stop_id,transfer_type\ns1,s2,0\ns1,s3,0\ns1,s4,0\ns1,b,0\n"
                    + "b,p,0\ns1,lost,0\n",
            ],
            [
                "transfers.txt, row 7, to_stop_id: \"lost\" is not a stop_id of stops.txt; the column is left empty "
                    + "and the text kept in kept_value",
                "transfers.txt, row 3, to_stop_id: \"s3\" is 2.00 km from from_stop_id \"s1\", more than 2 km; "
                    + "stored as it is",
                "transfers.txt, row 4, to_stop_id: \"s4\" is 10.00 km from from_stop_id \"s1\", more than 2 km; "
                    + "stored as it is",
                "transfers.txt, row 5, to_stop_id: \"b\" is a boarding area, not a stop or station; stored as "
                    + "it is",
                "transfers.txt, row 5, to_stop_id: \"b\" is 2.85 km from from_stop_id \"s1\", more than 2 km; "
                    + "stored as it is",
                "transfers.txt, row 6, from_stop_id: \"b\" is a boarding area, not a stop or station; stored "
                    + "as it is",
            ]),
        NoticeCase(
            .transferDistanceTooLarge,
            [
                "stops.txt": stops + "\ns1,One,50.1,8.1\ns2,Two,50.18994,8.1\n",
                "transfers.txt": "from_stop_id,to_stop_id,transfer_type\ns1,s2,0\ns1,s1,0\n",
            ],
            [
                "transfers.txt, row 2, to_stop_id: \"s2\" is 10.00 km from from_stop_id \"s1\"; a transfer "
                    + "should lead at most 10 km; stored as it is"
            ]),
        // Type 5 means that riders must leave the vehicle.
        NoticeCase(
            .inconsistentRouteTypeForInSeatTransfer,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,2\np,a,3,3\n",
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nq,w,u,x\np,w,v,x\n",
                "stop_times.txt": times + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\n"
                    + "u,06:10:00,06:10:00,s2,1\nu,06:20:00,06:20:00,s1,2\n"
                    + "v,06:10:00,06:10:00,s2,1\nv,06:20:00,06:20:00,s1,2\n",
                "transfers.txt": ofTrips + "s2,s2,4,t,u,r,q\ns2,s2,4,t,v,r,p\ns1,s1,5,u,t,q,r\n",
            ],
            [
                "transfers.txt, row 2, to_route_id: \"q\" has route_type 2, but riders stay seated in a vehicle "
                    + "of from_route_id \"r\" with route_type 3; stored as it is"
            ]),
        NoticeCase(
            .transferWithSuspiciousMidTripInSeat,
            [
                "stops.txt": stops + "\ns1,One,50.1,8.1\ns2,Two,50.1,8.12\n",
                "stop_times.txt": times + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\n"
                    + "u,06:10:00,06:10:00,s2,1\nu,06:20:00,06:20:00,s1,2\n",
                "transfers.txt": ofTrips + "s2,s2,4,t,u,,\ns1,s2,4,t,u,,\ns2,s1,5,t,u,,\ns1,s1,1,t,u,,\n",
            ],
            [
                "transfers.txt, row 3, from_stop_id: \"s1\" is not the last stop of from_trip_id \"t\", where "
                    + "riders would stay seated; stored as it is",
                "transfers.txt, row 4, to_stop_id: \"s1\" is not the first stop of to_trip_id \"u\", where "
                    + "riders would stay seated; stored as it is",
            ]),
    ]

    private static let ofTrips =
        "from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id,from_route_id,to_route_id\n"

    static let rulesOfTimes: [NoticeCase] = [
        NoticeCase(
            .overlappingFrequency,
            [
                "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt,08:00:00,09:00:00,600\n"
                    + "t,06:00:00,08:00:00,600\nu,06:00:00,07:00:00,600\nu,06:59:59,08:00:00,600\n"
                    + "x,06:00:00,07:00:00,600\ny,06:00:00,07:00:00,600\n"
            ],
            [
                "frequencies.txt, row 6, trip_id: \"x\" is not a trip_id of trips.txt; the column is left empty and "
                    + "the text kept in kept_value",
                "frequencies.txt, row 7, trip_id: \"y\" is not a trip_id of trips.txt; the column is left empty and "
                    + "the text kept in kept_value",
                "frequencies.txt, row 5: begins before row 4 of the same trip ends; stored as it is",
            ]),
        NoticeCase(
            .timeframeOnlyStartOrEndTimeSpecified,
            [
                "timeframes.txt": "timeframe_group_id,start_time,end_time,service_id\ng,06:00:00,,w\nh,,09:00:00,w\n"
                    + "i,,,w\nj,06:00:00,soon,w\n"
            ],
            [
                "timeframes.txt, row 5, end_time: \"soon\" is not a time (HH:MM:SS); the column is left "
                    + "empty and the text kept in kept_value",
                "timeframes.txt, row 2: has start_time without end_time; stored as it is",
                "timeframes.txt, row 3: has end_time without start_time; stored as it is",
            ]),
        NoticeCase(
            .timeframeStartOrEndTimeGreaterThanTwentyFourHours,
            [
                "timeframes.txt": "timeframe_group_id,start_time,end_time,service_id\ng,06:00:00,24:00:00,w\n"
                    + "h,24:00:01,25:00:00,w\n"
            ],
            [
                "timeframes.txt, row 3, start_time: \"24:00:01\" is after 24:00:00; stored as it is",
                "timeframes.txt, row 3, end_time: \"25:00:00\" is after 24:00:00; stored as it is",
            ]),
        NoticeCase(
            .timeframeOverlap,
            [
                "timeframes.txt": "timeframe_group_id,start_time,end_time,service_id\nh,08:59:59,10:00:00,w\n"
                    + "g,09:00:00,10:00:00,w\ng,06:00:00,09:00:00,w\ng,09:59:59,11:00:00,w\nh,06:00:00,09:00:00,w\n"
            ],
            [
                "timeframes.txt, row 2: begins before row 6 of the same group and service ends; stored as it is",
                "timeframes.txt, row 5: begins before row 3 of the same group and service ends; stored as it is",
            ]),
    ]
}
