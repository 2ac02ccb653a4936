import SQLite
import Synchronization

extension TransitStore {
    /// Runs statements on connections of their own, on threads that may wait; returns their rows in the same order.
    ///
    /// Each store runs as many at once as `mostBackgroundFetches` says, and lends a connection to those that run. Throws
    /// `CancellationError` when the task is cancelled, be it waiting or running.
    static func rowsInBackground(
        _ statements: [(store: TransitStore, sql: SQLFragment)]
    ) async throws -> [[PackedRow]] {
        try Task.checkCancellation()
        return try await withThrowingTaskGroup(of: (Int, [PackedRow]).self) { group in
            for (position, (store, sql)) in statements.enumerated() {
                group.addTask {
                    let rows = try await store.backgroundFetches.run { try await store.rowsOnAnotherThread(sql) }
                    return (position, rows)
                }
            }
            var rows = Array(repeating: [PackedRow](), count: statements.count)
            for try await (position, found) in group { rows[position] = found }
            return rows
        }
    }

    private func rowsOnAnotherThread(_ sql: SQLFragment) async throws -> [PackedRow] {
        try Task.checkCancellation()
        let cancellation = FetchCancellation()
        return try await withTaskCancellationHandler {
            do {
                return try await Task.detached { try self.rows(sql, cancellation) }.value
            } catch let error as StoreError where error.code == .interrupted {
                throw CancellationError()
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    private func rows(_ sql: SQLFragment, _ cancellation: FetchCancellation) throws -> [PackedRow] {
        let session = try borrowSession()
        defer { giveBack(session) }
        cancellation.begin(session.connection.interrupter)
        defer { cancellation.end() }
        return try session.rows(sql) { cancellation.isCancelled }
    }
}

/// How a fetch that runs on another thread is stopped. An interrupt reaches only what runs, so that a fetch that is about
/// to run is told by the flag.
private final class FetchCancellation: Sendable {
    private let flag = Atomic(false)
    /// What stops the running statement; nil before and after, when the connection may be somebody else's or gone.
    private let running = Mutex<Interrupter?>(nil)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func begin(_ interrupter: Interrupter) { running.withLock { $0 = interrupter } }
    func end() { running.withLock { $0 = nil } }

    func cancel() {
        flag.store(true, ordering: .relaxed)
        running.withLock { $0?.interrupt() }
    }
}
