import GTFSSchema
import SQLite

/// Makes a store's indexes after its rows are in.
///
///     try IndexBuilding(connection: connection, plans: plans).run()
struct IndexBuilding {
    let connection: Connection
    /// What was read, by table.
    let plans: [String: TablePlan]

    /// Runs that fit the processor's cache sort three times faster than one large one; two threads halve the rest.
    func run() throws(SQLiteError) {
        try createEmpty(StoreSchema.indexes.filter(isEmpty))
        try connection.execute("PRAGMA cache_size = -2000; PRAGMA threads = 2; BEGIN")
        for index in StoreSchema.indexes where !isEmpty(index) { try connection.execute(index.sql) }
        try connection.execute("COMMIT; PRAGMA threads = 0; PRAGMA cache_size = -32768")
    }

    /// Whether no row can be in the index, because the feed's file does not have the column.
    private func isEmpty(_ index: StoreSchema.Index) -> Bool {
        guard index.isForeignKey, let plan = plans[index.table], plan.isClustered else { return false }
        return !plan.columns.contains { $0.field?.column == index.leadingColumn }
    }

    /// CREATE INDEX would read all rows of the table, 0.3 s for each of four indexes on 3 M stop times, to find nothing.
    /// They are made on an empty table instead and then handed over by an edit of the schema table
    /// (<https://sqlite.org/pragma.html#pragma_writable_schema>); every store's integrity_check is tested.
    private func createEmpty(_ indexes: [StoreSchema.Index]) throws(SQLiteError) {
        guard !indexes.isEmpty else { return }
        let columns = indexes.map { StoreSchema.quoted($0.leadingColumn) }
        try connection.execute("BEGIN; CREATE TABLE placeholder(\(Set(columns).sorted().joined(separator: ", ")))")
        for (index, column) in zip(indexes, columns) {
            try connection.execute("CREATE INDEX \(StoreSchema.quoted(index.name)) ON placeholder(\(column))")
        }
        try connection.execute("COMMIT; PRAGMA writable_schema = ON")
        let handOver = try connection.prepare(
            "UPDATE sqlite_schema SET tbl_name = ?, sql = ? WHERE type = 'index' AND name = ?")
        for index in indexes {
            handOver.bind(1, index.table)
            handOver.bind(2, index.sql)
            handOver.bind(3, index.name)
            try handOver.run()
        }
        try connection.execute("PRAGMA writable_schema = RESET; DROP TABLE placeholder")
    }
}
