import Cells
import GTFSSchema
import KeySorting
import SQLite

/// Fills one table from blocks.
protocol TableLoading: AnyObject {
    var plan: TablePlan { get }
    /// Stores the block's rows.
    func load(_ block: ParsedBlock) throws
    /// Stores what is left, and returns the rows that are not stored because they repeat an earlier key, if any.
    func finish() throws -> LateDuplicates?
}

/// Stores the rows of a table with integer keys.
protocol RowStoring: AnyObject {
    func store(_ rows: CellBatch) throws
    func finish() throws
}

/// Fills a table with integer keys: a long one by pages, a short one by INSERT, because opening the file would cost
/// more than inserting its rows.
final class TableLoader: TableLoading {
    let plan: TablePlan
    private let connection: Connection
    private let place: StorePlace
    private let rowsOfLongTable: Int
    private var rows: (any RowStoring)?
    private var indexes: LongTableIndexes?

    /// A table is long when its first block has `rowsOfLongTable` rows.
    init(_ plan: TablePlan, connection: Connection, place: StorePlace, rowsOfLongTable: Int) {
        self.plan = plan
        self.connection = connection
        self.place = place
        self.rowsOfLongTable = rowsOfLongTable
    }

    func load(_ block: ParsedBlock) throws {
        guard block.cells.rowCount > 0 else { return }
        let batch = block.batch(of: block.cells)
        let rows = try self.rows ?? begin(batch)
        try indexes?.add(batch, of: block)
        try rows.store(batch)
    }

    private func begin(_ first: CellBatch) throws -> any RowStoring {
        let isLong = first.rowCount >= rowsOfLongTable
        if isLong { indexes = LongTableIndexes(plan, in: place) }
        let rows: any RowStoring =
            isLong && !StoreSchema.tablesWithOtherRows.contains(plan.table)
            ? try WrittenRows(plan, place: place, connection: connection)
            : try InsertedRows(plan, connection)
        self.rows = rows
        return rows
    }

    func finish() throws -> LateDuplicates? {
        try rows?.finish()
        rows = nil
        return nil
    }

    /// Adds references that were found after their rows, to the indexes.
    func add(_ references: LateReferences) throws { try indexes?.add(references) }

    /// Rows that repeat the key of an earlier row, if known. Call it once the indexes are written.
    func repeatedKeys() throws -> RepeatedKeys? { try indexes?.repeatedKeys() }

    var placeIndexes: PlaceIndexes? { indexes?.placeIndexes }

    /// The other indexes, those whose keys are all known.
    var sortedIndexes: [any SortedIndex] { indexes?.finish() ?? [] }
}
