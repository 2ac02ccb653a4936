import SQLite
import Synchronization

/// The overall properties of a store's timetable, read once for each store.
struct Timetable: Sendable {
    /// The dates on which any service runs; nil if none runs.
    var dates: ClosedRange<Int64>?
    /// The greatest time of a service day at which a vehicle is anywhere, in seconds; nil for a feed without times.
    var latestTime: Int64?
    /// The least time of a service day at which a vehicle is anywhere, in seconds; 0 unless it is before the day
    /// begins.
    private(set) var earliestTime: Int64
    /// The least and the greatest of departure_time - arrival_time.
    var dwell: ClosedRange<Int64>
    let hasFrequencies: Bool
    let serviceCount: Int64
    /// Whether any stop has a time zone (`stop_timezone`).
    let hasStopZones: Bool
    let columns: FilledColumns
    /// The zone of trips without a line.
    private(set) var firstZone: TimetableZone
    /// The zones that trips run in, each once.
    private(set) var zones: [TimetableZone]

    /// Extends the dates, times and zones by those of the unsaved changes.
    mutating func add(_ changes: ChangedTimetable) {
        if let latest = changes.latestTime { latestTime = max(latestTime ?? 0, latest.clampedToServiceSeconds) }
        earliestTime = min(earliestTime, changes.earliestTime.clampedToServiceSeconds)
        for days in changes.serviceDays {
            let first = min(dates?.lowerBound ?? days.lowerBound, days.lowerBound)
            dates = first...max(dates?.upperBound ?? days.upperBound, days.upperBound)
        }
        guard changes.changesRoutes else { return }
        firstZone = changes.firstZone
        zones = Array(Set(zones + changes.zones))
    }

    /// The days since 1970-01-01 between two dates from the store.
    static func dayNumbers(_ first: Int64?, _ last: Int64?) -> ClosedRange<Int64>? {
        guard let first = first.flatMap({ ServiceDate(Int($0)).dayNumber }),
            let last = last.flatMap({ ServiceDate(Int($0)).dayNumber }), first <= last
        else { return nil }
        return first...last
    }
}

extension TransitStore {
    /// The store's timetable, read over the given connection the first time.
    func timetable(_ session: StoreSession) throws -> Timetable {
        if let timetable = knownTimetable.withLock({ $0 }) { return timetable }
        let timetable = try session.readTimetable(traits.emptyColumns)
        knownTimetable.withLock { $0 = timetable }
        return timetable
    }
}

extension StoreSession {
    fileprivate func readTimetable(_ empty: EmptyColumnList) throws -> Timetable {
        let row = try rows(
            SQLFragment(
                "SELECT (SELECT min(date) FROM service_day), (SELECT max(date) FROM service_day), latest_time, "
                    + "shortest_dwell, longest_dwell, (SELECT max(stop) FROM frequency_call) IS NOT NULL, "
                    + "timezone, earliest_time, (SELECT max(id) FROM service) FROM feed WHERE id = 1")
        ).first
        let first = row?.text(6).map(TimetableZone.ofAgency) ?? .utc
        // Lines are few: thousands at most.
        let others = try rows(SQLFragment("SELECT DISTINCT timezone FROM route")).compactMap { row in
            row.text(0).map(TimetableZone.ofAgency)
        }
        let shortest = min(row?.integer(3) ?? 0, 0).clampedToServiceSeconds
        let longest = max(row?.integer(4) ?? 0, shortest).clampedToServiceSeconds
        return Timetable(
            dates: Timetable.dayNumbers(row?.integer(0), row?.integer(1)),
            latestTime: row?.integer(2).map { max($0, 0).clampedToServiceSeconds },
            earliestTime: min(row?.integer(7) ?? 0, 0).clampedToServiceSeconds, dwell: shortest...longest,
            hasFrequencies: row?.integer(5) == 1, serviceCount: row?.integer(8) ?? 0,
            hasStopZones: !empty.contains("timezone", of: "stop"), columns: FilledColumns(in: empty),
            firstZone: first, zones: Array(Set(others + [first])))
    }
}

/// The departure statements that a connection keeps prepared, by skeleton.
final class DepartureStatements {
    private var statements: [DepartureSkeleton: (text: String, statement: PreparedStatement)] = [:]
    private static let mostKnown = 64
    /// The statements that read a line and a stop by key.
    let route = PreparedStatement()
    let stop = PreparedStatement()

    /// The statement of a skeleton; each is written once.
    func statement(_ skeleton: DepartureSkeleton) -> (text: String, statement: PreparedStatement) {
        if let known = statements[skeleton] { return known }
        if statements.count >= Self.mostKnown { statements = [:] }
        let made = (text: DepartureSelect(skeleton).text, statement: PreparedStatement())
        statements[skeleton] = made
        return made
    }
}

/// The lines and stops of departures that a connection knows.
final class TimetableFacts {
    private var stops = ObjectTable<StopFacts>()
    private var routes = ObjectTable<RouteFacts>()
    private var places: [Int64: [Int64]] = [:]

    private static let mostKnown = 20_000

    func route(_ key: Int64) -> RouteFacts? { routes[ObjectID(Route.entity, .row(key))] }
    func stop(_ key: Int64) -> StopFacts? { stops[ObjectID(Stop.entity, .row(key))] }

    /// Keeps a line; -1 is the key for trips without a line.
    func keep(_ route: RouteFacts, _ key: Int64) {
        if routes.count >= Self.mostKnown { routes = ObjectTable() }
        routes[ObjectID(Route.entity, .row(key))] = route
    }

    func keep(_ stop: StopFacts) {
        if stops.count >= Self.mostKnown { stops = ObjectTable() }
        stops[ObjectID(Stop.entity, .row(stop.key))] = stop
    }

    /// The keys of a stop and all below it.
    func placesBelow(_ key: Int64, read: () throws -> [Int64]) throws -> [Int64] {
        if let known = places[key] { return known }
        let keys = try read()
        if places.count >= Self.mostKnown { places = [:] }
        places[key] = keys
        return keys
    }
}
