import FoundationEssentials
import SQLite
import Testing
import TransitStore

/// A request for groups may ask for values that the rows of a group share, and for aggregates.
@Suite struct GroupTests {
    let fixture = Result { try TestStore.berlin() }

    private static func message(_ property: String, _ part: String) -> StoreError {
        StoreError(
            .ungrouped,
            "\(property) in \(part) is neither grouped nor aggregated: rows of a group differ in it. Group by it as well, "
                + "or ask for its min or max")
    }

    /// Expects the same refusal in SQL, in memory, and for a count, before anything runs.
    private func expect(_ request: FetchRequest<StopTime>, _ error: StoreError) throws {
        let store = try fixture.get().open()
        let (plain, changed) = (store.makeContext(), store.makeContext())
        _ = changed.insert(Stop.self)
        let several = StoreCoordinator([store, try fixture.get().open()]).makeContext()
        for context in [plain, changed, several] {
            #expect(throws: error) { try context.fetchRows(request) }
            #expect(throws: error) { try context.forEachRow(of: request) { _ in } }
            #expect(throws: error) { try context.fetchCount(request) }
            #expect(context.statistics.statements == 0)
        }
        var shown = request
        shown.resultType = .dictionaries
        #expect(shown.description == error.message)
    }

    @Test func columnsThatAreNeitherGroupedNorAggregatedAreRefused() throws {
        var request = FetchRequest<StopTime>()
        request.propertiesToFetch = [.attribute(\.stop), .attribute(\.stop.name), .count()]
        request.propertiesToGroupBy = [.attribute(\.stop)]
        try expect(request, Self.message("stop.name", "the properties to fetch"))
        request.propertiesToGroupBy = [.attribute(\.stop.name)]
        try expect(request, Self.message("stop", "the properties to fetch"))
        request.propertiesToFetch = [.attribute(\.stop.name), .attribute(\.departureTime)]
        try expect(request, Self.message("departureTime", "the properties to fetch"))
        request.propertiesToFetch = []
        try expect(request, Self.message("trip", "the properties to fetch (all, as the request names none)"))
        // Aggregates make one group of all rows.
        request.propertiesToGroupBy = []
        request.propertiesToFetch = [.count(), .attribute(\.stopSequence)]
        try expect(request, Self.message("stopSequence", "the properties to fetch"))
    }

    @Test func conditionsAndOrdersOfGroupsAreAboutGroups() throws {
        var request = FetchRequest<StopTime>()
        request.propertiesToFetch = [.attribute(\.stop.name), .count()]
        request.propertiesToGroupBy = [.attribute(\.stop.name)]
        request.havingPredicate = Condition(#Predicate { $0.stopSequence > 2 })
        try expect(request, Self.message("stopSequence", "the condition on groups"))
        request.havingPredicate = .within(meters: 80, of: TestStore.pointOfInterest, at: \.stop)
        try expect(request, Self.message("stop.latitude", "the condition on groups"))
        request.havingPredicate = Condition(#Predicate { $0.stop.name != "Zoo" })
        request.sortDescriptors = [.ascending(\.stop.name), .descending(\.departureTime)]
        try expect(request, Self.message("departureTime", "the order"))
        request.sortDescriptors = [.ascending(\.stop.name, .folded)]
        #expect(try fixture.get().context().fetchRows(request).count == 4)
    }

    @Test func whatFollowsFromTheGroupedPropertiesIsAllowed() throws {
        var request = FetchRequest<StopTime>()
        request.propertiesToGroupBy = [.expression(.property(.root, ["departure_time"]), as: "at"), .attribute(\.stop)]
        request.propertiesToFetch = [
            .attribute(\.departureTime), .attribute(\.stop.id),
            .expression(.arithmetic(.divide, .property(.root, ["departureTime"]), .value(60)), as: "minute"),
            .expression(
                .arithmetic(.subtract, .aggregate(.max, .property(.root, ["stopSequence"])), .value(1)), as: "n"),
        ]
        request.havingPredicate = Condition(#Predicate { $0.stop.stopTimes.count > 2 })
        request.sortDescriptors = [.ascending(\.stop.id), .ascending(\.departureTime)]
        let context = try fixture.get().context()
        let rows = try context.fetchRows(request)
        #expect(rows.count == 8)
        #expect(try context.fetchCount(request) == 8)
        _ = context.insert(Level.self)
        #expect(try context.fetchRows(request) == rows)
    }

    /// Without propertiesToFetch, a request asks for all properties. Rows of a group do not share all of them.
    @Test func groupsAreCountedByTheirProperties() throws {
        var request = FetchRequest<StopTime>()
        request.propertiesToGroupBy = [.attribute(\.stop)]
        try expect(request, Self.message("trip", "the properties to fetch (all, as the request names none)"))
        request.propertiesToFetch = request.propertiesToGroupBy
        let context = try fixture.get().context()
        #expect(try context.fetchCount(request) == 5)
        _ = context.insert(Level.self)
        #expect(try context.fetchCount(request) == 5)
    }

    @Test func havingAndAggregatesWithoutGroupsAreRefused() throws {
        let context = try fixture.get().context()
        var request = FetchRequest<Stop>()
        request.propertiesToFetch = [.attribute(\.name)]
        request.havingPredicate = Condition(#Predicate { $0.name != "Zoo" })
        #expect(
            throws: StoreError(
                .ungrouped,
                "havingPredicate is about groups, and the request has none: name what to group by, or make it the predicate"
            )
        ) { try context.fetchRows(request) }
        let many = Condition<Stop>(.comparison(.greater, .aggregate(.count, nil), .value(4)))
        request.propertiesToFetch = [.count()]
        request.havingPredicate = many
        #expect(try context.fetchRows(request).map { $0[0] } == [8])
        for (request, reason) in [
            (FetchRequest<Stop>(where: many), "a predicate tests single rows"),
            (
                {
                    var sorted = FetchRequest<Stop>()
                    sorted.sortDescriptors = [.by(.aggregate(.count, nil))]
                    return sorted
                }(), "only dictionary results have groups"
            ),
        ] {
            let error = #expect(throws: StoreError.self) { try context.fetch(request) }
            #expect(error?.code == .ungrouped)
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        }
    }

    @Test func aggregatesOfAggregatesAndGroupsByThemAreRefused() throws {
        var request = FetchRequest<StopTime>()
        request.propertiesToFetch = [.expression(.aggregate(.max, .aggregate(.count, nil)), as: "most")]
        try expect(
            request,
            StoreError(.ungrouped, "@max(@count) nests aggregates; a group has only one value of the inner one"))
        request.propertiesToFetch = [.count()]
        request.propertiesToGroupBy = [.count()]
        try expect(
            request,
            StoreError(
                .ungrouped,
                "propertiesToGroupBy has an aggregate, which is known only after grouping; group by plain properties"))
    }

    @Test func groupsAreNoObjects() async throws {
        let context = try fixture.get().context()
        var grouped = FetchRequest<StopTime>()
        grouped.propertiesToGroupBy = [.attribute(\.stop)]
        var having = FetchRequest<StopTime>()
        having.havingPredicate = .count() > 1
        let error = StoreError(.ungrouped, "Groups are not objects and have no ids: fetch them with fetchRows(_:)")
        for request in [grouped, having] {
            #expect(throws: error) { try context.fetch(request) }
            #expect(throws: error) { try context.fetchIDs(request) }
            #expect(throws: error) { try context.fetchBatches(request) }
            await #expect(throws: error) { _ = try await context.fetchInBackground(request) }
        }
    }

    @Test func requestsInWordsAreRefusedAlike() throws {
        let store = try fixture.get().open()
        var text = RequestText(entity: "StopTime")
        text.groupBy = "stop.name"
        text.properties = "stop.name, departureTime, @count"
        let request: FetchRequest<StopTime> = try text.request(in: store)
        #expect(throws: Self.message("departureTime", "the properties to fetch")) {
            try store.makeContext().fetchRows(request)
        }
        text.properties = ""
        text.sort = "stopSequence"
        let sorted: FetchRequest<StopTime> = try text.request(in: store)
        #expect(throws: Self.message("stopSequence", "the order")) {
            try store.makeContext().fetchRows(sorted)
        }
    }

    /// In GTFS an empty type is 0, as `locationType = 0` and sections have it: one group.
    @Test(arguments: ["locationType", "location_type"])
    func anEmptyNumberIsInTheGroupOfWhatItMeans(name: String) throws {
        let (one, other) = (try fixture.get().open(), try fixture.get().open())
        var text = RequestText(entity: "Stop")
        (text.groupBy, text.sort) = (name, name)
        text.properties = "\(name) AS type, \(name) + 10 AS more, @count AS n"
        let (plain, changed) = (one.makeContext(), one.makeContext())
        try changed.object(Stop.self, id: 7)?.set(\.code, to: "x")
        for context in [plain, changed, StoreCoordinator([one, other]).makeContext()] {
            let factor = Int64(context.stores.count)
            func rows(_ text: RequestText) throws -> [[QueryValue]] {
                let request: FetchRequest<Stop> = try text.request(in: one)
                let rows = try context.fetchRows(request)
                #expect(try context.fetchCount(request) == rows.count)
                return rows.map { row in (0..<3).map { row[$0] } }
            }
            let n = [6, 1, 1].map { QueryValue.integer($0 * factor) }
            #expect(try rows(text) == [[0, 10, n[0]], [1, 11, n[1]], [3, 13, n[2]]])
            for (having, types) in [("\(name) = 0", [0]), ("\(name) > 0", [1, 3]), ("\(name) = NIL", [])] {
                var some = text
                some.having = having
                #expect(try rows(some).map { $0[0] } == types.map { QueryValue.integer(Int64($0)) }, "\(having)")
            }
        }
    }

    /// 0 for a stop without a type, nil for a call whose stop has no station.
    @Test func groupsBehindARelationshipHaveTheirOwnNull() throws {
        let context = try fixture.get().context()
        var request = FetchRequest<StopTime>()
        let type = FetchedProperty<StopTime>.attribute(\.stop.locationType)
        (request.propertiesToFetch, request.propertiesToGroupBy) = ([type, .count()], [type])
        #expect(try context.fetchRows(request).map { [$0[0], $0[1]] } == [[0, 14]])
        var stations = FetchRequest<Stop>()
        let kind = FetchedProperty<Stop>.attribute(\.parentStation?.locationType)
        (stations.propertiesToFetch, stations.propertiesToGroupBy) = ([kind, .count()], [kind])
        for isChanged in [false, true] {
            if isChanged { try context.object(Stop.self, id: 1)?.set(\.locationType, to: .platform) }
            let rows = try context.fetchRows(stations).map { [$0[0], $0[1]] }
            #expect(Set(rows) == [[.null, 6], [isChanged ? 0 : 1, 2]])
        }
    }

    /// A store has only one kind of empty text, so all empty texts are in one group.
    @Test func emptyTextsStayEmpty() throws {
        let context = try fixture.get().context()
        let name = FetchedProperty<Stop>.attribute(\.name)
        var request = FetchRequest<Stop>(sortedBy: .ascending(\.name))
        (request.propertiesToFetch, request.propertiesToGroupBy) = ([name, .count()], [name])
        #expect(try context.fetchRows(request).first.map { [$0[0], $0[1]] } == [.null, 1])
    }

    /// A row's number and an equal fraction are one group, as in SQL, also where one of the rows was changed.
    @Test func numbersOfRowsAndEqualFractionsAreOneGroup() throws {
        let context = try TestStore.berlin().context()
        let value = try FetchedProperty<Stop>(format: "TERNARY(id = 0, 1.0, id)", as: "value")
        let request = FetchRequest<Stop>().selecting(value, .count()).groups(by: value, having: .count() > 1)
        #expect(try context.fetchRows(request).map { [$0["value"].double, $0["count"].double] } == [[1, 2]])
        try #require(try context.object(Stop.self, id: 1)).set(\.code, to: "new")
        #expect(try context.fetchRows(request).map { [$0["value"].double, $0["count"].double] } == [[1, 2]])
    }

    /// Averages do not overflow, with unsaved changes and over several stores, which put them together from sums.
    @Test func averagesOfGreatNumbersAreTaken() async throws {
        let store = try fixture.get().open()
        let request = FetchRequest<StopTime>().selecting(.average(\.departureTime, as: "mean"), .count(as: "count"))
        let context = store.makeContext()
        let calls = try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.departureTime != nil }))
        for call in calls { try call.set(\.departureTime, to: ServiceTime(seconds: .max)) }
        let row = try #require(try context.fetchRows(request).first)
        #expect(row["mean"] == .double(0x1p63))
        #expect(try await context.fetchRowsInBackground(request) == [row])
        let sum = request.selecting(.sum(\.departureTime))
        #expect { try context.fetchRows(sum) } throws: { ($0 as? StoreError)?.code == .overflow }
        let great = try (0..<2).map { _ in
            try TestStore { connection in
                try connection.execute(
                    """
                    INSERT INTO stop_time(trip, stop_sequence, departure_time)
                    VALUES (1, 1, 9223372036854775807), (1, 2, 9223372036854775807)
                    """)
            }
        }
        let several = StoreCoordinator(try great.map { try $0.open() }).makeContext()
        #expect(try several.fetchRows(request).map { [$0["mean"], $0["count"]] } == [[.double(0x1p63), 4]])
    }
}
