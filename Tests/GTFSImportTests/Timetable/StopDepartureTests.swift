import GTFSImport
import SQLite
import Testing

/// Compares `stop_departures` and `search_spelling` with the feed.
struct StopDepartureTests {
    private static let feed: [String: String] = [
        "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://a.example,Europe/Berlin\n",
        "routes.txt": "route_id,agency_id,route_short_name,route_type\nR,A,1,3\n",
        "calendar.txt":
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
            + "all,1,1,1,1,1,1,1,20261101,20261110\n",
        "calendar_dates.txt": "service_id,date,exception_type\nall,20261101,2\nonce,20261105,1\n",
        "trips.txt": "route_id,service_id,trip_id\nR,all,T1\nR,once,T2\nR,all,T3\nR,never,T4\n",
        "stops.txt":
            "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,tts_stop_name\n"
            + "H,Hbf Görlitz,51,15,1,,\nP,Gleis 1,51,15,0,H,\nQ,Gleis 2,51,15,0,H,\nB,新宿,51,15,0,,しんじゅく\n"
            + "S,Straße Str,51,15,0,,Strasse Street\n",
        "stop_times.txt":
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + "T1,8:00:00,8:00:00,P,1\nT1,8:10:00,8:10:00,Q,2\nT1,8:20:00,8:20:00,B,3\n"
            + "T2,9:00:00,9:00:00,B,1\nT2,9:10:00,9:10:00,P,2\n"
            + "T3,0:00:00,0:00:00,S,1\nT3,0:05:00,0:05:00,B,2\nT4,0:00:00,0:00:00,S,1\nT4,0:01:00,0:01:00,B,2\n",
        "frequencies.txt":
            "trip_id,start_time,end_time,headway_secs\nT3,6:00:00,7:00:00,600\nT3,7:00:00,7:01:00,600\n",
        "translations.txt":
            "table_name,field_name,language,translation,record_id\n"
            + "stops,tts_stop_name,ja-Hrkt,とうきょう,H\n",
    ]

    private func all(_ sql: String, _ feed: [String: String] = Self.feed) throws -> String {
        let (connection, folder) = try SmallFeed.store(feed)
        return try withExtendedLifetime(folder) { try SmallFeed.all(sql, connection) }
    }

    @Test func `counted by days, starts, and everything below a station`() throws {
        // T1 runs on 9 days and T2 on one. T3 departs 7 times on each of 9 days. T4 never runs.
        #expect(
            try all("SELECT stop_id, departures FROM stop_departures JOIN stop ON stop.id = stop ORDER BY stop_id")
                == "B 73; H 19; P 10; Q 9; S 63")
    }

    /// T3 starts seven times on each of nine days. So do its calls without a time and on demand.
    @Test(arguments: [",,P,3,", ",,P,3,9:00:00"]) func `calls without a time repeat with their trip`(
        call: String
    ) throws {
        var feed = Self.feed
        feed["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence,start_pickup_drop_off_window\n"
            + "T3,0:00:00,0:00:00,S,1,\nT3,0:05:00,0:05:00,B,2,\nT3,\(call)\n"
        #expect(
            try all(
                "SELECT stop_id, departures FROM stop_departures JOIN stop ON stop.id = stop ORDER BY stop_id", feed)
                == "B 63; H 63; P 63; S 63")
    }

    /// Stops that are their own parents, or each other's, count each call once.
    @Test(arguments: [
        ("H,P,P", "P 19; Q 9"), ("H,H,H", "H 19; P 10; Q 9"), ("P,H,H", "H 19; P 19; Q 9"),
        ("H,Q,H", "H 19; P 10; Q 19"),
    ])
    func `stops that are each other's parents count each call once`(parents: String, counts: String) throws {
        let parts = parents.split(separator: ",")
        var feed = Self.feed
        feed["stops.txt"] =
            "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nB,B,51,15,,\nS,S,51,15,,\n"
            + zip(["H", "P", "Q"], parts).map { "\($0),\($0),51,15,,\($1)\n" }.joined()
        let query =
            "SELECT stop_id, departures FROM stop_departures JOIN stop ON stop.id = stop "
            + "WHERE stop_id IN ('H', 'P', 'Q') ORDER BY stop_id"
        #expect(try all(query, feed) == counts)
    }

    @Test func `rows in any order give the same counts`() throws {
        var feed = Self.feed
        let lines = feed["stop_times.txt"]?.split(separator: "\n") ?? []
        feed["stop_times.txt"] = ([lines[0]] + lines.dropFirst().reversed()).joined(separator: "\n") + "\n"
        let query = "SELECT stop, departures FROM stop_departures ORDER BY stop"
        #expect(try all(query, feed) == all(query))
    }

    @Test func `spellings and readings are kept apart from the words of the name`() throws {
        let spellings = try all(
            "SELECT stop_id, normalized_word FROM search_spelling JOIN stop ON stop.id = stop ORDER BY stop_id, normalized_word"
        )
        #expect(
            spellings
                == "B shinjuku; B しゅく; B しん; B しんしゅく; H goerlitz; H tokyo; H toukyou; H きょう; H とう; H とうきょう; "
                + "S strasse; S street")
        #expect(
            try all(
                "SELECT normalized_word FROM search_term JOIN stop ON stop.id = stop WHERE stop_id = 'S' ORDER BY 1")
                == "str; straße")
    }
}
