import FoundationEssentials
import SQLite

/// Reads the departures of one request from one store, stretch of time by stretch of time.
final class DepartureReader {
    let request: DepartureRequest
    private(set) var timetable: Timetable
    private let changes: ChangedTimetable?
    private let source: TransitStore
    private let session: StoreSession
    private let run: StatementRunner
    private let facts: TimetableFacts
    /// The stops that are asked about; of a request for anywhere, the lines.
    private var places: [Int64] = []
    private let routes: [Int64]
    private let isAnywhere: Bool
    /// Services by date, where some were changed in memory.
    private var running: [Int64: Set<Int64>] = [:]
    private var starts: [(date: Int64, zone: TimetableZone, start: Int64)] = []

    /// Runs a statement and hands it to a closure, which steps through its rows and returns how many they were.
    typealias StatementRunner = (SQLFragment, PreparedStatement?, (Statement) throws -> Int) throws -> Void

    init(
        _ request: DepartureRequest, _ source: TransitStore, _ session: StoreSession,
        changes: ChangedTimetable? = nil, run: @escaping StatementRunner
    ) throws {
        self.request = request
        self.session = session
        self.run = run
        self.source = source
        self.changes = changes
        facts = session.timetableFacts
        timetable = try source.timetable(session)
        if let changes { timetable.add(changes) }
        let asked = try request.routes?.map { try Self.key($0, of: Route.entity) }
        isAnywhere = request.place == .anywhere
        guard !isAnywhere || asked != nil else {
            throw StoreError(
                .tooComplex, "Departures anywhere are those of whole lines: the request must name routes")
        }
        routes = asked ?? []
        places = isAnywhere || asked == [] ? routes : try placeKeys()
    }

    private static func key(_ id: ObjectID, of entity: EntityDescription) throws -> Int64 {
        guard id.entity === entity, case .row(let key) = id.key else {
            throw StoreError(.unsuitableValue, "\(id) is no row of \(entity.table)")
        }
        return key
    }

    /// The stretch of time outside of which nothing runs; nil where nothing ever does.
    var bounds: Range<Int64>? {
        guard let dates = timetable.dates, let latest = timetable.latestTime else { return nil }
        // With a day to spare at both ends, for the zones.
        return (dates.lowerBound - 2) * 86_400..<(dates.upperBound + 3) * 86_400 + latest
    }

    /// The departures whose instants are in a stretch, in order.
    func departures(in window: Range<Int64>) throws -> [Departure] {
        var found: [Departure] = []
        try read(window, isByFrequency: false, into: &found)
        if timetable.hasFrequencies { try read(window, isByFrequency: true, into: &found) }
        if let changes { try add(changes, window, to: &found) }
        return Self.sorted(found)
    }

    /// In order. Numbers are moved about, not departures, which are ten times their size.
    private static func sorted(_ found: [Departure]) -> [Departure] {
        guard found.count > 1 else { return found }
        var keys = found.indices.map { (instant: found[$0].instant.unixSeconds, place: $0) }
        keys.sort { one, other in
            one.instant != other.instant
                ? one.instant < other.instant : found[one.place].isOrderedBefore(found[other.place])
        }
        return keys.map { found[$0.place] }
    }

    // MARK: Rows

    /// More days, and more places, than these go into one statement after the other.
    private static let mostDays = 32
    private static let mostPlaces = 256

    private func read(_ window: Range<Int64>, isByFrequency: Bool, into found: inout [Departure]) throws {
        guard let dates = timetable.dates, let latest = timetable.latestTime, !places.isEmpty else { return }
        // A call of a trip that frequencies repeat may lie before the trip's first: in feeds whose times go backwards.
        let times = (isByFrequency ? -86_400 : 0)...max(latest, 0)
        var days = ServiceWindow(window, zones: timetable.zones, times: times, dates: dates).days
        if let only = request.serviceDate?.dayNumber { days.removeAll { $0.number != only } }
        for day in stride(from: 0, to: days.count, by: Self.mostDays) {
            let days = days[day..<min(day + Self.mostDays, days.count)]
            for place in stride(from: 0, to: places.count, by: Self.mostPlaces) {
                let places = places[place..<min(place + Self.mostPlaces, places.count)]
                try read(days, places, window, isByFrequency: isByFrequency, into: &found)
            }
        }
    }

    private func read(
        _ days: ArraySlice<ServiceWindow.Day>, _ places: ArraySlice<Int64>, _ window: Range<Int64>,
        isByFrequency: Bool, into found: inout [Departure]
    ) throws {
        // Few different numbers, so that few statements are prepared; what is left over is NULL, which no row equals.
        let (dayCount, placeCount) = (days.count.roundedUpToPowerOfTwo, places.count.roundedUpToPowerOfTwo)
        let filters = isAnywhere ? [] : routes
        let shape = DepartureShape(
            event: request.event, drive: isAnywhere ? .routes(placeCount) : .stops(placeCount), days: dayCount,
            isByFrequency: isByFrequency, hasFrequencies: timetable.hasFrequencies, filters: filters.count,
            hasDirection: request.directionID != nil, columns: timetable.columns,
            asksServices: changes?.changesServices ?? false)
        var values: [QueryValue] = []
        values.reserveCapacity(dayCount * 3 + 2 + placeCount + filters.count + 1)
        for day in days { values += [.integer(day.date), .integer(day.from), .integer(day.until)] }
        for _ in days.count * 3..<dayCount * 3 { values.append(.null) }
        values += [.integer(timetable.dwell.lowerBound), .integer(timetable.dwell.upperBound)]
        for place in places { values.append(.integer(place)) }
        for _ in places.count..<placeCount { values.append(.null) }
        for route in filters { values.append(.integer(route)) }
        if let direction = request.directionID { values.append(.integer(Int64(direction))) }
        let (text, prepared) = session.departureStatements.statement(shape)
        try run(SQLFragment(text, bindings: values), prepared) { statement in
            var rows = 0
            while try statement.step() {
                rows += 1
                try append(statement, window, isByFrequency: isByFrequency, to: &found)
            }
            return rows
        }
    }

    /// Adds the departures that a row stands for: one, or as many as its frequency repeats it within the stretch.
    private func append(
        _ row: Statement, _ window: Range<Int64>, isByFrequency: Bool, to found: inout [Departure]
    ) throws {
        if let changes, try isLeftOut(row, changes) { return }
        let hasRoute = !row.isNull(DepartureColumn.route)
        let route = try routeFacts(hasRoute ? row.integer(DepartureColumn.route) : -1)
        guard let start = start(of: row.integer(DepartureColumn.date), in: route.zone) else { return }
        let time = row.integer(DepartureColumn.time)
        guard isByFrequency else {
            guard window.contains(start + time), let stop = try stopFacts(row.integer(DepartureColumn.stop)) else {
                return
            }
            return found.append(departure(row, start, time, stop, route, texts: row.packedRow(columns: 2)))
        }
        let band = ChangedCall.Band(
            key: -1, first: row.integer(DepartureColumn.startTime), end: row.integer(DepartureColumn.endTime),
            headway: row.integer(DepartureColumn.headway), isExact: false)
        let starts = band.starts(start + time, window)
        guard !starts.isEmpty, let stop = try stopFacts(row.integer(DepartureColumn.stop)) else { return }
        let texts = row.packedRow(columns: DepartureColumn.textCount)
        for begin in starts { found.append(departure(row, start, begin + time, stop, route, texts: texts)) }
    }

    private func departure(
        _ row: Statement, _ start: Int64, _ time: Int64, _ stop: StopFacts, _ route: RouteFacts, texts: PackedRow
    ) -> Departure {
        let frequency = row.integer(DepartureColumn.frequency)
        let isRepeated = !row.isNull(DepartureColumn.frequency)
        return Departure(
            instant: Instant(unixSeconds: start + time),
            serviceDate: ServiceDate(Int(row.integer(DepartureColumn.date))),
            serviceTime: ServiceTime(seconds: Int(time)), stopSequence: Int(row.integer(DepartureColumn.sequence)),
            pickupType: Int(row.integer(DepartureColumn.pickupType)),
            dropOffType: Int(row.integer(DepartureColumn.dropOffType)),
            directionID: row.isNull(DepartureColumn.direction) ? nil : Int(row.integer(DepartureColumn.direction)),
            isInterpolated: row.integer(DepartureColumn.filledTimes) == 3,
            repetition: isRepeated ? (row.integer(DepartureColumn.exactTimes) == 1 ? .exact : .headway) : nil,
            texts: texts, stopFacts: stop, routeFacts: route, tripKey: row.integer(DepartureColumn.trip),
            frequencyKey: isRepeated ? frequency : -1, store: source.number, changed: nil)
    }

    // MARK: Changes in memory

    /// Whether a row is of a changed trip, or its service does not run that day after all.
    private func isLeftOut(_ row: Statement, _ changes: ChangedTimetable) throws -> Bool {
        if changes.hiddenTrips.contains(row.integer(DepartureColumn.trip)) { return true }
        guard changes.changesServices else { return false }
        guard !row.isNull(DepartureColumn.service) else { return true }
        return try !runs(row.integer(DepartureColumn.service), on: row.integer(DepartureColumn.date))
    }

    /// Whether a service runs on a date.
    private func runs(_ service: Int64, on date: Int64) throws -> Bool {
        let number = ServiceDate(Int(date)).dayNumber ?? 0
        if let changed = changes?.runs(service, onDay: number) { return changed }
        if let services = running[date] { return services.contains(service) }
        let sql = SQLFragment(
            "SELECT id FROM service WHERE day_set IN (SELECT day_set FROM service_day WHERE date = ?)",
            bindings: [.integer(date)])
        let services = Set(try rows(sql).compactMap { $0.integer(0) })
        running[date] = services
        return services.contains(service)
    }

    /// Adds what changed trips do in a stretch.
    private func add(_ changes: ChangedTimetable, _ window: Range<Int64>, to found: inout [Departure]) throws {
        let calls =
            isAnywhere
            ? places.flatMap { changes.calls(ofRoute: $0) } : places.flatMap { changes.calls(atStop: $0) }
        for call in calls where call.counts(request.event) {
            if !isAnywhere, request.routes != nil, !routes.contains(call.route) { continue }
            if let direction = request.directionID, call.direction != Int64(direction) { continue }
            try add(call, window, to: &found)
        }
    }

    private func add(_ call: ChangedCall, _ window: Range<Int64>, to found: inout [Departure]) throws {
        guard let service = call.service, let dates = timetable.dates, let stop = try stopFacts(call.stop) else {
            return
        }
        let route = try routeFacts(call.route)
        let times = -86_400...max(timetable.latestTime ?? 0, call.latestTime)
        for day in ServiceWindow(window, zones: [route.zone], times: times, dates: dates).days {
            if let only = request.serviceDate?.dayNumber, only != day.number { continue }
            guard try runs(service, on: day.date) else { continue }
            let start = route.zone.startOfDay(number: day.number)
            let time = call.time(request.event)
            if call.bands.isEmpty, window.contains(start + time) {
                found.append(departure(call, nil, start, time, day.date, stop, route))
            }
            for band in call.bands {
                for begin in band.starts(start + time, window) {
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
            pickupType: Int(call.pickupType), dropOffType: Int(call.dropOffType),
            directionID: call.direction.map { Int($0) }, isInterpolated: call.isInterpolated,
            repetition: band.map { $0.isExact ? .exact : .headway }, texts: call.texts, stopFacts: stop,
            routeFacts: route, tripKey: call.trip, frequencyKey: band?.key ?? -1, store: source.number, changed: call)
    }

    /// When a service day begins in a zone; few of them are asked for again and again.
    private func start(of date: Int64, in zone: TimetableZone) -> Int64? {
        for known in starts where known.date == date && known.zone === zone { return known.start }
        guard let start = zone.start(of: ServiceDate(Int(date)))?.unixSeconds else { return nil }
        if starts.count >= Self.mostDays { starts = [] }
        starts.append((date, zone, start))
        return start
    }

    // MARK: Lines and stops

    /// The line of a key; -1 for trips without one.
    private func routeFacts(_ key: Int64) throws -> RouteFacts {
        if let changes, changes.changesRoutes { return changes.route(key) }
        return try facts.route(key) {
            let sql = SQLFragment(
                "SELECT id, route_id, short_name, long_name, color, text_color, timezone FROM route WHERE id = ?",
                bindings: [.integer(key)])
            let row = key < 0 ? nil : try rows(sql, session.departureStatements.route).first
            let zone = row.flatMap { $0.text(6) }.map { TimetableZone.named($0) ?? .utc }
            return RouteFacts(row ?? .empty, zone: zone ?? timetable.firstZone)
        }
    }

    private func stopFacts(_ key: Int64) throws -> StopFacts? {
        if let changes, changes.changesStops { return changes.stop(key) }
        if let known = facts.stop(key) { return known }
        _ = try readStops(Self.stopByKey, [.integer(key)], session.departureStatements.stop)
        return facts.stop(key)
    }

    private static let stopColumns =
        "t0.id, t0.stop_id, t0.name, t0.platform_code, t0.parent_station, t0.timezone, t0.location_type"
    private static let stopByKey = "SELECT \(stopColumns) FROM stop AS t0 WHERE t0.id = ?"
    private static let stopByID = "SELECT \(stopColumns) FROM stop AS t0 WHERE t0.stop_id = ?"

    /// Keeps what rows of `stopColumns` say; returns their keys.
    private func readStops(
        _ text: String, _ values: [QueryValue], _ prepared: PreparedStatement? = nil
    ) throws -> [Int64] {
        var keys: [Int64] = []
        var parents: [(row: PackedRow, key: Int64)] = []
        try run(SQLFragment(text, bindings: values), prepared) { statement in
            while try statement.step() {
                let key = statement.integer(0)
                keys.append(key)
                if facts.stop(key) == nil { parents.append((statement.packedRow(), key)) }
            }
            return keys.count
        }
        for (row, key) in parents {
            let zone = timetable.hasStopZones ? try clockZone(row) : nil
            facts.keep(
                StopFacts(
                    key: key, stopID: row.text(1) ?? "", name: row.text(2), platformCode: row.text(3), zone: zone,
                    isStation: row.integer(6) == Int64(StopKind.station.rawValue)))
        }
        return keys
    }

    /// The zone of the topmost place that a stop is in, if that names one (GTFS reference, `stop_timezone`).
    private func clockZone(_ row: PackedRow) throws -> TimetableZone? {
        var top = row
        // Parents may be a circle in a feed; no station is so deep.
        for _ in 0..<16 {
            guard let parent = top.integer(4) else { break }
            let sql = SQLFragment(Self.stopByKey, bindings: [.integer(parent)])
            guard let above = try rows(sql).first else { break }
            top = above
        }
        return top.text(5).flatMap { TimetableZone.named($0) }
    }

    /// The zones of the clocks at the request's stops, each of a stop.
    func clockZones() throws -> [TimetableZone] {
        if timetable.zones.count == 1, !timetable.hasStopZones { return [timetable.firstZone] }
        let own = try places.compactMap { try stopFacts($0)?.zone }
        let isSaid = try places.contains { try stopFacts($0)?.zone == nil }
        guard isSaid else { return own }
        let sql = """
            SELECT DISTINCT t1.route FROM stop_time AS c JOIN trip AS t1 ON t1.id = c.trip WHERE c.stop = ?
            """
        var others: [TimetableZone] = []
        for place in places where try stopFacts(place)?.zone == nil {
            try run(SQLFragment(sql, bindings: [.integer(place)]), nil) { statement in
                while try statement.step() {
                    others.append(try routeFacts(statement.isNull(0) ? -1 : statement.integer(0)).zone)
                }
                return others.count
            }
        }
        return own + (Set(others).count == 1 ? others : [timetable.firstZone])
    }

    // MARK: Places

    private func placeKeys() throws -> [Int64] {
        let keys: [Int64]
        switch request.place {
        case .stops(let ids): keys = try ids.flatMap { id in try placesBelow(try key(ofStop: id)) }
        case .objects(let ids):
            let asked = try ids.map { try Self.key($0, of: Stop.entity) }
            if changes?.changesStops != true { try readMissing(asked) }
            keys = try asked.flatMap(placesBelow)
        case .near(let place, let meters): return try stops(within: meters, of: place)
        case .anywhere: return []
        }
        guard keys.count > 1 else { return keys }
        var known = Set<Int64>()
        return keys.filter { known.insert($0).inserted }
    }

    private func key(ofStop id: String) throws -> Int64 {
        if let changes, changes.changesStops {
            let named = FetchRequest<Stop>(where: #Predicate { $0.stopID == id })
            guard let key = try changes.stops(named).first else { throw StoreError.unknownStop(id) }
            return key
        }
        guard let key = try readStops(Self.stopByID, [.text(id)]).first else { throw StoreError.unknownStop(id) }
        return key
    }

    /// Reads several stops by one statement.
    private func readMissing(_ keys: [Int64]) throws {
        let missing = keys.filter { facts.stop($0) == nil }
        guard missing.count > 1 else { return }
        for start in stride(from: 0, to: missing.count, by: Self.mostPlaces) {
            let part = missing[start..<min(start + Self.mostPlaces, missing.count)]
            let count = part.count.roundedUpToPowerOfTwo
            let rows = repeatElement("(?)", count: count).joined(separator: ", ")
            let values = part.map { QueryValue.integer($0) } + repeatElement(.null, count: count - part.count)
            _ = try readStops(
                "SELECT \(Self.stopColumns) FROM (VALUES \(rows)) AS place CROSS JOIN stop AS t0 "
                    + "WHERE t0.id = place.column1", values)
        }
    }

    private static let below =
        "WITH RECURSIVE below(id) AS (SELECT ?1 UNION SELECT stop.id FROM below JOIN stop "
        + "ON stop.parent_station = below.id) SELECT \(stopColumns) FROM below JOIN stop AS t0 ON t0.id = below.id"

    /// A station and all below it, any other stop alone.
    private func placesBelow(_ key: Int64) throws -> [Int64] {
        if let changes, changes.changesStops { return changes.placesBelow(key) }
        guard let stop = try stopFacts(key) else { return [] }
        guard stop.isStation else { return [key] }
        return try facts.placesBelow(key) { try readStops(Self.below, [.integer(key)]) }
    }

    private func stops(within meters: Double, of place: Coordinate) throws -> [Int64] {
        var near = FetchRequest<Stop>(where: .within(meters: meters, of: place))
        if let changes, changes.changesStops { return try changes.stops(near) }
        near.includesPropertyValues = false
        let (select, _) = try session.select(near, .keys, indexes: source.indexes) {
            try near.selectObjects(model: .typed, indexes: source.indexes, keysOnly: true)
        }
        // The rows are read anyway: what departures show of them is read along.
        let beginning = "SELECT t0.id FROM "
        guard select.sql.text.hasPrefix(beginning) else {
            throw StoreError(.failed, "The stops near a place cannot be asked for: \(select.sql.text)")
        }
        let text = facts.text(of: select.sql.text) {
            "SELECT \(Self.stopColumns) FROM " + select.sql.text.dropFirst(beginning.count)
        }
        return try readStops(text, select.sql.bindings)
    }

    private func rows(_ sql: SQLFragment, _ prepared: PreparedStatement? = nil) throws -> [PackedRow] {
        var rows: [PackedRow] = []
        try run(sql, prepared) { statement in
            while try statement.step() { rows.append(statement.packedRow()) }
            return rows.count
        }
        return rows
    }
}

extension Statement {
    fileprivate func integer(_ column: DepartureColumn) -> Int64 { integer(column.rawValue) }
    fileprivate func isNull(_ column: DepartureColumn) -> Bool { isNull(column.rawValue) }
}

extension Int {
    fileprivate var roundedUpToPowerOfTwo: Int {
        var power = 1
        while power < self { power *= 2 }
        return power
    }
}
