import Foundation
import Synchronization

@testable import TransitStore

/// Departures the slow, obvious way: every trip on every date, with Foundation's own calendar and time zones.
extension TimetableModel {
    /// One line per departure, in the format that `line(_:)` uses for departures of TransitStore.
    func departures(_ question: DepartureQuestion) -> [String] {
        let places = places(question.place).intersection(stops.map(\.id))
        let days = days
        var found: [(key: [Int], line: String)] = []
        for (number, trip) in trips.enumerated() where question.includes(trip, of: self) {
            let dates = days.filter { runs(trip.service, $0) && (question.date ?? $0) == $0 }
            for start in starts(of: dates, zone(ofRoute: trip.route)) {
                for departure in departures(of: trip, question, at: places, start) {
                    let line = routes.firstIndex { $0.id == trip.route } ?? -1
                    let (call, band) = (departure.call.call, departure.band ?? -1)
                    let key = [Int(departure.instant), line, number, call.sequence, start.date, band]
                    found.append((key, self.line(departure, trip, start.date)))
                }
            }
        }
        return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.line)
    }

    private struct ServiceDay { let date: Int, start: Int64 }

    private struct Found {
        let call: FilledCall
        let instant: Int64
        /// Seconds of the service day.
        let time: Int
        let band: Int?
    }

    /// What one trip has on one service day.
    private func departures(
        of trip: Trip, _ question: DepartureQuestion, at places: Set<String>, _ day: ServiceDay
    ) -> [Found] {
        let calls = filled(trip.calls.sorted { $0.sequence < $1.sequence })
        let origin = calls.first { !$0.call.window && $0.departure != nil }?.departure ?? 0
        return calls.enumerated().flatMap { place, each -> [Found] in
            guard places.contains(each.call.stop), !each.call.window,
                let own = question.isArrivals ? each.arrival : each.departure,
                question.isArrivals
                    ? place > 0 && each.call.dropOff != 1 : place < calls.count - 1 && each.call.pickup != 1
            else { return [] }
            return times(of: trip, own, from: origin).compactMap { time, band in
                let instant = day.start + Int64(time)
                guard question.window.contains(instant) else { return nil }
                return Found(call: each, instant: instant, time: time, band: band)
            }
        }
    }

    /// The times of a call, each with the frequency that it comes from. A frequency that starts no trip does not count.
    private func times(of trip: Trip, _ own: Int, from origin: Int) -> [(time: Int, band: Int?)] {
        let useful = trip.bands.enumerated().filter { $1.start < $1.end && $1.headway > 0 }
        guard !useful.isEmpty else { return [(own, nil)] }
        return useful.flatMap { index, band in
            stride(from: band.start, to: band.end, by: band.headway).map { ($0 + own - origin, index) }
        }
    }

    /// The runs of a trip on a day: how each is repeated, then its calls that have an instant and a stop.
    func runs(of trip: Trip, on date: Int) -> [[String]] {
        guard runs(trip.service, date) else { return [] }
        let start = Self.start(of: date, zone(ofRoute: trip.route))
        let calls = filled(trip.calls.sorted { $0.sequence < $1.sequence }).filter { !$0.call.window }
        let origin = calls.first { $0.departure != nil }?.departure ?? 0
        return times(of: trip, 0, from: origin).map { time, band in
            [repetition(band, of: trip)]
                + calls.compactMap { each in
                    guard let arrival = each.arrival, let departure = each.departure,
                        stops.contains(where: { $0.id == each.call.stop })
                    else { return nil }
                    let instants = [arrival, departure].map { "\(start + Int64(time + $0))" }
                    let words = ["\(each.call.sequence)", each.call.stop] + instants + ["\(each.isInterpolated)"]
                    return words.joined(separator: " ")
                }
        }
    }

    private func repetition(_ band: Int?, of trip: Trip) -> String {
        band.map { trip.bands[$0].exact == 1 ? "exact" : "headway" } ?? ""
    }

    private func line(_ departure: Found, _ trip: Trip, _ date: Int) -> String {
        let call = departure.call.call
        let last = trip.calls.max { $0.sequence < $1.sequence }?.stop ?? ""
        let ofLast = stops.contains { $0.id == last } ? name(ofStop: last) : ""
        let headsign = [call.headsign, trip.headsign].first { !$0.isEmpty } ?? ofLast
        let clock = clock(atStop: call.stop) ?? zone(ofRoute: trip.route)
        return [
            "\(departure.instant)", "\(date)", Self.text(departure.time), trip.id, "\(call.sequence)", call.stop,
            headsign, "\(departure.call.isInterpolated)", repetition(departure.band, of: trip),
            routes.contains { $0.id == trip.route } ? trip.route : "", trip.direction, "\(call.pickup)",
            "\(call.dropOff)", "\(Self.offset(clock, departure.instant))",
        ].joined(separator: " ")
    }

    static func line(_ departure: Departure) -> String {
        [
            "\(departure.instant.unixSeconds)", "\(departure.serviceDate)", "\(departure.serviceTime)",
            departure.tripID, "\(departure.stopSequence)", departure.stopID, departure.headsign ?? "",
            "\(departure.isInterpolated)", departure.repetition?.rawValue ?? "", departure.routeID ?? "",
            departure.directionID.map { "\($0.rawValue)" } ?? "", "\(departure.pickupType.rawValue)",
            "\(departure.dropOffType.rawValue)", "\(departure.timeZone.offset(at: departure.instant))",
        ].joined(separator: " ")
    }

    // MARK: Places

    private func places(_ place: DepartureQuestion.Place) -> Set<String> {
        switch place {
        case .anywhere: Set(stops.map(\.id))
        case .stops(let ids): ids.reduce(into: []) { $0.formUnion(isStation($1) ? below($1) : [$1]) }
        case .near(let latitude, let longitude, let meters):
            Set(
                stops.filter { stop in stop.meters(from: (latitude, longitude)).map { $0 <= meters } ?? false }.map(
                    \.id))
        }
    }

    private func isStation(_ id: String) -> Bool { stops.first { $0.id == id }?.kind == 1 }

    private func below(_ id: String) -> Set<String> {
        stops.filter { $0.parent == id }.reduce(into: [id]) { $0.formUnion(below($1.id)) }
    }

    // MARK: Days and clocks

    func zone(ofRoute id: String) -> TimeZone {
        let agency = routes.first { $0.id == id }?.agency
        let name = (agencies.first { $0.id == agency } ?? agencies[0]).zone
        return TimeZone(identifier: name) ?? TimeZone(secondsFromGMT: 0) ?? .current
    }

    /// The zone that the topmost place above a stop names.
    private func clock(atStop id: String) -> TimeZone? {
        guard let stop = stops.first(where: { $0.id == id }) else { return nil }
        guard stops.contains(where: { $0.id == stop.parent }) else { return TimeZone(identifier: stop.zone) }
        return clock(atStop: stop.parent)
    }

    private static func offset(_ zone: TimeZone, _ instant: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))))
    }

    private static let utc: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        return calendar
    }()

    /// Noon in UTC.
    private static func noon(_ day: Int) -> Date {
        let parts = DateComponents(year: day / 10_000, month: day / 100 % 100, day: day % 100, hour: 12)
        return utc.date(from: parts) ?? Date()
    }

    /// The date so many days after another one.
    static func date(_ days: Int, after day: Int) -> Int {
        let parts = utc.dateComponents([.year, .month, .day], from: noon(day) + Double(days) * 86_400)
        return (parts.year ?? 0) * 10_000 + (parts.month ?? 0) * 100 + (parts.day ?? 0)
    }

    /// The days on which services may run.
    var days: [Int] { Self.kept.days(around: middle) { (-35...46).map { Self.date($0, after: middle) } } }

    private func starts(of days: [Int], _ zone: TimeZone) -> [ServiceDay] {
        days.map { ServiceDay(date: $0, start: Self.start(of: $0, zone)) }
    }

    /// When a day begins: twelve hours before its noon. If the clocks show noon twice, the first counts; if they skip
    /// it, the offset before the change.
    static func start(of day: Int, _ zone: TimeZone) -> Int64 {
        kept.start(of: day, zone.identifier) {
            let local = Int64(noon(day).timeIntervalSince1970)
            let around = [-172_800, -43_200, 0, 43_200].map { offset(zone, local + $0) }
            let instant = around.map { local - $0 }.filter { $0 + offset(zone, $0) == local }.min()
            return (instant ?? local - around[0]) - 43_200
        }
    }

    private static let kept = KeptDays()

    func runs(_ id: String, _ day: Int) -> Bool {
        guard let service = services.first(where: { $0.id == id }) else { return false }
        if let exception = service.exceptions.first(where: { $0.date == day }) { return exception.type == 1 }
        guard let weekdays = service.weekdays, service.start <= day, day <= service.end else { return false }
        return weekdays[Self.kept.weekday(of: day) { (Self.utc.component(.weekday, from: Self.noon(day)) + 5) % 7 }]
    }

    // MARK: Calls without times

    private struct FilledCall {
        let call: Call
        var arrival: Int?
        var departure: Int?
        var isInterpolated = false
    }

    private func filled(_ calls: [Call]) -> [FilledCall] {
        var filled = calls.map {
            FilledCall(call: $0, arrival: $0.arrival ?? $0.departure, departure: $0.departure ?? $0.arrival)
        }
        let fixed = filled.indices.filter { !filled[$0].call.window }
        for index in fixed where filled[index].arrival == nil {
            let before = fixed.last { $0 < index && calls[$0].arrival ?? calls[$0].departure != nil }
            let after = fixed.first { $0 > index && calls[$0].arrival ?? calls[$0].departure != nil }
            guard let before, let after, let start = filled[before].departure, let end = filled[after].arrival else {
                continue
            }
            var part = Double(fixed.count { before < $0 && $0 <= index })
            part /= Double(fixed.count { before < $0 && $0 <= after })
            if let first = calls[before].distance, let last = calls[after].distance, let own = calls[index].distance,
                first < last, first <= own, own <= last
            {
                part = (own - first) / (last - first)
            }
            filled[index].arrival = start + Int((Double(end - start) * part + 1e-6).rounded(.down))
            filled[index].departure = filled[index].arrival
            filled[index].isInterpolated = true
        }
        return filled
    }
}

/// What Foundation has computed of days. Each question would ask for the same again, which would take most of the time.
private final class KeptDays: Sendable {
    private struct Start: Hashable, Sendable { let day: Int, zone: String }

    private let days = Mutex<[Int: [Int]]>([:])
    private let weekdays = Mutex<[Int: Int]>([:])
    private let starts = Mutex<[Start: Int64]>([:])

    func days(around middle: Int, _ make: () -> [Int]) -> [Int] { Self.kept(days, middle, make) }
    /// 0 is Monday; Foundation counts from 1, a Sunday.
    func weekday(of day: Int, _ make: () -> Int) -> Int { Self.kept(weekdays, day, make) }
    func start(of day: Int, _ zone: String, _ make: () -> Int64) -> Int64 {
        Self.kept(starts, Start(day: day, zone: zone), make)
    }

    private static func kept<Key: Sendable, Value: Sendable>(
        _ known: borrowing Mutex<[Key: Value]>, _ key: Key, _ make: () -> Value
    ) -> Value {
        if let value = known.withLock({ $0[key] }) { return value }
        let value = make()
        known.withLock { $0[key] = value }
        return value
    }
}
