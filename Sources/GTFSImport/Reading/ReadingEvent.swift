// Unsafe: hands the memory of records and cells from the reading stage to the writing one without copying.

import Cells
import GTFSFeed
import KeySorting
import SQLite

/// What the reading stage tells the writing stage, in the order in which the store is to be filled.
enum ReadingEvent: Sendable {
    /// The blocks that follow belong to this table.
    case begin(TablePlan)
    case block(ParsedBlock)
    /// No block brings names of stops any more. Translations by value are read from the finished table, if there are
    /// any.
    case lastName(hasTranslationsByValue: Bool)
    /// A file has been read to its end.
    case end(FileSummary)
    /// A piece of a file that is no table.
    case bytes(file: String, part: Int, bytes: [UInt8])
    /// The geographic zones of locations.geojson, ready to be stored.
    case location(LocationRecord)
    /// A feature of locations.geojson that cannot be stored.
    case keptRow(file: String, number: Int, reason: String, text: String)
    /// Members of a feature that no column takes; row 0 is the collection itself.
    case extraCell(file: String, row: Int, position: Int, value: String)
    /// Reading stopped here.
    case failure(ImportError)

    /// What it takes of the room between the stages: a full block eight times what one of a small file does.
    var weight: Int {
        switch self {
        case .block(let block): block.isSmall ? 1 : Self.fullWeight
        case .bytes, .location, .keptRow, .extraCell: Self.fullWeight
        case .begin, .lastName, .end, .failure: 0
        }
    }

    static let fullWeight = 8
}

/// What was in one file of the feed.
struct FileSummary: Sendable {
    let file: String
    let table: String?
    let view: String?
    /// Such as "UTF-8" or "windows-1252".
    let encoding: String?
    /// Records after the header, stored or kept.
    let rows: Int
    /// Records that could not be stored.
    var keptRows: Int
    /// Records that a filter left out; they count to no other number.
    var leftOut = 0
    let bytes: UInt64
    /// In seconds of the service day.
    var greatestTime = GreatestTime()
}

/// Something for the writing stage besides the block's rows; rare.
enum SideRow: Sendable {
    /// A reference whose target came later in the same file.
    case reference(column: String, row: Int64, target: Int64)
    /// A service that only calendar_dates.txt names.
    case service(id: Int64, name: String)
}

/// A text in the block's bytes or, if it had to be converted, in its other text. Places in a block are below 2³².
struct BlockText {
    let isConverted: Bool
    let start: UInt32
    let count: UInt32

    func bytes(in batch: CellBatch) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: (isConverted ? batch.otherText : batch.text) + Int(start), count: Int(count))
    }
}

/// The text of a row.
struct RowText {
    let rowNumber: Int
    let text: BlockText
}

/// A value that its column could not take: an unknown reference or text that cannot be parsed. A feed may have one in
/// each of its rows.
struct KeptValue {
    var row: Int64
    var sequence: Int64
    /// The row's number if it is a latecomer, which may turn out to be a duplicate and is kept as a whole then; else 0.
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

/// A cell beyond the columns that comes late.
struct ExtraCell {
    let row: UInt32
    let position: UInt32
    let text: BlockText
}

/// A stop's name in another language, or as it is spoken there.
struct TranslatedName {
    let stop: UInt32
    let isReading: Bool
    let text: BlockText
}

/// A block of records with the cells made from it; travels from the reading stage to the writing one and back.
final class ParsedBlock: @unchecked Sendable {
    // @unchecked: it is in one stage's hands or in the pipe between them, never in two.

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
    // Unchecked: no access lasts beyond an addition.
    @exclusivity(unchecked) var keptValues = BlockList<KeptValue>()
    var keptRows = BlockList<KeptRow>()
    @exclusivity(unchecked) var translatedNames: [TranslatedName] = []
    /// The cells beyond the header: by row and position.
    let extraCells = PackedTexts()
    /// Those that come after others of their row with greater positions; rare.
    var lateExtraCells = BlockList<ExtraCell>()

    /// Whether there is anything that no column takes.
    var bringsKept: Bool {
        !keptValues.isEmpty || !keptRows.isEmpty || !extraCells.isEmpty || !lateExtraCells.isEmpty
    }

    /// Whether what is in it takes less than 64 KB; a full block has 1 MB.
    fileprivate var isSmall: Bool { (records?.usedBytes ?? 0) + cells.usedBytes < 64 << 10 }

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
        keptValues.removeAll()
        keptRows.removeAll()
        translatedNames.removeAll(keepingCapacity: true)
        extraCells.begin()
        lateExtraCells.removeAll()
    }

    /// Takes a text that is not in the block's bytes.
    func convert(_ text: String) -> BlockText {
        var text = text
        let start = text.withUTF8 { otherText.append(UnsafeRawBufferPointer($0)) }
        return BlockText(isConverted: true, start: UInt32(clamping: start), count: UInt32(clamping: text.utf8.count))
    }

    /// The rows in `buffer` as SQLite reads them, valid until the block is filled again.
    func batch(of buffer: CellBuffer) -> CellBatch {
        let text = records.map { UnsafeRawPointer($0.bytes) } ?? UnsafeRawPointer(otherText.bytes)
        return buffer.batch(text: text, otherText: otherText.bytes)
    }
}
