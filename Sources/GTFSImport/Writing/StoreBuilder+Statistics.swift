import GTFSSchema
import SQLite

/// What the query planner knows of the store.
extension StoreBuilder {
    /// A table with at least this many rows has statistics.
    static let manyRows = 1_000

    /// Statistics for the query planner, from samples: exact ones would read every index to its end. Small tables have
    /// none, so the planner looks up their rows by index; if it knew how small they are, it would scan them. The
    /// exception is `route`: the planner must know that routes are few. Otherwise it scans all trips to find those of a
    /// route by its name.
    func analyze() throws(SQLiteError) {
        try connection.execute("PRAGMA analysis_limit = \(Self.manyRows)")
        let tables = try connection.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid")
        var large: [String] = []
        while try tables.step() {
            if let table = tables.text(0), try hasManyRows(table) { large.append(table) }
        }
        for table in large { try analyze(table) }
        guard large.contains("trip"), !large.contains("route") else { return }
        try connection.execute("INSERT INTO sqlite_stat1(tbl, stat) SELECT 'route', count(*) FROM route")
    }

    private func hasManyRows(_ table: String) throws(SQLiteError) -> Bool {
        if emptyTables.contains(table) { return false }
        if let rows = storedRows(of: table) { return rows >= Self.manyRows }
        let rows = "SELECT 1 FROM \(StoreSchema.quoted(table)) LIMIT \(Self.manyRows)"
        return try connection.integer("SELECT count(*) FROM (\(rows))") ?? 0 == Self.manyRows
    }

    /// If every index of a table leaves rows out, SQLite would count all rows page by page: 14 ms for half a million
    /// translations. The number of rows is known, so it is entered directly.
    private func analyze(_ table: String) throws(SQLiteError) {
        let indexes = StoreSchema.indexes.filter { $0.table == table }
        // The key of a clustered table is one more index.
        guard !indexes.isEmpty, indexes.allSatisfy(\.leavesOutNull), plans[table]?.isClustered == false,
            let rows = storedRows(of: table)
        else { return try connection.execute("ANALYZE \(StoreSchema.quoted(table))") }
        // In the order in which SQLite goes through them.
        for index in indexes.reversed() { try connection.execute("ANALYZE \(StoreSchema.quoted(index.name))") }
        let count = try connection.prepare("INSERT INTO sqlite_stat1(tbl, stat) VALUES(?, ?)")
        count.bind(1, table)
        count.bind(2, "\(rows)")
        try count.run()
    }
}
