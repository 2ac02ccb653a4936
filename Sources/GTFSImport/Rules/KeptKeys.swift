import GTFSSchema
import SQLite

/// Tells which columns of a clustered table have a value that they could not store, for rows in the order of their
/// keys. Reads the kept values in the same order, beside the rows, so that no row is looked up.
final class KeptKeys {
    private let rows: Statement?
    private var next: (row: Int64, sequence: Int64, column: Int)?

    init(_ kept: StoreSchema.KeptColumns?, _ connection: Connection) throws(SQLiteError) {
        rows = try kept.map { kept throws(SQLiteError) in
            try connection.prepare(
                "SELECT \"row\", sequence, \"column\" FROM numbered_value WHERE \"table\" = \(kept.table) "
                    + "ORDER BY \"row\", sequence, \"column\"")
        }
        try read()
    }

    /// False once no kept value is left.
    var mayFollow: Bool { next != nil }

    private func read() throws(SQLiteError) {
        guard let rows, try rows.step() else { return next = nil }
        next = (rows.integer(0), rows.integer(1), Int(rows.integer(2)))
    }

    /// Calls `body` with the number of each column of the row that has a kept value. Ask for keys in ascending order.
    func forEach(ofRow row: Int64, _ sequence: Int64, _ body: (Int) -> Void) throws(SQLiteError) {
        while let kept = next, (kept.row, kept.sequence) <= (row, sequence) {
            if (kept.row, kept.sequence) == (row, sequence) { body(kept.column) }
            try read()
        }
    }
}
