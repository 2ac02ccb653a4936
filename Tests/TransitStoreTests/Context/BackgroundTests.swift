import FoundationEssentials
import SQLite
import Testing
@testable import TransitStore

/// Background fetches over one store or several, with and without unsaved changes.
@Suite struct BackgroundTests {
    /// A store on which `slow` compares every pair of 20,000 stop times without an index, which takes some seconds.
    private static func slowStore() throws -> TestStore {
        try TestStore { connection in
            try connection.insertStop(0, "Stop", 52, 13)
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO stop_time(trip, stop_sequence, stop, departure_time) SELECT i, 1, 0, i FROM n
                """)
        }
    }
    private static let slow = FetchRequest<StopTime>(
        where: #Predicate { $0.stop.stopTimes.filter { $0.departureTime!.seconds * 2 < 0 }.count > 5 })

    @Test func severalStoresAreReadInTheBackground() async throws {
        let (one, two) = (try TestStore.berlin(), try TestStore.berlin())
        let coordinator = StoreCoordinator([try one.open(), try two.open()])
        var request = FetchRequest<Stop>(where: #Predicate { $0.id < 3 })
        request.sortDescriptors = [.descending(\.id)]
        (request.fetchOffset, request.fetchLimit) = (1, 4)
        request.relationshipKeyPathsForPrefetching = [\.stopTimes]
        let context = coordinator.makeContext()
        let stops = try await context.fetchInBackground(request)
        #expect(stops.map(\.id) == [2, 1, 1, 0])
        #expect(stops == (try context.fetch(request)))
        #expect(stops.map(\.stopTimes.count) == [5, 0, 0, 2])
        #expect(try await context.fetchFirstInBackground(request) === stops.first)
        let nothing = try await StoreCoordinator([]).makeContext().fetchInBackground(request)
        #expect(nothing.isEmpty)
        #expect(try await StoreCoordinator([]).makeContext().fetchFirstInBackground(request) == nil)
    }

    @Test func unsavedChangesAreSeenInTheBackground() async throws {
        let test = try TestStore.berlin()
        let context = try test.context()
        try #require(try context.object(Stop.self, id: 7)).setValue("Hauptbahnhof", for: "name")
        let extra = context.insert(StopTime.self)
        for (name, value) in ["trip": 0, "stop": 7, "stopSequence": 9] as [String: QueryValue] {
            try extra.setValue(value, for: name)
        }
        context.delete(
            try #require(try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 5 })).first))
        let request = FetchRequest<StopTime>(where: #Predicate { $0.stop.name == "Hauptbahnhof" })
        let times = try await context.fetchInBackground(request)
        #expect(times == (try context.fetch(request)))
        #expect(times.count == 2 && times.last == extra)
    }

    /// The actor keeps running while rows are read, so it may make changes that decide which rows match.
    @Test @MainActor func changesMadeMeanwhileAreSeen() async throws {
        let test = try Self.slowStore()
        let context = try test.context()
        let request = FetchRequest<StopTime>()
        let change = Task { context.insert(StopTime.self).objectID }
        let found = try await context.fetchInBackground(request)
        let inserted = await change.value
        #expect(found.contains { $0.objectID == inserted })
        #expect(Set(found.map(\.objectID)) == Set(try context.fetch(request).map(\.objectID)))
    }

    @Test @MainActor func changesMadeMeanwhileAreCounted() async throws {
        let context = try TestStore.berlin().context()
        let request = FetchRequest<Stop>()
        let before = try context.fetchCount(request)
        var change = Task { context.insert(Stop.self).objectID }
        #expect(try await context.fetchCountInBackground(request) == before + 1)
        let first = await change.value
        context.rollback()
        change = Task { context.insert(Stop.self).objectID }
        let ids = try await context.fetchIDsInBackground(request)
        let second = await change.value
        #expect(ids.count == before + 1 && ids.contains(second) && !ids.contains(first))
        context.rollback()
        change = Task { context.insert(Stop.self).objectID }
        #expect(try await context.fetchRowsInBackground(request).count == before + 1)
        _ = await change.value
        var stored = request
        stored.includesPendingChanges = false
        change = Task { context.insert(Stop.self).objectID }
        #expect(try await context.fetchCountInBackground(stored) == before)
        _ = await change.value
    }

    /// A loop may take its time. The limit applies to each piece that is read, not to earlier work on the connection.
    @Test func theTimeLimitBeginsAnewWithEachPiece() async throws {
        let test = try TestStore { connection in
            for id in 0..<3_000 { try connection.insertStop(id, "Stop \(id)", 52, 13) }
        }
        let context = try test.open { $0.timeLimit = 1 }.makeContext()
        #expect(try await context.fetchCountInBackground(FetchRequest<Stop>()) == 3_000)
        try await Task.sleep(for: .milliseconds(1_100))
        var count = 0
        for try await _ in context.rowsInBackground(of: FetchRequest<Stop>()) { count += 1 }
        #expect(count == 3_000)
    }

    /// Cancels the fetch while one of the stores runs its statement.
    private func expectCancellation(
        of stores: [TransitStore], _ fetch: @escaping @Sendable () async throws -> Int
    ) async throws {
        let task = Task(operation: fetch)
        while !stores.contains(where: { $0.threads.load.running > 0 }) { await Task.yield() }
        try await Task.sleep(nanoseconds: 50_000_000)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// One changed object may take minutes: it has 20,000 calls, each of which is tested with all of them.
    @Test func theTestOfOneObjectStopsWhenCancelled() async throws {
        let store = try Self.slowStore().open()
        try await expectCancellation(of: [store]) {
            let context = store.makeContext()
            let stop = try #require(try context.object(Stop.self, id: 0))
            try stop.setValue("x", for: "code")
            return try await context.fetchCountInBackground(
                FetchRequest<Stop>(
                    where: #Predicate { stop in
                        stop.stopTimes.filter { call in
                            stop.stopTimes.filter { $0.departureTime!.seconds + call.departureTime!.seconds < 0 }.count
                                > 5
                        }.count > 5
                    }))
        }
    }

    @Test func fetchesOverSeveralStoresStopWhenCancelled() async throws {
        let test = try Self.slowStore()
        let stores = [try test.open(), try test.open()]
        let coordinator = StoreCoordinator(stores)
        try await expectCancellation(of: stores) {
            try await coordinator.makeContext().fetchInBackground(Self.slow).count
        }
        #expect(try coordinator.makeContext().fetchCount(FetchRequest<Stop>()) == 2)
    }

    @Test func fetchesWithUnsavedChangesStopWhenCancelled() async throws {
        let test = try Self.slowStore()
        let store = try test.open()
        try await expectCancellation(of: [store]) {
            let context = store.makeContext()
            _ = context.insert(Route.self)
            return try await context.fetchInBackground(Self.slow).count
        }
        #expect(try store.makeContext().fetchCount(FetchRequest<Stop>()) == 1)
    }
}
