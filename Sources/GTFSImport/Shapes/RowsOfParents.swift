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

/// Reads the rows of one trip or shape after the other, from the pages of a table that is stored in their order. Ask
/// for trips or shapes in ascending order: those that follow each other then need no search.
struct RowsOfParents {
    private let reader: IndexTreeReader
    let rows: NumberRows

    /// `plan` is that of the table. Columns that it lacks are read as if they were empty.
    init(_ plan: TablePlan, columns: (String, String, String), of stored: StoredSequences) throws {
        func cell(_ column: String) -> Int { plan.cell(of: column) ?? -1 }
        rows = NumberRows(columns: (cell(columns.0), cell(columns.1), cell(columns.2)))
        reader = try stored.reader(ofTable: plan.table)
    }

    /// Fills `rows` with the rows of a trip or shape, in the order of their sequence; up to `most` of them.
    func read(_ parent: Int64, most: Int) throws {
        rows.removeAll()
        try reader.readNumbers(of: parent, to: rows, most: most)
        guard rows.count == 0 else { return }
        try reader.seek { RecordIntegers.value(of: $0, at: 0) ?? 0 < parent }
        try reader.readNumbers(of: parent, to: rows, most: most)
    }
}

/// Reads the calls of trips.
final class CallRows {
    private let reader: RowsOfParents
    // Unchecked: no access lasts beyond a call of this class's own functions.
    @exclusivity(unchecked) private var calls: [PatternMatching.Call] = []

    init(_ plan: TablePlan, of stored: StoredSequences) throws {
        reader = try RowsOfParents(plan, columns: ("stop", "shape_dist_traveled", ""), of: stored)
    }

    /// Reads at most as many calls as a long shape has points, so that memory is bounded.
    func read(_ trip: Int64) throws -> [PatternMatching.Call] {
        try reader.read(trip, most: ShapePath.mostPoints)
        calls.removeAll(keepingCapacity: true)
        for row in reader.rows.rows {
            calls.append(
                PatternMatching.Call(
                    stop: Int(exactly: row.first) ?? -1, sequence: row.sequence,
                    distance: row.second > 0 ? row.second : 0))
        }
        return calls
    }
}
