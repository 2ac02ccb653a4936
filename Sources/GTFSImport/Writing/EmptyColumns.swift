import GTFSSchema
import SQLite

/// Finds, while the rows pass, the columns of the feed's tables that no row fills. The table `empty_column` lists them,
/// so that readers need not read them.
///
/// Costs a look at each row for the columns that are still empty, nothing for the others.
struct EmptyColumns {
    private var columns: [(table: String, column: String)] = []
    /// The columns of the current table without a value so far, and their cells.
    private var waiting: [(column: String, cell: Int)] = []
    private var plan: TablePlan?

    mutating func begin(_ plan: TablePlan) {
        self.plan = plan
        // Services of calendar_dates.txt have IDs where calendar.txt has none.
        let filled = plan.table == "service" ? ["id", "service_id"] : ["id"]
        waiting = plan.cellColumns.enumerated().map { ($1, $0) }.filter { !Self.isAny(of: filled, $0.column) }
        let missing = plan.definition?.fields.map(\.column).filter { plan.cell(of: $0) == nil } ?? []
        columns += missing.filter { !filled.contains($0) }.map { (plan.table, $0) }
        if plan.table == "stop_time" { columns.append((plan.table, "filled_times")) }
    }

    mutating func look(at block: ParsedBlock) {
        if block.cells.rowCount > 0 { waiting.removeAll { block.cells.hasValue(inCell: $0.cell) } }
        for late in block.lateReferences { waiting.removeAll { Self.isAny(of: [late.column], $0.column) } }
    }

    /// Ends a table that has all its rows. Columns in `filled` have values that the importer computed.
    mutating func end(filled: Set<String>) {
        guard let table = plan?.table else { return }
        columns += waiting.map { (table, $0.column) }
        if !filled.isEmpty { columns.removeAll { $0.table == table && Self.isAny(of: filled, $0.column) } }
        waiting = []
        plan = nil
    }

    private func contains(_ column: String, of table: String) -> Bool {
        columns.contains { $0.table == table && Self.isAny(of: [column], $0.column) }
    }

    /// Compares bytes: a name may be of a feed, and Swift takes quadratic time for endless marks on a letter.
    private static func isAny(of names: some Sequence<String>, _ column: String) -> Bool {
        names.contains { $0.utf8.elementsEqual(column.utf8) }
    }

    /// Whether any row of a table that has ended may have a value in the column.
    func mayFill(_ column: String, of table: String) -> Bool { !contains(column, of: table) }

    /// Whether an index has no entry, because it leaves NULL out and no row has a value in its column.
    func hasNoEntries(_ index: StoreSchema.Index) -> Bool {
        index.leavesOutNull && contains(index.leadingColumn, of: index.table)
    }

    /// Looks again at the stored rows of a table with late duplicates: they passed with the others, and perhaps only
    /// they had a value in a column.
    mutating func lookAgain(at plan: TablePlan, _ connection: Connection) throws(SQLiteError) {
        try look(at: plan.cellColumns, of: plan.table, connection)
    }

    /// Looks at the stored features of locations.geojson, which come without a plan.
    mutating func lookAtLocations(_ connection: Connection) throws(SQLiteError) {
        let names = try connection.prepare("SELECT name FROM pragma_table_info('location') WHERE pk = 0")
        var columns: [String] = []
        while try names.step() { columns.append(names.text(0) ?? "") }
        try look(at: columns, of: "location", connection)
    }

    /// Looks at columns that are filled once the rows have passed.
    mutating func look(at names: [String], of table: String, _ connection: Connection) throws(SQLiteError) {
        for column in names where !contains(column, of: table) {
            let quoted = (StoreSchema.quoted(table), StoreSchema.quoted(column))
            let value = "SELECT 1 FROM \(quoted.0) WHERE \(quoted.1) IS NOT NULL LIMIT 1"
            if try connection.integer(value) == nil { columns.append((table, column)) }
        }
    }

    func write(to connection: Connection) throws(SQLiteError) {
        let statement = try connection.prepare("INSERT INTO empty_column VALUES(?, ?)")
        for (table, column) in columns {
            statement.bind(1, table)
            statement.bind(2, column)
            try statement.run()
        }
    }
}
