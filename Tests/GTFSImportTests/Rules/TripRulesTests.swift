import TestSupport
import Testing

@testable import GTFSImport

/// Rules about trips and pathways against slow loops. `NoticeCases` has a feed for each code.
@Suite struct TripRulesTests {
    private static let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"

    private static func time(_ minutes: Int) -> String {
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest):00"
    }

    private static func count(_ code: String, _ store: AskedStore) throws -> Int {
        try store.rows("SELECT count FROM notice_total WHERE code = '\(code)'").first.flatMap { Int($0) } ?? 0
    }

    // MARK: Blocks

    private struct Trip {
        let block: String
        let service: Int
        /// Arrival and departure of the first and the last call, in minutes; nil for a trip without its last arrival.
        let times: [Int]
        let hasLastArrival: Bool

        func overlaps(_ other: Trip, _ days: [Set<Int>]) -> Bool {
            guard !block.isEmpty, block == other.block, hasLastArrival, other.hasLastArrival,
                other.times[0] < times[3], !(times[2] == other.times[0] && times[3] == other.times[1])
            else { return false }
            return !days[service].isDisjoint(with: days[other.service])
        }
    }

    private static func trip(_ random: inout SeededGenerator) -> Trip {
        var times = [Int.random(in: 360..<420, using: &random)]
        for longest in [2, 20, 2] { times.append(times[times.count - 1] + Int.random(in: 0...longest, using: &random)) }
        return Trip(
            block: ["", "b", "b", "c", "another block"].randomElement(using: &random) ?? "",
            service: Int.random(in: 0..<4, using: &random), times: times,
            hasLastArrival: Int.random(in: 0..<20, using: &random) > 0)
    }

    /// Trips of few blocks on few days, in any order; with all details, or with few.
    @Test func overlapsInBlocksAgreeWithAllPairs() throws {
        var random = SeededGenerator(seed: 5)
        var total = 0
        for round in 0..<60 {
            let days = (0..<4).map { _ in Set((0..<4).map { _ in Int.random(in: 1...9, using: &random) }) }
            let trips = (0..<Int.random(in: 2...40, using: &random)).map { _ in Self.trip(&random) }
            var calls = trips.enumerated().flatMap { number, trip in
                let times = trip.times.map(Self.time)
                return [
                    "t\(number),\(times[0]),\(times[1]),s1,1\n",
                    "t\(number),\(trip.hasLastArrival ? times[2] : ""),\(times[3]),s2,2\n",
                ]
            }
            if round % 3 == 0 { calls.shuffle(using: &random) }
            let feed = try LayeredFeed([
                "calendar.txt": nil,
                "calendar_dates.txt": "service_id,date,exception_type\n"
                    + days.enumerated().flatMap { service, days in days.sorted().map { "w\(service),2026010\($0),1\n" }
                    }
                    .joined(),
                "trips.txt": "route_id,service_id,trip_id,block_id,shape_id\n"
                    + trips.enumerated().map { "r,w\($1.service),t\($0),\($1.block),x\n" }.joined(),
                "stop_times.txt": Self.times + calls.joined(),
            ])
            feed.options.noticesKeptPerCode = round % 2 == 0 ? 1_000 : 3
            let order = trips.indices.sorted {
                (trips[$0].times[0], trips[$0].times[3], $0) < (trips[$1].times[0], trips[$1].times[3], $1)
            }
            var expected: [String] = []
            for (place, earlier) in order.enumerated() {
                for later in order[(place + 1)...] where trips[earlier].overlaps(trips[later], days) {
                    let day = days[trips[earlier].service].intersection(days[trips[later].service]).min() ?? 0
                    expected.append("\(later + 2): row \(earlier + 2) on 2026010\(day)")
                }
            }
            let store = try feed.imported()
            #expect(try Self.count("block_trips_with_overlapping_stop_times", store) == expected.count)
            let found = try store.rows(
                "SELECT row_number, message FROM notice WHERE code = 'block_trips_with_overlapping_stop_times'"
            ).map { line in
                let words = line.split(separator: "|", maxSplits: 1)
                let rest = words[1].split(separator: " ").map(String.init)
                let row = rest.firstIndex(of: "of").map { rest[$0 + 2].dropLast() } ?? ""
                let date = rest.firstIndex(of: "on").map { rest[$0 + 1].dropLast() } ?? ""
                return "\(words[0]): row \(row) on \(date)"
            }
            #expect(Set(found).isSubset(of: expected))
            #expect(found.count == min(expected.count, feed.options.noticesKeptPerCode))
            total += expected.count
        }
        #expect(total > 500)
    }

    /// A feed whose trips are all in one block: each pair is counted, but not looked at.
    @Test func manyTripsOfOneBlockAreCounted() throws {
        let count = 5_000
        let trips = (0..<count).map { "r,w,t\($0),b,x\n" }.joined()
        let calls = (0..<count).map { "t\($0),06:00:00,06:00:00,s1,1\nt\($0),06:10:00,06:10:00,s2,2\n" }.joined()
        let store = try LayeredFeed([
            "trips.txt": "route_id,service_id,trip_id,block_id,shape_id\n" + trips,
            "stop_times.txt": Self.times + calls,
        ]).imported()
        #expect(try Self.count("block_trips_with_overlapping_stop_times", store) == count * (count - 1) / 2)
    }

    // MARK: Headsigns

    private static let names = [
        "Markt", "MARKT", "Öst", "öST", "ost", "K-Platz", "\u{212A}-platz", "İst", "ıst", "IST", "К-Платц", "к-плАтц",
        "Long name of a stop", "LONG NAME OF A stop", "ΣΊΓΜΑΣ", "σίγμας", "東京", "ẞ", "ß", "a", "A", "\u{10400}",
        "\u{10428}",
    ]

    @Test func headsignsAgreeWithASlowTwin() throws {
        var random = SeededGenerator(seed: 8)
        var total = 0
        for round in 0..<40 {
            let stops = (0..<6).map { _ in Self.names.randomElement(using: &random) ?? "" }
            let trips = (0..<12).map { _ in Self.names.randomElement(using: &random) ?? "" }
            let calls = trips.map { _ in
                (0..<Int.random(in: 1...5, using: &random)).map { _ in Int.random(in: 0..<6, using: &random) }
            }
            var rows = calls.enumerated().flatMap { trip, stops in
                stops.enumerated().map { place, stop in
                    let time = place > 0 && place < stops.count - 1 && round % 4 == 1 ? "" : Self.time(400 + 10 * place)
                    return "t\(trip),\(time),\(time),s\(stop),\(place)\n"
                }
            }
            if round % 2 == 1 { rows.shuffle(using: &random) }
            var expected: [String] = []
            for (trip, stopsOfTrip) in calls.enumerated() where stopsOfTrip.first != stopsOfTrip.last {
                for (place, stop) in stopsOfTrip.dropLast().enumerated() where Self.areSame(stops[stop], trips[trip]) {
                    expected.append("\(trip + 2) \(place)")
                }
            }
            let store = try LayeredFeed([
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n"
                    + stops.enumerated().map { "s\($0),\($1),50.1,8.1\n" }.joined(),
                "trips.txt": "route_id,service_id,trip_id,trip_headsign,shape_id\n"
                    + trips.enumerated().map { "r,w,t\($0),\($1),x\n" }.joined(),
                "stop_times.txt": Self.times + rows.joined(),
            ]).imported()
            let found = try store.rows(
                "SELECT row_number || ' ' || substr(message, instr(message, 'stop_sequence ') + 14, 1) FROM notice "
                    + "WHERE code = 'trip_headsign_matches_intermediate_stop' ORDER BY id")
            #expect(found == expected)
            total += expected.count
        }
        #expect(total > 40)
    }

    private static func areSame(_ a: String, _ b: String) -> Bool {
        var (a, b) = (a, b)
        return a.withUTF8 { first in
            b.withUTF8 {
                RuleFunctions.compareInAnyCase(UnsafeRawBufferPointer(first), UnsafeRawBufferPointer($0)) == 0
            }
        }
    }

    // MARK: Shapes

    @Test func distancesAgreeWithASlowTwin() throws {
        var random = SeededGenerator(seed: 13)
        var (totals, codes) = ([0, 0, 0], Self.distanceCodes)
        codes.sort()
        for _ in 0..<60 {
            let isBlank = Bool.random(using: &random)
            func distance(_ random: inout SeededGenerator) -> Int? {
                isBlank && Int.random(in: 0..<4, using: &random) == 0 ? nil : Int.random(in: 0...9, using: &random)
            }
            let shapes = (0..<3).map { _ in (0..<3).map { _ in distance(&random) } }
            let trips = (0..<8).map { _ in
                (Int.random(in: 0..<4, using: &random), [distance(&random), distance(&random)])
            }
            var points = shapes.enumerated().flatMap { shape, distances in
                distances.enumerated().map { "x\(shape),50.\($0 + 1),8.1,\($0),\($1.map(String.init) ?? "")\n" }
            }
            var calls = trips.enumerated().flatMap { trip, ends in
                ends.1.enumerated().map { place, distance in
                    "t\(trip),06:0\(place):00,06:0\(place):00,s\(place),\(place),\(distance.map(String.init) ?? "")\n"
                }
            }
            if Bool.random(using: &random) { points.shuffle(using: &random) }
            if Bool.random(using: &random) { calls.shuffle(using: &random) }
            var expected = [0, 0, 0]
            for (shape, distances) in trips where shape < 3 {
                if distances.contains(where: { $0 != nil }), shapes[shape].contains(nil) { expected[2] += 1 }
                let most = shapes[shape].compactMap { $0 }.max() ?? 0
                guard most > 0, let last = distances[1], last > most else { continue }
                // The last stop lies at the second point of each shape.
                expected[shapes[shape].firstIndex(of: most) == 1 ? 1 : 0] += 1
            }
            let store = try LayeredFeed([
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns0,A,50.1,8.1\ns1,B,50.2,8.1\n",
                "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n"
                    + points.joined(),
                "trips.txt": "route_id,service_id,trip_id,shape_id\n"
                    + trips.enumerated().map { "r,w,t\($0),\($1.0 < 3 ? "x\($1.0)" : "")\n" }.joined(),
                "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n"
                    + calls.joined(),
            ]).imported()
            #expect(try codes.map { try Self.count($0, store) } == expected, "\(shapes) \(trips)")
            for place in expected.indices { totals[place] += expected[place] }
        }
        #expect(totals.allSatisfy { $0 > 10 }, "\(totals)")
    }

    private static let distanceCodes = [
        "trip_distance_exceeds_shape_distance", "trip_distance_exceeds_shape_distance_below_threshold",
        "trip_with_shape_dist_traveled_but_no_shape_distances",
    ]

    // MARK: Pathways

    /// Ways between all places are found by joining ways until there are no more.
    @Test func unreachablePlacesAgreeWithASlowTwin() throws {
        var random = SeededGenerator(seed: 34)
        var total = 0
        for _ in 0..<60 {
            // Two stations, of which only the first has an entrance for certain.
            let types = [1, 1, 2] + (0..<9).map { _ in [0, 0, 2, 3, 4].randomElement(using: &random) ?? 0 }
            let platforms = types.indices.filter { types[$0] == 0 }
            let parents = types.indices.map { place -> Int? in
                switch types[place] {
                case 1: nil
                case 4: platforms.randomElement(using: &random)
                default: place == 2 ? 0 : Int.random(in: 0..<3, using: &random) == 0 ? nil : place & 1
                }
            }
            var ways: Set<[Int]> = []
            var rows: [String] = []
            for number in 0..<Int.random(in: 1...12, using: &random) {
                let (from, to) = (Int.random(in: 2..<12, using: &random), Int.random(in: 2..<12, using: &random))
                let isTwoWay = Bool.random(using: &random)
                ways.insert([from, to])
                if isTwoWay { ways.insert([to, from]) }
                rows.append("p\(number),s\(from),s\(to),1,\(isTwoWay ? 1 : 0)\n")
            }
            func station(_ place: Int) -> Int? {
                types[place] == 1 ? place : parents[place].flatMap { types[$0] == 1 ? $0 : parents[$0] }
            }
            let stations = Set(ways.joined().compactMap(station))
            for middle in 0..<12 {
                for from in 0..<12 where ways.contains([from, middle]) {
                    for to in 0..<12 where ways.contains([middle, to]) { ways.insert([from, to]) }
                }
            }
            let entrances = types.indices.filter { types[$0] == 2 }
            let expected = types.indices.filter { place in
                guard [0, 3, 4].contains(types[place]), station(place).map(stations.contains) ?? false,
                    types[place] != 0 || !parents.contains(place)
                else { return false }
                return !entrances.contains { ways.contains([$0, place]) }
                    || !entrances.contains { ways.contains([place, $0]) }
            }
            let store = try LayeredFeed([
                "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1x,One,50.1,8.1,,\n"
                    + types.indices.map { place in
                        "s\(place),A,50.1,8.1,\(types[place]),\(parents[place].map { "s\($0)" } ?? "")\n"
                    }.joined(),
                "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\n" + rows.joined(),
            ]).imported()
            let found = try store.rows(
                "SELECT row_number - 3 FROM notice WHERE code = 'pathway_unreachable_location' ORDER BY id")
            #expect(found == expected.map(String.init), "\(types) \(parents) \(rows)")
            total += expected.count
        }
        #expect(total > 50)
    }

    /// A kind of place that GTFS does not know is no platform.
    @Test(arguments: ["-1", "9", "300"]) func unknownKindsOfPlacesNeedNoWay(type: String) throws {
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1,One,50.1,8.1,,z\n"
                + "s2,Two,50.2,8.2,\(type),z\nz,Station,50.3,8.3,1,\ne,Entrance,50.3,8.3,2,z\n",
            "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\np,e,s1,1,1\n",
        ]).imported()
        #expect(try Self.count("pathway_unreachable_location", store) == 0)
    }

    /// A filter may have left out pathways.
    @Test func filtersLeaveOutTheRuleAboutPathways() throws {
        let feed = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\ns1,One,50.1,8.1,,z\n"
                + "s2,Two,50.2,8.2,,z\nz,Station,50.3,8.3,1,\n",
            "pathways.txt": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\np,s1,s2,1,1\n",
        ])
        let all = try feed.imported()
        #expect(try Self.count("pathway_unreachable_location", all) == 2)
        feed.options.filter.routes = ["r"]
        let filtered = try feed.imported()
        #expect(try Self.count("pathway_unreachable_location", filtered) == 0)
    }
}
