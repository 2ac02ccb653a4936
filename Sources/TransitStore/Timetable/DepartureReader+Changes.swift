import SQLite

/// Adds the departures of changed trips and leaves out the store's rows that they replace.
extension DepartureReader {
    /// Whether to leave out a row: its trip was changed, or services were changed and its service does not run that
    /// day.
    func isLeftOut(_ row: Statement, _ changes: ChangedTimetable) throws -> Bool {
        if changes.hiddenTrips.contains(row.integer(DepartureColumn.trip)) { return true }
        guard changes.changesServices else { return false }
        guard !row.isNull(DepartureColumn.service) else { return true }
        return try !runs(row.integer(DepartureColumn.service), on: row.integer(DepartureColumn.date))
    }

    /// Whether a service runs on a date.
    func runs(_ service: Int64, on date: Int64) throws -> Bool {
        let number = ServiceDate(Int(date)).dayNumber ?? 0
        if let changed = changes?.runs(service, onDay: number) { return changed }
        if let services = source.runningServices.services(on: date) { return services.contains(Int(service)) }
        return try running[date, default: RunningServicesOfRequest(date: date)].contains(service, known)
    }

    /// Adds the departures of changed trips in a stretch.
    func add(_ changes: ChangedTimetable, _ window: Range<Int64>, to found: inout [Departure]) throws {
        let calls =
            places.isAnywhere
            ? places.keys.flatMap { changes.calls(ofRoute: $0) } : places.keys.flatMap { changes.calls(atStop: $0) }
        for call in calls where call.counts(request.event) {
            if !places.includes(route: call.route) { continue }
            if let direction = request.directionID, call.direction != Int64(direction.rawValue) { continue }
            try add(call, window, to: &found)
        }
    }

    private func add(_ call: ChangedCall, _ window: Range<Int64>, to found: inout [Departure]) throws {
        guard let service = call.service, let dates = timetable.dates, let stop = try known.stop(call.stop) else {
            return
        }
        let route = try known.route(call.route)
        let times = call.earliestTime...call.latestTime
        for day in ServiceWindow(window, zones: [route.zone], times: times, dates: dates).days {
            if let only = request.serviceDate, only.dayNumber != day.number { continue }
            guard try runs(service, on: day.date) else { continue }
            let start = route.zone.startOfDay(number: day.number)
            let time = call.time(request.event)
            if call.bands.isEmpty, window.contains(start + time) {
                found.append(departure(call, nil, start, time, day.date, stop, route))
            }
            for band in call.bands {
                let starts = band.starts(start + time, window, most: repeats.most)
                try makeRoom(for: starts.count, in: &found)
                for begin in starts {
                    found.append(departure(call, band, start, begin + time, day.date, stop, route))
                }
            }
        }
    }

    private func departure(
        _ call: ChangedCall, _ band: ChangedCall.Band?, _ start: Int64, _ time: Int64, _ date: Int64,
        _ stop: StopFacts, _ route: RouteFacts
    ) -> Departure {
        Departure(
            instant: Instant(unixSeconds: start + time), serviceDate: ServiceDate(Int(date)),
            serviceTime: ServiceTime(seconds: Int(time)), stopSequence: Int(call.sequence),
            pickupType: .other(Int(call.pickupType)), dropOffType: .other(Int(call.dropOffType)),
            directionID: call.direction.map { .other(Int($0)) }, isInterpolated: call.isInterpolated,
            repetition: band.map { $0.isExact ? .exact : .headway }, texts: call.texts, stopFacts: stop,
            routeFacts: route, tripKey: call.trip, frequencyKey: band?.key ?? -1, store: source.number, changed: call)
    }
}

/// The services that run on a date, as far as a request asks for them.
struct RunningServicesOfRequest {
    let date: Int64
    private var asked: [Int64: Bool] = [:]
    /// All of them, read once several were asked for.
    private var all: Set<Int64>?

    /// A request about one stop meets a few services. Reading all of a feed with 1,500 takes as long as asking for 60.
    private static let mostAsked = 50

    init(date: Int64) { self.date = date }

    mutating func contains(_ service: Int64, _ known: LinesAndStops) throws -> Bool {
        if let all { return all.contains(service) }
        if let runs = asked[service] { return runs }
        let running = "SELECT id FROM service WHERE day_set IN (SELECT day_set FROM service_day WHERE date = ?)"
        guard asked.count < Self.mostAsked else {
            let sql = SQLFragment(running, bindings: [.integer(date)])
            let services = Set(try known.rows(sql).compactMap { $0.integer(0) })
            all = services
            return services.contains(service)
        }
        let sql = SQLFragment(
            "SELECT 1 FROM service JOIN service_day AS d USING (day_set) WHERE service.id = ? AND d.date = ?",
            bindings: [.integer(service), .integer(date)])
        let runs = try !known.rows(sql).isEmpty
        asked[service] = runs
        return runs
    }
}
