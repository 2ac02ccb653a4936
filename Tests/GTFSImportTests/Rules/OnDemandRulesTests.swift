import CivilTime
import TestSupport
import Testing

@testable import GTFSImport

/// Rules about calls on demand, transfers and days against slow loops. `NoticeCases` has a feed for each code.
@Suite struct OnDemandRulesTests {
    private static let codes = [
        "forbidden_arrival_or_departure_time", "missing_pickup_or_drop_off_window", "invalid_pickup_drop_off_window",
        "forbidden_geography_id", "forbidden_shape_dist_traveled",
    ]
    private static let header =
        "trip_id,arrival_time,departure_time,stop_id,location_group_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type,pickup_booking_rule_id,drop_off_booking_rule_id"

    /// One kind of fault in each feed, so that a row that breaks a single rule must be enough for a closer look.
    @Test func randomCallsAgreeWithASlowTwin() throws {
        var random = SeededGenerator(seed: 21)
        for _ in 0..<100 {
            var (rows, expected): ([String], [String: Int]) = ([], [:])
            let fault = Int.random(in: 0..<8, using: &random)
            let group = Bool.random(using: &random) ? "g" : "lost"
            // With distances, a call in an area is reason enough for a closer look.
            let hasDistances = fault == 4 || fault == 6
            for sequence in 0..<6 {
                let isOdd = Int.random(in: 0..<6, using: &random) == 0
                var call =
                    sequence < 3 ? ["", "", "", "g", "08:00:00", "09:00:00", ""] : ["", "", "s1", "", "", "", ""]
                if sequence >= 3 { (call[0], call[1]) = ("1\(sequence):00:00", "1\(sequence):00:00") }
                if isOdd {
                    switch fault {
                    case 0: (call[0], call[1]) = ("08:30:00", "soon")
                    case 1: call[4] = ""
                    case 2: call[5] = "08:00:00"
                    case 3: (call[2], call[3]) = ("s2", group)
                    case 4: (call[2], call[3], call[6]) = ("", "g", "\(sequence)")
                    case 5: call[5] = ""
                    case 6: (call[2], call[3], call[6]) = ("s2", "g", "\(sequence)")
                    default: break
                    }
                }
                let hasWindow = !call[4].isEmpty || !call[5].isEmpty
                let hasBoth = !call[4].isEmpty && !call[5].isEmpty
                if hasWindow, !call[0].isEmpty || !call[1].isEmpty { expected[Self.codes[0], default: 0] += 1 }
                if hasWindow, !hasBoth { expected[Self.codes[1], default: 0] += 1 }
                if hasBoth, call[4] >= call[5] { expected[Self.codes[2], default: 0] += 1 }
                if !call[2].isEmpty, !call[3].isEmpty { expected[Self.codes[3], default: 0] += 1 }
                if call[2].isEmpty, !call[6].isEmpty { expected[Self.codes[4], default: 0] += 1 }
                let places = "\(call[2]),\(call[3])"
                let booking = sequence < 3 ? "2,2,b,b" : ",,,"
                let distance = hasDistances ? ",\(call[6])" : ""
                rows.append(
                    "t,\(call[0]),\(call[1]),\(places),\(sequence),\(call[4]),\(call[5]),\(booking)\(distance)\n")
            }
            if Bool.random(using: &random) { rows.shuffle(using: &random) }
            let store = try LayeredFeed([
                "location_groups.txt": "location_group_id,location_group_name\ng,Group\n",
                "booking_rules.txt": "booking_rule_id,booking_type\nb,0\n",
                "stop_times.txt": Self.header + (hasDistances ? ",shape_dist_traveled\n" : "\n") + rows.joined(),
            ]).imported()
            let list = Self.codes.map { "'\($0)'" }.joined(separator: ", ")
            let counts = try store.rows("SELECT code, count FROM notice_total WHERE code IN (\(list)) ORDER BY code")
            #expect(counts == expected.map { "\($0)|\($1)" }.sorted(), "\(rows)")
        }
    }

    /// One transfer in each feed, a little shorter or longer than 2 km, anywhere on the earth.
    @Test func transfersAreMeasuredAnywhere() throws {
        for latitude in [-89.5, -60, -0.005, 0, 30, 52.5, 80, 89] {
            for (meters, count) in [(1_999.5, 0), (2_000.5, 1)] {
                // Along a meridian, and over the line where longitudes change their sign.
                let north = latitude + meters / 111_195.08
                let east = meters / 111_195.08 / cosine(latitude)
                for (place, from) in [("\(north),179.9999", 179.9999), ("\(latitude),\(-180 + east)", 180.0)] {
                    let store = try LayeredFeed([
                        "stops.txt":
                            "stop_id,stop_name,stop_lat,stop_lon\ns1,One,\(latitude),\(from)\ns2,Two,\(place)\n",
                        "transfers.txt": "from_stop_id,to_stop_id,transfer_type\ns1,s2,0\n",
                    ]).imported()
                    let found = try store.rows(
                        "SELECT count(*) FROM notice WHERE code = 'transfer_distance_above_2_km'")
                    // A parallel is not the shortest way: near a pole it is longer than the great circle.
                    if abs(latitude) < 85 || from < 180 { #expect(found == ["\(count)"], "\(place) \(meters)") }
                }
            }
        }
    }

    private func cosine(_ degrees: Double) -> Double {
        let square = (degrees * .pi / 180) * (degrees * .pi / 180)
        var (term, sum) = (1.0, 1.0)
        for n in 1..<12 {
            term *= -square / Double((2 * n - 1) * 2 * n)
            sum += term
        }
        return sum
    }

    /// Pauses and the first and last day of sets of days, against a loop over their days.
    @Test func spansAndPausesOfDaySetsAgreeWithTheirDays() throws {
        var random = SeededGenerator(seed: 22)
        for _ in 0..<50 {
            var spans = ServiceSpans(lastPausing: 3)
            var days: [UInt32: [Int]] = [:]
            for day in 0..<120 {
                let sets = (1...4).map(UInt32.init).filter { _ in Int.random(in: 0..<14, using: &random) == 0 }
                guard !sets.isEmpty else { continue }
                for set in sets { days[set, default: []].append(day) }
                spans.add(try #require(CivilDay(number: Int(Self.date(day)))), sets)
            }
            for set in (1...5).map(UInt32.init) {
                let own = days[set] ?? []
                #expect(spans.span(of: set)?.first == own.first.map(Self.date))
                #expect(spans.span(of: set)?.last == own.last.map(Self.date))
                let pauses = zip(own, own.dropFirst()).filter { $1 - $0 > 14 }.map { [Self.date($0), Self.date($1)] }
                #expect(
                    spans.pauses.filter { $0.set == set }.map { [$0.last, $0.next] } == (set <= 3 ? pauses : []))
            }
        }
    }

    private static func date(_ day: Int) -> Int64 {
        let lengths = [31, 28, 31, 30, 31]
        var (month, day) = (0, day)
        while day >= lengths[month] {
            day -= lengths[month]
            month += 1
        }
        return Int64(20_260_000 + (month + 1) * 100 + day + 1)
    }
}
