import SQLite
import SQLitePages

/// The pages of the long tables, for rules that read all of their rows. Other pages may be written meanwhile.
struct StoredSequences {
    private let place: StorePlace
    /// The first pages of the tables. They are looked up only once, as the schema may be written later.
    private let roots: [String: UInt32]

    init(_ tables: [String], _ connection: Connection, in place: StorePlace) throws {
        self.place = place
        roots = Dictionary(
            uniqueKeysWithValues: try tables.map { ($0, try connection.rootPage(ofTable: $0, in: place)) })
    }

    /// Reads the rows of a table in the order of their keys.
    func reader(ofTable table: String) throws -> IndexTreeReader {
        guard let root = roots[table] else { throw ImportError(.bug, at: place.path, ": table \(table) was not made") }
        return try DatabaseFile(of: place).reader(root: root)
    }
}
