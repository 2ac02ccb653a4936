import FoundationEssentials
import SQLite
import Testing
@testable import TransitStore

@Suite struct ConcurrencyTests {
    @Test func contextsInParallelGiveTheSameAnswers() async throws {
        let fixture = try TestStore.berlin()
        let store = try fixture.open()
        let request = FetchRequest<Stop>(where: .name(beginsWith: "u k"))
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let context = store.makeContext()
                    return try (0..<50).reduce(0) { sum, _ in
                        try context.fetch(request).reduce(sum) { $0 + $1.stopTimes.map(\.trip.route.shortName).count }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 250, count: 8))
    }

    @Test func aFetchInTheBackgroundPrefetchesToo() async throws {
        let fixture = try TestStore.berlin()
        let context = try fixture.context()
        var request = FetchRequest<Stop>(where: #Predicate { $0.id < 3 })
        request.relationshipKeyPathsForPrefetching = [\.stopTimes]
        let stops = try await context.fetchInBackground(request)
        #expect(stops.map(\.id) == [0, 1, 2])
        #expect(stops.map(\.stopTimes.count) == [2, 0, 5])
        #expect(context.statistics.statements == 2)
    }

    @Test func aCancelledFetchStopsItsStatement() async throws {
        // A condition that takes long: every pair of 20,000 stop times, without an index.
        let fixture = try TestStore { connection in
            try connection.insertStop(0, "Stop", 52, 13)
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO stop_time(trip, stop_sequence, stop, departure_time) SELECT i, 1, 0, i FROM n
                """)
        }
        let store = try fixture.open()
        let request = FetchRequest<StopTime>(
            where: #Predicate { $0.stop.stopTimes.filter { $0.departureTime!.seconds * 2 < 0 }.count > 5 })
        let task = Task { try await store.makeContext().fetchInBackground(request).count }
        while store.threads.load.running == 0 { await Task.yield() }
        try await Task.sleep(nanoseconds: 50_000_000)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The connection can be used for the next fetch.
        #expect(try store.makeContext().fetchCount(FetchRequest<Stop>()) == 1)
    }

    @Test func aFetchOfACancelledTaskDoesNotBegin() async throws {
        let fixture = try TestStore.berlin()
        let store = try fixture.open()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.makeContext().fetchInBackground(FetchRequest<Stop>()).count
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// Unsaved changes make a loop collect all rows before. It ends all the same.
    @Test(arguments: [false, true]) func aLoopOfACancelledTaskEnds(hasChanges: Bool) async throws {
        let store = try TestStore.berlin().open()
        func context() throws -> StoreContext {
            let context = store.makeContext()
            if hasChanges { try #require(try context.object(Stop.self, id: 0)).set(\.code, to: "new") }
            return context
        }
        let ofRows = Task {
            for try await _ in try context().rowsInBackground(of: FetchRequest<Stop>()) {
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await ofRows.value }
        var stops = FetchRequest<Stop>()
        stops.fetchBatchSize = 2
        let request = stops
        let ofBatches = Task {
            for try await _ in try context().batchesInBackground(request) { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await ofBatches.value }
    }
}
