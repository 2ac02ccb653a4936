import GTFSSchema
import SQLite

/// Finds, while the calls of trips pass, the trips that go to several zones within windows of time. `ZoneRules` then
/// looks whether the zones overlap.
final class ZoneWatch {
    private var trips: [Int64] = []
    /// The call on demand before.
    private var before: (trip: Int64, location: Int64) = (-1, -1)

    /// Takes a call at a location, with a window.
    func look(at location: Int64, of trip: Int64) {
        defer { before = (trip, location) }
        if before.trip == trip, before.location != location, trips.last != trip { trips.append(trip) }
    }

    var isEmpty: Bool { trips.isEmpty }

    /// The trips in the order of their rows. A trip whose calls stand apart was looked at twice.
    var tripsInOrder: [Int64] { Set(trips).sorted() }
}

/// The rule about zones of one trip that overlap, while riders may board in both, or alight in both. `ZoneWatch` has
/// seen which trips go to several zones.
struct ZoneRules: ComparedRule {
    private static let overlappingZones = "overlapping_zones"

    let connection: Connection
    let place: StorePlace
    /// Nil if no call can be in a zone.
    let watch: ZoneWatch?

    var words: Set<String> { [Self.overlappingZones] }

    /// Whether any call may have the fault that this word of a rule names.
    func mayFind(_ word: String) -> Bool { word == Self.overlappingZones && watch?.isEmpty == false }

    /// Notes each pair of calls that breaks the rule, at its later call.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        guard let watch, !watch.isEmpty else { return }
        for rule in rules where rule.comparison == Self.overlappingZones {
            let findings = RuleFindings(rule, connection)
            var overlaps = try ZoneOverlaps(connection)
            let calls = try ZoneCalls(connection)
            for trip in watch.tripsInOrder {
                try overlaps.forEach(among: calls.of(trip), check: place.check) { earlier, call in
                    try findings.add(row: trip, sequence: call.sequence, earlier.sequence, times: 1, &notices)
                }
            }
        }
    }
}

/// A call in a zone, within a window of time.
private struct ZoneCall {
    let sequence: Int64
    /// The id of the row in `location`.
    let zone: Int64
    /// In seconds since noon minus 12 h.
    let window: (start: Int64, end: Int64)
    let pickupType: Int64
    let dropOffType: Int64

    /// Whether riders may board, or alight, in the same way at the same time in another zone.
    @inline(__always)
    func isBeside(_ other: Self) -> Bool {
        zone != other.zone && (pickupType == other.pickupType || dropOffType == other.dropOffType)
            && window.start < other.window.end && other.window.start < window.end
    }
}

/// Reads the calls of trips that are in zones, by the key of their table. Leaves out those with a pickup or drop-off
/// type that GTFS does not know.
private struct ZoneCalls {
    private let statement: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        statement = try connection.prepare(
            """
            SELECT stop_sequence, location, start_pickup_drop_off_window, end_pickup_drop_off_window, \
            ifnull(pickup_type, 0) AS pickup, ifnull(drop_off_type, 0) AS drop_off FROM stop_time \
            WHERE trip = ?1 AND location IS NOT NULL AND start_pickup_drop_off_window IS NOT NULL \
            AND end_pickup_drop_off_window IS NOT NULL AND pickup BETWEEN 0 AND 3 AND drop_off BETWEEN 0 AND 3 \
            ORDER BY stop_sequence
            """)
    }

    func of(_ trip: Int64) throws(SQLiteError) -> [ZoneCall] {
        defer { statement.reset() }
        statement.bind(1, trip)
        var calls: [ZoneCall] = []
        while try statement.step() {
            calls.append(
                ZoneCall(
                    sequence: statement.integer(0), zone: statement.integer(1),
                    window: (statement.integer(2), statement.integer(3)),
                    pickupType: statement.integer(4), dropOffType: statement.integer(5)))
        }
        return calls
    }
}

/// Compares zones two by two, and keeps what it has found, as many trips go to the same zones.
private struct ZoneOverlaps {
    /// The most looks at two calls or two lines, which take less than a second. Zones that are left then count as
    /// apart.
    private static let mostLooks = 50_000_000
    /// Each new pair of zones counts as at least this many looks, which bounds the memory for pairs.
    private static let looksForPair = 200
    /// With more lines, which take 36 MB, outlines are read anew.
    private static let mostLines = 1_000_000

    private let geometries: Statement
    private var looksLeft = mostLooks
    private var interval = CheckInterval()
    /// By the lesser zone in the upper half and the greater one in the lower half.
    private var areOverlapping: [UInt64: Bool] = [:]
    /// By the zone; nil if it is no area, or if a fault of its geometry was noted.
    private var outlines: [Int64: AreaOutline?] = [:]
    private var lineCount = 0

    init(_ connection: Connection) throws(SQLiteError) {
        // The operator leaves a text in its quotes, so that one which spells an array is not taken for it.
        geometries = try connection.prepare(
            "SELECT geometry_type, geometry -> '$.coordinates' FROM location WHERE id = ?1")
    }

    /// Visits the calls that are beside each other in zones that overlap.
    mutating func forEach(
        among calls: [ZoneCall], check: () throws -> Void,
        _ body: (_ earlier: ZoneCall, _ call: ZoneCall) throws -> Void
    ) throws {
        for (place, call) in calls.enumerated() {
            if interval.isOver(after: place + 1) { try check() }
            looksLeft -= place
            guard looksLeft > 0 else { return }
            for earlier in calls[..<place] where call.isBeside(earlier) {
                if try overlap(earlier.zone, call.zone) { try body(earlier, call) }
            }
        }
    }

    private mutating func overlap(_ one: Int64, _ other: Int64) throws(SQLiteError) -> Bool {
        let pair = UInt64(truncatingIfNeeded: min(one, other)) << 32 | UInt64(truncatingIfNeeded: max(one, other))
        if let known = areOverlapping[pair] { return known }
        looksLeft -= Self.looksForPair
        guard looksLeft > 0 else { return false }
        let isOverlap =
            if let first = try outline(one), let second = try outline(other) {
                AreaOverlap.of(first, second, looksLeft: &looksLeft)
            } else { false }
        areOverlapping[pair] = isOverlap
        return isOverlap
    }

    private mutating func outline(_ zone: Int64) throws(SQLiteError) -> AreaOutline? {
        if let known = outlines[zone] { return known }
        let outline = try read(zone)
        lineCount += outline?.lines.count ?? 0
        // Reading a line costs as much as some looks.
        looksLeft -= 10 * (outline?.lines.count ?? 0)
        if lineCount > Self.mostLines { (outlines, lineCount) = ([:], outline?.lines.count ?? 0) }
        outlines[zone] = .some(outline)
        return outline
    }

    private func read(_ zone: Int64) throws(SQLiteError) -> AreaOutline? {
        defer { geometries.reset() }
        geometries.bind(1, zone)
        guard try geometries.step(), let type = geometries.text(0), let coordinates = geometries.text(1),
            var rules = GeoJSONGeometryRules(geometryType: type)
        else { return nil }
        rules.check(GeoJSONValue(type: "array", text: coordinates))
        return rules.soundRings.map(AreaOutline.init)
    }
}
