// Unsafe: passes the pointers of a block's cells on to the record encoder, row by row.

import Cells
import GTFSSchema
import SQLite
import SQLitePages

/// Fills a table with rowids by writing its pages: 300 instructions a row instead of 2,900 by INSERT, which looks for
/// the row's place twice.
///
/// As for a clustered table, the file is lent from `init` to `finish`: no statement may touch it.
final class WrittenRows: RowStoring {
    private let connection: Connection
    private let file: DatabaseFile
    private let loan: FileLoan
    private let tree: TableTreeWriter
    // Unchecked: no access lasts beyond `store`.
    @exclusivity(unchecked) private var encoder: RecordEncoder
    /// The cell of each column up to the last one that has a cell: SQLite reads columns that a record lacks at its end
    /// as NULL.
    private let cells: UnsafeMutableBufferPointer<Int32>

    init(_ plan: TablePlan, place: StorePlace, connection: Connection) throws {
        self.connection = connection
        let root = try connection.rootPage(ofTable: plan.table, in: place)
        // BEGIN does not look at the file yet: the transaction begins with the first statement that does.
        try connection.execute("COMMIT; BEGIN")
        loan = place.file.lend()
        file = try DatabaseFile(of: place)
        tree = try file.tableTree(root: root)
        let columns = Self.cells(of: plan)
        cells = .allocate(capacity: columns.count)
        _ = cells.initialize(from: columns)
        encoder = RecordEncoder(columns: columns.count)
    }

    deinit { cells.deallocate() }

    /// The id is the rowid, and NULL in the record (<https://sqlite.org/lang_createtable.html#rowid>).
    private static func cells(of plan: TablePlan) -> [Int32] {
        let columns = plan.definition.map { StoreSchema.rowColumns(of: $0, extra: plan.extra) } ?? plan.cellColumns
        let places = Dictionary(
            plan.cellColumns.enumerated().map { (Array($1.utf8), Int32($0)) }, uniquingKeysWith: { one, _ in one })
        let cells = [-1] + columns.dropFirst().map { places[Array($0.utf8)] ?? -1 }
        let last = cells.lastIndex { $0 >= 0 } ?? 0
        return Array(cells[...last])
    }

    func store(_ rows: CellBatch) throws {
        guard let cells = cells.baseAddress else { return }
        let tree = tree
        for row in rows.rows {
            let record = encoder.encode(
                cells: cells, tags: row.tags, payloads: row.payloads, text: rows.text, otherText: rows.otherText)
            try tree.append(record, rowid: Int(row.id))
        }
    }

    func finish() throws {
        try file.adopt(tree.finish())
        loan.end()
        // A new transaction, so that the connection forgets what it knows of the file as it was.
        try connection.execute("COMMIT; BEGIN")
    }
}
