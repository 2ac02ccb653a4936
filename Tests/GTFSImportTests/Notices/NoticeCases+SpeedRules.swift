@testable import GTFSImport

/// Rules about vehicles that are too fast. Each feed breaks a rule and has rows that just do not.
extension NoticeCases {
    private static let timed = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    /// 5.00 km from each to the next, along a meridian.
    private static let north = stops + "\ns1,One,50,8\ns2,Two,50.044966,8\ns3,Three,50.089932,8\n"

    static let rulesOfSpeeds: [NoticeCase] = [
        // 5 km in 120 s are 150 km/h. Between whole minutes one more is allowed: u takes 120 s in place of 60.
        NoticeCase(
            .fastTravelBetweenConsecutiveStops,
            [
                "stops.txt": north,
                "stop_times.txt": timed + "t,06:00:00,06:00:01,s1,5000000001\nt,06:01:59,06:02:00,s2,5000000002\n"
                    + "u,06:00:00,06:00:00,s1,1\nu,06:01:00,06:01:00,s2,2\n",
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 5000000002, arrival_time: \"06:01:59\" needs 153 km/h for "
                    + "the 5.00 km from stop_sequence 5000000001, but vehicles of route_type 3 go at most 150 km/h; "
                    + "stored as it is"
            ]),
        // 10 km within 180 s; the other notice is left out here. The second call has no time.
        NoticeCase(
            .fastTravelBetweenFarStops,
            [
                "stops.txt": north.replacing("50.089932", with: "50.0900"),
                "stop_times.txt": timed + "t,06:00:00,06:00:00,s1,1\nt,,,s2,2\nt,06:02:00,06:02:00,s3,3\n"
                    + "u,06:00:00,06:00:00,s1,1\nu,,,s2,2\nu,06:04:00,06:04:00,s3,3\n",
            ],
            [
                "stop_times.txt, trip_id \"t\", stop_sequence 3, arrival_time: \"06:02:00\" needs 201 km/h from "
                    + "stop_sequence 1, more than 10 km before, but vehicles of route_type 3 go at most 150 km/h; "
                    + "stored as it is"
            ]),
    ]
}
