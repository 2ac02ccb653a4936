import TestSupport
import Testing

@testable import GTFSImport

/// The rules about calls, whatever the order of the rows. `NoticeCases` has a feed for each code.
@Suite struct CallRulesTests {
    private static let codes = [
        "stop_time_with_arrival_before_previous_departure_time", "stop_time_with_only_arrival_or_departure_time",
        "missing_trip_edge", "decreasing_or_equal_stop_time_distance", "stop_time_timepoint_without_times",
        "missing_timepoint_value", "unusable_trip", "unused_trip",
    ]
    private static let header =
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled,timepoint\n"

    private static func feed(_ rows: [Call]) throws -> LayeredFeed {
        try LayeredFeed([
            "trips.txt": "route_id,service_id,trip_id\nr,w,t\nr,w,u\nr,w,v\n",
            "stop_times.txt": header + rows.map(\.line).joined(),
        ])
    }

    private static func counts(_ store: AskedStore) throws -> [String] {
        let codes = codes.map { "'\($0)'" }.joined(separator: ", ")
        return try store.rows("SELECT code, count FROM notice_total WHERE code IN (\(codes)) ORDER BY code")
    }

    /// Rows in any order, some of them twice, against a slow loop over the rows in the order of their keys.
    @Test func randomCallsAgreeWithASlowTwin() throws {
        var random = SeededGenerator(seed: 7)
        for round in 0..<80 {
            let calls = Call.random(&random, hasDuplicates: round % 2 == 0)
            let counts = try Self.counts(Self.feed(calls).imported())
            #expect(counts == Call.expected(calls).filter { $0.value > 0 }.map { "\($0)|\($1)" }.sorted())
        }
    }

    @Test func theOrderOfTheRowsDoesNotMatter() throws {
        var random = SeededGenerator(seed: 8)
        let notices = "SELECT message FROM notice WHERE code <> 'unsorted_stop_times' ORDER BY id"
        for _ in 0..<20 {
            var calls = Call.random(&random, hasDuplicates: false)
            let shuffled = try Self.feed(calls).imported().rows(notices)
            calls.sort { ($0.trip, $0.sequence) < ($1.trip, $1.sequence) }
            #expect(try Self.feed(calls).imported().rows(notices) == shuffled)
        }
    }

    /// Row 3 of t repeats a key and is not stored: no trip calls at s3, and the headsign is that of no call. Whether
    /// the reading stage sees that, or only sorting does, depends on what stands before.
    @Test(arguments: [false, true]) func callThatRepeatsAKeyCallsNowhere(_ isLate: Bool) throws {
        let first =
            "t,08:00:00,08:00:00,s1,1\nt,08:10:00,08:10:00,s1,2\nt,08:12:00,08:12:00,s3,2\nt,08:20:00,08:20:00,s2,3\n"
        let other = "u,09:00:00,09:00:00,s2,1\nu,09:10:00,09:10:00,s1,2\n"
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,8.1\ns2,Two,50.2,8.2\ns3,Three,50.3,8.3\n",
            "trips.txt": "route_id,service_id,trip_id,trip_headsign\nr,w,t,Three\nr,w,u,\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + (isLate ? other + first : first + other),
        ]).imported()
        let codes = "SELECT code, value FROM notice WHERE code LIKE '%stop_time' OR code LIKE 'trip_headsign%'"
        #expect(try store.rows(codes) == ["stop_without_stop_time|s3"])
        #expect(try store.rows("SELECT * FROM stop_departures").count == 2)
    }

    /// A trip is noted once if its rows are split by rows of others or out of order.
    @Test func splitTripsAreNoted() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<20 {
            let calls = Call.random(&random, hasDuplicates: false)
            let count = "SELECT count FROM notice_total WHERE code = 'unsorted_stop_times'"
            let split = Call.split(calls).count
            #expect(try Self.feed(calls).imported().rows(count) == (split == 0 ? [] : ["\(split)"]))
        }
    }

    /// So many rows in no order that the watch leaves all comparisons to the merge.
    @Test func shuffledCallsAreComparedWhenTheyAreMerged() throws {
        var random = SeededGenerator(seed: 10)
        var trips = "route_id,service_id,trip_id\n"
        var rows: [String] = []
        for trip in 0..<600 {
            trips += "r,w,t\(trip)\n"
            for call in 0..<10 {
                let minute = trip == 77 && call == 5 ? 0 : call * 5
                let time = "\(10 + minute / 60):\(10 + minute % 60):00"
                rows.append("t\(trip),\(time),\(time),s\(call % 2 + 1),\(call)\n")
            }
        }
        rows.shuffle(using: &random)
        let store = try LayeredFeed([
            "trips.txt": trips,
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,8.1\ns2,Two,50.15,8.1\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + rows.joined(),
        ]).imported()
        #expect(
            try store.rows("SELECT code, count FROM notice_total ORDER BY code") == [
                "fast_travel_between_consecutive_stops|1", "fast_travel_between_far_stops|1",
                "stop_time_with_arrival_before_previous_departure_time|1", "unsorted_stop_times|600", "unused_shape|1",
            ])
    }

    /// Points in any order: the notices are those of the rows in order.
    @Test func theOrderOfThePointsDoesNotMatter() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<20 {
            var points: [(shape: String, sequence: Int, distance: Int)] = []
            for shape in ["x", "y", "z"] {
                for sequence in 0..<Int.random(in: 1..<6, using: &random) {
                    points.append((shape, sequence, Int.random(in: 0..<4, using: &random)))
                }
            }
            func messages() throws -> [String] {
                let rows = points.map { "\($0.shape),50.\($0.distance / 2),8,\($0.sequence),\($0.distance)\n" }
                return try LayeredFeed([
                    "trips.txt": "route_id,service_id,trip_id,shape_id\nr,w,t,x\nr,w,t2,y\nr,w,t3,z\n",
                    "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n"
                        + rows.joined(),
                ]).imported().messages.sorted()
            }
            let sorted = try messages()
            let falls = zip(points, points.dropFirst()).count { $0.shape == $1.shape && $0.distance > $1.distance }
            #expect(sorted.count { $0.contains("is less than") } == falls)
            points.shuffle(using: &random)
            #expect(try messages() == sorted)
        }
    }

    @Test func everyWordIsAFault() {
        #expect(CallFaults(word: "arrival_before_departure") == .arrivalBeforeDeparture)
        #expect(CallFaults(word: "distance_not_greater") == .distanceNotGreater)
        #expect(CallFaults(word: "drop_off_without_booking_rule") == .dropOffWithoutBookingRule)
        #expect(CallFaults(word: "overlaps") == nil)
    }
}

/// A row of stop_times.txt.
private struct Call {
    var trip: String
    var sequence: Int
    var arrival: Int?
    var departure: Int?
    var distance: Int?
    var timepoint: Int?

    var line: String {
        func time(_ minutes: Int?) -> String { minutes.map { "1\($0 / 60):\($0 % 60 / 10)\($0 % 10):00" } ?? "" }
        let others = [distance, timepoint].map { $0.map(String.init) ?? "" }.joined(separator: ",")
        return "\(trip),\(time(arrival)),\(time(departure)),s1,\(sequence),\(others)\n"
    }

    /// The calls of up to three trips in any order; about every other feed has a fault.
    static func random(_ random: inout SeededGenerator, hasDuplicates: Bool) -> [Call] {
        let isOdd = Int.random(in: 0..<3, using: &random) > 0
        func odd(_ random: inout SeededGenerator, in range: Int) -> Bool {
            isOdd && Int.random(in: 0..<range, using: &random) == 0
        }
        var calls: [Call] = []
        for trip in ["t", "u", "v"] where Int.random(in: 0..<6, using: &random) > 0 {
            for sequence in 0..<Int.random(in: 1..<7, using: &random) {
                let minute = sequence * 10 + (odd(&random, in: 9) ? -15 : 0)
                var call = Call(trip: trip, sequence: sequence, timepoint: odd(&random, in: 9) ? nil : 1)
                call.arrival = odd(&random, in: 7) ? nil : max(0, minute)
                call.departure = odd(&random, in: 7) ? nil : max(0, minute + 3)
                call.distance = odd(&random, in: 5) ? nil : odd(&random, in: 9) ? 0 : sequence
                calls.append(call)
            }
        }
        if calls.isEmpty { calls = [Call(trip: "t", sequence: 0, arrival: 0, departure: 0, timepoint: 0)] }
        if hasDuplicates { calls += calls.filter { _ in Int.random(in: 0..<4, using: &random) == 0 } }
        if Bool.random(using: &random) { calls.shuffle(using: &random) }
        return calls
    }

    /// The calls that are stored: the first row of each key, trip by trip in the order of their sequence.
    private static func trips(_ calls: [Call]) -> [[Call]] {
        ["t", "u", "v"].map { trip in
            var known: Set<Int> = []
            let own = calls.filter { $0.trip == trip && known.insert($0.sequence).inserted }
            return own.sorted { $0.sequence < $1.sequence }
        }
    }

    /// How many notices of each code the calls give.
    static func expected(_ calls: [Call]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for trip in trips(calls) {
            if trip.isEmpty { counts["unused_trip", default: 0] += 1 }
            if trip.count < 2 { counts["unusable_trip", default: 0] += 1 }
            for (place, call) in trip.enumerated() {
                let blanks = (call.arrival == nil ? 1 : 0) + (call.departure == nil ? 1 : 0)
                if blanks == 1 { counts["stop_time_with_only_arrival_or_departure_time", default: 0] += 1 }
                if place == 0 || place == trip.count - 1 { counts["missing_trip_edge", default: 0] += blanks }
                if call.timepoint == 1 { counts["stop_time_timepoint_without_times", default: 0] += blanks }
                if call.timepoint == nil, blanks < 2 { counts["missing_timepoint_value", default: 0] += 1 }
                if let arrival = call.arrival, let before = trip[..<place].compactMap(\.departure).last,
                    arrival < before
                {
                    counts["stop_time_with_arrival_before_previous_departure_time", default: 0] += 1
                }
                if place > 0, let distance = call.distance, let before = trip[place - 1].distance, before >= distance {
                    counts["decreasing_or_equal_stop_time_distance", default: 0] += 1
                }
            }
        }
        return counts
    }

    /// The trips whose rows do not stand together in the order of their sequence.
    static func split(_ calls: [Call]) -> [String] {
        ["t", "u", "v"].filter { trip in
            let places = calls.indices.filter { calls[$0].trip == trip }
            return zip(places, places.dropFirst()).contains {
                $1 != $0 + 1 || calls[$1].sequence <= calls[$0].sequence
            }
        }
    }
}
