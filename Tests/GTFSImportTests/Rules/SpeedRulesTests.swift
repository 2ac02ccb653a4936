import Foundation
import TestSupport
import Testing

@testable import GTFSImport

/// The rules about vehicles that are too fast against slow loops. `NoticeCases` has a feed for each code.
@Suite struct SpeedRulesTests {
    private static let times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    private static let types = ["0", "1", "2", "3", "4", "5", "6", "7", "11", "12", "700", ""]

    private struct Call {
        var arrival: Int?
        var departure: Int?
        /// Beyond the number of stops for one that the feed lacks.
        var stop: Int
    }

    /// Stop 0 has no place; the last one has that of its parent's parent.
    private struct Stops {
        let places: [(latitude: Double, longitude: Double)?]

        init(_ random: inout SeededGenerator, within degrees: Double) {
            places =
                [nil]
                + (1..<12).map { _ in
                    (
                        50 + Double.random(in: 0..<degrees, using: &random),
                        8 + Double.random(in: 0..<degrees, using: &random)
                    )
                }
        }

        var text: String {
            var rows = ["s0,Zero,,,0,"]
            for (stop, place) in places.enumerated().dropFirst() {
                guard let place else { continue }
                let position = "\(place.latitude),\(place.longitude)"
                if stop == places.count - 1 { rows += ["p,P,\(position),1,", "q,Q,,,0,p", "s\(stop),S,,,4,q"] }
                if stop < places.count - 1 { rows.append("s\(stop),S,\(position),0,") }
            }
            return "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n" + rows.joined(separator: "\n")
        }

        func place(_ stop: Int) -> (latitude: Double, longitude: Double)? {
            places.indices.contains(stop) ? places[stop] : nil
        }

        func meters(_ one: Int, _ two: Int) -> Double? {
            guard let from = place(one), let to = place(two) else { return nil }
            return Self.haversine(from, to)
        }

        /// Meters along a great circle of the validator's sphere (<https://en.wikipedia.org/wiki/Haversine_formula>).
        private static func haversine(
            _ one: (latitude: Double, longitude: Double), _ two: (latitude: Double, longitude: Double)
        ) -> Double {
            func squareOfSine(_ degrees: Double) -> Double { pow(sin(degrees * .pi / 360), 2) }
            let widths = cos(one.latitude * .pi / 180) * cos(two.latitude * .pi / 180)
            let part =
                squareOfSine(two.latitude - one.latitude) + widths * squareOfSine(two.longitude - one.longitude)
            return 2 * 6_371_010 * asin(part.squareRoot())
        }
    }

    private static func topSpeed(_ type: String) -> Double {
        switch type {
        case "2": 500
        case "1", "3", "11", "12": 150
        case "0", "": 100
        case "4": 80
        case "6", "7": 50
        case "5": 30
        default: 200
        }
    }

    private static func speed(_ meters: Double, _ departure: Int, _ arrival: Int) -> Double {
        var seconds = arrival - departure
        if seconds <= 0 {
            seconds = 60
        } else if arrival % 60 == 0, departure % 60 == 0 {
            seconds += 60
        }
        return meters * 3.6 / Double(seconds)
    }

    /// Places of calls, compared with the next one after them that can be.
    private static func fastRides(_ calls: [Call], _ stops: Stops, _ topSpeed: Double) -> [Int] {
        var (found, start): ([Int], Int) = ([], 0)
        for end in calls.indices.dropFirst() {
            guard let meters = stops.meters(calls[start].stop, calls[end].stop), let arrival = calls[end].arrival,
                let departure = calls[start].departure
            else { continue }
            if speed(meters, departure, arrival) > topSpeed { found.append(end) }
            start = end
        }
        return found
    }

    /// The first end, and the start next to it, of all pairs that are far apart.
    private static func farRide(_ calls: [Call], _ stops: Stops, _ topSpeed: Double) -> (start: Int, end: Int)? {
        var (meters, last): ([Double], Int?) = ([], nil)
        for call in calls {
            meters.append((meters.last ?? 0) + (last.flatMap { stops.meters($0, call.stop) } ?? 0))
            if stops.place(call.stop) != nil { last = call.stop }
        }
        for (end, call) in calls.enumerated() {
            guard let arrival = call.arrival else { continue }
            guard call.stop < stops.places.count else { return nil }
            for start in (0..<end).reversed() {
                let distance = meters[end] - meters[start]
                guard distance > 10_000, let departure = calls[start].departure, calls[start].stop < stops.places.count
                else { continue }
                if speed(distance, departure, arrival) > topSpeed { return (start, end) }
            }
        }
        return nil
    }

    private static func trip(_ random: inout SeededGenerator, _ pace: Int) -> [Call] {
        var time = 23 * 3600 + 60 * Int.random(in: 0..<100, using: &random)
        let unit = [1, 60, 60].randomElement(using: &random) ?? 60
        return (0..<Int.random(in: 1...14, using: &random)).map { _ in
            time += unit * (Int.random(in: 0...pace, using: &random) / unit)
            let arrival = time
            if Int.random(in: 0..<2, using: &random) == 0 { time += unit * Int.random(in: -8...3, using: &random) }
            let stop = Int.random(in: 1..<12, using: &random)
            var call = Call(arrival: arrival, departure: time, stop: stop)
            switch Int.random(in: 0..<40, using: &random) {
            case 0..<6: (call.arrival, call.departure) = (nil, nil)
            case 6: call.arrival = nil
            case 7: call.departure = nil
            case 8: call.stop = 0
            case 9: call.stop = 99
            default: break
            }
            return call
        }
    }

    /// A trip in whole minutes, a little less than each ride but the last takes: no ride is too fast, but all together
    /// may be, and the last one shows it.
    private static func hurriedTrip(_ random: inout SeededGenerator, _ stops: Stops, _ topSpeed: Double) -> [Call] {
        var (calls, time, stop) = ([Call](), 7 * 3600, Int.random(in: 1..<12, using: &random))
        let count = Int.random(in: 4...8, using: &random)
        for number in 0..<count {
            calls.append(Call(arrival: time, departure: time, stop: stop))
            let next = Int.random(in: 1..<12, using: &random)
            let minutes = (stops.meters(stop, next) ?? 0) * 0.06 / topSpeed
            time += 60 * Int(minutes.rounded(number < count - 2 ? .down : .up))
            stop = next
        }
        return calls
    }

    /// Some feeds have only departures, some only arrivals, and some only those of few calls.
    private static func withoutTimes(_ calls: [Call], _ random: inout SeededGenerator) -> [Call] {
        let kind = Int.random(in: 0..<4, using: &random)
        return calls.map { call in
            var call = call
            let isOdd = Int.random(in: 0..<5, using: &random) == 0
            if kind == 0 || kind == 1 && !isOdd { call.arrival = nil }
            if kind == 2 || kind == 3 && !isOdd { call.departure = nil }
            return call
        }
    }

    private static func row(_ trip: Int, _ sequence: Int, _ call: Call) -> String {
        func text(_ time: Int?) -> String { time.map { TimeCell.text(Int64($0)) } ?? "" }
        return "t\(trip),\(text(call.arrival)),\(text(call.departure)),s\(call.stop),\(sequence)\n"
    }

    /// Trips of all kinds of vehicles; in order, shuffled, or with a row of its own at the end of the file. In half
    /// of the rounds, most rides are only counted. Records are read at once if great sequences make them long and no
    /// call of the feed lacks a time.
    @Test func ridesAgreeWithSlowLoops() throws {
        var random = SeededGenerator(seed: 22)
        var total = (rides: 0, far: 0)
        for round in 0..<120 {
            let step = round % 5 < 2 ? 1 : 9_000_000
            let stops = Stops(&random, within: [0.02, 0.1, 0.6][round % 3])
            let trips = (0..<60).map { trip in
                let calls =
                    round % 7 > 4
                    ? Self.hurriedTrip(&random, stops, Self.topSpeed(Self.types[trip % Self.types.count]))
                    : Self.trip(&random, [200, 600, 3000].randomElement(using: &random) ?? 60)
                return trip % 2 == 0 ? Self.withoutTimes(calls, &random) : calls
            }
            var rows = trips.enumerated().flatMap { trip, calls in
                calls.enumerated().map { Self.row(trip, step * ($0 + 1), $1) }
            }
            if round % 4 == 1 { rows.shuffle(using: &random) }
            if round % 4 == 2 { rows.append(rows.remove(at: rows.count / 2)) }
            let lines = Self.types.enumerated().map { "r\($0),a,\($0),\($1)\n" }.joined()
            let feed = try LayeredFeed([
                "stops.txt": stops.text + "\n", "stop_times.txt": Self.times + rows.joined(),
                "routes.txt": "route_id,agency_id,route_short_name,route_type\n" + lines,
                "trips.txt": "route_id,service_id,trip_id\n"
                    + trips.indices.map { "r\($0 % Self.types.count),w,t\($0)\n" }.joined(),
            ])
            if round % 8 > 3 { feed.options.noticesKeptPerCode = 3 }
            let store = try feed.imported()
            var expected: (rides: [String], far: [String]) = ([], [])
            for (trip, calls) in trips.enumerated() {
                let topSpeed = Self.topSpeed(Self.types[trip % Self.types.count])
                expected.rides += Self.fastRides(calls, stops, topSpeed).map { "\(trip) \(step * ($0 + 1))" }
                if let far = Self.farRide(calls, stops, topSpeed) {
                    expected.far.append("\(trip) \(step * (far.end + 1)) from \(step * (far.start + 1))")
                }
            }
            let named = feed.options.noticesKeptPerCode
            let (toNextStop, far) = ("fast_travel_between_consecutive_stops", "fast_travel_between_far_stops")
            #expect(try Self.found(toNextStop, store, withStart: false) == Array(expected.rides.prefix(named)))
            #expect(try Self.found(far, store, withStart: true) == Array(expected.far.prefix(named)))
            #expect(try Self.count(toNextStop, store) == expected.rides.count)
            #expect(try Self.count(far, store) == expected.far.count)
            total = (total.rides + expected.rides.count, total.far + expected.far.count)
        }
        #expect(total.rides > 2_000 && total.far > 600)
    }

    private static func found(_ code: String, _ store: AskedStore, withStart: Bool) throws -> [String] {
        try store.rows("SELECT message FROM notice WHERE code = '\(code)' ORDER BY id").map { message in
            let numbers = message.matches(of: /(?:trip_id "t|stop_sequence )([0-9]+)/).map(\.1)
            return "\(numbers[0]) \(numbers[1])" + (withStart ? " from \(numbers[2])" : "")
        }
    }

    private static func count(_ code: String, _ store: AskedStore) throws -> Int {
        try store.rows("SELECT count FROM notice_total WHERE code = '\(code)'").first.flatMap { Int($0) } ?? 0
    }

    /// A long trip that is doubtful but sound costs no look at each pair of its calls.
    @Test func aLongTripCostsNoLookAtEachPair() throws {
        let count = 20_000
        let calls = (0..<count).map {
            Self.row(0, $0, Call(arrival: 60 * ($0 / 100), departure: 60 * ($0 / 100), stop: $0 % 2))
        }
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns0,A,50,8\ns1,B,50.00001,8\n",
            "stop_times.txt": Self.times + calls.joined(), "trips.txt": "route_id,service_id,trip_id\nr,w,t0\n",
        ]).imported()
        #expect(try Self.found("fast_travel_between_consecutive_stops", store, withStart: false).isEmpty)
        #expect(try Self.found("fast_travel_between_far_stops", store, withStart: true).isEmpty)
    }
}
