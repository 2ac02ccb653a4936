import SQLite
import Synchronization

/// Stops a fetch that runs on another thread.
final class FetchCancellation: Sendable {
    private struct State {
        var isCancelled = false
        /// One for each connection that the fetch uses now. It is removed after use, because the connection may then be
        /// closed or belong to another fetch.
        var running: [Interrupter] = []
    }

    private let state = Mutex(State())

    /// Runs work with a connection. A call of `cancel` makes its statements throw `StoreError.interrupted`.
    ///
    /// SQLite forgets an interrupt if no statement is running. So `SELECT 1` stays on its only row during the work:
    /// while it runs, an interrupt also stops statements that begin later (<https://sqlite.org/c3ref/interrupt.html>).
    /// For work with several connections, nest the calls.
    func watching<Value>(_ session: StoreSession, _ work: () throws -> Value) throws -> Value {
        let standing = try session.startStanding()
        defer { standing.reset() }
        try state.withLock { state in
            if state.isCancelled { throw StoreError(.interrupted, "The fetch was cancelled.") }
            state.running.append(session.connection.interrupter)
        }
        defer { state.withLock { _ = $0.running.popLast() } }
        return try work()
    }

    /// Throws `CancellationError` once the fetch is cancelled.
    func check() throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            for running in state.running { running.interrupt() }
        }
    }
}
