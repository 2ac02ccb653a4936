import Dispatch
import Testing
import TransitStore

/// A debug build stops a program that uses a context from two threads. Only Swift 6 forbids that at compile time.
@Suite struct ThreadCheckTests {
    private static var isDebug: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    private static let message = "Two threads use one StoreContext at the same time."

    @Test(.enabled(if: isDebug, "only debug builds check threads"))
    func fetchesOfTwoThreadsAreStoppedWithAMessage() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let fixture = try TestStore.berlin()
            // A client in Swift 5 mode may write this.
            nonisolated(unsafe) let context = try fixture.context()
            DispatchQueue.concurrentPerform(iterations: 2) { _ in
                for _ in 0..<1_000_000 { _ = try? context.fetch(FetchRequest<Stop>()).map(\.name) }
            }
        }
        #expect(String(decoding: try #require(result).standardErrorContent, as: UTF8.self).contains(Self.message))
    }

    @Test(.enabled(if: isDebug, "only debug builds check threads"))
    func objectsOfTwoThreadsAreStoppedWithAMessage() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let fixture = try TestStore.berlin()
            nonisolated(unsafe) let stops = try fixture.context().fetch(FetchRequest<Stop>())
            DispatchQueue.concurrentPerform(iterations: 2) { _ in
                for _ in 0..<1_000_000 { _ = stops.map { $0.parentStation?.name } }
            }
        }
        #expect(String(decoding: try #require(result).standardErrorContent, as: UTF8.self).contains(Self.message))
    }

    /// One thread after the other may use a context, as tasks and actors do.
    @Test func threadsMayTakeTurns() throws {
        let fixture = try TestStore.berlin()
        nonisolated(unsafe) let context = try fixture.context()
        for name in ["one", "two", "three"] {
            DispatchQueue(label: name).sync { #expect((try? context.fetch(FetchRequest<Stop>()).count) == 8) }
        }
    }
}
