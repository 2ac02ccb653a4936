import Foundation
import Glibc
import SQLite
import Synchronization
import Testing

@testable import TransitStore

/// Many long fetches at once block nobody else, and they stop when they are cancelled.
@Suite(.serialized) struct BackgroundThreadTests {
    private static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// A store on which `slow` compares every pair of 100,000 stop times without an index, which takes minutes.
    private static func slowStore() throws -> TestStore {
        try TestStore { connection in
            try connection.insertStop(0, "Stop", 52, 13)
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
                INSERT INTO stop_time(trip, stop_sequence, stop, departure_time) SELECT i, 1, 0, i FROM n
                """)
        }
    }
    private static let slow = FetchRequest<StopTime>(
        where: #Predicate { $0.stop.stopTimes.filter { $0.departureTime!.seconds * 2 < 0 }.count > 5 })

    /// Every kind of background fetch.
    private enum Waiting: String, CaseIterable, Sendable {
        case fetch, objectIDs, count, dictionaries, rows, batches

        func run(_ context: sending StoreContext) async throws -> Int {
            switch self {
            case .fetch: try await context.fetchInBackground(slow).count
            case .objectIDs: try await context.fetchIDsInBackground(slow).count
            case .count: try await context.fetchCountInBackground(slow)
            case .dictionaries: try await context.fetchRowsInBackground(slow).count
            case .rows: try await context.rowsInBackground(of: slow).reduce(0) { count, _ in count + 1 }
            case .batches: try await context.batchesInBackground(slow).reduce(0) { $0 + $1.count }
            }
        }
    }

    /// Runs more slow fetches than there are processors, and cancels them all from a task that needs the same threads.
    /// The test passes if all this comes to an end; how long it takes does not matter.
    private func cancelMany(_ make: @escaping @Sendable (Int) throws -> (Waiting, StoreContext)) async throws {
        let ticks = Atomic(0)
        let fetches = (0...Self.processors).map { number in
            Task {
                let (waiting, context) = try make(number)
                return try await waiting.run(context)
            }
        }
        let ticking = Task {
            while !Task.isCancelled {
                ticks.wrappingAdd(1, ordering: .relaxed)
                try? await Task.sleep(nanoseconds: 1_000_000)
            }
        }
        // Another task of the process keeps running while all threads of the stores are busy.
        while ticks.load(ordering: .relaxed) < 50 { try await Task.sleep(nanoseconds: 1_000_000) }
        for fetch in fetches { fetch.cancel() }
        for fetch in fetches { await #expect(throws: CancellationError.self) { try await fetch.value } }
        ticking.cancel()
        await ticking.value
    }

    @Test func fetchesOnEveryProcessorAreCancelled() async throws {
        let test = try Self.slowStore()
        let store = try test.open()
        for waiting in Waiting.allCases {
            try await cancelMany { _ in (waiting, store.makeContext()) }
        }
        // The connections can still be used.
        #expect(try store.makeContext().fetchCount(FetchRequest<Stop>()) == 1)
        #expect(try await store.makeContext().fetchCountInBackground(FetchRequest<StopTime>()) == 100_001)
    }

    @Test func fetchesOverTwoStoresAreCancelled() async throws {
        let test = try Self.slowStore()
        let coordinator = StoreCoordinator([try test.open(), try test.open()])
        for waiting in [Waiting.fetch, .count, .rows] {
            try await cancelMany { _ in (waiting, coordinator.makeContext()) }
        }
        #expect(try coordinator.makeContext().fetchCount(FetchRequest<Stop>()) == 2)
    }

    /// With unsaved changes, 100,000 objects are tested one after the other, which would take hours. The threads that
    /// run tasks stay free, so a task can cancel the fetches: at once, or while objects are tested.
    @Test(arguments: [0, 3_000])
    func fetchesWithUnsavedChangesAreCancelled(milliseconds: UInt64) async throws {
        let test = try Self.slowStore()
        let store = try test.open()
        let fetches = (0...Self.processors).map { _ in
            Task {
                let context = store.makeContext()
                let inserted = context.insert(StopTime.self)
                try inserted.setValue(0, for: "stop")
                #expect(context.hasChanges && inserted.stop.name == "Stop")
                return try await Waiting.fetch.run(context)
            }
        }
        try await Task.sleep(nanoseconds: milliseconds * 1_000_000)
        for fetch in fetches { fetch.cancel() }
        for fetch in fetches { await #expect(throws: CancellationError.self) { try await fetch.value } }
    }

    /// All threads of a store are in the middle of statements that take minutes, and more fetches wait for them.
    @Test func fetchesAreCancelledWhileEveryThreadIsBusy() async {
        await #expect(processExitsWith: .success) {
            let test = try Self.slowStore()
            let store = try test.open { $0.mostBackgroundFetches = 2 }
            let fetches = (0..<4).map { _ in
                Task { try await store.makeContext().fetchCountInBackground(Self.slow) }
            }
            while store.threads.load != (2, 2) { try await Task.sleep(nanoseconds: 1_000_000) }
            // By now, both are in the middle of their statements.
            let begun = clock()
            while clock() < begun + 200_000 { try await Task.sleep(nanoseconds: 1_000_000) }
            try #require(store.threads.load == (2, 2))
            for fetch in fetches { fetch.cancel() }
            for fetch in fetches { await #expect(throws: CancellationError.self) { try await fetch.value } }
            try #require(await store.makeContext().fetchCountInBackground(FetchRequest<Stop>()) == 1)
        }
    }

    @Test func atMostSoManyRunAtOnceInTheirOrder() async throws {
        let threads = BackgroundThreads(most: 1)
        let isEntered = Atomic(false)
        let isReleased = Atomic(false)
        let first = Task {
            try await threads.run {
                isEntered.store(true, ordering: .releasing)
                while !isReleased.load(ordering: .acquiring) { usleep(1_000) }
                return 1
            }
        }
        while !isEntered.load(ordering: .acquiring) { try await Task.sleep(nanoseconds: 1_000_000) }
        let second = Task { try await threads.run { 2 } }
        let third = Task { try await threads.run { 3 } }
        // A waiting fetch ends at once when it is cancelled.
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        isReleased.store(true, ordering: .releasing)
        #expect(try await first.value == 1)
        #expect(try await third.value == 3)
        // A fetch that is already cancelled never begins.
        let fourth = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await threads.run { 4 }
        }
        await #expect(throws: CancellationError.self) { try await fourth.value }
        #expect(try await threads.run { 5 } == 5)
    }

    /// An interrupt that comes before the statement begins is not lost.
    @Test func aStatementThatBeginsAfterTheInterruptIsStopped() throws {
        let test = try Self.slowStore()
        let store = try test.open()
        let session = try store.borrowSession()
        let cancellation = FetchCancellation()
        let sql = SQLFragment(
            "SELECT count(*) FROM stop_time AS a JOIN stop_time AS b ON a.stop_sequence = b.stop_sequence")
        #expect(throws: StoreError.self) {
            try cancellation.watching(session) {
                cancellation.cancel()
                return try session.rows(sql).count
            }
        }
        #expect(throws: StoreError.self) { try cancellation.watching(session) { 1 } }
        #expect(try session.rows(SQLFragment("SELECT 1")).count == 1)
        #expect(try FetchCancellation().watching(session) { try session.rows(SQLFragment("SELECT 1")).count } == 1)
    }

    // MARK: What they find

    @Test func theBackgroundFindsTheSame() async throws {
        let test = try TestStore.berlin()
        let (one, two) = (try test.open(), try test.open())
        for stores in [[one], [one, two], []] {
            for isChanged in [false, true] {
                let context = StoreCoordinator(stores).makeContext()
                if isChanged {
                    let extra = context.insert(Stop.self)
                    try extra.setValue("Zoo", for: "name")
                    try context.fetch(FetchRequest<Stop>()).first?.setValue("A", for: "name")
                }
                var request = FetchRequest<Stop>(where: #Predicate { $0.id != 2 })
                request.sortDescriptors = [.descending(\.name), .ascending(\.id)]
                for limit in [0, 3] {
                    request.fetchLimit = limit
                    #expect(try await context.fetchInBackground(request) == context.fetch(request))
                    #expect(try await context.fetchIDsInBackground(request) == context.fetchIDs(request))
                    #expect(try await context.fetchCountInBackground(request) == context.fetchCount(request))
                    let dictionaries = try context.fetchRows(request)
                    #expect(try await context.fetchRowsInBackground(request) == dictionaries)
                    var rows: [ResultRow] = []
                    for try await row in context.rowsInBackground(of: request) { rows.append(row) }
                    #expect(rows == dictionaries)
                    request.fetchBatchSize = 3
                    var batches: [[Stop]] = []
                    for try await batch in context.batchesInBackground(request) { batches.append(batch) }
                    #expect(batches.flatMap { $0 } == (try context.fetch(request)))
                    #expect(batches.dropLast().allSatisfy { $0.count == 3 })
                }
                var groups = FetchRequest<StopTime>()
                groups.propertiesToFetch = [.attribute(\.stop.name), .count()]
                groups.propertiesToGroupBy = [.attribute(\.stop.name)]
                groups.sortDescriptors = [.ascending(\.stop.name)]
                #expect(try await context.fetchRowsInBackground(groups) == context.fetchRows(groups))
                #expect(try await context.fetchCountInBackground(groups) == context.fetchCount(groups))
            }
        }
    }

    /// Two nested loops share one thread: a loop does not hold the thread between its rows.
    @Test func loopsMayBeNested() async throws {
        let test = try TestStore.berlin()
        let store = try test.open { $0.mostBackgroundFetches = 1 }
        let context = store.makeContext()
        var found = 0
        for try await row in context.rowsInBackground(of: FetchRequest<Stop>()) {
            for try await batch in context.batchesInBackground(FetchRequest<Route>()) { found += batch.count }
            if row["id"] == 3 { break }
        }
        let routes = try context.fetchCount(FetchRequest<Route>())
        #expect(found == 4 * routes)
        #expect(try await context.fetchCountInBackground(FetchRequest<Stop>()) == 8)
    }

    @Test func batchesPrefetchInTheBackground() async throws {
        let context = try ManyObjectsTests.store(trips: 100).open { $0.rowCacheCapacity = 1 }.makeContext()
        var request = FetchRequest<StopTime>()
        request.fetchBatchSize = 200
        request.relationshipKeyPathsForPrefetching = [\.trip.route]
        var found = 0
        for try await batch in context.batchesInBackground(request) {
            found += batch.count { $0.trip.route.shortName.hasPrefix("U") }
        }
        #expect(found == 500)
        #expect(context.statistics.statements == 1 + 3 * 2)
    }

    @Test func refusedRequestsAreRefusedInTheBackground() async throws {
        let context = try TestStore.berlin().context()
        let request = FetchRequest<Stop>(entity: "nowhere")
        await #expect(throws: StoreError.self) { try await context.fetchCountInBackground(request) }
        await #expect(throws: StoreError.self) { try await context.fetchIDsInBackground(request) }
        await #expect(throws: StoreError.self) { for try await _ in context.rowsInBackground(of: request) {} }
        await #expect(throws: StoreError.self) { for try await _ in context.batchesInBackground(request) {} }
    }
}
