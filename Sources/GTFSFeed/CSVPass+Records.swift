// Raw pointers: see CSVSplitter.swift; `reserve` in CSVPass.swift made the room that is written to here.

import SystemFiles

extension CSVPass {
    // MARK: Fields

    @inline(__always)
    mutating func endField(_ position: Int) {
        if closingQuote >= 0 { return endQuotedField(position) }
        addField(fieldStart, position)
    }

    @inline(__always)
    mutating func addField(_ start: Int, _ end: Int) {
        // Offsets within a block fit: CSVReader keeps blocks far below 4 GiB. `reserve` made the room.
        positions.fieldStarts[fieldCount] = UInt32(truncatingIfNeeded: start)
        positions.fieldEnds[fieldCount] = UInt32(truncatingIfNeeded: end)
        fieldCount &+= 1
    }

    mutating func endQuotedField(_ position: Int) {
        rowFlags.insert(.quoted)
        if hasNewline { rowFlags.insert(.newlineInside) }
        let isFollowed = closingQuote + 1 < position
        if isFollowed { flagTextAfterQuote(position) }
        if isFollowed || hasEscapedQuote || blanksBefore > 0 {
            addUnescaped(upTo: min(position, max(limit, closingQuote)))
        } else {
            addField(fieldStart + 1, closingQuote)
        }
        forgetQuotes()
    }

    @inline(never)
    private mutating func flagTextAfterQuote(_ position: Int) {
        let first = firstAfterBlanks(closingQuote + 1)
        if first < min(position, limit) { rowFlags.insert(.textAfterClosingQuote) }
    }

    /// The place of the first byte from `position` on that is not a blank; at most where the data or the record ends.
    func firstAfterBlanks(_ position: Int) -> Int {
        var position = position
        while position < min(end, limit), isBlank(byte(at: position)) { position += 1 }
        return position
    }

    func isBlank(_ byte: UInt8) -> Bool { byte.isBlank && byte != delimiter }

    mutating func forgetQuotes() {
        closingQuote = -1
        hasEscapedQuote = false
        hasNewline = false
        blanksBefore = 0
    }

    /// Copies the field to a place after the data, because the raw row must not change. The copy is unescaped, and
    /// keeps the blanks around the quotes.
    mutating func addUnescaped(upTo position: Int) {
        block.reserveBytes(copyEnd + (position - fieldStart), keeping: copyEnd)
        positions = RecordPositions(block)
        let start = copyEnd
        for from in fieldStart..<fieldStart + blanksBefore { copyByte(at: from) }
        var from = fieldStart + blanksBefore + 1
        while from < min(closingQuote, position) {
            copyByte(at: from)
            // Inside the quotes every quote is the first of a pair.
            from += byte(at: from) == UInt8(ascii: "\"") ? 2 : 1
        }
        for from in min(closingQuote + 1, position)..<position { copyByte(at: from) }
        addField(start, copyEnd)
    }

    @inline(__always)
    private mutating func copyByte(at from: Int) {
        positions.bytes.storeBytes(of: byte(at: from), toByteOffset: copyEnd, as: UInt8.self)
        copyEnd += 1
    }

    // MARK: Records

    @inline(__always)
    mutating func endRecord(_ position: Int, next: Int, _ blankRows: inout BlankRows) {
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
    mutating func addRow(_ position: Int) {
        positions.rowStarts[rowCount] = UInt32(truncatingIfNeeded: recordStart)
        positions.rowEnds[rowCount] = UInt32(truncatingIfNeeded: position)
        positions.firstFields[rowCount] = UInt32(truncatingIfNeeded: firstField)
        positions.rowFlags[rowCount] = rowFlags.rawValue
        positions.rowNumberOffsets[rowCount] = UInt32(truncatingIfNeeded: nextRowNumber &- firstRowNumber)
        allFlags |= rowFlags.rawValue
        rowFlags = []
        firstField = fieldCount
        rowCount &+= 1
        nextRowNumber &+= 1
        if rowCount >= rowLimit { stopped = true }
    }

    @inline(__always)
    mutating func startRecord(_ position: Int) {
        recordStart = position
        fieldStart = position
        limit = position + maximumRecordBytes
        quotingIsOff = false
    }

    /// Cuts off everything after the limit of a record that ends at `position`.
    mutating func cutRecord(_ position: Int) {
        rowFlags.insert(.tooLong)
        skippedBytes += position - limit
        let (starts, ends) = (positions.fieldStarts, positions.fieldEnds)
        // Fields that start after `end` are unescaped copies, which were cut when they were made.
        func lastFieldIsInFile() -> Bool { Int(starts[fieldCount - 1]) <= end }
        while fieldCount > firstField + 1, lastFieldIsInFile(), Int(starts[fieldCount - 1]) > limit { fieldCount -= 1 }
        if lastFieldIsInFile() { ends[fieldCount - 1] = min(ends[fieldCount - 1], UInt32(truncatingIfNeeded: limit)) }
    }
}
