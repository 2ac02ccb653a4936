// Unsafe: raw pointers, as CSVSplitter.swift says. Reads stay below `end` plus the block's padding; writes stay below
// the capacities that `reserve` checks before every 64 bytes.

/// One run over the bytes of one block.
///
/// Turns each 64 bytes into bit masks of the syntax bytes (``StructuralBytes``) and looks at only those.
struct CSVPass {
    enum Mode { case plain, inQuotes, skipping }

    let block: RecordBlock
    let end: Int
    let isLast: Bool
    let delimiter: UInt8
    let maximumRecordBytes: Int
    let rowLimit: Int
    let firstRowNumber: Int

    var mode: Mode
    var nextRowNumber: Int
    var skippedBytes = 0
    var positions: RecordPositions
    var fieldCount = 0
    var rowCount = 0
    var allFlags: UInt8 = 0
    /// Where the next unescaped copy goes; copies start after `end`, raw fields start at `end` or before.
    var copyEnd: Int

    // The record being read.
    var recordStart = 0
    var firstField = 0
    var rowFlags: RowFlags = []
    /// Where the record becomes too long: `recordStart + maximumRecordBytes`.
    var limit: Int
    /// After a stray quote: quotes are text up to the line end.
    var quotingIsOff = false

    // The field being read.
    var fieldStart = 0
    /// How many blanks stand before its opening quote.
    var blanksBefore = 0
    /// Where its closing quote stands, or -1 while it is not known to be quoted.
    var closingQuote = -1
    var hasEscapedQuote = false
    var hasNewline = false

    /// Where the skipped bytes begin that are not counted yet.
    var skipStart = 0
    /// Not zero once the pass has seen a byte that makes `finish` classify the block.
    var unusualBytes: UInt64 = 0
    /// Set when the pass ends before the data does: the next byte is needed to decide, or the row limit is reached.
    var stopped = false

    init(_ splitter: CSVSplitter, _ block: RecordBlock, end: Int, isLast: Bool, rowLimit: Int) {
        self.block = block
        self.end = end
        self.isLast = isLast
        self.rowLimit = rowLimit
        delimiter = splitter.delimiter
        maximumRecordBytes = splitter.maximumRecordBytes
        firstRowNumber = splitter.nextRowNumber
        nextRowNumber = splitter.nextRowNumber
        mode = splitter.isSkipping ? .skipping : .plain
        positions = RecordPositions(block)
        copyEnd = end + 1
        limit = splitter.maximumRecordBytes
    }

    mutating func run(_ blankRows: inout BlankRows) {
        var start = 0
        while true {
            scan(from: start, &blankRows)
            guard !stopped, let afterStrayQuote = endOfData(&blankRows) else { return }
            start = afterStrayQuote
        }
    }

    /// Writes the results into the block and returns how many bytes are consumed.
    func finish() -> Int {
        let consumed = mode == .skipping ? skipStart : recordStart
        block.rawCount = consumed
        block.rowCount = rowCount
        block.firstFields[rowCount] = UInt32(truncatingIfNeeded: firstField)
        block.firstRowNumber = firstRowNumber
        block.allRowFlags = RowFlags(rawValue: allFlags)
        (block.containsNonASCII, block.containsControl, block.containsTab) = (false, false, false)
        // Between the quotes of a file that is delimited by TABs, a TAB is text.
        let mayHaveTab = delimiter == 0x09 && block.allRowFlags.contains(.quoted)
        if unusualBytes != 0 || mayHaveTab { block.classify() }
        return consumed
    }

    /// Handles a record that has no line end in the data. Returns where to scan again after a stray quote; else nil.
    mutating func endOfData(_ blankRows: inout BlankRows) -> Int? {
        switch mode {
        case .skipping:
            skippedBytes += end - skipStart
            skipStart = end
        case .inQuotes where end >= limit || (isLast && blanksBefore > 0):
            return takeQuoteAsText()
        case .inQuotes where isLast:
            rowFlags.insert(.unterminatedQuote)
            closingQuote = end
            mode = .plain
            endRecord(end, next: end, &blankRows)
        case .plain where end > limit && !isLast:
            endField(end)
            cutRecord(end)
            addRow(limit)
            mode = .skipping
            skipStart = end
        case .plain where end > recordStart && isLast:
            endRecord(end, next: end, &blankRows)
        default:
            break
        }
        return nil
    }

    /// Makes room for all fields and rows that the next 64 bytes and the end of the data can add.
    @inline(__always)
    mutating func reserve() {
        if fieldCount > positions.lastField || rowCount > positions.lastRow { grow() }
    }

    @inline(never)
    private mutating func grow() {
        if fieldCount > positions.lastField { block.growFields(to: 2 * block.fieldCapacity, keeping: fieldCount) }
        if rowCount > positions.lastRow { block.growRows(to: 2 * block.rowCapacity, keeping: rowCount) }
        positions = RecordPositions(block)
    }
}

/// A copy of the block's pointers: a class's properties would be loaded again for every field.
struct RecordPositions {
    let bytes: UnsafeMutableRawPointer
    let fieldStarts: UnsafeMutablePointer<UInt32>
    let fieldEnds: UnsafeMutablePointer<UInt32>
    let firstFields: UnsafeMutablePointer<UInt32>
    let rowFlags: UnsafeMutablePointer<UInt8>
    let rowStarts: UnsafeMutablePointer<UInt32>
    let rowEnds: UnsafeMutablePointer<UInt32>
    let rowNumberOffsets: UnsafeMutablePointer<UInt32>
    /// The greatest counts of fields and rows at which there is still room for the next 64 bytes. These end at most 64
    /// fields and rows, and the end of the data ends one more.
    let lastField: Int
    let lastRow: Int

    init(_ block: RecordBlock) {
        bytes = block.bytes
        fieldStarts = block.fieldStarts
        fieldEnds = block.fieldEnds
        firstFields = block.firstFields
        rowFlags = block.rowFlags
        rowStarts = block.rowStart
        rowEnds = block.rowEnd
        rowNumberOffsets = block.rowNumberOffset
        lastField = block.fieldCapacity - 66
        lastRow = block.rowCapacity - 66
    }
}
