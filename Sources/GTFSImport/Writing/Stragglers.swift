import GTFSSchema
import SQLite

/// Rows of a clustered table that came out of order: they wait in a temporary table until all others are stored.
final class Stragglers: CellBatchSource {
    private let plan: TablePlan
    private let connection: Connection
    private let insert: Statement
    private let source = SourceBox()
    private var batch: CellBatch?
    private(set) var count: Int64 = 0
    /// The column for a row's number: a name that no column of the feed has.
    private let rowNumber: String

    private var waiting: String { StoreSchema.quoted("straggler_" + plan.table) }

    init(_ plan: TablePlan, connection: Connection) throws(SQLiteError) {
        self.plan = plan
        self.connection = connection
        rowNumber = Self.name(apartFrom: plan.cellColumns)
        let incoming = "incoming_straggler_" + plan.table
        try connection.createBatchTable(incoming, columns: plan.stride + 1, source: source)
        let table = StoreSchema.quoted("straggler_" + plan.table)
        try connection.execute("CREATE TEMP TABLE \(table)(\(Self.list(plan.cellColumns)), \(rowNumber) INTEGER)")
        insert = try connection.prepare("INSERT INTO \(table) SELECT * FROM temp.\(StoreSchema.quoted(incoming))")
        source.stragglers = self
    }

    /// Takes the rows of the block that are out of order.
    func load(_ block: ParsedBlock) throws(SQLiteError) {
        batch = block.batch(of: block.stragglers)
        defer { batch = nil }
        try insert.run()
        count += Int64(block.stragglers.rowCount)
    }

    func nextBatch() -> CellBatch? {
        defer { batch = nil }
        return batch
    }

    /// Sorts the rows into the table; calls `duplicate` with the row number of each whose key is taken by an earlier row.
    func merge(duplicate: (Int) -> Void) throws(SQLiteError) {
        guard let key = plan.definition?.keyFields.map({ StoreSchema.quoted($0.column) }) else { return }
        let columns = Self.list(plan.cellColumns)
        let sorted = StoreSchema.quoted("sorted_" + plan.table)
        let table = StoreSchema.quoted(plan.table)
        try connection.execute(
            "CREATE TEMP TABLE \(sorted)(\(columns), \(rowNumber) INTEGER, "
                + "PRIMARY KEY(\(key[0]), \(key[1]), \(rowNumber))) WITHOUT ROWID;"
                + "INSERT INTO \(sorted) SELECT * FROM \(waiting) ORDER BY \(key[0]), \(key[1]), \(rowNumber);"
                + "DROP TABLE \(waiting);"
                + "CREATE TEMP TABLE duplicate AS SELECT s.\(rowNumber) FROM \(sorted) AS s WHERE EXISTS ("
                + "SELECT 1 FROM \(table) AS t WHERE t.\(key[0]) = s.\(key[0]) AND t.\(key[1]) = s.\(key[1])) OR EXISTS ("
                + "SELECT 1 FROM \(sorted) AS e WHERE e.\(key[0]) = s.\(key[0]) AND e.\(key[1]) = s.\(key[1]) "
                + "AND e.\(rowNumber) < s.\(rowNumber));"
                + "INSERT INTO \(table)(\(columns)) SELECT \(columns) FROM \(sorted) "
                + "WHERE \(rowNumber) NOT IN (SELECT \(rowNumber) FROM duplicate) ORDER BY \(key[0]), \(key[1]);"
                + "DROP TABLE \(sorted)")
        let rows = try connection.prepare("SELECT \(rowNumber) FROM duplicate ORDER BY \(rowNumber)")
        while try rows.step() { duplicate(Int(rows.integer(0))) }
        rows.reset()
        try connection.execute("DROP TABLE duplicate")
    }

    private static func name(apartFrom columns: [String]) -> String {
        let taken = Set(columns.map { $0.lowercased() })
        var name = "row_number"
        while taken.contains(name) { name += "_" }
        return name
    }

    private static func list(_ columns: [String]) -> String {
        columns.map(StoreSchema.quoted).joined(separator: ", ")
    }

    /// The batch table keeps its source alive; this one does not keep the stragglers alive in turn.
    private final class SourceBox: CellBatchSource {
        weak var stragglers: Stragglers?
        func nextBatch() -> CellBatch? { stragglers?.nextBatch() }
    }
}
