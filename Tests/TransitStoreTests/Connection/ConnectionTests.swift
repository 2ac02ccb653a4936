import FoundationEssentials
import SQLite
import Testing

@testable import TransitStore

/// How many connections a store has, and who has them.
@Suite struct ConnectionTests {
    let fixture = Result { try TestStore.berlin() }

    @Test func connectionsBeyondTheMostAreClosed() throws {
        let store = try fixture.get().open { $0.mostIdleConnections = 3 }
        do {
            let contexts = (0..<20).map { _ in store.makeContext() }
            #expect(try contexts.map { try $0.fetchCount(FetchRequest<Stop>()) } == Array(repeating: 8, count: 20))
            // In an optimized build, the contexts would already be freed here.
            withExtendedLifetime(contexts) { #expect(store.idleConnectionCount == 0) }
        }
        #expect(store.idleConnectionCount == 3)
        #expect(try store.makeContext().fetchCount(FetchRequest<Stop>()) == 8)
        let none = try fixture.get().open { $0.mostIdleConnections = -1 }
        #expect(try none.makeContext().fetchCount(FetchRequest<Stop>()) == 8)
        #expect(none.idleConnectionCount == 0)
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

    /// SQLite does not keep mapped pages, so it would check all cells of a page at each use.
    @Test func onlyPagesThatAreReadAreLookedAtFirst() throws {
        let fixture = try fixture.get()
        for isMapped in [false, true] {
            let session = try fixture.open { $0.isMemoryMapped = isMapped }.borrowSession()
            #expect(try session.connection.integer("PRAGMA cell_size_check") == (isMapped ? 0 : 1))
        }
    }
}
