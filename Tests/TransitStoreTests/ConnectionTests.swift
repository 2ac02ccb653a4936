import FoundationEssentials
import Testing

@testable import TransitStore

/// How many connections a store has, and who has them.
@Suite struct ConnectionTests {
    let fixture = Result { try TestStore.berlin() }

    @Test func connectionsBeyondTheMostAreClosed() throws {
        let store = try fixture.get().open { $0.mostIdleConnections = 3 }
        do {
            let contexts = (0..<20).map { _ in store.makeContext() }
            #expect(try contexts.map { try $0.count(for: FetchRequest<Stop>()) } == Array(repeating: 8, count: 20))
            #expect(store.idleConnectionCount == 0)
        }
        #expect(store.idleConnectionCount == 3)
        #expect(try store.makeContext().count(for: FetchRequest<Stop>()) == 8)
        let none = try fixture.get().open { $0.mostIdleConnections = -1 }
        #expect(try none.makeContext().count(for: FetchRequest<Stop>()) == 8)
        #expect(none.idleConnectionCount <= 1)
    }

    @Test func fetchesInTheBackgroundShareAFewConnections() async throws {
        let store = try fixture.get().open {
            $0.mostIdleConnections = 100
            $0.mostBackgroundFetches = 2
        }
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask { try await store.makeContext().fetchInBackground(FetchRequest<Stop>()).count }
            }
            return try await group.reduce(0, +)
        }
        #expect(count == 800)
        #expect(store.idleConnectionCount <= 2)
    }

    @Test func atMostSoManyRunAtOnceInTheirOrder() async throws {
        let gate = FetchGate(width: 1)
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await gate.run {
                enter.finish()
                for await _ in released {}
                return 1
            }
        }
        for await _ in entered {}
        let second = Task { try await gate.run { 2 } }
        let third = Task { try await gate.run { 3 } }
        // One that waits is let go at once.
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        release.finish()
        #expect(try await first.value == 1)
        #expect(try await third.value == 3)
        // One that is cancelled before takes no place.
        let fourth = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await gate.run { 4 }
        }
        await #expect(throws: CancellationError.self) { try await fourth.value }
        #expect(try await gate.run { 5 } == 5)
    }
}
