import GTFSSchema
import SQLite

/// Reads the lines and stops of departures: each once per connection, or once per request if the connection keeps none.
final class LinesAndStops {
    let timetable: Timetable
    let changes: ChangedTimetable?
    let facts: TimetableFacts
    private let statements: DepartureStatements
    /// Whether each row includes its line. That costs less per row than a separate statement for a new line. A
    /// connection that keeps lines reads each line once instead.
    let joinsLines: Bool
    /// Whether rows may include the only stop of a request. False if stops have time zones, because a stop's zone comes
    /// from its station.
    let mayJoinStop: Bool
    let run: StatementRunner

    /// Runs a statement and hands it to a closure, which steps through its rows and returns how many they were.
    typealias StatementRunner = (SQLFragment, PreparedStatement?, (Statement) throws -> Int) throws -> Void

    init(
        _ timetable: Timetable, _ session: StoreSession, changes: ChangedTimetable?, run: @escaping StatementRunner
    ) {
        self.timetable = timetable
        self.changes = changes
        self.run = run
        facts = session.timetableFacts
        joinsLines = !session.keepsFacts && changes?.changesRoutes != true
        lines = joinsLines ? Array(repeating: nil, count: Int(Self.mostLines)) : []
        mayJoinStop = joinsLines && changes == nil && !timetable.hasStopZones
        statements = session.departureStatements
    }

    /// The line with a key; -1 is the key for trips without a line.
    func route(_ key: Int64) throws -> RouteFacts {
        if let changes, changes.changesRoutes { return try changes.route(key) }
        if let known = facts.route(key) { return known }
        let sql = SQLFragment(
            "SELECT id, route_id, short_name, long_name, color, text_color, timezone FROM route WHERE id = ?",
            bindings: [.integer(key)])
        let row = key < 0 ? nil : try rows(sql, statements.route).first
        let zone = row.flatMap { $0.text(6) }.map(TimetableZone.ofAgency)
        let route = RouteFacts(row?.integer(0), row ?? .empty, from: 1, zone: zone ?? timetable.firstZone)
        facts.keep(route, key)
        return route
    }

    /// The line of a departure's row. Also its stop and texts, if these were read from the row.
    struct RowFacts {
        let route: RouteFacts
        var stop: StopFacts?
        var texts: PackedRow?
    }

    func facts(of row: Statement, joinsStop: Bool) throws -> RowFacts {
        let key = row.isNull(DepartureColumn.route) ? -1 : row.integer(DepartureColumn.route)
        guard joinsLines else { return RowFacts(route: try route(key)) }
        let place = Int(truncatingIfNeeded: key & (Self.mostLines - 1))
        let known = lines[place].flatMap { ($0.key ?? -1) == key ? $0 : nil }
        if let known, !joinsStop || onlyStop != nil {
            return RowFacts(route: known, stop: joinsStop ? onlyStop : nil)
        }
        let texts = row.packedRow(at: joinsStop ? Self.texts : Self.textsWithoutStop)
        if joinsStop, onlyStop == nil { onlyStop = joinedStop(row, texts) }
        let line = known ?? joinedLine(key, row, texts)
        if known == nil { lines[place] = line }
        return RowFacts(route: line, stop: joinsStop ? onlyStop : nil, texts: texts)
    }

    private func joinedLine(_ key: Int64, _ row: Statement, _ texts: PackedRow) -> RouteFacts {
        var zone: TimetableZone?
        if timetable.zones.count > 1 {
            zone = row.text(DepartureColumn.lineZone.rawValue).map(TimetableZone.ofAgency)
        }
        return RouteFacts(
            key < 0 ? nil : key, texts, from: DepartureColumn.textCount, zone: zone ?? timetable.firstZone)
    }

    private func joinedStop(_ row: Statement, _ texts: PackedRow) -> StopFacts {
        StopFacts(
            key: row.integer(DepartureColumn.stop), texts, from: Self.textsWithoutStop.count, zone: nil,
            isStation: row.integer(DepartureColumn.locationType) == Int64(LocationType.station.rawValue))
    }

    /// Lines read from rows, each at the index given by its key's last bits. A hash table would take a fifth of the
    /// time of a row.
    @exclusivity(unchecked) private var lines: [RouteFacts?]
    private static let mostLines: Int64 = 64
    /// The request's only stop, if a row included it.
    @exclusivity(unchecked) private var onlyStop: StopFacts?
    // Unchecked: only `facts(of:joinsStop:)` uses `lines` and `onlyStop`, and it is never called recursively.

    private static let textsWithoutStop: [Int32] = columns([
        .tripID, .headsign, .lineID, .shortName, .longName, .color, .textColor,
    ])
    private static let texts = textsWithoutStop + columns([.stopID, .stopName, .platformCode])

    private static func columns(_ columns: [DepartureColumn]) -> [Int32] { columns.map { Int32($0.rawValue) } }

    func stop(_ key: Int64) throws -> StopFacts? {
        if let changes, changes.changesStops { return try changes.stop(key) }
        if let known = facts.stop(key) { return known }
        _ = try readStops(Self.stopByKey, [.integer(key)], statements.stop)
        return facts.stop(key)
    }

    static let stopColumns =
        "t0.id, t0.stop_id, t0.name, t0.platform_code, t0.parent_station, t0.timezone, t0.location_type"
    private static let stopByKey = "SELECT \(stopColumns) FROM stop AS t0 WHERE t0.id = ?"
    static let stopByID = "SELECT \(stopColumns) FROM stop AS t0 WHERE t0.stop_id = ?"

    /// Reads rows of `stopColumns` and keeps their stops; returns the keys.
    func readStops(
        _ text: String, _ values: [QueryValue], _ prepared: PreparedStatement? = nil
    ) throws -> [Int64] {
        var keys: [Int64] = []
        var unknown: [PackedRow] = []
        try run(SQLFragment(text, bindings: values), prepared) { statement in
            while try statement.step() {
                keys.append(statement.integer(0))
                if facts.stop(statement.integer(0)) == nil { unknown.append(statement.packedRow()) }
            }
            return keys.count
        }
        if timetable.hasStopZones { try readParents(of: unknown) }
        for row in unknown {
            let zone = timetable.hasStopZones ? clockZone(row) : nil
            let isStation = row.integer(6) == Int64(LocationType.station.rawValue)
            facts.keep(StopFacts(key: row.integer(0) ?? 0, row, from: 1, zone: zone, isStation: isStation))
        }
        return keys
    }

    /// Rows of `stopColumns` of the places above stops, each read once per request.
    private var parents: [Int64: PackedRow] = [:]

    /// Reads all places above stops, by one statement for each level and `DeparturePlaces.mostInStatement` places.
    private func readParents(of stops: [PackedRow]) throws {
        var (level, asked) = (stops, Set<Int64>())
        for _ in 0..<StoreSchema.mostParentLevels {
            let keys = Set(level.compactMap { $0.integer(4) }).subtracting(asked)
            asked.formUnion(keys)
            let missing = keys.filter { parents[$0] == nil }
            for sql in Self.selects(stops: missing.sorted()) {
                for row in try rows(sql) { parents[row.integer(0) ?? 0] = row }
            }
            level = keys.compactMap { parents[$0] }
            if level.isEmpty { return }
        }
    }

    /// The zone of the topmost place that a stop is in, if that names one (GTFS reference, `stop_timezone`).
    private func clockZone(_ stop: PackedRow) -> TimetableZone? {
        let top = Stop.topmost(of: stop) { place in place.integer(4).flatMap { parents[$0] } }
        return top.text(5).flatMap(TimetableZone.named)
    }

    /// The statements that read stops by their keys, several at a time.
    static func selects(stops keys: [Int64]) -> [SQLFragment] {
        stride(from: 0, to: keys.count, by: DeparturePlaces.mostInStatement).map { start in
            let part = keys[start..<min(start + DeparturePlaces.mostInStatement, keys.count)]
            let count = part.count.roundedUpToPowerOfTwo
            let rows = repeatElement("(?)", count: count).joined(separator: ", ")
            return SQLFragment(
                "SELECT \(stopColumns) FROM (VALUES \(rows)) AS place CROSS JOIN stop AS t0 WHERE t0.id = place.column1",
                bindings: part.map { .integer($0) } + repeatElement(.null, count: count - part.count))
        }
    }

    func rows(_ sql: SQLFragment, _ prepared: PreparedStatement? = nil) throws -> [PackedRow] {
        var rows: [PackedRow] = []
        try run(sql, prepared) { try $0.appendRows(to: &rows) }
        return rows
    }
}
