import SQLite

extension TransitStore {
    /// Runs `work` with its own connection on one of the store's threads. Throws `CancellationError` when the task is
    /// cancelled, whether the work waits or runs.
    func inBackground<Value: Sendable>(
        _ work: @escaping @Sendable (StoreSession) throws -> Value
    ) async throws -> Value {
        try await onThread { cancellation in
            let session = try self.borrowSession()
            defer { self.giveBack(session) }
            return try cancellation.watching(session) { try work(session) }
        }
    }

    /// The next rows of a cursor, at most `most`; empty at the end.
    func nextRows(of cursor: RowCursor, most: Int) async throws -> [PackedRow] {
        try await onThread { try cursor.next(most, $0) }
    }

    /// Runs work on one of the store's threads. The work must call `watching` for each connection that it uses, or else
    /// cancelling does not stop its statements.
    func onThread<Value: Sendable>(
        _ work: @escaping @Sendable (FetchCancellation) throws -> Value
    ) async throws -> Value {
        let cancellation = FetchCancellation()
        do {
            return try await threads.run(interrupt: { cancellation.cancel() }) { try work(cancellation) }
        } catch let error as StoreError where error.code == .interrupted {
            throw CancellationError()
        }
    }

    /// Runs one statement on each of several stores; returns their rows in the same order.
    static func rowsInBackground(
        _ statements: [(store: TransitStore, sql: SQLFragment)]
    ) async throws -> [[PackedRow]] {
        try Task.checkCancellation()
        if statements.count == 1 {
            let sql = statements[0].sql
            return [try await statements[0].store.inBackground { try $0.rows(sql) }]
        }
        return try await withThrowingTaskGroup(of: (Int, [PackedRow]).self) { group in
            for (position, (store, sql)) in statements.enumerated() {
                group.addTask { (position, try await store.inBackground { try $0.rows(sql) }) }
            }
            var rows = Array(repeating: [PackedRow](), count: statements.count)
            for try await (position, found) in group { rows[position] = found }
            return rows
        }
    }
}
