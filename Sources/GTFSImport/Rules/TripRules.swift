import GTFSSchema
import SQLite

/// Rules about trips apart from their calls: about blocks, headsigns and shapes. `TripWatch` has seen whether any trip
/// may break them.
struct TripRules: ComparedRule {
    private enum Word: String, CaseIterable {
        /// A trip on a line with another kind of vehicle than the first trip of its block.
        case mixedBlock = "mixed_block"
        case overlapInBlock = "overlap_in_block"
        case headsignOnTheWay = "headsign_on_the_way"
        /// A trip whose last call lies further along the shape than the shape is long, and far from the shape's end.
        case beyondShape = "beyond_shape"
        case littleBeyondShape = "little_beyond_shape"
    }

    /// Up to here, a stop lies at the end of the shape (in meters, as in the reference validator).
    private static let farFromEnd = 11.1

    let connection: Connection
    let place: StorePlace
    let watch: TripWatch
    let days: ServiceDays
    /// Whether each point of a shape is known to lie further along it than the one before.
    let areShapeDistancesGrowing: Bool

    var words: Set<String> { Set(Word.allCases.map(\.rawValue)) }

    /// Whether any trip may have the fault that this word of a rule names.
    func mayFind(_ word: String) -> Bool {
        switch Word(rawValue: word) {
        case .mixedBlock: !watch.blocks.oddTrips.isEmpty
        case .overlapInBlock: watch.blocks.hasBlocks
        case .headsignOnTheWay: watch.headsigns.hasFound
        case .beyondShape, .littleBeyondShape: watch.distances.hasLongTrips
        case nil: false
        }
    }

    /// Notes what breaks rules of one table.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        var ofShapes: [Word: RuleFindings] = [:]
        for rule in rules {
            guard let word = rule.comparison.flatMap(Word.init) else { continue }
            let findings = RuleFindings(rule, connection)
            switch word {
            case .mixedBlock:
                for odd in watch.blocks.oddTrips { try findings.add(row: odd.trip, odd.first, times: 1, &notices) }
            case .overlapInBlock: try noteOverlaps(findings, &notices)
            case .headsignOnTheWay: try noteHeadsigns(findings, &notices)
            case .beyondShape, .littleBeyondShape: ofShapes[word] = findings
            }
        }
        if !ofShapes.isEmpty { try noteDistances(ofShapes, &notices) }
    }

    // MARK: Blocks

    private func noteOverlaps(_ findings: RuleFindings, _ notices: inout NoticeLog) throws {
        guard let common = days.commonDays else { return }
        var overlaps = BlockOverlaps(
            watch.blocks, daySets: days.sets, days: common, most: findings.room(in: notices), check: place.check)
        try overlaps.find(in: place.space)
        for pair in overlaps.pairs.sorted(by: { ($0.later, $0.earlier) < ($1.later, $1.earlier) }) {
            // Both numbers in one, for SQL.
            let number = Int64(pair.earlier) * 100_000_000 + pair.date
            try findings.add(row: Int64(pair.later), number, times: 1, &notices)
        }
        findings.count(overlaps.count - overlaps.pairs.count, &notices)
    }

    // MARK: Headsigns

    private func noteHeadsigns(_ findings: RuleFindings, _ notices: inout NoticeLog) throws {
        let trips = try connection.prepare(
            """
            SELECT headsign, (SELECT stop FROM stop_time WHERE trip = ?1 ORDER BY stop_sequence LIMIT 1) IS NOT \
            (SELECT stop FROM stop_time WHERE trip = ?1 ORDER BY stop_sequence DESC LIMIT 1) FROM trip WHERE id = ?1
            """)
        var names = try NameMatches(connection)
        var last: (trip: Int64, sequence: Int64) = (-1, -1)
        // Nil for a round trip.
        var headsign: String?
        try watch.headsigns.forEach { trip, sequence, stop in
            guard (trip, sequence) != last else { return }
            if trip != last.trip {
                defer { trips.reset() }
                trips.bind(1, trip)
                headsign = try trips.step() && trips.integer(1) != 0 ? trips.text(0) : nil
            }
            last = (trip, sequence)
            guard let headsign, try names.name(of: stop, is: headsign) else { return }
            try findings.add(row: trip, sequence, times: 1, &notices)
        }
    }

    // MARK: Shapes

    private func noteDistances(_ findings: [Word: RuleFindings], _ notices: inout NoticeLog) throws {
        let calls = try connection.prepare(
            """
            SELECT call.shape_dist_traveled, stop.latitude, stop.longitude, call.stop IS NULL, \
            (SELECT shape FROM trip WHERE id = ?1) FROM stop_time AS call LEFT JOIN stop ON stop.id = call.stop \
            WHERE call.trip = ?1 ORDER BY call.stop_sequence DESC LIMIT 1
            """)
        let lengths = try ShapeLengths(connection, areGrowing: areShapeDistancesGrowing)
        // Trips that get a detailed notice; its message has the length of the shape.
        var (named, room): ([(trip: Int, word: Word, tenths: Int64)], [Word: Int]) = ([], [:])
        for (word, finding) in findings { room[word] = finding.room(in: notices) }
        for trip in watch.distances.longTrips {
            defer { calls.reset() }
            calls.bind(1, Int64(trip))
            guard try calls.step(), calls.integer(3) == 0, let end = try lengths.end(of: calls.integer(4)),
                end.distance > 0, calls.double(0) > end.distance
            else { continue }
            let meters = Self.meters(to: calls, from: end)
            let word: Word = meters.map { $0 > Self.farFromEnd } ?? true ? .beyondShape : .littleBeyondShape
            if let left = room[word], left > 0 {
                room[word] = left - 1
                // In tenths, for SQL.
                named.append((trip, word, meters.map { Int64(($0 * 10).rounded()) } ?? -1))
            } else {
                findings[word]?.count(1, &notices)
            }
        }
        try Self.register(on: connection, lengths: lengths.distances)
        for (trip, word, tenths) in named { try findings[word]?.add(row: Int64(trip), tenths, times: 1, &notices) }
    }

    /// Nil if the call's stop has no place.
    private static func meters(to call: Statement, from end: ShapeLengths.End) -> Double? {
        guard !call.isNull(1), !call.isNull(2) else { return nil }
        return Sphere.meters(from: (end.latitude, end.longitude), to: (call.double(1), call.double(2)))
    }

    /// Registers the function `shape_length(shape)`, the greatest distance of its points.
    static func register(on connection: Connection, lengths: [Int64: Double]) throws(SQLiteError) {
        try connection.createNumberFunction("shape_length", argumentCount: 1) { arguments in
            arguments[0].flatMap { Int64(exactly: $0) }.flatMap { lengths[$0] }
        }
    }
}

/// The points of shapes with the greatest distance. A shape is read once.
private final class ShapeLengths {
    typealias End = (distance: Double, latitude: Double, longitude: Double)

    private let points: Statement
    private var known: [Int64: End?] = [:]

    init(_ connection: Connection, areGrowing: Bool) throws(SQLiteError) {
        // Beside max(), SQLite returns the values of the first row that has it. This reads all points of the shape.
        points = try connection.prepare(
            areGrowing
                ? "SELECT shape_dist_traveled, latitude, longitude FROM shape_point WHERE shape = ?1 "
                    + "ORDER BY sequence DESC LIMIT 1"
                : "SELECT max(shape_dist_traveled), latitude, longitude FROM shape_point WHERE shape = ?1")
    }

    var distances: [Int64: Double] { known.compactMapValues { $0?.distance } }

    /// Nil for a shape without any distance.
    func end(of shape: Int64) throws(SQLiteError) -> End? {
        if let end = known[shape] { return end }
        defer { points.reset() }
        points.bind(1, shape)
        let hasEnd = try points.step() && !points.isNull(0)
        let end: End? = hasEnd ? (points.double(0), points.double(1), points.double(2)) : nil
        known[shape] = end
        return end
    }
}

/// Compares names of stops with headsigns, whatever the case of their letters. Each pair is compared once.
private struct NameMatches {
    private struct Pair: Hashable {
        let stop: Int64
        // Bytes, as Swift takes é for equal to e with a combining accent.
        let text: [UInt8]
    }

    private let names: Statement
    private var known: [Pair: Bool] = [:]

    init(_ connection: Connection) throws(SQLiteError) {
        names = try connection.prepare("SELECT name = ?2 OR name = ?2 COLLATE any_case FROM stop WHERE id = ?1")
    }

    mutating func name(of stop: Int64, is headsign: String) throws(SQLiteError) -> Bool {
        let pair = Pair(stop: stop, text: Array(headsign.utf8))
        if let isSame = known[pair] { return isSame }
        defer { names.reset() }
        names.bind(1, stop)
        names.bind(2, headsign)
        let isSame = try names.step() && names.integer(0) == 1
        known[pair] = isSame
        return isSame
    }
}
