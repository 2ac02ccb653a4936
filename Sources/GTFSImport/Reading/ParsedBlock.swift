// Unsafe: hands the memory of records and cells from the reading stage to the writing one without copying.

import GTFSFeed
import SQLite

/// Something for the writing stage besides the block's rows; rare.
enum SideRow: Sendable {
    /// A value that its column could not take: an unknown reference or text that cannot be parsed. That of a latecomer
    /// has its row number, as it may turn out to be a duplicate, which is kept as a whole.
    case keptValue(row: Int64, sequence: Int64, latecomer: Int?, column: String, value: String)
    /// A row that cannot be stored.
    case keptRow(number: Int, reason: String, text: String)
    /// A reference whose target came later in the same file.
    case reference(column: String, row: Int64, target: Int64)
    /// A service that only calendar_dates.txt names.
    case service(id: Int64, name: String)
    case shape(id: Int64, name: String)
}

/// The text of a row, in the block's bytes or, if it had to be converted, in its other text.
struct RowText {
    let rowNumber: Int
    let isConverted: Bool
    let start: Int
    let count: Int

    func bytes(in batch: CellBatch) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: (isConverted ? batch.otherText : batch.text) + start, count: count)
    }
}

/// A cell beyond the columns: its place in the file, and its text as in `RowText`. Rows, positions and places in a
/// block are below 2³².
struct ExtraCell {
    let row: UInt32
    let position: UInt32
    let isConverted: Bool
    let start: UInt32
    let count: UInt32
}

/// A block of records with the cells made from it; travels from the reading stage to the writing one and back.
///
/// Sendable by ownership: it is in one stage's hands or in the pipe between them, never in two.
final class ParsedBlock: @unchecked Sendable {
    var records: RecordBlock?
    let cells = CellBuffer()
    /// For each row of a clustered table: its number, if a row before it has the same or a greater key; else 0.
    private(set) var latecomers: UnsafeMutablePointer<UInt32>
    private var latecomerCapacity = 0
    /// The text of latecomers whose key may have been seen before.
    var possibleDuplicates: [RowText] = []
    /// Text that is not in the feed as it is stored: converted or normalized.
    let otherText = TextArena()
    var sideRows: [SideRow] = []
    /// The side rows are too many to come with the block.
    var sideRowsFollow = false
    var extraCells: [ExtraCell] = []

    init() { latecomers = .allocate(capacity: 0) }

    deinit { latecomers.deallocate() }

    func prepare(rows: Int, plan: TablePlan) {
        cells.prepare(rows: rows, stride: plan.stride)
        if plan.isClustered, rows > latecomerCapacity {
            latecomers.deallocate()
            latecomers = .allocate(capacity: rows)
            latecomerCapacity = rows
        }
        possibleDuplicates.removeAll(keepingCapacity: true)
        otherText.removeAll()
        sideRows.removeAll(keepingCapacity: true)
        sideRowsFollow = false
        extraCells.removeAll(keepingCapacity: true)
    }

    /// The rows in `buffer` as SQLite reads them, valid until the block is filled again.
    func batch(of buffer: CellBuffer) -> CellBatch {
        let text = records.map { UnsafeRawPointer($0.bytes) } ?? UnsafeRawPointer(otherText.bytes)
        return buffer.batch(text: text, otherText: otherText.bytes)
    }
}
