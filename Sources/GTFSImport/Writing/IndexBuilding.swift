import GTFSSchema
import SQLite

/// Makes a store's indexes after its rows are in.
///
///     try IndexBuilding(connection: connection, indexes: indexes, roots: [:], cacheKibibytes: 32 << 10).run()
///     try SchemaEntries(withoutRows).enter(connection, in: place)
///
/// SQLite knows those of `roots` once it has read the schema anew, which the entries of tables without rows make it do.
struct IndexBuilding {
    let connection: Connection
    let indexes: [StoreSchema.Index]
    /// Root pages of the indexes whose pages are in the file already.
    let roots: [String: UInt32]
    /// SQLite's cache afterwards.
    let cacheKibibytes: Int

    /// Runs that fit the processor's cache sort three times faster than one large one; two threads halve the rest.
    func run() throws(SQLiteError) {
        try connection.execute("PRAGMA cache_size = -2000; PRAGMA threads = 2")
        if !roots.isEmpty { try connection.execute("PRAGMA writable_schema = ON") }
        try connection.execute("BEGIN")
        let entry = roots.isEmpty ? nil : try SchemaStatement(connection)
        for index in indexes {
            Failpoint.reach("index")
            if let entry, let root = roots[index.name] {
                try entry.enter(index.definition, root)
            } else {
                try connection.execute(index.sql)
            }
        }
        try connection.execute("COMMIT; PRAGMA threads = 0; PRAGMA cache_size = -\(cacheKibibytes)")
    }
}
