import GTFSSchema
import SQLite

/// Fills one table from blocks of cells, by a batch table and one prepared INSERT … SELECT.
final class TableLoader: CellBatchSource {
    let plan: TablePlan
    private let connection: Connection
    private let insert: Statement
    private var insertStraggler: Statement?
    private var batch: CellBatch?
    private(set) var stragglers: Int64 = 0

    /// Creates the table; its clustered key makes rows lie in order whatever order they come in.
    init(_ plan: TablePlan, connection: Connection) throws(SQLiteError) {
        self.plan = plan
        self.connection = connection
        let source = SourceBox()
        let name = "incoming_" + plan.table
        try connection.createBatchTable(name, columns: plan.stride, source: source)
        insert = try connection.prepare(
            "INSERT INTO \(StoreSchema.quoted(plan.table))(\(Self.list(plan.cellColumns))) "
                + "SELECT * FROM temp.\(StoreSchema.quoted(name))")
        source.loader = self
    }

    /// Stores the block's rows; those out of order wait in a temporary table.
    func load(_ block: ParsedBlock) throws(SQLiteError) {
        if block.cells.rowCount > 0 { try run(insert, block, block.cells) }
        guard block.stragglers.rowCount > 0 else { return }
        if insertStraggler == nil { insertStraggler = try prepareStragglers() }
        if let insertStraggler { try run(insertStraggler, block, block.stragglers) }
        stragglers += Int64(block.stragglers.rowCount)
    }

    private func run(_ statement: Statement, _ block: ParsedBlock, _ buffer: CellBuffer) throws(SQLiteError) {
        batch = block.batch(of: buffer)
        defer { batch = nil }
        try statement.run()
    }

    func nextBatch() -> CellBatch? {
        defer { batch = nil }
        return batch
    }

    // MARK: Rows out of order

    private func prepareStragglers() throws(SQLiteError) -> Statement {
        let source = SourceBox()
        source.loader = self
        try connection.createBatchTable("incoming_straggler_" + plan.table, columns: plan.stride + 1, source: source)
        let table = StoreSchema.quoted("straggler_" + plan.table)
        try connection.execute("CREATE TEMP TABLE \(table)(\(Self.list(plan.cellColumns)), row_number INTEGER)")
        return try connection.prepare(
            "INSERT INTO \(table) SELECT * FROM temp.\(StoreSchema.quoted("incoming_straggler_" + plan.table))")
    }

    /// Sorts the rows that came out of order into the table; calls `duplicate` for each whose key is taken by an earlier row.
    func mergeStragglers(duplicate: (Int) -> Void) throws(SQLiteError) {
        guard stragglers > 0, let key = plan.definition?.keyFields.map({ StoreSchema.quoted($0.column) }) else {
            return
        }
        let columns = Self.list(plan.cellColumns)
        let waiting = StoreSchema.quoted("straggler_" + plan.table)
        let sorted = StoreSchema.quoted("sorted_" + plan.table)
        let table = StoreSchema.quoted(plan.table)
        try connection.execute(
            "CREATE TEMP TABLE \(sorted)(\(columns), row_number INTEGER, "
                + "PRIMARY KEY(\(key[0]), \(key[1]), row_number)) WITHOUT ROWID;"
                + "INSERT INTO \(sorted) SELECT * FROM \(waiting) ORDER BY \(key[0]), \(key[1]), row_number;"
                + "DROP TABLE \(waiting);"
                + "CREATE TEMP TABLE duplicate AS SELECT s.row_number FROM \(sorted) AS s WHERE EXISTS ("
                + "SELECT 1 FROM \(table) AS t WHERE t.\(key[0]) = s.\(key[0]) AND t.\(key[1]) = s.\(key[1])) OR EXISTS ("
                + "SELECT 1 FROM \(sorted) AS e WHERE e.\(key[0]) = s.\(key[0]) AND e.\(key[1]) = s.\(key[1]) "
                + "AND e.row_number < s.row_number);"
                + "INSERT INTO \(table)(\(columns)) SELECT \(columns) FROM \(sorted) "
                + "WHERE row_number NOT IN (SELECT row_number FROM duplicate) ORDER BY \(key[0]), \(key[1]);"
                + "DROP TABLE \(sorted)")
        let rows = try connection.prepare("SELECT row_number FROM duplicate ORDER BY row_number")
        while try rows.step() { duplicate(Int(rows.integer(0))) }
        rows.reset()
        try connection.execute("DROP TABLE duplicate")
    }

    private static func list(_ columns: [String]) -> String {
        columns.map(StoreSchema.quoted).joined(separator: ", ")
    }

    /// The batch table keeps its source alive; this one does not keep the loader alive in turn.
    private final class SourceBox: CellBatchSource {
        weak var loader: TableLoader?
        func nextBatch() -> CellBatch? { loader?.nextBatch() }
    }
}
