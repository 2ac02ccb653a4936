import FoundationEssentials
import SQLite
import Testing
import TransitStore

@Suite struct BatchTests {
    /// Of a whole table, of listed rows and of rows in memory.
    @Test func placesThatAreNotThereAreRefused() throws {
        let context = try TestStore.berlin().context()
        var listed = FetchRequest<StopTime>()
        listed.sortDescriptors = [.ascending(\.departureTime)]
        for request in [FetchRequest<StopTime>(), listed] {
            let batches = try context.batches(request)
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
        let times = try context.batches(request)
        #expect(times.count == 250)
        #expect(context.statistics.statements == 1)
        #expect(times.map(\.departureTime.seconds) == Array(28_800..<29_050))
        #expect(context.statistics.statements == 1 + 13)
        #expect(times[0].trip.id == 0)
        #expect(context.statistics.statements == 1 + 14)
        #expect(times[3].stopSequence == 3)
        #expect(context.statistics.statements == 1 + 14)
        #expect(try times.objectID(at: 249).description == "stop_time/49/4")
        #expect(context.lastError == nil)
    }

    @Test func jumpsReadTheKeysOnce() throws {
        let context = try fixture(trips: 50).context()
        var request = FetchRequest<StopTime>()
        request.fetchBatchSize = 20
        let times = try context.batches(request)
        #expect(times[139].departureTime.seconds == 28_939)
        #expect(context.statistics.statements == 1 + 2)
        for index in [249, 20, 100, 0, 19, 248] { #expect(times[index].departureTime.seconds == 28_800 + index) }
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
        let times = try context.batches(request)
        #expect(times.count == 20)
        #expect(times.filter { $0 === extra }.count == 1)
        #expect(times.map(\.departureTime.seconds) == times.map(\.departureTime.seconds).sorted())
        request.includesPendingChanges = false
        #expect(try context.batches(request).count == 20)
        #expect(try !context.batches(request).contains(extra))
    }

    @Test func filteredAndSortedBatchesKeepTheirOrder() throws {
        let context = try fixture(trips: 50).context()
        var request = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 3 })
        request.sortDescriptors = [.descending(\.departureTime)]
        request.fetchBatchSize = 7
        let times = try context.batches(request)
        #expect(times.count == 25)
        #expect(times.map(\.departureTime) == times.map(\.departureTime).sorted(by: >))
        #expect(times.allSatisfy { $0.stop.id == 3 })
    }

    @Test func textKeysAndRowKeys() throws {
        let context = try TestStore.berlin().context()
        var terms = FetchRequest<SearchTerm>()
        terms.fetchBatchSize = 4
        let words = try context.batches(terms).map(\.normalizedWord)
        #expect(words == words.sorted())
        #expect(words.count == 23)
        var stops = FetchRequest<Stop>(where: #Predicate { $0.id != 3 })
        stops.fetchBatchSize = 2
        #expect(try context.batches(stops).map(\.id) == [0, 1, 2, 4, 5, 6, 7])
    }

    @Test func objectsOfOldBatchesGo() throws {
        let context = try fixture(trips: 200).context()
        var request = FetchRequest<StopTime>()
        request.fetchBatchSize = 10
        for time in try context.batches(request) { _ = time.departureTime }
        let alive = (0..<1_000).count { position in
            let id = "stop_time/\(position / 5)/\(position % 5)"
            return context.registeredObjects.contains { $0.objectID.description == id }
        }
        #expect(alive <= 50)
    }

    @Test func sectionsByAKeyPath() throws {
        let context = try TestStore.berlin().context()
        var request = FetchRequest<StopTime>()
        request.sortDescriptors = [.ascending(\.departureTime)]
        let results = try FetchedResults(request, sectionedBy: \.trip.route.shortName, in: context)
        #expect(results.sections.map(\.name) == ["M29", "N1", "U1"])
        #expect(results.sections.map(\.count) == [4, 2, 8])
        #expect(results[2, 0].departureTime == ServiceTime(seconds: 28_560))
        #expect(results[2, 7].departureTime == ServiceTime(seconds: 36_600))
        #expect(results.sections[1].range == 4..<6)
        #expect(results[4].trip.id == 5)
        request.fetchLimit = 3
        #expect(throws: StoreError.self) { try FetchedResults(request, sectionedBy: \.trip.id, in: context) }
    }
}
