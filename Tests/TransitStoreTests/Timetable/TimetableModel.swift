import Foundation

@testable import TransitStore

/// A small feed as values. It can be written as files, and it finds departures the slow, obvious way: every trip on
/// every date, with Foundation's own calendar and time zones.
struct TimetableModel {
    struct Agency { var id: String, zone: String }
    struct Route { var id: String, agency: String }
    struct Stop { var id: String, kind = 0, parent = "", zone = "", platform = "" }
    struct Service {
        var id: String
        /// Monday to Sunday; nil for a service without a row in calendar.txt.
        var weekdays: [Bool]? = [true, true, true, true, true, true, true]
        var start = 20_261_001
        var end = 20_261_130
        var exceptions: [(date: Int, type: Int)] = []
    }
    struct Trip {
        var id: String, route = "r0", service = "s0", headsign = "", direction = ""
        var calls: [Call] = []
        var bands: [Band] = []
    }
    struct Call {
        var sequence: Int
        var stop: String
        var arrival: Int?
        var departure: Int?
        var pickup = 0
        var dropOff = 0
        var headsign = ""
        var distance: Double?
        var window = false
    }
    struct Band { var start: Int, end: Int, headway: Int, exact = 0 }

    var agencies = [Agency(id: "a0", zone: "Europe/Berlin")]
    var routes = [Route(id: "r0", agency: "a0")]
    var stops: [Stop] = []
    var services = [Service(id: "s0")]
    /// Names that stops were given.
    var names: [String: String] = [:]
    var trips: [Trip] = []
    func name(ofStop id: String) -> String { names[id] ?? "Name of \(id)" }

    static let dates = 20_260_920...20_261_210

    // MARK: Files

    /// Writes the feed into a new folder.
    func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, lines) in files {
            try (lines.joined(separator: "\n") + "\n").write(
                toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        }
    }

    private var files: [String: [String]] {
        let calendar = services.compactMap { service -> String? in
            guard let days = service.weekdays else { return nil }
            return "\(service.id),\(days.map { $0 ? "1" : "0" }.joined(separator: ",")),\(service.start),\(service.end)"
        }
        let exceptions = services.flatMap { service in
            service.exceptions.map { "\(service.id),\($0.date),\($0.type)" }
        }
        let bands = trips.flatMap { trip in
            trip.bands.map { "\(trip.id),\(Self.text($0.start)),\(Self.text($0.end)),\($0.headway),\($0.exact)" }
        }
        let calls = trips.flatMap { trip in trip.calls.map { "\(trip.id),\(Self.row($0))" } }
        return [
            "agency.txt": ["agency_id,agency_name,agency_url,agency_timezone"]
                + agencies.map { "\($0.id),A,https://a.example,\($0.zone)" },
            "routes.txt": ["route_id,agency_id,route_short_name,route_type"]
                + routes.map { "\($0.id),\($0.agency),\($0.id.uppercased()),3" },
            "stops.txt": [
                "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_timezone,platform_code"
            ]
                + stops.map {
                    "\($0.id),\(name(ofStop: $0.id)),52.5,13.4,\($0.kind),\($0.parent),\($0.zone),\($0.platform)"
                },
            "calendar.txt": ["service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"]
                + calendar,
            "calendar_dates.txt": ["service_id,date,exception_type"] + exceptions,
            "trips.txt": ["route_id,service_id,trip_id,trip_headsign,direction_id"]
                + trips.map { "\($0.route),\($0.service),\($0.id),\($0.headsign),\($0.direction)" },
            "stop_times.txt": [
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,drop_off_type,"
                    + "shape_dist_traveled,start_pickup_drop_off_window,end_pickup_drop_off_window"
            ] + calls,
            "frequencies.txt": ["trip_id,start_time,end_time,headway_secs,exact_times"] + bands,
        ]
    }

    private static func row(_ call: Call) -> String {
        [
            call.arrival.map(text) ?? "", call.departure.map(text) ?? "", call.stop, "\(call.sequence)", call.headsign,
            "\(call.pickup)", "\(call.dropOff)", call.distance.map { "\($0)" } ?? "",
            call.window ? "08:00:00" : "", call.window ? "20:00:00" : "",
        ].joined(separator: ",")
    }

    private static func text(_ seconds: Int) -> String { ServiceTime(seconds: seconds).description }

    // MARK: The slow way

    /// One line per departure, in the format that `line(_:)` uses for departures of TransitStore.
    func departures(
        at stops: Set<String>, _ window: Range<Int64>, arrivals: Bool = false, route: String? = nil,
        direction: String? = nil, date: ServiceDate? = nil
    ) -> [String] {
        var found: [(key: [Int], line: String)] = []
        let all = self.stops.filter { $0.kind == 1 && stops.contains($0.id) }.reduce(into: stops) {
            $0.formUnion(below($1.id))
        }
        for (number, trip) in trips.enumerated()
        where (route == nil || trip.route == route) && (direction == nil || trip.direction == direction) {
            let calls = filled(trip.calls.sorted { $0.sequence < $1.sequence })
            let origin = calls.first { !$0.call.window && $0.departure != nil }?.departure ?? 0
            let zone = zone(ofRoute: trip.route)
            let line = routes.firstIndex { $0.id == trip.route } ?? -1
            for day in Self.days where runs(trip.service, day) {
                if let date, ServiceDate(day) != date { continue }
                let start = Self.noon(day, zone) - 43_200
                for (place, each) in calls.enumerated() where all.contains(each.call.stop) && !each.call.window {
                    guard let own = arrivals ? each.arrival : each.departure else { continue }
                    if arrivals
                        ? place == 0 || each.call.dropOff == 1 : place == calls.count - 1 || each.call.pickup == 1
                    {
                        continue
                    }
                    let times =
                        trip.bands.isEmpty
                        ? [(time: own, band: -1)]
                        : trip.bands.enumerated().flatMap { index, band in
                            stride(from: band.start, to: band.end, by: band.headway).map { ($0 + own - origin, index) }
                        }
                    for (time, band) in times {
                        let instant = start + Int64(time)
                        guard window.contains(instant) else { continue }
                        let repetition = band < 0 ? "" : trip.bands[band].exact == 1 ? "exact" : "headway"
                        let last = calls[calls.count - 1].call.stop
                        let headsign = [each.call.headsign, trip.headsign].first { !$0.isEmpty } ?? name(ofStop: last)
                        let words = [
                            "\(instant)", "\(day)", "\(Self.text(time))", trip.id, "\(each.call.sequence)",
                            each.call.stop, headsign, "\(each.isInterpolated)", repetition,
                        ]
                        let key = [Int(instant), line, number, each.call.sequence, day, band]
                        found.append((key, words.joined(separator: " ")))
                    }
                }
            }
        }
        return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.line)
    }

    static func line(_ departure: Departure) -> String {
        [
            "\(departure.instant.unixSeconds)", "\(departure.serviceDate)", "\(departure.serviceTime)",
            departure.tripID, "\(departure.stopSequence)", departure.stopID, departure.headsign ?? "",
            "\(departure.isInterpolated)", departure.repetition?.rawValue ?? "",
        ].joined(separator: " ")
    }

    private func below(_ id: String) -> Set<String> {
        stops.filter { $0.parent == id }.reduce(into: [id]) { $0.formUnion(below($1.id)) }
    }

    private func zone(ofRoute id: String) -> TimeZone {
        let agency = routes.first { $0.id == id }?.agency
        let name = (agencies.first { $0.id == agency } ?? agencies[0]).zone
        return TimeZone(identifier: name) ?? TimeZone(secondsFromGMT: 0) ?? .current
    }

    static let days: [Int] = {
        var days: [Int] = []
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        var date = calendar.date(from: DateComponents(year: 2026, month: 9, day: 20)) ?? Date()
        while days.last != Self.dates.upperBound {
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            days.append((parts.year ?? 0) * 10_000 + (parts.month ?? 0) * 100 + (parts.day ?? 0))
            date += 86_400
        }
        return days
    }()

    private static func noon(_ day: Int, _ zone: TimeZone) -> Int64 {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = DateComponents(year: day / 10_000, month: day / 100 % 100, day: day % 100, hour: 12)
        return Int64(calendar.date(from: parts)?.timeIntervalSince1970 ?? 0)
    }

    private func runs(_ id: String, _ day: Int) -> Bool {
        guard let service = services.first(where: { $0.id == id }) else { return false }
        if let exception = service.exceptions.first(where: { $0.date == day }) { return exception.type == 1 }
        guard let weekdays = service.weekdays, service.start <= day, day <= service.end else { return false }
        // 2026-09-20 was a Sunday.
        return weekdays[((Self.days.firstIndex(of: day) ?? 0) + 6) % 7]
    }

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
