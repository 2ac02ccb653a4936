import FoundationEssentials
import SQLite
import Testing
import TransitStore

@Suite struct BatchTests {
    /// In batches of a whole table and of listed rows.
    @Test func placesThatAreNotThereAreRefused() throws {
        let context = try TestStore.berlin().context()
        var listed = FetchRequest<StopTime>()
        listed.sortDescriptors = [.ascending(\.departureTime)]
        for request in [FetchRequest<StopTime>(), listed] {
            let batches = try context.fetchBatches(request)
            for index in [-1, batches.count, Int.min, Int.max] {
                #expect(throws: StoreError.self) { try batches.objectID(at: index) }
                #expect(throws: StoreError.self) { try batches.object(at: index) }
            }
        }
    }

    /// Trips of five calls each, at ten stops.
    private func fixture(trips: Int) throws -> TestStore {
        try TestStore { connection in
            for id in 0..<10 { try connection.insertStop(id, "Stop \(id)", 52, 13 + Double(id) / 100) }
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(trips * 5))
                INSERT INTO stop_time(trip, stop_sequence, stop, arrival_time, departure_time)
                SELECT i / 5, i % 5, i % 10, 28800 + i, 28800 + i FROM n
                """)
        }
    }

    @Test func aWholeTableIsReadInRangesOfKeys() throws {
        let context = try fixture(trips: 50).context()
        var request = FetchRequest<StopTime>()
        request.fetchBatchSize = 20
        let times = try context.fetchBatches(request)
        #expect(times.count == 250)
        #expect(context.statistics.statements == 1)
        #expect(times.map(\.departureTime?.seconds) == Array(28_800..<29_050))
        #expect(context.statistics.statements == 1 + 13)
        #expect(times[0].trip.id == 0)
        #expect(context.statistics.statements == 1 + 14)
        #expect(times[3].stopSequence == 3)
        #expect(context.statistics.statements == 1 + 14)
        #expect(try times.objectID(at: 249).description == "stop_time/49/4")
        #expect(context.lastError == nil)
    }

    @Test func `an offset leaves out the first rows of a table`() throws {
        let context = try fixture(trips: 2).context()
        var request = FetchRequest<StopTime>()
        (request.fetchOffset, request.fetchBatchSize) = (3, 2)
        let times = try context.fetchBatches(request)
        #expect(times.map(\.departureTime?.seconds) == Array(28_803..<28_810))
        #expect(try times.objectID(at: 0).description == "stop_time/0/3")
    }

    @Test func jumpsReadTheKeysOnce() throws {
        let context = try fixture(trips: 50).context()
        var request = FetchRequest<StopTime>()
        request.fetchBatchSize = 20
        let times = try context.fetchBatches(request)
        #expect(times[139].departureTime?.seconds == 28_939)
        #expect(context.statistics.statements == 1 + 2)
        for index in [249, 20, 100, 0, 19, 248] { #expect(times[index].departureTime?.seconds == 28_800 + index) }
        #expect(context.lastError == nil)
    }

    @Test func unsavedChangesTakePart() throws {
        let context = try fixture(trips: 4).context()
        var request = FetchRequest<StopTime>()
        request.sortDescriptors = [.ascending(\.departureTime)]
        request.fetchBatchSize = 3
        context.delete(try context.fetch(request)[7])
        let extra = context.insert(StopTime.self)
        try extra.setValue(28_800, for: "departureTime")
        let times = try context.fetchBatches(request)
        #expect(times.count == 20)
        #expect(times.filter { $0 === extra }.count == 1)
        #expect(times.compactMap(\.departureTime) == times.compactMap(\.departureTime).sorted())
        request.includesPendingChanges = false
        #expect(try context.fetchBatches(request).count == 20)
        #expect(try !context.fetchBatches(request).contains(extra))
    }

    @Test func filteredAndSortedBatchesKeepTheirOrder() throws {
        let context = try fixture(trips: 50).context()
        var request = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 3 })
        request.sortDescriptors = [.descending(\.departureTime)]
        request.fetchBatchSize = 7
        let times = try context.fetchBatches(request)
        #expect(times.count == 25)
        #expect(times.map(\.departureTime) == times.map(\.departureTime).sorted(by: >))
        #expect(times.allSatisfy { $0.stop.id == 3 })
    }

    @Test func batchesAreOrderedByTextKeysAndRowKeys() throws {
        let context = try TestStore.berlin().context()
        var terms = FetchRequest<SearchTerm>()
        terms.fetchBatchSize = 4
        let words = try context.fetchBatches(terms).map(\.normalizedWord)
        #expect(words == words.sorted())
        #expect(words.count == 23)
        var stops = FetchRequest<Stop>(where: #Predicate { $0.id != 3 })
        stops.fetchBatchSize = 2
        #expect(try context.fetchBatches(stops).map(\.id) == [0, 1, 2, 4, 5, 6, 7])
    }

    @Test func objectsOfOldBatchesGo() throws {
        let context = try fixture(trips: 200).context()
        var request = FetchRequest<StopTime>()
        request.fetchBatchSize = 10
        for time in try context.fetchBatches(request) { _ = time.departureTime }
        let alive = (0..<1_000).count { position in
            let id = "stop_time/\(position / 5)/\(position % 5)"
            return context.registeredObjects.contains { $0.objectID.description == id }
        }
        #expect(alive <= 50)
    }

    /// Trips of one route, so that the number of statements shows what was prefetched.
    private func fixtureWithTrips(_ trips: Int) throws -> TestStore {
        try TestStore { connection in
            for id in 0..<10 { try connection.insertStop(id, "Stop \(id)", 52, 13 + Double(id) / 100) }
            try connection.insert("route", "id, route_id, short_name", ["0, 'r', 'U1'"])
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(trips))
                INSERT INTO trip(id, trip_id, route) SELECT i, 't' || i, 0 FROM n
                """)
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(trips * 5))
                INSERT INTO stop_time(trip, stop_sequence, stop, departure_time)
                SELECT i / 5, i % 5, i % 10, 28800 + i FROM n
                """)
        }
    }

    @Test func aBatchCostsOneStatementForEachRelationship() throws {
        let context = try fixtureWithTrips(50).context()
        var request = FetchRequest<StopTime>()
        request.fetchBatchSize = 100
        request.relationshipKeyPathsForPrefetching = [\.trip.route]
        request.relationshipNamesForPrefetching = ["stop"]
        let times = try context.fetchBatches(request)
        #expect(context.statistics.statements == 1)
        var found = 0
        for time in times where time.trip.route.shortName == "U1" && time.stop.name.hasPrefix("Stop") { found += 1 }
        #expect(found == 250)
        // One count, then for each of three batches the rows, stops, trips and routes.
        #expect(context.statistics.statements == 1 + 3 * 4)
        request.relationshipNamesForPrefetching = ["nowhere"]
        #expect(throws: StoreError.self) { try context.fetchBatches(request) }
    }

    @Test func severalStoresAreReadSideBySide() throws {
        let (one, two) = (try fixture(trips: 20), try TestStore.berlin())
        let stores = [try one.open(), try two.open()]
        let context = StoreCoordinator(stores).makeContext()
        var request = FetchRequest<Stop>()
        request.fetchBatchSize = 4
        for terms in [[], [Sort<Stop>.descending(\.name, .locale("de"))], [.ascending(\.longitude), .ascending(\.id)]] {
            request.sortDescriptors = terms
            for (limit, offset) in [(0, 0), (7, 3), (100, 17), (0, 18)] {
                (request.fetchLimit, request.fetchOffset) = (limit, offset)
                let stops = try context.fetchBatches(request)
                #expect(Array(stops) == (try context.fetch(request)))
                #expect(try stops.indices.map { try stops.objectID(at: $0) } == stops.map(\.objectID))
            }
        }
        request.affectedStores = [stores[1]]
        (request.fetchLimit, request.fetchOffset) = (0, 0)
        #expect(try context.fetchBatches(request).count == 8)
        withExtendedLifetime((one, two)) {}
    }

    @Test func aBatchOfSeveralStoresPrefetchesFromEach() throws {
        let (one, two) = (try fixtureWithTrips(10), try fixtureWithTrips(10))
        let context = StoreCoordinator([try one.open(), try two.open()]).makeContext()
        var request = FetchRequest<StopTime>()
        request.sortDescriptors = [.ascending(\.departureTime)]
        request.fetchBatchSize = 20
        request.relationshipKeyPathsForPrefetching = [\.trip]
        let times = try context.fetchBatches(request)
        #expect(context.statistics.statements == 2)
        let found = times.map { (seconds: $0.departureTime?.seconds, trip: $0.trip.tripID) }
        #expect(found.map(\.seconds) == (0..<100).map { 28_800 + $0 / 2 })
        #expect(found.map(\.trip) == (0..<100).map { "t\($0 / 10)" })
        // Five batches; each reads rows and trips from two stores.
        #expect(context.statistics.statements == 2 + 5 * 2 * 2)
        withExtendedLifetime((one, two)) {}
    }

    @Test func anIndexPastTheEndStopsTheProgramWithAMessage() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try TestStore.berlin().context()
            let stops = try context.fetchBatches(FetchRequest<Stop>())
            _ = stops[7].name
            _ = stops[8].name
        }
        let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(message.contains("Index 8 is out of range 0..<8 of Stop"))
    }
}
