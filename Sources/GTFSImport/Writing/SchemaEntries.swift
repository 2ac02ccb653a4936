import GTFSSchema
import SQLite
import SQLitePages

/// Tables and indexes without rows, and views, entered into a store's schema all at once.
///
///     var entries = SchemaEntries()
///     entries.add(StoreSchema.Definition(.table, "level", sql))
///     try entries.enter(connection, in: place)
///
/// For each CREATE statement SQLite compiles two more statements and reads the schema through. 126 of them took 4 of
/// the 20 ms of a feed of 9 kB (<https://sqlite.org/schematab.html>).
///
/// Not for tables with UNIQUE columns: SQLite makes indexes for them, which have entries of their own.
struct SchemaEntries {
    private var definitions: [StoreSchema.Definition]

    init(_ definitions: [StoreSchema.Definition] = []) { self.definitions = definitions }

    mutating func add(_ definition: StoreSchema.Definition) { definitions.append(definition) }

    /// Adds table, indexes and view of a file from which no row comes.
    mutating func add(withoutRows file: FileDefinition) { definitions += Self.withoutRows[file.table] ?? [] }

    /// By table. Making them all takes 1.4 ms, which `Importer` has done while the feed is opened.
    static let withoutRows = Dictionary(
        uniqueKeysWithValues: Specification.gtfs.files.map { file in
            let indexes = StoreSchema.indexes.filter { $0.table == file.table }
            return (file.table, [.table(of: file)] + indexes.map(\.definition) + [.view(of: file)])
        })

    /// Enters them, with an empty page for each table and index, and lets SQLite read the schema anew. No transaction
    /// may be open. If it fails halfway, the file is of no use: the import ends and throws it away.
    func enter(_ connection: Connection, in place: StorePlace) throws {
        var roots = try emptyTrees(in: place)[...]
        try connection.execute("PRAGMA writable_schema = ON; BEGIN")
        let statement = try SchemaStatement(connection)
        for definition in definitions {
            try statement.enter(definition, definition.tree == nil ? 0 : roots.removeFirst())
        }
        try connection.execute("COMMIT")
        try connection.execute("PRAGMA writable_schema = RESET")
    }

    private func emptyTrees(in place: StorePlace) throws -> [UInt32] {
        let trees = definitions.compactMap(\.tree)
        return trees.isEmpty ? [] : try DatabaseFile(path: place.path, sums: place.sums).append(trees)
    }
}

/// Writes the entry of a table, an index or a view, as its CREATE statement does. `PRAGMA writable_schema` must be on.
struct SchemaStatement {
    private let statement: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        statement = try connection.prepare(
            "INSERT INTO sqlite_schema(type, name, tbl_name, rootpage, sql) VALUES(?, ?, ?, ?, ?)")
    }

    /// `root` is the first page of its tree, 0 for a view.
    func enter(_ definition: StoreSchema.Definition, _ root: UInt32) throws(SQLiteError) {
        statement.bind(1, definition.kind.rawValue)
        statement.bind(2, definition.name)
        statement.bind(3, definition.table)
        statement.bind(4, Int64(root))
        statement.bind(5, definition.sql)
        try statement.run()
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
