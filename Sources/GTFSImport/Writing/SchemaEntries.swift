import GTFSSchema
import SQLite
import SQLitePages

/// Tables, indexes and views, entered into a store's schema all at once.
///
///     var entries = SchemaEntries()
///     entries.add(StoreSchema.Definition(.table, "level", sql))
///     entries.add(index.definition, root: tree.rootPage)
///     try entries.enter(connection, in: place)
///
/// For each CREATE statement, SQLite compiles two more statements and reads the whole schema. 126 CREATE statements
/// took 4 of the 20 ms of a feed of 9 kB (<https://sqlite.org/schematab.html>).
///
/// Not for tables with UNIQUE columns: SQLite makes indexes for them, which have entries of their own.
struct SchemaEntries {
    private struct Entry {
        let definition: StoreSchema.Definition
        /// The first page of its tree; nil while it has none.
        let root: UInt32?
    }

    private var entries: [Entry] = []

    init(_ definitions: [StoreSchema.Definition] = []) {
        for definition in definitions { add(definition) }
    }

    /// Adds a table, an index or a view. `root` is the first page of its tree; without `root`, it gets an empty tree.
    mutating func add(_ definition: StoreSchema.Definition, root: UInt32? = nil) {
        entries.append(Entry(definition: definition, root: root))
    }

    mutating func addTable(withoutRows file: FileDefinition) {
        if let plain = Self.plain[file.table] { add(plain.table) }
    }

    mutating func addIndexes(withoutRows file: FileDefinition) {
        for index in Self.plain[file.table]?.indexes ?? [] { add(index) }
    }

    mutating func addView(
        of file: FileDefinition, extra: [StoreSchema.ExtraColumn], kept: StoreSchema.KeptColumns?
    ) {
        let isPlain = extra.isEmpty && kept == nil
        let plain = isPlain ? Self.plain[file.table]?.view : nil
        add(plain ?? .view(of: file, extra: extra, kept: kept))
    }

    /// What a file has in the schema if the feed has neither rows of it nor values that only its view shows.
    private struct Plain: Sendable {
        let table: StoreSchema.Definition
        let indexes: [StoreSchema.Definition]
        let view: StoreSchema.Definition
    }

    private static let plain = Dictionary(
        uniqueKeysWithValues: Specification.gtfs.files.map { file in
            let indexes = StoreSchema.indexes.filter { $0.table == file.table }
            return (
                file.table, Plain(table: .table(of: file), indexes: indexes.map(\.definition), view: .view(of: file))
            )
        })

    /// Makes the definitions that all feeds share. It takes 1.4 ms; `Importer` has it done while the feed is opened.
    static func makePlain() { _ = plain }

    /// Writes the entries, with an empty page for each table and index that has no tree, and lets SQLite read the
    /// schema again. No transaction may be open. If it fails halfway, the file is useless: the import ends and discards
    /// it.
    func enter(_ connection: Connection, in place: StorePlace) throws {
        let trees = entries.compactMap { $0.root == nil ? $0.definition.tree : nil }
        var roots = trees.isEmpty ? [] : try DatabaseFile(of: place).append(trees)[...]
        try connection.execute("PRAGMA writable_schema = ON; BEGIN")
        let statement = try connection.prepare(
            "INSERT INTO sqlite_schema(type, name, tbl_name, rootpage, sql) VALUES(?, ?, ?, ?, ?)")
        for entry in entries {
            statement.bind(1, entry.definition.kind.rawValue)
            statement.bind(2, entry.definition.name)
            statement.bind(3, entry.definition.table)
            // A view has no tree.
            statement.bind(4, Int64(entry.definition.tree == nil ? 0 : entry.root ?? roots.removeFirst()))
            statement.bind(5, entry.definition.sql)
            try statement.run()
        }
        try connection.execute("COMMIT")
        try connection.execute("PRAGMA writable_schema = RESET")
    }
}

extension StoreSchema.Definition {
    static func table(of file: FileDefinition) -> Self {
        Self(.table, file.table, StoreSchema.createTable(of: file, present: [], extra: []))
    }

    static func view(
        of file: FileDefinition, extra: [StoreSchema.ExtraColumn] = [], kept: StoreSchema.KeptColumns? = nil
    ) -> Self {
        Self(.view, file.view, StoreSchema.createView(of: file, extra: extra, kept: kept))
    }

    /// Nil for a view.
    fileprivate var tree: EmptyTree? {
        switch kind {
        case .table: sql.hasSuffix(" WITHOUT ROWID") ? .index : .table
        case .index: .index
        case .view: nil
        }
    }
}

extension Connection {
    /// The first page of the tree of a table that the import has made.
    func rootPage(ofTable name: String, in place: StorePlace) throws -> UInt32 {
        guard let root = try rootPage(of: name) else {
            throw ImportError(.bug, at: place.path, ": table \(name) was not made")
        }
        return root
    }

    /// The first page of a table's or index's tree; nil when there is no such table or index.
    func rootPage(of name: String) throws(SQLiteError) -> UInt32? {
        let statement = try prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?")
        statement.bind(1, name)
        return try statement.step() ? UInt32(clamping: statement.integer(0)) : nil
    }
}
