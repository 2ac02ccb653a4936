// Raw pointers: see CSVSplitter.swift. Reads stay below `end` plus the block's padding; writes stay below the capacities
// that `reserve` checks before every 64 bytes, which can hold at most 64 fields and 64 rows.

/// One run over the bytes of one block.
///
/// Sixty-four bytes become a bit mask of those that mean something (delimiter, quote, CR, LF); only those are looked at.
struct CSVPass {
    enum Mode { case plain, inQuotes, skipping }

    private let block: RecordBlock
    private let end: Int
    private let isLast: Bool
    private let delimiter: UInt8
    private let maximumRecordBytes: Int
    private let rowLimit: Int
    private let firstRowNumber: Int

    private(set) var mode: Mode
    private(set) var nextRowNumber: Int
    private(set) var skippedBytes = 0

    // The block's pointers, held here because a class's properties would be loaded again for every field.
    private var bytes: UnsafeMutableRawPointer
    private var fieldStarts: UnsafeMutablePointer<UInt32>
    private var fieldEnds: UnsafeMutablePointer<UInt32>
    private var fieldRoom: Int
    private var firstFields: UnsafeMutablePointer<UInt32>
    private var flagsOfRows: UnsafeMutablePointer<UInt8>
    private var rowStarts: UnsafeMutablePointer<UInt32>
    private var rowEnds: UnsafeMutablePointer<UInt32>
    private var rowNumberOffsets: UnsafeMutablePointer<UInt32>
    private var rowRoom: Int
    private var fieldCount = 0
    private var rowCount = 0
    private var allFlags: UInt8 = 0
    /// Where the next unescaped copy goes; copies start behind `end`, raw fields start at `end` or before.
    private var copyEnd: Int

    // The record being read.
    private var recordStart = 0
    private var firstField = 0
    private var rowFlags: RowFlags = []
    /// Where the record is too long: `recordStart + maximumRecordBytes`.
    private var limit: Int
    /// After a stray quote: quotes are text up to the line end.
    private var quotingIsOff = false

    // The field being read.
    private var fieldStart = 0
    /// Where its closing quote stands, or -1 while it is not known to be quoted.
    private var closingQuote = -1
    private var hasEscapedQuote = false
    private var hasNewline = false

    private var skipStart = 0
    /// Not zero once a byte was seen for which the block must be looked at closely.
    private var suspects: UInt64 = 0
    /// Set when the pass ends before the data does: the next byte decides, or the row limit is reached.
    private var stopped = false

    init(
        block: RecordBlock, end: Int, isLast: Bool, delimiter: UInt8, maximumRecordBytes: Int, firstRowNumber: Int,
        isSkipping: Bool, rowLimit: Int
    ) {
        self.block = block
        self.end = end
        self.isLast = isLast
        self.delimiter = delimiter
        self.maximumRecordBytes = maximumRecordBytes
        self.rowLimit = rowLimit
        self.firstRowNumber = firstRowNumber
        nextRowNumber = firstRowNumber
        mode = isSkipping ? .skipping : .plain
        bytes = block.bytes
        fieldStarts = block.fieldStart
        fieldEnds = block.fieldEnd
        fieldRoom = block.fieldCapacity - Self.spare
        firstFields = block.firstField
        flagsOfRows = block.rowFlags
        rowStarts = block.rowStart
        rowEnds = block.rowEnd
        rowNumberOffsets = block.rowNumberOffset
        rowRoom = block.rowCapacity - Self.spare
        copyEnd = end + 1
        limit = maximumRecordBytes
    }

    mutating func run(_ blankRows: inout BlankRows) {
        var position = 0
        while true {
            scan(from: position, &blankRows)
            guard !stopped, let strayQuote = endOfData(&blankRows) else { return }
            position = strayQuote
        }
    }

    /// Writes what was found into the block and returns how many bytes are done with.
    func finish(_ block: RecordBlock) -> Int {
        let consumed = mode == .skipping ? skipStart : recordStart
        block.rawCount = consumed
        block.rowCount = rowCount
        firstFields[rowCount] = UInt32(truncatingIfNeeded: firstField)
        block.firstRowNumber = firstRowNumber
        block.allRowFlags = RowFlags(rawValue: allFlags)
        (block.containsNonASCII, block.containsControl) = (false, false)
        if suspects != 0 { block.classify() }
        return consumed
    }

    // MARK: Scanning

    private mutating func scan(from start: Int, _ blankRows: inout BlankRows) {
        var base = start
        while base < end {
            reserve()
            var found = StructuralBytes(bytes + base, count: end - base, delimiter: delimiter)
            suspects |= found.suspects
            var next = base + 64
            while true {
                // The delimiters before the next other byte; all of them if there is none.
                let before = found.delimiters & ((found.others & (0 &- found.others)) &- 1)
                if mode == .plain { endFields(before, base) }
                guard found.others != 0 else { break }
                let position = base + found.others.trailingZeroBitCount
                let following = other(position, &blankRows)
                if stopped { return }
                guard following > position, following < next else {
                    next = following
                    break
                }
                let rest = UInt64.max &<< UInt64(truncatingIfNeeded: following - base)
                found.delimiters &= rest
                found.others &= rest
            }
            base = next
        }
    }

    /// Ends a field at each of the delimiters.
    @inline(__always)
    private mutating func endFields(_ delimiters: UInt64, _ base: Int) {
        var delimiters = delimiters
        if closingQuote >= 0, delimiters != 0 {
            let position = base + delimiters.trailingZeroBitCount
            endQuotedField(position)
            fieldStart = position + 1
            delimiters &= delimiters &- 1
        }
        // In local variables, or every field would wait for the one before to reach memory and back.
        let (starts, ends) = (fieldStarts, fieldEnds)
        var (start, count) = (fieldStart, fieldCount)
        while delimiters != 0 {
            let position = base &+ delimiters.trailingZeroBitCount
            starts[count] = UInt32(truncatingIfNeeded: start)
            ends[count] = UInt32(truncatingIfNeeded: position)
            start = position &+ 1
            count &+= 1
            delimiters &= delimiters &- 1
        }
        (fieldStart, fieldCount) = (start, count)
    }

    /// Deals with a quote, line end or control character and returns where to go on.
    @inline(__always)
    private mutating func other(_ position: Int, _ blankRows: inout BlankRows) -> Int {
        let byte = bytes.load(fromByteOffset: position, as: UInt8.self)
        if mode == .plain, byte == 0x0A || byte == 0x0D {
            guard let next = lineEnd(position, byte) else { return position }
            endRecord(position, next: next, &blankRows)
            return next
        }
        return rarer(position, byte)
    }

    private mutating func rarer(_ position: Int, _ byte: UInt8) -> Int {
        switch (mode, byte) {
        case (.plain, UInt8(ascii: "\"")):
            // Only the first byte of a field can open a quote; any other is text.
            if position == fieldStart, !quotingIsOff, position < limit { mode = .inQuotes }
        case (.inQuotes, UInt8(ascii: "\"")):
            return position < limit ? quoteInside(position) : takeQuoteAsText()
        case (.inQuotes, 0x0A), (.inQuotes, 0x0D):
            hasNewline = true
        case (.skipping, 0x0A), (.skipping, 0x0D):
            return endSkipping(position, byte)
        default:
            if byte < 0x20 { suspects |= 1 }
        }
        return position + 1
    }

    private mutating func quoteInside(_ position: Int) -> Int {
        if position + 1 == end, !isLast {
            stopped = true
        } else if position + 1 < end, bytes.load(fromByteOffset: position + 1, as: UInt8.self) == UInt8(ascii: "\"") {
            hasEscapedQuote = true
            return position + 2
        } else {
            closingQuote = position
            mode = .plain
        }
        return position + 1
    }

    /// Where the next line starts, or nil when a CR is the last byte so far and its LF may still come.
    @inline(__always)
    private mutating func lineEnd(_ position: Int, _ byte: UInt8) -> Int? {
        guard byte == 0x0D else { return position + 1 }
        if position + 1 < end {
            return bytes.load(fromByteOffset: position + 1, as: UInt8.self) == 0x0A ? position + 2 : position + 1
        }
        stopped = !isLast
        return isLast ? position + 1 : nil
    }

    // MARK: Fields

    @inline(__always)
    private mutating func endField(_ position: Int) {
        if closingQuote >= 0 { return endQuotedField(position) }
        add(fieldStart, position)
    }

    @inline(__always)
    private mutating func add(_ start: Int, _ end: Int) {
        // Offsets within a block fit: CSVReader keeps blocks far below 4 GiB. `reserve` made the room.
        fieldStarts[fieldCount] = UInt32(truncatingIfNeeded: start)
        fieldEnds[fieldCount] = UInt32(truncatingIfNeeded: end)
        fieldCount &+= 1
    }

    private mutating func endQuotedField(_ position: Int) {
        rowFlags.insert(.quoted)
        if hasNewline { rowFlags.insert(.newlineInside) }
        let textFollows = closingQuote + 1 < position
        if textFollows { rowFlags.insert(.textAfterClosingQuote) }
        if textFollows || hasEscapedQuote {
            addUnescaped(upTo: min(position, max(limit, closingQuote)))
        } else {
            add(fieldStart + 1, closingQuote)
        }
        forgetQuotes()
    }

    private mutating func forgetQuotes() {
        closingQuote = -1
        hasEscapedQuote = false
        hasNewline = false
    }

    /// Copies the field behind the data, because the raw row must stay as it is.
    private mutating func addUnescaped(upTo position: Int) {
        block.reserveBytes(copyEnd + (position - fieldStart), keeping: copyEnd)
        bytes = block.bytes
        let start = copyEnd
        var from = fieldStart + 1
        while from < position {
            let byte = bytes.load(fromByteOffset: from, as: UInt8.self)
            if from < closingQuote {
                bytes.storeBytes(of: byte, toByteOffset: copyEnd, as: UInt8.self)
                copyEnd += 1
                // Inside the quotes every quote is the first of a pair.
                from += byte == UInt8(ascii: "\"") ? 2 : 1
            } else {
                if from > closingQuote {
                    bytes.storeBytes(of: byte, toByteOffset: copyEnd, as: UInt8.self)
                    copyEnd += 1
                }
                from += 1
            }
        }
        add(start, copyEnd)
    }

    // MARK: Records

    @inline(__always)
    private mutating func endRecord(_ position: Int, next: Int, _ blankRows: inout BlankRows) {
        if position == recordStart {
            blankRows.add(nextRowNumber)
            nextRowNumber &+= 1
        } else {
            endField(position)
            if position > limit { cutRecord(position) }
            addRow(min(position, limit))
        }
        startRecord(next)
    }

    @inline(__always)
    private mutating func addRow(_ position: Int) {
        rowStarts[rowCount] = UInt32(truncatingIfNeeded: recordStart)
        rowEnds[rowCount] = UInt32(truncatingIfNeeded: position)
        firstFields[rowCount] = UInt32(truncatingIfNeeded: firstField)
        flagsOfRows[rowCount] = rowFlags.rawValue
        rowNumberOffsets[rowCount] = UInt32(truncatingIfNeeded: nextRowNumber &- firstRowNumber)
        allFlags |= rowFlags.rawValue
        rowFlags = []
        firstField = fieldCount
        rowCount &+= 1
        nextRowNumber &+= 1
        if rowCount >= rowLimit { stopped = true }
    }

    @inline(__always)
    private mutating func startRecord(_ position: Int) {
        recordStart = position
        fieldStart = position
        limit = position + maximumRecordBytes
        quotingIsOff = false
    }

    /// Leaves out what lies behind the limit of a record that ends at `position`.
    private mutating func cutRecord(_ position: Int) {
        rowFlags.insert(.tooLong)
        skippedBytes += position - limit
        while fieldCount > firstField + 1, isRaw(fieldCount - 1), Int(fieldStarts[fieldCount - 1]) > limit {
            fieldCount -= 1
        }
        if isRaw(fieldCount - 1) {
            fieldEnds[fieldCount - 1] = min(fieldEnds[fieldCount - 1], UInt32(truncatingIfNeeded: limit))
        }
    }

    /// Whether the field lies in the data and not among the unescaped copies (those begin before the limit anyway).
    private func isRaw(_ field: Int) -> Bool { Int(fieldStarts[field]) <= end }

    // MARK: Ends

    /// The quote that opened the field is text: no other closes it within the longest record allowed.
    private mutating func takeQuoteAsText() -> Int {
        mode = .plain
        quotingIsOff = true
        rowFlags.insert(.unterminatedQuote)
        forgetQuotes()
        return fieldStart + 1
    }

    private mutating func endSkipping(_ position: Int, _ byte: UInt8) -> Int {
        skippedBytes += position - skipStart
        skipStart = position
        guard let next = lineEnd(position, byte) else { return position }
        mode = .plain
        startRecord(next)
        return next
    }

    /// Decides about a record that has no line end in the data; returns where to go on after a stray quote.
    private mutating func endOfData(_ blankRows: inout BlankRows) -> Int? {
        switch mode {
        case .skipping:
            skippedBytes += end - skipStart
            skipStart = end
        case .inQuotes where end >= limit:
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

    /// Entries kept free: 64 bytes end at most 64 fields and rows, and the end of the data one more.
    private static let spare = 66

    @inline(__always)
    private mutating func reserve() {
        if fieldCount > fieldRoom || rowCount > rowRoom { grow() }
    }

    @inline(never)
    private mutating func grow() {
        if fieldCount > fieldRoom { block.growFields(keeping: fieldCount) }
        if rowCount > rowRoom { block.growRows(keeping: rowCount) }
        takePointers()
    }

    private mutating func takePointers() {
        bytes = block.bytes
        fieldStarts = block.fieldStart
        fieldEnds = block.fieldEnd
        fieldRoom = block.fieldCapacity - Self.spare
        firstFields = block.firstField
        flagsOfRows = block.rowFlags
        rowStarts = block.rowStart
        rowEnds = block.rowEnd
        rowNumberOffsets = block.rowNumberOffset
        rowRoom = block.rowCapacity - Self.spare
    }
}
