import GTFSSchema
import SQLite
import SQLitePages

/// What may be wrong with a stop and the shape of its trip, as the rules about stop_times.txt name it in
/// schema/rules.tsv.
enum ShapeFault: String, CaseIterable {
    /// The stop is far from every point of the shape.
    case far = "far_from_shape"
    /// The stop is far from the point that its distance along the shape names.
    case farByDistance = "far_from_distance_on_shape"
    /// The shape comes near the stop very often.
    case manyMatches = "many_matches_on_shape"
    /// The stop lies before the trip's earlier stop along the shape.
    case outOfOrder = "out_of_order_on_shape"
}

/// The rules about stops along shapes. `PatternWatch` has seen which trips to compare with their shapes.
struct ShapeRules: ComparedRule {
    private struct Finding {
        let fault: ShapeFault
        let trip: Int64
        let sequence: Int64
        let value: Int64
    }

    let connection: Connection
    let place: StorePlace
    let stored: StoredSequences
    let stops: StopPlaces
    let watch: TripWatch
    /// The plans of shapes.txt and stop_times.txt; nil if the feed lacks them.
    let plans: (points: TablePlan?, calls: TablePlan?)

    var words: Set<String> { Set(ShapeFault.allCases.map(\.rawValue)) }

    /// Whether any call may have the fault that this word of a rule names.
    func mayFind(_ word: String) -> Bool { ShapeFault(rawValue: word) != nil && watch.patterns.hasPatterns }

    /// Notes what breaks rules of one table, shape by shape.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        var findings: [ShapeFault: RuleFindings] = [:]
        for rule in rules {
            guard let fault = rule.comparison.flatMap(ShapeFault.init(rawValue:)) else { continue }
            findings[fault] = RuleFindings(rule, connection)
        }
        guard !findings.isEmpty, let calls = plans.calls, let points = plans.points else { return }
        let room = findings.mapValues { $0.room(in: notices) }
        var (found, counts): ([Finding], [ShapeFault: Int]) = ([], [:])
        let paths = try RowsOfParents(
            points, columns: ("latitude", "longitude", "shape_dist_traveled"), of: stored)
        let matching = PatternMatching(
            of: ShapePath(paths.rows), stops, isWanted: { counts[$0] ?? 0 < room[$0] ?? 0 }
        ) { fault, trip, call, value in
            counts[fault, default: 0] += 1
            guard counts[fault] ?? 0 <= room[fault] ?? 0 else { return }
            found.append(Finding(fault: fault, trip: trip, sequence: call.sequence, value: value))
        }
        try compare(matching, CallRows(calls, of: stored), paths)
        for call in found {
            try findings[call.fault]?.add(row: call.trip, sequence: call.sequence, call.value, times: 1, &notices)
        }
        for fault in ShapeFault.allCases {
            findings[fault]?.count((counts[fault] ?? 0) - min(counts[fault] ?? 0, room[fault] ?? 0), &notices)
        }
    }

    /// Compares a trip of each pattern with its shape.
    private func compare(_ matching: PatternMatching, _ calls: CallRows, _ points: RowsOfParents) throws {
        var interval = CheckInterval()
        try watch.patterns.forEachShape(in: place.space) { shape, trips in
            guard !matching.isExhausted else { return }
            try points.read(shape, most: ShapePath.mostPoints + 1)
            matching.beginShape()
            guard matching.hasPath else { return }
            for trip in trips where !matching.isExhausted {
                // A trip takes as long as some hundred rows.
                if interval.isOver(after: 256) { try place.check() }
                let kind = watch.speeds.kind(of: Int(trip))
                try matching.compare(
                    PatternMatching.Trip(id: trip, isOnRails: TopSpeed.isOfRails(kind), hasRoute: kind != 0),
                    calls.read(trip))
            }
        }
    }
}
