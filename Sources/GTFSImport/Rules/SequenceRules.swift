import GTFSSchema
import SQLite

/// What the rules about calls and points need beyond SQL: what was seen while the rows of stop_times.txt and shapes.txt
/// passed, and the reviews of all calls and points, which are made only if one may break a rule.
struct SequenceRules: ComparedRule {
    /// A file whose rows were watched.
    struct Watched {
        let plan: TablePlan
        let watch: SequenceWatch
    }

    let connection: Connection
    let place: StorePlace
    let stored: StoredSequences
    /// The plan and the watch of stop_times.txt; nil if the feed lacks it.
    let calls: Watched?
    /// The same of shapes.txt; nil if the feed lacks it.
    let points: Watched?
    let keptColumns: StoreSchema.KeptColumns?
    /// How many rows of trips.txt are stored.
    let tripCount: Int

    var words: Set<String> {
        let ofFaults = CallFaults.words + PointFault.allCases.map(\.rawValue)
        return Set(ofFaults + [Self.splitTrip] + Self.enoughCalls.keys)
    }

    /// Whether trips, calls or points may have the fault that this word of a rule names.
    func mayFind(_ word: String) -> Bool {
        switch word {
        case Self.splitTrip: calls?.watch.states.hasUnsorted ?? false
        case _ where Self.enoughCalls[word] != nil: (calls?.watch.states).map { countOfShortTrips($0, 2) > 0 } ?? false
        case _ where PointFault(rawValue: word) != nil: points?.watch.isDoubtful ?? false
        default: CallFaults(word: word).map(mayFind) ?? false
        }
    }

    /// The watch does not see values that no column could store, which count as a place or time of a call on demand.
    private func mayFind(_ fault: CallFaults) -> Bool {
        guard let watch = calls?.watch else { return false }
        if CallFaults.ofContinuousRoutes.contains(fault) { return watch.hasWindows }
        return watch.isDoubtful || watch.hasOnDemandColumns && keptColumns != nil
    }

    private static let splitTrip = "split_trip"
    /// The least number of calls with which a trip keeps the rule of this word.
    private static let enoughCalls = ["without_calls": 1, "few_calls": 2]

    private func countOfShortTrips(_ states: SequenceStates, _ enough: Int) -> Int {
        tripCount - states.count(withAtLeast: enough)
    }

    /// Notes what breaks rules of one table that have a word in place of SQL.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        try noteShortTrips(rules, &notices)
        try noteSplitTrips(rules, &notices)
        try reviewCalls(rules, &notices)
        try reviewPoints(rules, &notices)
    }

    /// Notes the trips with no or few calls. Only those with detailed notices are looked for; the others are counted
    /// without a query, which took 0.17 s for half a million trips.
    private func noteShortTrips(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        guard let states = calls?.watch.states else { return }
        for rule in rules {
            guard let enough = rule.comparison.flatMap({ Self.enoughCalls[$0] }) else { continue }
            let findings = RuleFindings(rule, connection)
            var left = countOfShortTrips(states, enough)
            let trips = try connection.prepare("SELECT id FROM trip ORDER BY id")
            while left > 0, findings.room(in: notices) > 0, try trips.step() {
                let trip = trips.integer(0)
                guard states.rows(of: trip) < enough else { continue }
                try findings.add(row: trip, 1, times: 1, &notices)
                left -= 1
            }
            findings.count(left, &notices)
        }
    }

    /// Notes the trips whose calls do not stand together in the order of their sequence.
    private func noteSplitTrips(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        for rule in rules where rule.comparison == Self.splitTrip {
            let findings = RuleFindings(rule, connection)
            try calls?.watch.states.forEachUnsorted { try findings.add(row: $0, 1, times: 1, &notices) }
        }
    }

    /// Notes the calls that break rules of stop_times.txt, in the order of their keys.
    private func reviewCalls(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        let findings = rules.compactMap { rule in
            rule.comparison.flatMap(CallFaults.init(word:)).map { ($0, RuleFindings(rule, connection)) }
        }
        guard !findings.isEmpty, let calls else { return }
        let review = try CallReview(
            calls.plan, stored, connection, in: place, keptColumns: keptColumns,
            seekingContinuous: findings.contains { CallFaults.ofContinuousRoutes.contains($0.0) })
        try review.forEach { faults, trip, sequence, before in
            for (fault, finding) in findings where faults.contains(fault) {
                let other = fault == .distanceNotGreater ? before.distance : before.departure
                try finding.add(row: trip, sequence: sequence, other, times: 1, &notices)
            }
        }
    }

    /// Notes the points that break rules of shapes.txt, in the order of their keys.
    private func reviewPoints(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        var findings: [PointFault: RuleFindings] = [:]
        for rule in rules {
            guard let fault = rule.comparison.flatMap(PointFault.init(rawValue:)) else { continue }
            findings[fault] = RuleFindings(rule, connection)
        }
        guard !findings.isEmpty, let points else { return }
        let review = try PointReview(points.plan, stored, in: place)
        try review?.forEach { fault, shape, sequence, before in
            try findings[fault]?.add(row: shape, sequence: sequence, before, times: 1, &notices)
        }
    }
}
