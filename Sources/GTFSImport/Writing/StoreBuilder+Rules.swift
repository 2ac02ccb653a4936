import GTFSSchema
import SQLite

/// Looking for faults that show only in more than one row.
extension StoreBuilder {
    /// Begins to apply the rules that compare rows, on a thread of its own. Call it once all rows are stored, before
    /// the schema changes again.
    func beginComparisons(noticesKeptPerCode cap: Int) throws -> ComparisonThread {
        let isAbandoned = AbandonedWork()
        let place = place.abandonable(isAbandoned)
        let reader = try Connection(reading: place.file)
        reader.stopStatements(when: place.isOver)
        // Held to the end: the transaction goes on to see the schema as it is now.
        try reader.execute("BEGIN")
        let compared = try comparedRules(reader, in: place)
        let needs = self.needs
        let rules = FeedRules.all.rules.filter { compared.mayFind($0) && needs.areMet(by: $0) }
        return ComparisonThread(compared, rules, NoticeLog(keptPerCode: cap), isAbandoned: isAbandoned)
    }

    func comparedRules(_ reader: Connection, in place: StorePlace) throws -> ComparedRules {
        let stored = try StoredSequences(plans.values.filter(\.isClustered).map(\.table), reader, in: place)
        let infos = plans["feed_info"]
        let points = watches.points
        let parts: [any ComparedRule] = [
            FrequencyRules(connection: reader, overlaps: watches.repetitions.mayOverlap ? watches.overlaps : nil),
            SequenceRules(
                connection: reader, place: place, stored: stored, calls: watched("stop_time", watches.calls),
                points: watched("shape_point", points), keptColumns: kept.keptColumns(of: "stop_time"),
                tripCount: storedRows(of: "trip") ?? 0),
            try ServiceRules(
                reader, watches.serviceDays, isTaken: watches.departures.isTaken,
                hasPeriod: ["start_date", "end_date"].allSatisfy { infos?.cell(of: $0) != nil }),
            TripRules(
                connection: reader, place: place, watch: watches.trips, days: watches.serviceDays,
                areShapeDistancesGrowing: points.map { !$0.isDoubtful && !$0.hasBlankDistance } ?? false),
            SpeedRules(connection: reader, place: place, watch: watches.trips.speeds, stops: watches.stops),
            PathwayRules(connection: reader, watch: watches.pathways, parents: watches.parents),
            TransferRules(connection: reader, place: place, stored: stored, calls: plans["stop_time"]),
            ShapeRules(
                connection: reader, place: place, stored: stored, stops: watches.stops, watch: watches.trips,
                plans: (plans["shape_point"], plans["stop_time"])),
            ZoneRules(connection: reader, place: place, watch: watches.calls?.zones),
        ]
        return ComparedRules(connection: reader, functions: functions, parts: parts)
    }

    private func watched(_ table: String, _ watch: SequenceWatch?) -> SequenceRules.Watched? {
        guard let plan = plans[table], let watch else { return nil }
        return SequenceRules.Watched(plan: plan, watch: watch)
    }

    /// Applies all other rules. Call it once there are indexes.
    func check(_ notices: inout NoticeLog) throws {
        watches.serviceDays.note(&notices)
        let checks = StoreChecks(
            connection: connection, files: files, plans: plans, repeatedKeys: repeatedKeys,
            translatedRecords: translatedRecords, kept: kept)
        // One transaction: a statement outside of one asks the system whether the file has changed.
        try connection.execute("BEGIN")
        try checks.run(&notices)
        try StoreRules(connection: connection, needs: needs, kept: kept, functions: functions).run(&notices)
        try connection.execute("COMMIT")
    }

    private var functions: RuleFunctions {
        RuleFunctions(
            stops: watches.stops, calls: watches.calls?.states ?? SequenceStates(),
            points: watches.points?.states ?? SequenceStates(), isCalled: watches.departures.isCalled)
    }

    private var needs: RuleNeeds {
        let points = watches.points
        let found = [
            "short_shapes": points?.states.hasOne ?? false,
            "blank_points": points?.hasBlankDistance ?? false,
            "call_distances": emptyColumns.mayFill("shape_dist_traveled", of: "stop_time"),
            "idle_stops": watches.departures.isCalled.count { $0 } < storedRows(of: "stop") ?? 0,
            "far_transfers": watches.transfers.mayBeFar,
        ]
        return RuleNeeds(
            files: files, plans: plans, facts: watches.facts, translatedRecords: translatedRecords,
            hasEverything: options.filter.isEmpty, found: Set(found.filter(\.value).keys))
    }
}
