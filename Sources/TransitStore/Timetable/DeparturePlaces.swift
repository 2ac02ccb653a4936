import FoundationEssentials
import SQLite

/// The stops, or the lines, that a request for departures is about.
final class DeparturePlaces {
    /// The keys of the stops; for a request for anywhere, the keys of the lines.
    private(set) var keys: [Int64] = []
    /// A stop that the departure statement itself will read. If it is a station, the stops below it must be read as
    /// well.
    private var unread: Int64?
    var comesWithRows: Bool { unread != nil }
    /// The lines of the request, each once.
    let routes: [Int64]
    /// The values by which lines filter the calls at stops: their keys or, if there are many, one list of them.
    let filters: [QueryValue]
    var routeFilter: DepartureSkeleton.RouteFilter { isAnywhere ? .parameters(0) : Self.filter(by: routes.count) }
    let isAnywhere: Bool
    /// The ids (stop_id) that the store does not have. Noted only if another store may have them; otherwise the
    /// request throws.
    private(set) var unknownStops: [String] = []
    private let mayLackStops: Bool
    private let source: TransitStore
    private let session: StoreSession
    private let known: LinesAndStops
    private var changes: ChangedTimetable? { known.changes }

    init(
        _ request: DepartureRequest, _ source: TransitStore, _ session: StoreSession, _ known: LinesAndStops,
        mayLackStops: Bool
    ) throws {
        self.mayLackStops = mayLackStops
        self.source = source
        self.session = session
        self.known = known
        var asked = try request.routes?.map { try Self.key($0, of: Route.entity, in: source) }
        // The trips of a deleted line have no line.
        if let changes = known.changes, changes.changesRoutes { asked?.removeAll(where: changes.hasRemoved) }
        isAnywhere = request.place == .anywhere
        guard !isAnywhere || asked != nil else {
            throw StoreError(
                .unsuitableValue, "Departures anywhere are those of whole lines: the request must name routes")
        }
        routes = Self.distinct(asked ?? [])
        filters = isAnywhere ? [] : Self.filters(routes)
        if asked == [] {
            try checkStops(request.place)
        } else {
            keys = isAnywhere ? routes : Self.distinct(try stopKeys(request.place))
        }
    }

    /// An empty list of lines has no departures, but an unknown stop still throws. The list is empty for a store if the
    /// request names lines of other stores only.
    private func checkStops(_ place: DepartureRequest.Place) throws {
        switch place {
        case .stops(let ids): for id in ids { _ = try key(ofStop: id) }
        case .objects:
            _ = try stopKeys(place)
            _ = try takeInPlacesBelow(nil)
            keys = []
        case .near(let place, let meters): try Condition<Stop>.within(meters: meters, of: place).validate()
        case .anywhere: break
        }
    }

    /// The most places for one statement; more places need several statements. SQLite 3.40 takes n rows of VALUES for
    /// 1.07 to the power of n: 64 for 84, but 256 for fifty million. Then it reads whole tables to make Bloom filters.
    static let mostInStatement = 64
    /// The most lines that are parameters of their own.
    private static let mostFilters = 256

    /// How this number of lines filters the rows.
    static func filter(by count: Int) -> DepartureSkeleton.RouteFilter {
        count <= mostFilters ? .parameters(count) : .list
    }

    private static func filters(_ routes: [Int64]) -> [QueryValue] {
        guard filter(by: routes.count) == .list else { return routes.map { .integer($0) } }
        return [.text(JSONValues.list(routes))]
    }

    private static func distinct(_ keys: [Int64]) -> [Int64] {
        guard keys.count > 1 else { return keys }
        var seen = Set<Int64>()
        return keys.filter { seen.insert($0).inserted }
    }

    /// Whether the request asks for a line.
    func includes(route: Int64) -> Bool { includedRoutes.map { $0.contains(route) } ?? true }
    /// nil for all lines.
    private lazy var includedRoutes: Set<Int64>? = filters.isEmpty ? nil : Set(routes)

    private static func key(_ id: ObjectID, of entity: EntityDescription, in store: TransitStore) throws -> Int64 {
        // Another store, or the same one before its file was replaced, has other rows under the same numbers.
        guard id.isTemporary || id.store == 0 || id.store == store.number else { throw StoreError.unknownStore(id) }
        guard id.entity === entity, case .row(let key) = id.key else {
            throw StoreError(.unsuitableValue, "\(id) is not a row of \(entity.table)")
        }
        return key
    }

    private func stopKeys(_ place: DepartureRequest.Place) throws -> [Int64] {
        switch place {
        case .stops(let ids): return try ids.flatMap { id in try key(ofStop: id).map(placesBelow) ?? [] }
        case .objects(let ids):
            let asked = try ids.map { try Self.key($0, of: Stop.entity, in: source) }
            if asked.count == 1, known.mayJoinStop {
                unread = asked[0]
                return asked
            }
            if changes?.changesStops != true { try readMissing(asked) }
            return try asked.flatMap { key in
                let places = try placesBelow(key)
                guard !places.isEmpty else { throw StoreError.unknownStop(key) }
                return places
            }
        case .near(let place, let meters): return try stops(within: meters, of: place)
        case .anywhere: return []
        }
    }

    /// The key of a stop; nil if only another store may have the stop.
    private func key(ofStop id: String) throws -> Int64? {
        if let key = try knownKey(ofStop: id) { return key }
        guard mayLackStops else { throw StoreError.unknownStop(id) }
        unknownStops.append(id)
        return nil
    }

    private func knownKey(ofStop id: String) throws -> Int64? {
        if let changes, changes.changesStops {
            return try changes.stops(FetchRequest<Stop>(where: #Predicate { $0.stopID == id })).first
        }
        return try known.readStops(LinesAndStops.stopByID, [.text(id)]).first
    }

    /// Reads several stops by one statement.
    private func readMissing(_ keys: [Int64]) throws {
        let missing = keys.filter { known.facts.stop($0) == nil }
        guard missing.count > 1 else { return }
        for sql in LinesAndStops.selects(stops: missing) { _ = try known.readStops(sql.text, sql.bindings) }
    }

    private static let below =
        "WITH RECURSIVE below(id) AS (SELECT ?1 UNION SELECT stop.id FROM below JOIN stop "
        + "ON stop.parent_station = below.id) SELECT \(LinesAndStops.stopColumns) "
        + "FROM below JOIN stop AS t0 ON t0.id = below.id"

    /// The keys of a station and all stops below it; for any other stop, its own key; empty if there is no such stop.
    private func placesBelow(_ key: Int64) throws -> [Int64] {
        if let changes, changes.changesStops { return try changes.placesBelow(key) }
        guard let stop = try known.stop(key) else { return [] }
        guard stop.isStation else { return [key] }
        return try known.facts.placesBelow(key) { try known.readStops(Self.below, [.integer(key)]) }
    }

    /// Checks a stop that was not read before its departures. Returns whether it is a station with more places to read.
    ///
    /// Most stops are not stations, and the departure rows already say so. That saves a statement, a tenth of the time.
    func takeInPlacesBelow(_ seen: StopFacts?) throws -> Bool {
        guard let key = unread else { return false }
        unread = nil
        guard let stop = try seen ?? known.stop(key) else { throw StoreError.unknownStop(key) }
        guard stop.isStation else { return false }
        keys = try placesBelow(key)
        return keys.count > 1
    }

    private func stops(within meters: Double, of place: Coordinate) throws -> [Int64] {
        let near = FetchRequest<Stop>(where: .within(meters: meters, of: place))
        if let changes, changes.changesStops { return try changes.stops(near) }
        guard session.keepsFacts else {
            // The rows are read anyway, so this also reads the columns that departures show.
            let (select, _) = try session.select(near, .stopFacts, traits: source.traits) {
                try near.select(columns: LinesAndStops.stopColumns, model: .typed, traits: source.traits)
            }
            return try known.readStops(select.sql.text, select.sql.bindings)
        }
        // Most stops are known.
        let (select, _) = try session.select(near, .keys, traits: source.traits) {
            try near.selectObjects(.keys, model: .typed, traits: source.traits)
        }
        var keys: [Int64] = []
        try known.run(select.sql, nil) { statement in
            while try statement.step() { keys.append(statement.integer(0)) }
            return keys.count
        }
        try readMissing(keys)
        return keys
    }

    /// The zones of the clocks at the request's stops. Leaves out stops that have no zone and where no trip calls.
    func clockZones() throws -> [TimetableZone] {
        _ = try takeInPlacesBelow(nil)
        if known.timetable.zones.count == 1, !known.timetable.hasStopZones { return [known.timetable.firstZone] }
        return try keys.compactMap { try known.stop($0)?.zone ?? zoneOfTrips(at: $0) }
    }

    /// The zone of the trips that call at a stop, or that of the first agency if they have several; nil without trips.
    private func zoneOfTrips(at stop: Int64) throws -> TimetableZone? {
        let sql = "SELECT DISTINCT t1.route FROM stop_time AS c JOIN trip AS t1 ON t1.id = c.trip WHERE c.stop = ?"
        var zones: Set<TimetableZone> = []
        try known.run(SQLFragment(sql, bindings: [.integer(stop)]), nil) { statement in
            var rows = 0
            while try statement.step() {
                zones.insert(try known.route(statement.isNull(0) ? -1 : statement.integer(0)).zone)
                rows += 1
            }
            return rows
        }
        return zones.count > 1 ? known.timetable.firstZone : zones.first
    }
}

extension Int {
    /// The number itself or the next power of two, so that few different statements are prepared.
    var roundedUpToPowerOfTwo: Int {
        var power = 1
        while power < self { power *= 2 }
        return power
    }
}
