// Unsafe for speed: the loop over rows and cells. It reads the block's positions and writes cells through pointers, so
// that nothing is allocated, retained or copied for a row without faults. Faults are handled by functions that are
// never inlined into the loop (TableReader+Findings.swift).

import Cells
import GTFSFeed
import GTFSSchema
import ICU
import SQLite
import SearchText

/// Turns the records of one file into cells of one table: trims, parses, checks, resolves identifiers.
///
/// Owned by the reading stage. A row that cannot be stored goes to `kept_row`; a value that cannot be stored goes to
/// `kept_value`.
final class TableReader {
    let plan: TablePlan
    let shared: ReadingState
    /// Rows read so far.
    @exclusivity(unchecked) private(set) var rowsRead = 0
    /// Rows that went to `kept_row`.
    private(set) var rowsKept = 0
    /// Those of them whose parent the feed lacks.
    private(set) var rowsWithoutParent = 0
    /// The greatest time of the file.
    // Unchecked: no access lasts beyond a call of its own functions.
    @exclusivity(unchecked) var greatestTime = GreatestTime()
    /// The row that created the latest shape, and the shape's number among the identifiers.
    var newShape: (row: Int, number: UInt32) = (0, 0)
    /// References to later rows of the same file, for example to parent stations that come after their platforms.
    var forwardReferences = ForwardReferences()
    let columns: UnsafeMutableBufferPointer<ColumnPlan>
    let rangeCells: UnsafeMutableBufferPointer<RangeRule.Cells>
    /// One for each of the plan's presence rules.
    let presenceTests: UnsafeMutableBufferPointer<PresenceRule.Test>
    /// How many rows the columns' `foundKeys` have room for.
    var keyCapacity = 0
    // Unchecked: no access lasts beyond a call of one of the reader's own functions, and these do not call each other.
    @exclusivity(unchecked) private var lastKey: (Int64, Int64) = (.min, .min)
    @exclusivity(unchecked) var seenKeys = SeenKeys()
    private let coordinateCells: (Int, Int)?
    private let amountRule: AmountRule?
    @exclusivity(unchecked) var lastCurrency = LastCurrency()
    private let translationCells: TranslatedRecords.Cells?
    /// Unmanaged, so that it is not retained for each row; the state keeps it alive.
    let unretainedRecords: Unmanaged<TranslatedRecords>
    /// Where the file's findings are counted.
    let place: NoticeLog.FilePlace
    let isClustered: Bool
    let headerCount: Int
    private let hasColumnsBeyond: Bool

    // The block and row at hand. Unchecked: they change between rows only.
    @exclusivity(unchecked) private(set) var block = ParsedBlock()
    /// The same block, unmanaged, so that it is not retained for things that every row may have.
    @exclusivity(unchecked) private(set) var unretainedBlock: Unmanaged<ParsedBlock>
    @exclusivity(unchecked) private(set) var records = RecordBlock(bytes: 0)
    private(set) var bytes: UnsafeMutableRawPointer
    @exclusivity(unchecked) private(set) var rawCount = 0
    @exclusivity(unchecked) private(set) var isPlain = true
    /// Whether every cell of the block is printable ASCII.
    @exclusivity(unchecked) private(set) var isPrintable = true
    @exclusivity(unchecked) private(set) var row = 0
    @exclusivity(unchecked) private(set) var rowNumber = 0
    @exclusivity(unchecked) private(set) var cells: RowCells
    /// How many values of the row at hand no column can store.
    @exclusivity(unchecked) var unstored = 0
    /// Whether the row that was judged last has no value.
    @exclusivity(unchecked) var judgedRow = (number: 0, isBlank: false)
    /// Why the row at hand cannot be stored; nil if it can.
    @exclusivity(unchecked) var refusal: NoticeKind?

    init(plan: TablePlan, shared: ReadingState) {
        self.plan = plan
        self.shared = shared
        coordinateCells = plan.coordinateRule.map { ($0.latitudeCell, $0.longitudeCell) }
        amountRule = plan.amountRule
        translationCells = TranslatedRecords.Cells(plan)
        unretainedRecords = Unmanaged.passUnretained(shared.translatedRecords)
        if plan.table == "translation", translationCells == nil {
            shared.translatedRecords.hasRowsWithoutRecord = true
            shared.translatedRecords.skipTableNames()
        }
        place = NoticeLog.FilePlace(plan.file)
        isClustered = plan.isClustered
        headerCount = plan.headerCount
        hasColumnsBeyond = !plan.beyond.isEmpty
        columns = .allocate(capacity: plan.columns.count)
        _ = columns.initialize(from: plan.columns)
        rangeCells = .allocate(capacity: plan.rangeRules.count)
        _ = rangeCells.initialize(from: plan.rangeRules.map(\.cells))
        presenceTests = .allocate(capacity: plan.presenceRules.count)
        _ = presenceTests.initialize(from: plan.presenceRules.map(\.test))
        unretainedBlock = Unmanaged.passUnretained(block)
        cells = RowCells(after: block.cells)
        bytes = records.bytes
    }

    deinit {
        for column in columns { column.foundKeys?.deallocate() }
        rangeCells.deallocate()
        presenceTests.deallocate()
        columns.deinitialize()
        columns.deallocate()
    }

    /// Fills `block` with the cells of its records.
    func read(_ records: RecordBlock, into block: ParsedBlock) {
        self.block = block
        unretainedBlock = Unmanaged.passUnretained(block)
        self.records = records
        (bytes, rawCount) = (records.bytes, records.rawCount)
        isPlain = !records.containsNonASCII && !records.containsControl
        isPrintable = isPlain && !records.containsTab && !records.allRowFlags.contains(.newlineInside)
        block.records = records
        block.prepare(rows: records.rowCount, plan: plan)
        findKeys()
        let (firstFields, starts, ends, flags) =
            (records.firstFields, records.fieldStarts, records.fieldEnds, records.rowFlags)
        for row in 0..<records.rowCount {
            if row % IdentifierMap.rowsPrefetched == 0 { prefetchIdentifiers(from: row) }
            self.row = row
            rowNumber = records.rowNumber(row)
            let first = Int(firstFields[row])
            let count = Int(firstFields[row + 1]) - first
            if flags[row] > RowFlags.quoted.rawValue { noteRowFlags() }
            if count != headerCount, !acceptRowLength(starts + first, ends + first, count) { continue }
            readRow(starts + first, ends + first, count)
        }
    }

    private func readRow(_ starts: Places, _ ends: Places, _ count: Int) {
        rowsRead += 1
        beginCells()
        var hasText = false
        for index in 0..<columns.count {
            let column = columns.baseAddress.unsafelyUnwrapped + index
            let source = column.pointee.source
            let (start, end) = source < count ? (Int(starts[source]), Int(ends[source])) : (0, 0)
            if readField(column, start, end) { hasText = true }
        }
        if !hasText, leaveOutIfBlank() { return }
        if hasColumnsBeyond { keepCellsBeyond() }
        finishRow()
    }

    /// Reads a column's field. Returns whether it has more than blanks.
    @inline(__always)
    private func readField(_ column: Column, _ first: Int, _ last: Int) -> Bool {
        var (start, end) = (first, last)
        trim(&start, &end)
        let isTrimmed = end - start != last - first
        if isTrimmed {
            if start < end { notePadding(column, start, end) } else { noteBlanks(column, first..<last) }
        }
        if start == end {
            cells.setNull(column.pointee.cell)
            if column.pointee.isRequired { noteMissing(column) }
        } else {
            readCell(column, start, end, isWhole: !isTrimmed)
        }
        let isKept = isTrimmed && keepSpelling(column, first..<last, of: start..<end)
        return start < end || isKept
    }

    /// Leaves out white space at both ends.
    @inline(__always)
    private func trim(_ start: inout Int, _ end: inout Int) {
        if start < end, isPadding(end - 1) { end = paddedEnd(start, end) }
        while start < end, isPadding(start) { start += 1 }
        if !isPlain, start < end, TextRules.mayBeWideSpace(byte(start), byte(max(start, end - 2)), byte(end - 1)) {
            trimWideSpaces(&start, &end)
        }
    }

    @inline(__always)
    private func isPadding(_ offset: Int) -> Bool {
        let byte = byte(offset)
        return byte <= 0x20 && byte != 0
    }

    @inline(__always)
    private func byte(_ offset: Int) -> UInt8 { bytes.load(fromByteOffset: offset, as: UInt8.self) }

    @inline(never)
    private func paddedEnd(_ start: Int, _ end: Int) -> Int {
        var end = end - TextRules.spacesAtEnd(UnsafeRawBufferPointer(start: bytes + start, count: end - start))
        while start < end, isPadding(end - 1) { end -= 1 }
        return end
    }

    // MARK: Cells

    @inline(__always)
    private func readCell(_ column: Column, _ start: Int, _ end: Int, isWhole: Bool) {
        let text = Text(start: bytes + start, count: end - start)
        let cell = column.pointee.cell
        switch column.pointee.parser {
        case .time:
            if let value = TimeCell.parse(text.bytes) { setTime(cell, value) } else { noteTime(column, text) }
        case .reference: readReference(column, text, isWhole: isWhole)
        case .enumeration:
            if let value = Numbers.parseInteger(text.bytes) {
                cells.setInteger(cell, value)
                if let known = column.pointee.enumeration, !known.contains(value) { noteEnumeration(column, text) }
            } else {
                noteInteger(column, text)
            }
        case .integer:
            if let value = Numbers.parseInteger(text.bytes) {
                cells.setInteger(cell, value)
                if column.pointee.range != .any, !column.pointee.range.contains(value) { noteRange(column, text) }
            } else {
                noteInteger(column, text)
            }
        case .latitude, .longitude, .float: readFloat(column, text)
        default: readOther(column, text, start)
        }
    }

    private func readFloat(_ column: Column, _ text: Text) {
        guard let value = Numbers.parseFloat(text.bytes) else { return noteFloat(column, text) }
        cells.setDouble(column.pointee.cell, value)
        switch column.pointee.parser {
        case .latitude: if abs(value) > 90 { noteRange(column, text) }
        case .longitude: if abs(value) > 180 { noteRange(column, text) }
        default:
            if column.pointee.range != .any, !column.pointee.range.contains(value) { noteRange(column, text) }
        }
    }

    /// `isWhole`: nothing was trimmed from the text.
    private func readReference(_ column: Column, _ text: Text, isWhole: Bool) {
        if let keys = column.pointee.foundKeys, keys[row] >= 0 {
            cells.setInteger(column.pointee.cell, Int64(keys[row]))
        } else if isWhole, !column.pointee.refersToOwnTable {
            // `findKeys` has already looked up this exact text among all identifiers.
            noteUnknownReference(column, text)
        } else if let key = column.pointee.unretainedIdentifiers?._withUnsafeGuaranteedRef({ $0.key(of: text) }) {
            cells.setInteger(column.pointee.cell, Int64(key))
        } else {
            noteUnknownReference(column, text)
        }
    }

    private func readOther(_ column: Column, _ text: Text, _ start: Int) {
        switch column.pointee.parser {
        case .definingReference: return defineReference(column, text)
        case .date:
            guard let value = DateCell.parse(text.bytes) else { return noteDate(column, text) }
            return cells.setInteger(column.pointee.cell, value)
        case .localTime:
            guard let value = TimeCell.parse(text.bytes) else { return noteTime(column, text) }
            return cells.setInteger(column.pointee.cell, value)
        default: break
        }
        let cell = column.pointee.cell
        if !isPlain, let converted = examineCharacters(column, text) {
            converted.withUnsafeBytes {
                setOtherText(cell, $0)
                examineText(column, $0)
            }
        } else {
            cells.setText(cell, CellTag.text, offset: start, count: text.count)
            examineText(column, text)
        }
    }

    @inline(__always)
    func setTime(_ cell: Int, _ value: Int64) {
        cells.setInteger(cell, value)
        if value > greatestTime.ofStored { raiseGreatestTime(to: value) }
    }

    @inline(never)
    private func raiseGreatestTime(to value: Int64) { greatestTime.raise(to: value, byRow: rowNumber) }

    func setOtherText(_ cell: Int, _ text: Text) {
        cells.setText(cell, CellTag.otherText, offset: block.otherText.append(text), count: text.count)
    }

    // MARK: Rows

    @inline(__always)
    private func beginCells() {
        cells = RowCells(after: block.cells)
        if isClustered {
            cells.setNull(0)
            cells.setNull(1)
        } else {
            cells.setInteger(0, Int64(rowNumber - 1))
        }
        if let cell = plan.normalizedNameCell { cells.setNull(cell) }
    }

    @inline(__always)
    private func finishRow() {
        checkPresence()
        if let (latitude, longitude) = coordinateCells { checkCoordinates(latitude, longitude) }
        if breaksRange() { noteRanges() }
        if let rule = amountRule { checkAmount(rule) }
        if let translationCells { lookUpRecord(translationCells) }
        if isClustered { return finishClusteredRow() }
        guard refusal == nil else { return refuseRow() }
        if unstored > 0 { keepUnstored(row: Int64(rowNumber - 1), sequence: 0) }
        block.cells.rowCount += 1
    }

    /// Marks rows that are out of key order as latecomers. A row that repeats the greatest key so far is a duplicate.
    @inline(__always)
    private func finishClusteredRow() {
        guard let parent = cells.integer(0), let sequence = cells.integer(1), refusal == nil else {
            if refusal == nil { refusal = .missingRequiredField }
            return refuseRow()
        }
        if parent == lastKey.0, sequence == lastKey.1 {
            noteDuplicateClusteredKey()
            block.repeatedKeys.append(RefusedRepeat(parent: parent, rowsBefore: block.cells.rowCount))
            return refuseRow()
        }
        let maySeen = seenKeys.insert(parent: parent, sequence: sequence)
        let isLate = parent < lastKey.0 || (parent == lastKey.0 && sequence < lastKey.1)
        if isLate {
            if maySeen { keepText(sequence: sequence) }
        } else {
            lastKey = (parent, sequence)
        }
        block.latecomers[block.cells.rowCount] = isLate ? UInt32(truncatingIfNeeded: rowNumber) : 0
        block.cells.rowCount += 1
        if unstored > 0 {
            keepUnstored(row: parent, sequence: sequence, latecomer: isLate ? rowNumber : 0)
        }
    }

    private func refuseRow() {
        rowsKept += 1
        if refusal == .foreignKeyViolation { rowsWithoutParent += 1 }
        block.keptRows.append(
            KeptRow(
                rowNumber: rowNumber, reason: refusal ?? .missingRequiredField, text: rowText()))
        refusal = nil
        shared.notices.moveToKeptRow(rowNumber, of: plan)
        block.keptValues.removeLast(unstored)
        unstored = 0
        forwardReferences.noteRefused(row: rowNumber - 1)
        greatestTime.forget(row: rowNumber)
        if newShape.row == rowNumber { forgetNewShape() }
    }

    /// Notes and leaves out a row without any value, as readers do that skip blank lines. Returns whether it did.
    private func leaveOutIfBlank() -> Bool {
        guard hasOnlyBlankCells() else { return false }
        rowsRead -= 1
        noteBlankRow(rowNumber)
        return true
    }
}
