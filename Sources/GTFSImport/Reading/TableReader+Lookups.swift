// Unsafe: columns and what was found for them stand behind pointers, as in TableReader.swift.

import GTFSFeed

/// What is looked up for many rows at once, so that the processor waits for the memory of all of them together.
extension TableReader {
    /// Looks up the references of all rows, column by column.
    func findKeys() {
        let roomBefore = keyCapacity
        keyCapacity = max(keyCapacity, records.rowCount)
        for index in columns.indices {
            columns[index].findKeys(in: records, rows: keyCapacity, before: roomBefore)
            guard isClustered, columns[index].cell == 0, let keys = columns[index].foundKeys else { continue }
            seenKeys.approach(keys, count: records.rowCount)
        }
    }

    /// As many as the nearest cache has room for; of a whole block the first are gone when the last have come.
    static let rowsApproached = 128

    func approachIdentifiers(from row: Int) {
        let rows = row..<min(row + Self.rowsApproached, records.rowCount)
        for index in columns.indices where columns[index].parser == .ownIdentifier {
            columns[index].unretainedIdentifiers?._withUnsafeGuaranteedRef {
                $0.approach(column: columns[index].source, of: rows, in: records)
            }
        }
    }
}
