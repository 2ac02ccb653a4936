@testable import GTFSImport

/// Rules about stops along shapes. Each feed breaks a rule and has rows that just do not.
extension NoticeCases {
    private static let points = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n"
    private static let distances =
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"

    static let rulesOfStopsAlongShapes: [NoticeCase] = [
        // s1 lies 99.0 m north of its shape, s2 101.2 m. q is a railway, and its first station lies 399 m off. No trip
        // calls at s4 but u, which has the same calls as v.
        NoticeCase(
            .stopTooFarFromShape,
            [
                "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\nq,a,2,2\n",
                "stops.txt": stops + "\ns1,One,0.00089,8.1\ns2,Two,0.00091,8.2\ns3,Three,0.00359,8.1\n"
                    + "s4,Four,-0.01,8.2\n",
                "shapes.txt": points + "x,0,8.1,1,\nx,0,8.2,2,\n",
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,x\nr,w,v,x\nq,w,w,x\n",
                "stop_times.txt": times + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\n"
                    + "u,06:00:00,06:00:00,s1,1\nu,06:10:00,06:10:00,s4,2\nv,07:00:00,07:00:00,s1,1\n"
                    + "v,07:10:00,07:10:00,s4,2\nw,06:00:00,06:00:00,s3,1\nw,06:20:00,06:20:00,s2,2\n",
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 2, stop_id: \"s2\" is 101.2 m away from shape \"x\"; "
                    + "stored as it is",
                "stop_times.txt, trip_id \"u\", stop_sequence 2, stop_id: \"s4\" is 1112.0 m away from shape \"x\"; "
                    + "stored as it is",
            ]),
        // The middle of the shape is at 8.15; 5 of 10 leads there, and 5.1 to a place 111.2 m further on.
        NoticeCase(
            .stopTooFarFromShapeUsingUserDistance,
            [
                "stops.txt": stops + "\ns1,One,0,8.1\ns2,Two,0,8.15\ns3,Three,0,8.2\n",
                "shapes.txt": points + "x,0,8.1,1,0\nx,0,8.2,2,10\n",
                "stop_times.txt": distances + "t,06:00:00,06:00:00,s1,1,0\nt,06:10:00,06:10:00,s2,2,5\n"
                    + "t,06:20:00,06:20:00,s3,3,10\nu,06:00:00,06:00:00,s1,1,0\nu,06:10:00,06:10:00,s2,2,5.01\n"
                    + "u,06:20:00,06:20:00,s3,3,9.5\n",
            ],
            [
                "stop_times.txt, trip_id \"u\", stop_sequence 3, shape_dist_traveled: \"9.5\" leads to a point of "
                    + "shape \"x\" that is 556.0 m away from stop \"s3\"; stored as it is"
            ]),
        // The shape passes s1 21 times, and s2 20 times.
        NoticeCase(
            .stopHasTooManyMatchesForShape,
            [
                "stops.txt": stops + "\ns1,One,0,8.1\ns2,Two,0,8.2\n",
                "shapes.txt": points
                    + (0..<21).map { "x,0,8.1,\(2 * $0),\nx,0,\($0 < 20 ? "8.2" : "8.15"),\(2 * $0 + 1),\n" }.joined(),
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 1, stop_id: \"s1\" is passed by shape \"x\" 21 times, "
                    + "so that it is not clear when the trip calls there; stored as it is"
            ]),
        // u goes the other way. v calls twice at one stop.
        NoticeCase(
            .stopsMatchShapeOutOfOrder,
            [
                "stops.txt": stops + "\ns1,One,0,8.1\ns2,Two,0,8.2\n",
                "shapes.txt": points + "x,0,8.1,1,\nx,0,8.2,2,\n",
                "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,u,x\nr,w,v,x\n",
                "stop_times.txt": times + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\n"
                    + "u,06:00:00,06:00:00,s2,1\nu,06:10:00,06:10:00,s1,2\nv,06:00:00,06:00:00,s1,1\n"
                    + "v,06:01:00,06:01:00,s1,2\nv,06:10:00,06:10:00,s2,3\n",
            ],
            [
                "stop_times.txt, trip_id \"u\", stop_sequence 2, stop_id: \"s1\" is passed by shape \"x\" before stop "
                    + "\"s2\" at stop_sequence 1, where the trip calls earlier; stored as it is"
            ]),
    ]
}
