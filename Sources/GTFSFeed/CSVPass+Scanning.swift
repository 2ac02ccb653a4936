// Raw pointers: see CSVSplitter.swift; bounds as in CSVPass.swift.

import SystemFiles

extension CSVPass {
    /// Scans the bytes from `start` to the end, or until the pass stops.
    mutating func scan(from start: Int, _ blankRows: inout BlankRows) {
        var base = start
        while base < end {
            reserve()
            var found = StructuralBytes(positions.bytes + base, count: end - base, delimiter: delimiter)
            unusualBytes |= found.bytesFrom7F
            var next = base + 64
            while true {
                // The delimiters before the next byte in `others`; all of them if there is none.
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
    mutating func endFields(_ delimiters: UInt64, _ base: Int) {
        var delimiters = delimiters
        if closingQuote >= 0, delimiters != 0 {
            let position = base + delimiters.trailingZeroBitCount
            endQuotedField(position)
            fieldStart = position + 1
            delimiters &= delimiters &- 1
        }
        // Local variables: otherwise every field would wait for the previous one to be stored and loaded again.
        let (starts, ends) = (positions.fieldStarts, positions.fieldEnds)
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

    /// Handles a quote, line end or control character and returns where to continue.
    @inline(__always)
    mutating func other(_ position: Int, _ blankRows: inout BlankRows) -> Int {
        let byte = self.byte(at: position)
        if mode == .plain, byte.isLineEnd {
            guard let next = lineEnd(position, byte) else { return position }
            endRecord(position, next: next, &blankRows)
            return next
        }
        return rarer(position, byte)
    }

    @inline(__always)
    func byte(at position: Int) -> UInt8 {
        positions.bytes.load(fromByteOffset: position, as: UInt8.self)
    }

    @inline(__always)
    mutating func rarer(_ position: Int, _ byte: UInt8) -> Int {
        switch (mode, byte) {
        case (.plain, UInt8(ascii: "\"")):
            // Only a quote at the start of a field, or after the blanks there, can open it; any other is text.
            if position == fieldStart {
                if !quotingIsOff, position < limit { mode = .inQuotes }
            } else {
                openAfterBlanks(position)
            }
        case (.inQuotes, UInt8(ascii: "\"")):
            return position < limit ? quoteInside(position) : takeQuoteAsText()
        case (.inQuotes, 0x0A), (.inQuotes, 0x0D):
            hasNewline = true
        case (.skipping, 0x0A), (.skipping, 0x0D):
            return endSkipping(position, byte)
        default:
            if byte < 0x20 { unusualBytes |= 1 }
        }
        return position + 1
    }

    @inline(__always)
    mutating func quoteInside(_ position: Int) -> Int {
        if position + 1 == end, !isLast {
            stopped = true
        } else if position + 1 < end, byte(at: position + 1) == UInt8(ascii: "\"") {
            hasEscapedQuote = true
            return position + 2
        } else if blanksBefore > 0 {
            return closePadded(position)
        } else {
            closingQuote = position
            mode = .plain
        }
        return position + 1
    }

    /// Opens the field if only blanks stand before the quote. Looks back from the quote, over blanks only, so each run
    /// of blanks is read at most once, even in a field with many quotes.
    @inline(never)
    private mutating func openAfterBlanks(_ position: Int) {
        guard !quotingIsOff, position < limit else { return }
        var first = position
        while first > fieldStart, isBlank(byte(at: first - 1)) { first -= 1 }
        guard first == fieldStart else { return }
        blanksBefore = position - fieldStart
        mode = .inQuotes
    }

    /// Closes a field whose opening quote stands after blanks, if it ends here or after further blanks. Otherwise, as
    /// in `1, "Gare" du Nord`, its quotes are text.
    @inline(never)
    private mutating func closePadded(_ position: Int) -> Int {
        let next = firstAfterBlanks(position + 1)
        if next == end, next < limit, !isLast {
            stopped = true
        } else if next == min(end, limit) || byte(at: next).isLineEnd || byte(at: next) == delimiter {
            closingQuote = position
            mode = .plain
        } else {
            return takeQuoteAsText()
        }
        return position + 1
    }

    /// Where the next line starts, or nil when a CR is the last byte so far and its LF may still come.
    @inline(__always)
    mutating func lineEnd(_ position: Int, _ byte: UInt8) -> Int? {
        guard byte == 0x0D else { return position + 1 }
        if position + 1 < end {
            return self.byte(at: position + 1) == 0x0A ? position + 2 : position + 1
        }
        stopped = !isLast
        return isLast ? position + 1 : nil
    }

    mutating func endSkipping(_ position: Int, _ byte: UInt8) -> Int {
        skippedBytes += position - skipStart
        skipStart = position
        guard let next = lineEnd(position, byte) else { return position }
        mode = .plain
        startRecord(next)
        return next
    }

    /// Treats the quote that opened the field as text, and returns where to continue: at the byte after it. If the
    /// quote is the field's first byte, no quote closes it within the longest record allowed; all quotes up to the line
    /// end are then text.
    @inline(never)
    mutating func takeQuoteAsText() -> Int {
        mode = .plain
        let next = fieldStart + blanksBefore + 1
        if blanksBefore == 0 {
            quotingIsOff = true
            rowFlags.insert(.unterminatedQuote)
        }
        forgetQuotes()
        return next
    }
}
