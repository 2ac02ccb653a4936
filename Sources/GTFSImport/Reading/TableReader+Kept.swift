// Unsafe only for cells: they are bytes in the reader's block, so nothing is copied or allocated for a cell except what
// is kept of it.

import GTFSFeed

/// Sends two things to the writing stage: values that their column cannot store, and cells beyond the header. A feed
/// may have one in every row.
extension TableReader {
    // MARK: Values

    /// Keeps a value of the row for kept_value, in place of an earlier value of the same column.
    func keepBeside(_ column: Column, _ text: Text) {
        let number = UInt32(truncatingIfNeeded: column - (columns.baseAddress ?? column))
        let value = KeptValue(row: 0, sequence: 0, latecomer: 0, column: number, text: blockText(text))
        unretainedBlock._withUnsafeGuaranteedRef { block in
            if unstored > 0, block.keptValues.last?.column == number {
                block.keptValues.removeLast(1)
            } else {
                unstored += 1
            }
            block.keptValues.append(value)
        }
    }

    /// Sets the row in the kept values of the row at hand.
    func keepUnstored(row: Int64, sequence: Int64, latecomer: Int = 0) {
        let count = unstored
        unstored = 0
        unretainedBlock._withUnsafeGuaranteedRef { block in
            var values = block.keptValues.last(count)
            if count > 1 { values.sort { $0.column < $1.column } }
            for index in values.indices {
                values[index].row = row
                values[index].sequence = sequence
                values[index].latecomer = UInt32(clamping: latecomer)
            }
        }
    }

    // MARK: Cells beyond the header

    /// Where the fields of a row begin or end in the block.
    typealias Places = UnsafeMutablePointer<UInt32>

    /// Handles a row with too few or too many cells. Returns false if the row has no value at all and is left out.
    @inline(never)
    func acceptRowLength(_ starts: Places, _ ends: Places, _ count: Int) -> Bool {
        if (0..<count).allSatisfy({ TextRules.isBlank(field($0, starts, ends)) }) {
            noteBlankRow(rowNumber)
            return false
        }
        noteRow(
            .invalidRowLength,
            "has \(count) cells where the header has \(headerCount); "
                + (count < headerCount ? "missing ones are empty" : fateOfFurtherCells(starts, ends, count)))
        guard count > headerCount else { return true }
        for position in headerCount..<count {
            let text = field(position, starts, ends)
            if !TextRules.isBlank(text) { keepExtraCell(at: position + 1, text) }
        }
        return true
    }

    private func fateOfFurtherCells(_ starts: Places, _ ends: Places, _ count: Int) -> String {
        (headerCount..<count).allSatisfy { TextRules.isBlank(field($0, starts, ends)) }
            ? "further ones are empty" : "further ones are kept in extra_cell"
    }

    @inline(__always)
    private func field(_ number: Int, _ starts: Places, _ ends: Places) -> Text {
        Text(start: bytes + Int(starts[number]), count: Int(ends[number] &- starts[number]))
    }

    private func keepExtraCell(at position: Int, _ text: Text) {
        guard isPlain || TextRules.isUTF8(text) else {
            var text = shared.text(text)
            noteRow(
                .invalidCharacter, value: Notice.shortened(text),
                "cell \(position) is not UTF-8 in the feed; \(shared.conversion)")
            return text.withUTF8 { block.addExtraCell(Text($0), row: rowNumber, at: position, block.convert) }
        }
        unretainedBlock._withUnsafeGuaranteedRef {
            $0.addExtraCell(text, row: rowNumber, at: position, blockText)
        }
    }

    /// Keeps the cells of columns for which the table has no room.
    @inline(never)
    func keepCellsBeyond() {
        let fields = records.fields(of: row)
        for column in plan.beyond {
            // The header may have half a million such columns, and each of a million rows none of them.
            guard column.index < fields.count else { return }
            let text = records.field(fields.lowerBound + column.index)
            if !TextRules.isBlank(text) { keepExtraCell(at: column.index + 1, text) }
        }
    }
}
