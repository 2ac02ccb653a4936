import FoundationEssentials
import Testing
import TransitStore

@Suite struct SeveralStoresTests {
    private func twoStores() throws -> (fixtures: [TestStore], coordinator: StoreCoordinator) {
        let berlin = try TestStore.berlin()
        let brandenburg = try TestStore { connection in
            try connection.insertStop(0, "Bernau", 52.68, 13.59)
            try connection.insertStop(1, "Zeuthen", 52.35, 13.62)
            try connection.insertStop(2, "Ahrensfelde", 52.57, 13.56)
            try connection.insert(
                "stop_time", "trip, stop_sequence, stop, departure_time", ["0, 1, 0, 28800", "0, 2, 2, 29000"])
        }
        return ([berlin, brandenburg], StoreCoordinator([try berlin.open(), try brandenburg.open()]))
    }

    @Test func rowsAreSortedAndLimitedAcrossStores() throws {
        let (fixtures, coordinator) = try twoStores()
        let context = coordinator.makeContext()
        var request = FetchRequest<Stop>(where: #Predicate { $0.name != "" })
        request.sortDescriptors = [.ascending(\.name, .locale("de"))]
        request.fetchLimit = 4
        #expect(try context.fetch(request).map(\.name).map { $0.prefix(4) } == ["Ahre", "Bern", "Gede", "Ölmü"])
        request.fetchOffset = 3
        #expect(try context.fetch(request).map(\.name).map { $0.prefix(4) } == ["Ölmü", "S+U ", "U Gö", "U Ko"])
        request.affectedStores = [coordinator.stores[1]]
        request.fetchOffset = 0
        #expect(try context.fetch(request).map(\.name) == ["Ahrensfelde", "Bernau", "Zeuthen"])
        withExtendedLifetime(fixtures) {}
    }

    @Test func countsAndRelationshipsAreThoseOfEachStore() throws {
        let (fixtures, coordinator) = try twoStores()
        let context = coordinator.makeContext()
        var request = FetchRequest<Stop>()
        #expect(try context.fetchCount(request) == 11)
        request.fetchOffset = 4
        request.fetchLimit = 5
        #expect(try context.fetchCount(request) == 5)
        let first = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.id == 0 }))
        #expect(first.map(\.name) == ["U Görlitzer Bahnhof (Berlin)", "Bernau"])
        #expect(first[0] != first[1])
        #expect(first.map(\.stopTimes.count) == [2, 1])
        #expect(first[1].stopTimes[0]?.stop === first[1])
        withExtendedLifetime(fixtures) {}
    }

    /// Equally good hits come in the order of the context's stores, in whatever order those were opened.
    @Test func searchesAreInTheOrderOfTheStores() throws {
        let fixtures = try ["first", "second"].map { platform in
            try TestStore { try $0.insertStop(0, "Bernau", 52.68, 13.59, platform: platform) }
        }
        let second = try fixtures[1].open()
        let context = StoreCoordinator([try fixtures[0].open(), second]).makeContext()
        let place = Coordinate(latitude: 52.68, longitude: 13.59)
        #expect(try context.nearestStops(to: place).map(\.platformCode) == ["first", "second"])
        #expect(try context.nearestStops(to: place, limit: 1).map(\.platformCode) == ["first"])
        #expect(try context.searchStops("s0").map(\.platformCode) == ["first", "second"])
        #expect(try context.searchStops("s0", limit: 1).map(\.platformCode) == ["first"])
        withExtendedLifetime(fixtures) {}
    }

    @Test func groupsByKeysStayInTheirStores() throws {
        let (fixtures, coordinator) = try twoStores()
        var request = FetchRequest<StopTime>()
        request.propertiesToFetch = [.attribute(\.trip), .count(as: "calls"), .min(\.departureTime, as: "first")]
        request.propertiesToGroupBy = [.attribute(\.trip)]
        request.sortDescriptors = [.ascending(\.trip.id)]
        let rows = try coordinator.makeContext().fetchRows(request)
        #expect(rows.map { $0["trip"] } == [0, 0, 1, 2, 3, 4, 5])
        #expect(rows.map { $0["calls"] } == [3, 2, 3, 2, 3, 1, 2])
        #expect(rows[0]["first"] == 28_560)
        withExtendedLifetime(fixtures) {}
    }

    /// Two copies of one feed have the same keys for different rows. Each row stays in a group of its own store, while
    /// texts and missing references of both stores are in one group.
    @Test(arguments: [
        ("trip", 2), ("stop", 2), ("stop.id", 2), ("stop.parentStation", 2), ("trip.route", 2), ("stop.name", 1),
        ("trip.directionID", 1),
    ])
    func groupsOfRowsStayInTheirStores(path: String, copies: Int) throws {
        let expression = QueryExpression.property(.root, PropertyPath(path.split(separator: ".").map(String.init)))
        try expectGroups(by: expression, copies: copies)
    }

    /// Calls by station: that of a platform, or the stop itself.
    @Test func groupsByAComputedKeyStayInTheirStores() throws {
        let station = QueryExpression.property(.root, ["stop", "parentStation", "id"])
        try expectGroups(by: .coalesce(station, .property(.root, ["stop", "id"])), copies: 2)
    }

    /// Sections as well, whatever the rows within them are sorted by.
    @Test func sectionsByAKeyStayInTheirStores() throws {
        let fixture = try TestStore.berlin()
        let both = StoreCoordinator([try fixture.open(), try fixture.open()]).makeContext()
        let request = FetchRequest<StopTime>(sortedBy: .descending(\.stopSequence))
        let results = try FetchedResults(request, sectionedBy: \.trip.id, in: both)
        #expect(results.sections.map(\.name) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
        for section in results.sections {
            let calls = section.range.map { results[$0] }
            #expect(Set(calls.map(\.trip)).count == 1)
            #expect(calls.map(\.stopSequence) == calls.map(\.stopSequence).sorted(by: >))
        }
        let byName = try FetchedResults(request, sectionedBy: \.stop.name, in: both)
        #expect(byName.sections.count == Set(byName.objects.map(\.stop.name)).count)
    }

    private func expectGroups(by expression: QueryExpression, copies: Int) throws {
        let fixture = try TestStore.berlin()
        let one = try fixture.context()
        let both = StoreCoordinator([try fixture.open(), try fixture.open()]).makeContext()
        var request = FetchRequest<StopTime>()
        request.propertiesToFetch = [.expression(expression, as: "value"), .count(as: "calls")]
        request.propertiesToGroupBy = [.expression(expression, as: "value")]
        func groups(_ rows: [ResultRow]) -> [[QueryValue]] { rows.map { [$0[0], $0[1]] } }
        let groupsOfOne = groups(try one.fetchRows(request))
        let expected = groupsOfOne.flatMap { group in
            let isOne = copies == 1 || group[0] == .null
            return isOne ? [[group[0], .integer((group[1].integer ?? 0) * 2)]] : [group, group]
        }
        let found = groups(try both.fetchRows(request))
        #expect(Set(found) == Set(expected) && found.count == expected.count)
        #expect(try both.fetchCount(request) == expected.count)

        request.propertiesToGroupBy = []
        request.propertiesToFetch.removeLast()
        request.returnsDistinctResults = true
        #expect(try both.fetchRows(request).count == expected.count)
        #expect(try both.fetchCount(request) == expected.count)
    }

    /// A request without unsaved changes finds the rows of its stores, in the stores' order and with the stores'
    /// values, although the context's objects have other values.
    @Test func requestsWithoutUnsavedChangesFindTheStoresRows() async throws {
        let (fixtures, coordinator) = try twoStores()
        let (clean, context) = (coordinator.makeContext(), coordinator.makeContext())
        var request = FetchRequest<StopTime>(where: #Predicate { $0.stop.name != "Zoo" })
        request.sortDescriptors = [.descending(\.stop.name), .ascending(\.trip.id), .ascending(\.stopSequence)]
        var table = request.selecting(.attribute(\.stop.name), .count(), .min(\.departureTime, as: "first"))
        table = table.groups(by: .attribute(\.stop.name)).sorted(by: .by(.count()), .ascending(\.stop.name))
        for (position, call) in try context.fetch(request).enumerated() {
            try call.set(\.departureTime, to: ServiceTime(hours: position % 7))
            if position % 5 == 0 { context.delete(call) }
        }
        for stop in try context.fetch(FetchRequest<Stop>()) { try stop.set(\.name, to: "Zoo") }
        _ = context.insert(StopTime.self)
        (request.includesPendingChanges, table.includesPendingChanges) = (false, false)
        for (limit, offset) in [(0, 0), (5, 3)] {
            (request.fetchLimit, request.fetchOffset) = (limit, offset)
            let expected = try clean.fetchIDs(request)
            #expect(expected.count == (limit == 0 ? try clean.fetchCount(request) : 5))
            #expect(try context.fetchIDs(request) == expected)
            #expect(try context.fetch(request).map(\.objectID) == expected)
            #expect(try context.fetchBatches(request).map(\.objectID) == expected)
            #expect(try await context.fetchIDsInBackground(request) == expected)
            #expect(try await context.fetchInBackground(request).map(\.objectID) == expected)
            #expect(try await context.fetchCountInBackground(request) == expected.count)
        }
        #expect(try context.fetchRows(table) == clean.fetchRows(table))
        #expect(try await context.fetchRowsInBackground(table) == clean.fetchRows(table))
        #expect(try context.fetchCount(request) == clean.fetchCount(request))
        // The objects keep the values that were set.
        #expect(try context.fetch(request).allSatisfy { ($0.departureTime?.seconds ?? 0) < 25_000 })
        withExtendedLifetime(fixtures) {}
    }

    /// The rows without a station are one section, in the order of the request, whichever store they are of.
    @Test(arguments: [false, true])
    func aSectionOfSeveralStoresIsInOrder(isChanged: Bool) throws {
        func make(_ names: [String]) throws -> TestStore {
            try TestStore { connection in
                try connection.insertStop(0, names[0], 52, 13, type: 1)
                for (id, name) in names.enumerated().dropFirst() {
                    try connection.insertStop(id, name, 52, 13, parent: id == 3 ? 0 : nil)
                }
            }
        }
        let stores = [try make(["e", "c", "a", "b"]), try make(["f", "b", "d", "a"])]
        let context = StoreCoordinator(try stores.map { try $0.open() }).makeContext()
        if isChanged { try context.insert(Stop.self).set(\.name, to: "bb") }
        let free = ["a", "b"] + (isChanged ? ["bb"] : []) + ["c", "d", "e", "f"]
        let order = FetchRequest<Stop>(sortedBy: .ascending(\.name))
        let results = try FetchedResults(order, sectionedBy: \.parentStation, in: context)
        #expect(results.sections.map(\.name) == [nil, 0, 0])
        #expect(results.sections.map { $0.range.map { results[$0].name } } == [free, ["b"], ["a"]])
    }

    /// The number of a reference that leads nowhere, -1, is the same in all stores.
    @Test func aSectionOfMissingRowsIsInOrder() throws {
        let stores = try [[30, 10], [20]].map { times in
            try TestStore { connection in
                try connection.insert(
                    "stop_time", "trip, stop_sequence, departure_time",
                    times.enumerated().map { "\($0.offset), 0, \($0.element)" })
            }
        }
        let context = StoreCoordinator(try stores.map { try $0.open() }).makeContext()
        let order = FetchRequest<StopTime>(sortedBy: .ascending(\.departureTime))
        let results = try FetchedResults(order, sectionedBy: \.stop.id, in: context)
        #expect(results.sections.map(\.name) == [-1])
        #expect(results.objects.map { $0.departureTime?.seconds } == [10, 20, 30])
    }

    @Test func anInsertedObjectHasRowsOfAllStores() throws {
        let (fixtures, coordinator) = try twoStores()
        let context = coordinator.makeContext()
        let extra = context.insert(Stop.self)
        let calls = try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 0 }))
        #expect(Set(calls.map(\.stop)).count > 2)
        for call in calls { try call.set(\.stop, to: extra) }
        #expect(calls.allSatisfy { $0.stop === extra })
        #expect(Set(extra.stopTimes) == Set(calls) && extra.stopTimes.count == calls.count)
        #expect(Set(try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.stop == extra }))) == Set(calls))
        let other = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.name == "Ahrensfelde" }))
        try other[0].set(\.parentStation, to: extra)
        #expect(extra.childStops.objects == other)
        withExtendedLifetime(fixtures) {}
    }

    /// An inserted object that refers to a row of the second store is among the objects related to that row.
    @Test func anInsertedObjectRefersToARowOfTheSecondStore() throws {
        let (fixtures, coordinator) = try twoStores()
        let context = coordinator.makeContext()
        let stops = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.id == 1 }))
        #expect(stops.count == 2)
        let before = stops.map(\.stopTimes.count)
        let call = context.insert(StopTime.self)
        try call.set(\.stop, to: stops[1])
        #expect(call.stop === stops[1])
        #expect(stops[1].stopTimes.contains(call) && !stops[0].stopTimes.contains(call))
        #expect(stops.map(\.stopTimes.count) == [before[0], before[1] + 1])
        // The same number means different rows in different stores.
        let trip = try #require(try context.object(Trip.self, id: 0))
        let error = #expect(throws: StoreError.self) { try call.set(\.trip, to: trip) }
        #expect(error?.message == "StopTime.trip takes a row of trip, or its id, not trip/0 of another store")
        #expect(throws: StoreError.self) { try call.setValue(trip.objectID, for: "trip") }
        // An inserted trip is in no store yet.
        let inserted = context.insert(Trip.self)
        try call.setValue(inserted.objectID, for: "trip")
        #expect(call.trip === inserted && call.stop === stops[1])
        try call.set(\.stop, to: stops[0])
        #expect(call.stop === stops[0] && stops.map(\.stopTimes.count) == [before[0] + 1, before[1]])
        try call.set(\.trip, to: trip)
        try call.setValue(stops[0].objectID, for: "stop")
        #expect(call.stop === stops[0])
        context.rollback()
        #expect(stops.map(\.stopTimes.count) == before)
        withExtendedLifetime(fixtures) {}
    }

    @Test func storesThatTheContextDoesNotHaveAreRefused() throws {
        let (fixtures, coordinator) = try twoStores()
        let context = coordinator.makeContext()
        let again = try coordinator.stores[0].reopened()
        var request = FetchRequest<Stop>()
        request.propertiesToFetch = [.attribute(\.name)]
        request.affectedStores = [coordinator.stores[1], again]
        let error = StoreError(
            .unknownStore,
            "affectedStores names a store of \(again.path) that the context does not have; a store that was opened again is "
                + "another one")
        #expect(throws: error) { try context.fetch(request) }
        #expect(throws: error) { try context.fetchCount(request) }
        #expect(throws: error) { try context.fetchIDs(request) }
        #expect(throws: error) { try context.fetchRows(request) }
        #expect(throws: error) { try context.fetchBatches(request) }
        #expect(throws: error) { try context.explain(request) }
        withExtendedLifetime(fixtures) {}
    }
}
