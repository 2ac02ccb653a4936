// Unsafe: passes the memory of records and cells from the reading stage to the writing stage without copying.

import Cells
import GTFSFeed
import KeySorting

/// A reference whose target came later in the same file; rare.
struct LateReference: Sendable {
    let column: String
    let row: Int64
    let target: Int64
}

/// A text in the block's bytes or, if it had to be converted, in its `otherText`. Positions in a block are below 2³².
struct BlockText {
    let isConverted: Bool
    let start: UInt32
    let count: UInt32

    func bytes(in batch: CellBatch) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: (isConverted ? batch.otherText : batch.text) + Int(start), count: Int(count))
    }
}

/// A row of a clustered table that may repeat a key.
struct PossibleDuplicate {
    let rowNumber: Int
    let sequence: Int64
    let text: BlockText
}

/// A row of a clustered table that is refused because it repeats a key.
struct RefusedRepeat {
    let parent: Int64
    /// How many stored rows of the block stand before it.
    let rowsBefore: Int
}

/// A value that its column cannot store: an unknown reference or text that cannot be parsed. A feed may have one in
/// every row.
struct KeptValue {
    var row: Int64
    var sequence: Int64
    /// The row's number if it is a latecomer, else 0. A latecomer that turns out to be a duplicate is kept as a whole.
    var latecomer: UInt32
    /// The column's number in the plan.
    let column: UInt32
    let text: BlockText
}

/// A row that cannot be stored.
struct KeptRow {
    let rowNumber: Int
    let reason: NoticeKind
    let text: BlockText
}

/// A cell beyond the columns that comes out of order.
struct ExtraCell {
    let row: UInt32
    let position: UInt32
    let text: BlockText
}

/// A stop's translated name, or its translated spoken name (tts_stop_name).
struct TranslatedName {
    let stop: UInt32
    let isReading: Bool
    let text: BlockText
}

/// A block of records with the cells made from it; goes from the reading stage to the writing stage and back.
final class ParsedBlock: @unchecked Sendable {
    // @unchecked: it is either used by one stage or in a queue between them, never used by both.

    var records: RecordBlock?
    let cells = CellBuffer()
    /// For each row of a clustered table: its number if an earlier row has a greater key (a latecomer); else 0.
    private(set) var latecomers: UnsafeMutablePointer<UInt32>
    private var latecomerCapacity = 0
    /// Latecomers whose key may have occurred before.
    var possibleDuplicates: [PossibleDuplicate] = []
    /// The rows of a clustered table that are refused at once because they repeat the greatest key so far.
    var repeatedKeys: [RefusedRepeat] = []
    /// Text whose stored form is not in the feed: it was converted or normalized.
    let otherText = TextArena()
    var lateReferences: [LateReference] = []
    // Unchecked: no access lasts beyond an addition.
    @exclusivity(unchecked) var keptValues = BlockList<KeptValue>()
    var keptRows = BlockList<KeptRow>()
    @exclusivity(unchecked) var translatedNames: [TranslatedName] = []
    /// The cells beyond the header, in order of row and position.
    let extraCells = PackedTexts()
    /// Cells that come after a cell of their row with a greater position; rare.
    var lateExtraCells = BlockList<ExtraCell>()

    /// Whether there is anything that no column can store.
    var bringsKept: Bool {
        !keptValues.isEmpty || !keptRows.isEmpty || !extraCells.isEmpty || !lateExtraCells.isEmpty
    }

    /// Whether its contents take less than 64 KB; a full block has 1 MB.
    var isSmall: Bool { (records?.usedBytes ?? 0) + cells.usedBytes < 64 << 10 }

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
        repeatedKeys.removeAll(keepingCapacity: true)
        otherText.removeAll()
        lateReferences.removeAll(keepingCapacity: true)
        keptValues.removeAll()
        keptRows.removeAll()
        translatedNames.removeAll(keepingCapacity: true)
        extraCells.begin()
        lateExtraCells.removeAll()
    }

    /// Adds a cell beyond the columns. `place` puts the text of one that comes out of order into the block.
    @inline(__always)
    func addExtraCell(
        _ text: UnsafeRawBufferPointer, row: Int, at position: Int, _ place: (UnsafeRawBufferPointer) -> BlockText
    ) {
        let row = UInt32(clamping: row)
        if extraCells.append(text, row: row, rank: Int64(position), word: 0) { return }
        lateExtraCells.append(ExtraCell(row: row, position: UInt32(clamping: position), text: place(text)))
    }

    /// Stores a text that is not in the block's bytes in `otherText`.
    func convert(_ text: String) -> BlockText {
        var text = text
        return text.withUTF8 { convert(UnsafeRawBufferPointer($0)) }
    }

    /// The same for a text that is UTF-8.
    func convert(_ text: UnsafeRawBufferPointer) -> BlockText {
        let start = otherText.append(text)
        return BlockText(isConverted: true, start: UInt32(clamping: start), count: UInt32(clamping: text.count))
    }

    /// The rows in `buffer` as SQLite reads them, valid until the block is filled again.
    func batch(of buffer: CellBuffer) -> CellBatch {
        let text = records.map { UnsafeRawPointer($0.bytes) } ?? UnsafeRawPointer(otherText.bytes)
        return buffer.batch(text: text, otherText: otherText.bytes)
    }
}
