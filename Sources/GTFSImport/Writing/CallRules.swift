import GTFSSchema
import SQLite

/// What the rules about calls need beyond SQL: what was seen while the rows of stop_times.txt passed, and the review of
/// all calls, which is made only if one may break a rule.
struct CallRules {
    let connection: Connection
    let place: StorePlace
    /// The plan of stop_times.txt; nil if the feed lacks it.
    let plan: TablePlan?
    let keptColumns: StoreSchema.KeptColumns?
    let watch: SequenceWatch?
    /// Watched the rows of shapes.txt.
    let points: SequenceWatch?
    let departures: StopDepartures
    /// How many rows of stops.txt and trips.txt are stored.
    let rows: (stops: Int, trips: Int)

    func teach(_ connection: Connection) throws(SQLiteError) {
        try Self.teach(
            connection, calls: watch?.states ?? SequenceStates(), points: points?.states ?? SequenceStates(),
            isCalled: departures.isCalled)
    }

    /// Teaches the functions `calls(trip)` and `points(shape)`, where 2 stands for more, and `is_called(stop)`.
    static func teach(
        _ connection: Connection, calls: SequenceStates, points: SequenceStates, isCalled: [Bool]
    ) throws(SQLiteError) {
        func teach(_ name: String, _ value: @escaping @Sendable (Int) -> Int) throws(SQLiteError) {
            try connection.createNumberFunction(name, argumentCount: 1) { arguments in
                arguments[0].flatMap { Int(exactly: $0) }.map { Double(value($0)) }
            }
        }
        try teach("calls") { calls.rows(of: Int64($0)) }
        try teach("points") { points.rows(of: Int64($0)) }
        try teach("is_called") { isCalled.indices.contains($0) && isCalled[$0] ? 1 : 0 }
    }

    /// Whether rows were seen that a rule asks for.
    func hasFound(_ what: String) -> Bool {
        switch what {
        case "short_trips": watch?.states.hasShort(among: rows.trips) ?? false
        case "short_shapes": points?.states.hasOne ?? false
        case "idle_stops": departures.isCalled.count { $0 } < rows.stops
        default: false
        }
    }

    /// Whether trips or calls may have what this word of a rule stands for.
    func mayFind(_ word: String) -> Bool {
        switch word {
        case Self.splitTrip: watch?.states.hasSplit ?? false
        default: CallFaults(word: word) != nil && watch?.isDoubtful == true
        }
    }

    private static let splitTrip = "split_trip"

    /// Notes the trips whose calls do not stand together in the order of their sequence.
    func noteSplitTrips(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        for rule in rules where rule.comparison == Self.splitTrip {
            let findings = RuleFindings(rule, connection)
            try watch?.states.forEachSplit { try findings.add(row: $0, 1, times: 1, &notices) }
        }
    }

    /// Notes the calls that break rules of stop_times.txt, in the order of their keys.
    func review(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        let findings = rules.compactMap { rule in
            rule.comparison.flatMap(CallFaults.init(word:)).map { ($0, RuleFindings(rule, connection)) }
        }
        guard !findings.isEmpty, let plan else { return }
        let review = try CallReview(plan, connection, in: place, keptColumns: keptColumns)
        try review.forEach { faults, trip, sequence, before in
            for (fault, finding) in findings where faults.contains(fault) {
                let other = fault == .distanceNotGreater ? before.distance : before.departure
                try finding.add(row: trip, sequence: sequence, other, times: 1, &notices)
            }
        }
    }
}
