import SQLite

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

    /// The next rows, at most `most`; empty at the end.
    func next(_ most: Int, _ cancellation: FetchCancellation) throws -> [PackedRow] {
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
