import Glibc
import Synchronization

/// Stops a program that uses a context from two threads at the same time, before it corrupts its memory.
///
/// Swift 6 refuses such programs. In Swift 5 mode they compile, and two threads that change the same table end in a
/// double free. Only debug builds check; release builds contain no trace of it.
final class ThreadCheck: Sendable {
    #if DEBUG
        /// The thread that uses the context now; 0 for none.
        private let user = Atomic<UInt>(0)
    #endif

    /// Runs `body` as the only user of the context; within it, the same thread may begin again.
    @inline(__always)
    func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        #if DEBUG
            let isFirst = begin()
            defer { if isFirst { user.store(0, ordering: .releasing) } }
        #endif
        return try body()
    }

    #if DEBUG
        private func begin() -> Bool {
            let thread = UInt(pthread_self())
            let (isFirst, other) = user.compareExchange(
                expected: 0, desired: thread, ordering: .acquiringAndReleasing)
            precondition(
                isFirst || other == thread,
                "Two threads use one StoreContext at the same time. A context and its objects belong to one task or actor: "
                    + "make a context for each of them, and hand over objectIDs")
            return isFirst
        }
    #endif
}
