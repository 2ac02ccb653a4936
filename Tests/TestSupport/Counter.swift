import Synchronization

/// Counts from any thread.
package final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    package init() {}

    package var total: Int { value.load(ordering: .relaxed) }

    @discardableResult
    package func add(_ number: Int) -> Int { value.add(number, ordering: .relaxed).newValue }
}
