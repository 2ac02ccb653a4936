@testable import GTFSImport

/// Rules about trips beside their calls, and about places that pathways do not reach. Each feed breaks a rule and has
/// rows that just do not.
extension NoticeCases {
    private static let withPlaces = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
    private static let timed = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"

    static let rulesOfTrips: [NoticeCase] = [
        // The route's fares by zone count, not those without a route. No trip calls at s3; z is a station.
        NoticeCase(
            .stopWithoutZoneId,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,3\n",
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,zone_id,location_type\ns1,One,50.1,8.1,A,\n"
                    + "s2,Two,50.2,8.2,,0\ns3,Three,50.2,8.2,,\n",
                "fare_attributes.txt":
                    "fare_id,price,currency_type,payment_method,transfers,agency_id\nf,1,EUR,0,0,a\n",
                "fare_rules.txt": "fare_id,route_id,origin_id,destination_id,contains_id\nf,r,,,A\nf,q,,,\nf,,A,,\n",
            ],
            [
                "stops.txt, row 3: has no zone_id, though fare_rules.txt has fares by zone for route_id \"r\", whose "
                    + "trips call there; stored as it is"
            ]),
        // A name in other letters; the last stop of u; the round trip v.
        NoticeCase(
            .tripHeadsignMatchesIntermediateStop,
            [
                "stops.txt": stops + "\ns1,Hö,50.1,8.1\ns2,Two,50.2,8.2\ns3,Three,50.3,8.3\n",
                "trips.txt": "route_id,service_id,trip_id,trip_headsign,shape_id\nr,w,t,HÖ,x\nr,w,u,Three,x\n"
                    + "r,w,v,Hö,x\nr,w,w,,x\n",
                "stop_times.txt": timed + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\n"
                    + "u,06:00:00,06:00:00,s1,1\nu,06:10:00,06:10:00,s3,2\nv,06:00:00,06:00:00,s1,1\n"
                    + "v,06:10:00,06:10:00,s2,2\nv,06:20:00,06:20:00,s1,3\nw,06:00:00,06:00:00,s1,1\n"
                    + "w,06:10:00,06:10:00,s2,2\n",
            ],
            [
                "trips.txt, row 2, trip_headsign: \"HÖ\" is the name of the stop at stop_sequence 1, where the trip "
                    + "does not end; stored as it is"
            ]),
        // 100 and 700 are both types that GTFS does not know.
        NoticeCase(
            .inconsistentRouteTypeForBlockId,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,0\np,a,3,0\n",
                "trips.txt": "route_id,service_id,trip_id,block_id,shape_id\nr,w,t,b,x\nr,w,u,c,x\nq,w,v,b,x\n"
                    + "p,w,w,b,x\nq,w,t2,d,x\np,w,t3,d,x\n",
            ],
            [
                "trips.txt, row 4, block_id: \"b\" has vehicles of route_type 0 here, but of route_type 3 in row 2; "
                    + "stored as it is"
            ]),
        // u begins with the call at which t ends, and v at the time at which it leaves. x runs on other days.
        NoticeCase(
            .blockTripsWithOverlappingStopTimes,
            [
                "calendar.txt": days + "w,1,1,1,1,1,0,0,20260101,20261231\nv,0,0,0,0,0,1,1,20260101,20261231\n"
                    + "y,0,0,0,0,1,1,0,20260101,20261231\n",
                "trips.txt": "route_id,service_id,trip_id,block_id,shape_id\nr,w,t,b,x\nr,w,u,b,x\nr,w,v,b,x\n"
                    + "r,v,x,b,x\nr,y,y,b,x\nr,w,z,c,x\n",
                "stop_times.txt": timed + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:12:00,s2,2\n"
                    + "u,06:10:00,06:12:00,s2,1\nu,06:12:00,06:12:00,s1,2\nv,06:12:00,06:12:00,s2,1\n"
                    + "v,06:20:00,06:20:00,s1,2\nx,06:05:00,06:05:00,s2,1\nx,06:11:00,06:11:00,s1,2\n"
                    + "y,06:19:00,06:19:00,s2,1\ny,06:30:00,06:30:00,s1,2\nz,06:00:00,06:00:00,s2,1\n"
                    + "z,06:30:00,06:30:00,s1,2\n",
            ],
            [
                "trips.txt, row 6, block_id: \"b\" is also the block of row 4, trip_id \"v\", which is still underway "
                    + "when this trip begins, as on 20260102; stored as it is"
            ]),
        // y has distances at all its points; the calls of v have none.
        NoticeCase(
            .tripWithShapeDistTraveledButNoShapeDistances,
            [
                "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n"
                    + "x,50.1,8.1,1,0\nx,50.2,8.2,2,\nx,50.2,8.2,3,9\ny,50.1,8.1,1,0\ny,50.2,8.2,2,9\n",
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,y\nr,w,v,x\n",
                "stop_times.txt":
                    "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"
                    + "t,06:00:00,06:00:00,s1,1,\nt,06:10:00,06:10:00,s2,2,3\nu,06:00:00,06:00:00,s1,1,0\n"
                    + "u,06:10:00,06:10:00,s2,2,9\nv,06:00:00,06:00:00,s1,1,\nv,06:10:00,06:10:00,s2,2,\n",
            ],
            [
                "trips.txt, row 2, shape_id: \"x\" has points without shape_dist_traveled, but stop times of the trip "
                    + "have distances along it; stored as it is"
            ]),
        // The end of u lies 11.0 m from that of its shape, 9.9 hundred-thousandths of a degree.
        NoticeCase(
            .tripDistanceExceedsShapeDistance, longTrips(stop: "50.200101"),
            [
                "trips.txt, row 2, shape_id: \"x\" reaches to shape_dist_traveled 9.0, but the trip ends at 9.5, "
                    + "11.2 m away; stored as it is"
            ]),
        NoticeCase(
            .tripDistanceExceedsShapeDistanceBelowThreshold, longTrips(stop: "50.200099"),
            [
                "trips.txt, row 2, shape_id: \"x\" reaches to shape_dist_traveled 9.0, but the trip ends at 9.5, "
                    + "11.0 m away; stored as it is"
            ]),
        // The platform p has the area b. No pathway leads to q's station.
        NoticeCase(
            .pathwayUnreachableLocation,
            [
                "stops.txt": withPlaces + "s1,One,50.1,8.1,0,z\ns2,Two,50.2,8.2,,\nz,Station,50.3,8.3,1,\n"
                    + "y,Station,50.3,8.3,1,\ne,Entrance,50.3,8.3,2,z\nn,Platform,50.3,8.3,,z\nm,Platform,50.3,8.3,,z\n"
                    + "o,Platform,50.3,8.3,0,z\np,Platform,50.3,8.3,0,z\nb,Area,50.3,8.3,4,p\nq,Other,50.3,8.3,,y\n",
                "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\nx,e,s1,1,1\n"
                    + "y,n,s1,1,0\nz,s1,m,1,0\nw,o,b,1,1\n",
            ],
            [
                "stops.txt, row 7, stop_id: \"n\" cannot be reached by pathways from an entrance; stored as it is",
                "stops.txt, row 8, stop_id: \"m\" has no way out by pathways to an entrance; stored as it is",
                "stops.txt, row 9, stop_id: \"o\" is joined by pathways to no entrance; stored as it is",
                "stops.txt, row 11, stop_id: \"b\" is joined by pathways to no entrance; stored as it is",
            ]),
        // The only call of t. u has two calls, and v may only be boarded.
        NoticeCase(
            .missingStopTimesRecord,
            [
                "location_groups.txt": "location_group_id,location_group_name\ng,Group\n",
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,x\nr,w,v,x\n",
                "stop_times.txt":
                    "trip_id,location_group_id,stop_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type,pickup_booking_rule_id,drop_off_booking_rule_id\n"
                    + "t,g,,1,08:00:00,09:00:00,2,2,k,k\nu,g,,1,08:00:00,09:00:00,2,2,k,k\n"
                    + "u,g,,2,08:00:00,09:00:00,2,2,k,k\nv,g,,1,08:00:00,09:00:00,2,1,k,k\n",
                "booking_rules.txt": "booking_rule_id,booking_type\nk,0\n",
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 1: is the only call of a trip on demand, where riders "
                    + "may board and alight; a second call is missing; stored as it is"
            ]),
    ]

    /// A trip of 9.5 on a shape of 9, whose second but last point is its furthest one, and one of 9.
    private static func longTrips(stop latitude: String) -> [String: String?] {
        [
            "stops.txt": stops + "\ns1,One,50.1,8.1\ns2,Two,\(latitude),8.2\n",
            "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n"
                + "x,50.1,8.1,1,0\nx,50.2,8.2,2,9\n",
            "stop_times.txt":
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"
                + "t,06:00:00,06:00:00,s1,1,0\nt,06:10:00,06:10:00,s2,2,9.5\nu,06:00:00,06:00:00,s1,1,0\n"
                + "u,06:10:00,06:10:00,s2,2,9\n",
        ]
    }
}
