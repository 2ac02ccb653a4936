// Unsafe only where cells pass by, as bytes that lie in the reader's block: nothing is copied or allocated for a cell.

import SQLite

/// What a row of translations.txt says about a row of another file.
extension TableReader {
    /// Of translations by the original words, which name no record, the finished tables are asked.
    func lookUpRecord(_ cells: TranslatedRecords.Cells) {
        guard let record = text(cells.record) else { return shared.translatedRecords.hasRowsWithoutRecord = true }
        guard let table = text(cells.table),
            let name = shared.translatedRecords.look(
                at: record.bytes, ofTable: table.bytes, field: text(cells.field)?.bytes, row: rowNumber),
            let translation = text(cells.translation)
        else { return }
        block.translatedNames.append(
            TranslatedName(stop: UInt32(clamping: name.stop), isReading: name.isReading, text: translation.place))
    }

    /// The text in a cell of the row at hand, and where it is for others; nil when there is none.
    private func text(_ cell: Int) -> (bytes: Text, place: BlockText)? {
        let tag = rowTags[cell]
        guard tag == CellBatch.Tag.text || tag == CellBatch.Tag.otherText else { return nil }
        let isConverted = tag == CellBatch.Tag.otherText
        let (start, count) = (Int(rowPayloads[cell] >> 32), Int(UInt32(truncatingIfNeeded: rowPayloads[cell])))
        return (
            Text(start: (isConverted ? block.otherText.bytes : bytes) + start, count: count),
            BlockText(isConverted: isConverted, start: UInt32(clamping: start), count: UInt32(clamping: count))
        )
    }
}
