// Unsafe: what is looked up is behind pointers, and maps are not retained for each row.

import GTFSFeed

/// Lookups for many rows at once, so that the processor waits for many memory accesses together.
extension TableReader {
    /// Looks up the references of all rows, column by column.
    func findKeys() {
        let roomBefore = keyCapacity
        keyCapacity = max(keyCapacity, records.rowCount)
        for index in columns.indices {
            columns[index].findKeys(in: records, rows: keyCapacity, before: roomBefore)
            guard isClustered, columns[index].cell == 0, let keys = columns[index].foundKeys else { continue }
            seenKeys.prefetch(keys, count: records.rowCount)
        }
    }

    /// Prefetches the slots of the file's own identifiers and groups, for some rows.
    func prefetchIdentifiers(from row: Int) {
        let rows = row..<min(row + IdentifierMap.rowsPrefetched, records.rowCount)
        for index in columns.indices {
            columns[index].unretainedDefined?._withUnsafeGuaranteedRef {
                $0.prefetch(column: columns[index].source, of: rows, in: records)
            }
        }
    }
}
