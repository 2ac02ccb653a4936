import GTFSSchema
import KeySorting
import SQLite

/// Fills one table from blocks.
protocol TableLoading: AnyObject {
    var plan: TablePlan { get }
    /// Stores the block's rows.
    func load(_ block: ParsedBlock) throws
    /// Stores what is left, and answers which rows are not stored because an earlier one has their key, if any.
    func finish() throws -> LateDuplicates?
}

/// Fills a table with integer keys by a batch table and one prepared INSERT … SELECT.
final class TableLoader: TableLoading, CellBatchSource {
    let plan: TablePlan
    private let insert: Statement
    private let source = SourceBox()
    private var batch: CellBatch?
    private let indexes: LongTableIndexes

    init(_ plan: TablePlan, connection: Connection, indexes: LongTableIndexes) throws(SQLiteError) {
        self.plan = plan
        self.indexes = indexes
        let name = "incoming_" + plan.table
        try connection.createBatchTable(name, columns: plan.stride, source: source)
        let columns = plan.cellColumns.map(StoreSchema.quoted).joined(separator: ", ")
        insert = try connection.prepare(
            "INSERT INTO \(StoreSchema.quoted(plan.table))(\(columns)) SELECT * FROM temp.\(StoreSchema.quoted(name))")
        source.loader = self
    }

    func load(_ block: ParsedBlock) throws {
        guard block.cells.rowCount > 0 else { return }
        let rows = block.batch(of: block.cells)
        try indexes.add(rows, of: block, stride: plan.stride)
        batch = rows
        defer { batch = nil }
        try insert.run()
    }

    func finish() throws -> LateDuplicates? { nil }

    /// Whether it is certain that no two rows have the same key.
    func hasDistinctKeys() throws -> Bool { try indexes.hasDistinctKeys() }

    /// Indexes of which all keys are known.
    var sortedIndexes: [IndexKeys] { indexes.finish() }

    func nextBatch() -> CellBatch? {
        defer { batch = nil }
        return batch
    }

    /// The batch table keeps its source alive; this one does not keep the loader alive in turn.
    private final class SourceBox: CellBatchSource {
        weak var loader: TableLoader?
        func nextBatch() -> CellBatch? { loader?.nextBatch() }
    }
}
