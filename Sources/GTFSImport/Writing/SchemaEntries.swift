import GTFSSchema
import SQLite
import SQLitePages

/// Tables and indexes that stay empty, and views, entered into a store's schema as SQLite itself would enter them.
///
///     var entries = SchemaEntries()
///     entries.add(.table, "level", of: "level", sql: "CREATE TABLE level(…)")
///     try entries.write(to: DatabaseFile(path: path, sums: sums), connection)
///
/// A feed has files for a quarter of the specification; the other tables, their indexes and the views are 130
/// statements that SQLite would parse three times each, looking through the whole schema in between: a quarter of the
/// instructions that a feed of 40 kB takes. Only statements that follow from the specification alone go this way, never
/// a name from a feed; that they are the ones SQLite would have written is tested
/// (<https://sqlite.org/schematab.html>).
struct SchemaEntries {
    enum Kind: String {
        case table, index, view
    }

    private struct Entry {
        let kind: Kind
        let name: String
        let table: String
        let sql: String
        /// Nil for a view.
        let tree: EmptyTree?
    }

    private var entries: [Entry] = []

    mutating func add(table file: FileDefinition) {
        entries.append(
            Entry(
                kind: .table, name: file.table, table: file.table,
                sql: StoreSchema.emptyTables[file.table] ?? "",
                tree: file.storage == .clustered ? .index : .table))
    }

    mutating func add(_ index: StoreSchema.Index) {
        entries.append(Entry(kind: .index, name: index.name, table: index.table, sql: index.sql, tree: .index))
    }

    mutating func add(view file: FileDefinition) {
        let sql = StoreSchema.plainViews[file.table] ?? ""
        entries.append(Entry(kind: .view, name: file.view, table: file.view, sql: sql, tree: nil))
    }

    /// Writes them all. The connection must not be in a transaction, and does not see what was entered: SQLite reads
    /// the schema when a file is opened.
    func write(to file: DatabaseFile, _ connection: Connection) throws {
        var roots = try file.appendEmpty(entries.compactMap(\.tree)).makeIterator()
        try connection.execute("PRAGMA writable_schema = ON; BEGIN")
        let statement = try connection.prepare(
            "INSERT INTO sqlite_schema(type, name, tbl_name, rootpage, sql) VALUES(?, ?, ?, ?, ?)")
        for entry in entries {
            statement.bind(1, entry.kind.rawValue)
            statement.bind(2, entry.name)
            statement.bind(3, entry.table)
            statement.bind(4, entry.tree == nil ? 0 : roots.next().map(Int64.init) ?? 0)
            statement.bind(5, entry.sql)
            try statement.run()
        }
        try connection.execute("COMMIT; PRAGMA writable_schema = OFF")
    }
}
