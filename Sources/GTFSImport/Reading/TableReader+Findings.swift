// Unsafe only for cells: they are bytes in the reader's block, so nothing is copied or allocated for a cell.

import GTFSFeed
import GTFSSchema
import SystemFiles

/// Findings about faulty cells and rows, and what is done with them; never inlined into the row loop.
extension TableReader {
    /// A finding about the cell at hand. The message reads: file, row, column: value, fault; what was done.
    ///
    /// Inlined, because otherwise a closure would be retained even for findings that are only counted.
    @inline(__always)
    func note(
        _ kind: NoticeKind, _ column: Column, _ text: Text, _ fault: @autoclosure () -> String,
        _ outcome: @autoclosure () -> Notice.Outcome? = nil
    ) {
        guard shared.notices.count(kind, in: place) else { return }
        keepNotice(kind, column, text, fault(), outcome())
    }

    private func keepNotice(
        _ kind: NoticeKind, _ column: Column, _ text: Text, _ fault: String, _ outcome: Notice.Outcome?
    ) {
        let value = Notice.shortened(shared.text(text))
        shared.notices.keep(
            Notice(
                kind: kind, file: plan.file, rowNumber: rowNumber, field: column.pointee.name, value: value,
                fault: "\(plan.file), row \(rowNumber), \(column.pointee.name): \"\(value)\" \(fault)",
                outcome: outcome, consequence: kind.isUnusableValue ? consequence(of: column) : nil))
    }

    private func consequence(of column: Column) -> String? {
        Consequence(of: column.pointee.field?.name, in: plan.definition)?.ofCell
    }

    @inline(__always)
    func noteRow(
        _ kind: NoticeKind, field: String? = nil, value: @autoclosure () -> String? = nil,
        _ fault: @autoclosure () -> String,
        _ outcome: @autoclosure () -> Notice.Outcome? = nil, so consequence: @autoclosure () -> String? = nil
    ) {
        guard shared.notices.count(kind, in: place) else { return }
        shared.notices.keep(
            Notice(
                kind: kind, file: plan.file, rowNumber: rowNumber, field: field, value: value(),
                fault: "\(plan.file), row \(rowNumber): \(fault())", outcome: outcome(),
                consequence: consequence()))
    }

    // MARK: Values that no column can take

    /// Sets the cell to NULL and keeps the text in kept_value, where the view finds it. In a clustered key, refuses the
    /// row instead.
    private func keep(_ column: Column, _ text: Text) {
        cells.setNull(column.pointee.cell)
        if !isPlain, !TextRules.isUTF8(text) { _ = convertLegacyText(column, text) }
        if column.pointee.isClusteredKey {
            if refusal == nil { refusal = .missingRequiredField }
        } else {
            keepBeside(column, text)
        }
    }

    private func outcome(of column: Column) -> Notice.Outcome {
        column.pointee.isClusteredKey ? .rowRefused(by: plan.table) : .valueKept
    }

    @inline(never)
    func noteTime(_ column: Column, _ text: Text) {
        if let value = TimeCell.parseLeniently(text.bytes) {
            setTime(column.pointee.cell, value)
            return note(.invalidTime, column, text, "is not written HH:MM:SS; read as \(TimeCell.text(value))")
        }
        keep(column, text)
        note(.invalidTime, column, text, "is not a time (HH:MM:SS)", .valueKept)
    }

    @inline(never)
    func noteDate(_ column: Column, _ text: Text) {
        keep(column, text)
        note(.invalidDate, column, text, "is not a date (YYYYMMDD)", .valueKept)
    }

    @inline(never)
    func noteInteger(_ column: Column, _ text: Text) {
        if let value = Numbers.parseIntegerLeniently(text.bytes) {
            cells.setInteger(column.pointee.cell, value)
            note(.invalidInteger, column, text, "is not written as a whole number; read as \(value)")
            if let known = column.pointee.enumeration, !known.contains(value) { noteEnumeration(column, text) }
            if !column.pointee.range.contains(value) { noteRange(column, text) }
            return
        }
        keep(column, text)
        if column.pointee.isClusteredKey { refusal = .invalidInteger }
        note(.invalidInteger, column, text, "is not a whole number", outcome(of: column))
    }

    @inline(never)
    func noteFloat(_ column: Column, _ text: Text) {
        keep(column, text)
        note(.invalidFloat, column, text, "is not a number", .valueKept)
    }

    @inline(never)
    func noteEnumeration(_ column: Column, _ text: Text) {
        note(.unexpectedEnumValue, column, text, "is not one of the values that the field has", .storedAsItIs)
    }

    @inline(never)
    func noteRange(_ column: Column, _ text: Text) {
        let bound =
            switch column.pointee.parser {
            case .latitude: "between -90 and 90"
            case .longitude: "between -180 and 180"
            default:
                column.pointee.range.description
            }
        note(.numberOutOfRange, column, text, "must be \(bound)", .storedAsItIs)
    }

    // MARK: References

    @inline(never)
    func noteUnknownReference(_ column: Column, _ text: Text) {
        guard isPlain || TextRules.isUTF8(text) else {
            // Identifiers were entered in converted form, so the reference is looked up again after conversion.
            return convertLegacyText(column, text).withUnsafeBytes { readConvertedReference(column, $0) }
        }
        readUnknownReference(column, text)
    }

    private func readConvertedReference(_ column: Column, _ text: Text) {
        if let key = column.pointee.identifiers?.key(of: text) {
            cells.setInteger(column.pointee.cell, Int64(key))
        } else {
            readUnknownReference(column, text)
        }
    }

    private func readUnknownReference(_ column: Column, _ text: Text) {
        if column.pointee.refersToOwnTable {
            cells.setNull(column.pointee.cell)
            return forwardReferences.add(row: rowNumber - 1, column: column.pointee.name, text)
        }
        keep(column, text)
        if column.pointee.isClusteredKey { refusal = .foreignKeyViolation }
        note(
            .foreignKeyViolation, column, text, "is not \(column.pointee.field?.targetWords ?? "")", outcome(of: column)
        )
    }

    /// Reads a reference that may create its target: the first row that names a shape, or a service without a weekly
    /// calendar, creates it.
    func defineReference(_ column: Column, _ text: Text) {
        // Entered in converted form, so that other files find it, whatever their encoding.
        guard isPlain || TextRules.isUTF8(text) else {
            return convertLegacyText(column, text).withUnsafeBytes { defineReference(column, $0) }
        }
        guard let map = column.pointee.unretainedIdentifiers else { return }
        let isShape = plan.table == "shape_point"
        let next = isShape ? shared.nextShapeKey : shared.nextServiceKey
        let number = map._withUnsafeGuaranteedRef { $0.nextNumber }
        if let known = map._withUnsafeGuaranteedRef({ $0.insert(text, key: next) }) {
            return cells.setInteger(column.pointee.cell, Int64(known))
        }
        examinePrintability(column, text)
        if isShape {
            shared.nextShapeKey += 1
            newShape = (rowNumber, number)
        } else {
            shared.nextServiceKey += 1
        }
        cells.setInteger(column.pointee.cell, Int64(next))
    }

    /// Removes the shape that the row at hand created, as the row is not stored. A later row may create it again.
    func forgetNewShape() {
        guard let shapes = plan.definedIdentifiers else { return }
        shapes.removeLast(shapes.text(newShape.number))
        shared.nextShapeKey -= 1
    }

    // MARK: Cells and rows

    @inline(never)
    func noteMissing(_ column: Column) {
        // A blank row lacks every field; that is noted once and not for each field.
        guard !hasOnlyBlankCells() else { return }
        let isKey = column.pointee.isClusteredKey
        if isKey, refusal == nil { refusal = .missingRequiredField }
        noteRow(
            .missingRequiredField, field: column.pointee.name, "\(column.pointee.name) is empty but required",
            isKey ? outcome(of: column) : nil, so: consequence(of: column))
    }

    @inline(never)
    func notePadding(_ column: Column, _ start: Int, _ end: Int) {
        let text = UnsafeRawBufferPointer(start: bytes + start, count: end - start)
        note(.leadingOrTrailingWhitespaces, column, text, "has white space around it, which was removed")
    }

    /// Notes a cell of white space in quotes. Without quotes it is an empty cell, as the validator reads it.
    @inline(never)
    func noteBlanks(_ column: Column, _ spelling: Range<Int>) {
        let quote = UInt8(ascii: "\"")
        let first = spelling.lowerBound
        guard first > 0, first >= rawCount || bytes.load(fromByteOffset: first - 1, as: UInt8.self) == quote,
            !hasOnlyBlankCells()
        else { return }
        note(
            .leadingOrTrailingWhitespaces, column, bytes(in: spelling),
            "has only white space in its quotes; read as empty")
    }

    /// If trimming removed more than blanks from a cell, keeps its whole text in kept_value and returns true.
    @inline(never)
    func keepSpelling(_ column: Column, _ spelling: Range<Int>, of text: Range<Int>) -> Bool {
        let text = text.isEmpty ? spelling.upperBound..<spelling.upperBound : text
        guard
            shared.isMoreThanBlank(bytes(in: spelling.lowerBound..<text.lowerBound))
                || shared.isMoreThanBlank(bytes(in: text.upperBound..<spelling.upperBound))
        else { return false }
        keepBeside(column, bytes(in: spelling))
        if column.pointee.refersToOwnTable { forwardReferences.noteKept(row: rowNumber - 1) }
        return true
    }

    private func bytes(in range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes + range.lowerBound, count: range.count)
    }

    @inline(never)
    func noteRowFlags() {
        let flags = records.flags(of: row)
        if flags.contains(.newlineInside), !hasOnlyBlankCells() { noteNewlines() }
        if flags.contains(.unterminatedQuote) { noteRow(.csvParsingFailed, Notice.unclosedQuote) }
        if flags.contains(.tooLong) { noteRow(.csvParsingFailed, Notice.recordCut) }
        if flags.contains(.textAfterClosingQuote) { noteRow(.csvParsingFailed, Notice.textAfterQuote) }
    }

    private func noteNewlines() {
        for column in plan.columns {
            let fields = records.fields(of: row)
            guard column.source < fields.count else { continue }
            let text = records.field(fields.lowerBound + column.source)
            guard text.contains(where: \.isLineEnd) else { continue }
            noteRow(
                .newLineInValue, field: column.name, value: Notice.shortened(shared.text(text)),
                "\(column.name) has a line break in its value", .storedAsItIs)
        }
    }

    /// Whether the row at hand has no value, not even beyond the header. Remembers it: a row may have many empty cells.
    func hasOnlyBlankCells() -> Bool {
        if judgedRow.number == rowNumber { return judgedRow.isBlank }
        let records = records
        let isBlank = records.fields(of: row).allSatisfy { TextRules.isBlank(records.field($0)) }
        judgedRow = (rowNumber, isBlank)
        return isBlank
    }

    func noteBlankRow(_ number: Int) {
        shared.notices.add(.emptyRow, in: place) {
            Notice(
                kind: .emptyRow, file: plan.file, rowNumber: number, field: nil, value: nil,
                fault: "\(plan.file), row \(number): the row is blank; left out")
        }
    }

    @inline(never)
    func noteDuplicateClusteredKey() {
        refusal = .duplicateKey
        noteRow(
            .duplicateKey, field: plan.definition?.keyFields.last?.name, value: cells.integer(1).map(String.init),
            Notice.repeatsKey(of: plan))
    }
}
