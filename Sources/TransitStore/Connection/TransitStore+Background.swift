import SQLite
import Synchronization
import SystemFiles

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

    /// The next rows of a statement that is read piece by piece; empty at its end.
    func nextRows(of cursor: RowCursor, most: Int) async throws -> [PackedRow] {
        try await onThread { try cursor.next(most, $0) }
    }

    /// Runs work on one of the store's threads. The work watches its own connections.
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

/// Stops a fetch that runs on another thread.
final class FetchCancellation: Sendable {
    private struct State {
        var isCancelled = false
        /// Interrupt the running statements, one for each connection. Empty before and after, when a connection may
        /// belong to another fetch or be closed.
        var running: [Interrupter] = []
    }

    private let state = Mutex(State())

    /// Runs statements; a call of `cancel` makes them throw `StoreError.interrupted`.
    ///
    /// SQLite forgets an interrupt if no statement is running. So a statement stays on its only row meanwhile:
    /// statements that begin after an interrupt are then interrupted too (<https://sqlite.org/c3ref/interrupt.html>).
    /// The work may watch another connection in its turn.
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

/// A statement whose rows are read in pieces, each piece on any thread. No thread waits while the rows are used.
final class RowCursor: @unchecked Sendable {
    // @unchecked: a caller waits for each piece before it asks for the next, and only that work uses the cursor.

    private let store: TransitStore
    private let sql: SQLFragment
    /// How many cells of each row are wanted; nil for all.
    private let columns: Int?
    private var open: (session: StoreSession, statement: Statement)?
    private var isAtEnd = false

    init(_ store: TransitStore, _ sql: SQLFragment, columns: Int? = nil) {
        self.store = store
        self.sql = sql
        self.columns = columns
    }

    deinit { close() }

    fileprivate func next(_ most: Int, _ cancellation: FetchCancellation) throws -> [PackedRow] {
        guard !isAtEnd else { return [] }
        let (session, statement) = try open ?? begin()
        var rows: [PackedRow] = []
        do {
            try cancellation.watching(session) {
                while rows.count < most {
                    guard try session.step(statement) else {
                        isAtEnd = true
                        break
                    }
                    rows.append(statement.packedRow(columns: columns))
                }
            }
        } catch {
            isAtEnd = true
            close()
            throw error
        }
        if isAtEnd { close() }
        return rows
    }

    private func begin() throws -> (StoreSession, Statement) {
        let session = try store.borrowSession()
        do {
            let statement = try session.begin(sql)
            open = (session, statement)
            return (session, statement)
        } catch {
            store.giveBack(session)
            throw error
        }
    }

    private func close() {
        guard let (session, statement) = open else { return }
        open = nil
        session.end(statement, of: sql)
        store.giveBack(session)
    }
}

/// How long a statement may take, counted from when its session began it.
final class StatementTimeLimit {
    private let seconds: Double
    private var end = Double.infinity

    init(seconds: Double) { self.seconds = seconds }

    /// A statement begins.
    func begin() { end = MonotonicClock.seconds + seconds }

    var isOver: Bool { MonotonicClock.seconds >= end }

    var error: StoreError {
        let limit = seconds == seconds.rounded() && seconds < 1e15 ? String(Int64(seconds)) : String(seconds)
        return StoreError(.timedOut, "The fetch took longer than \(limit) s and was stopped.")
    }
}
