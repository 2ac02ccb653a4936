import Cells
import GTFSSchema
import SQLite

/// Stores the rows of a short table, or those of calendar.txt, by a batch table and one prepared INSERT … SELECT, which
/// takes less than an INSERT for each.
final class InsertedRows: RowStoring, CellBatchSource {
    private let insert: Statement
    private let source = SourceBox()
    private var batch: CellBatch?

    init(_ plan: TablePlan, _ connection: Connection) throws(SQLiteError) {
        let incoming = "incoming_" + plan.table
        try connection.createBatchTable(incoming, columns: plan.stride, source: source)
        // Each service has a set of days of its own, until `ServiceDays` sets the right one.
        let setsOfDays = plan.table == "service"
        let names = plan.cellColumns.map(StoreSchema.quoted) + (setsOfDays ? ["day_set"] : [])
        let values = plan.cellColumns.indices.map { "c\($0)" } + (setsOfDays ? ["c0"] : [])
        insert = try connection.prepare(
            "INSERT INTO \(StoreSchema.quoted(plan.table))(\(names.joined(separator: ", "))) "
                + "SELECT \(values.joined(separator: ", ")) FROM temp.\(StoreSchema.quoted(incoming))")
        source.rows = self
    }

    func store(_ rows: CellBatch) throws {
        batch = rows
        defer { batch = nil }
        try insert.run()
    }

    func finish() {}

    func nextBatch() -> CellBatch? {
        defer { batch = nil }
        return batch
    }

    /// The batch table keeps its source alive. The source does not keep the rows alive, or neither would be freed.
    private final class SourceBox: CellBatchSource {
        weak var rows: InsertedRows?
        func nextBatch() -> CellBatch? { rows?.nextBatch() }
    }
}
