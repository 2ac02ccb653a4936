// Unsafe: records are made from texts where they lie, and lent for one call.

import KeySorting
import SQLitePages

/// Writes an index from lists of rows by value. Only the first record of each value is encoded, because the others
/// differ in the row alone.
struct ListedRows {
    let lists: RowLists
    let tree: IndexTreeWriter
    let place: StorePlace
    /// How many columns follow the row; their values are 0.
    var columnsBehind = 0
    private var interval = CheckInterval()

    init(_ lists: RowLists, to tree: IndexTreeWriter, _ place: StorePlace, columnsBehind: Int = 0) {
        (self.lists, self.tree, self.place, self.columnsBehind) = (lists, tree, place, columnsBehind)
    }

    /// Appends the records of all rows of a value; `record` makes the record of one row.
    @inline(__always)
    mutating func append(
        _ value: Int, at failpoint: StaticString, record: (UInt32) -> UnsafeRawBufferPointer
    ) throws {
        guard let row = lists.onlyRow(of: value) else { return try appendRun(value, at: failpoint, record) }
        try pass(1, at: failpoint)
        try tree.append(record(row))
    }

    private mutating func appendRun(
        _ value: Int, at failpoint: StaticString, _ record: (UInt32) -> UnsafeRawBufferPointer
    ) throws {
        var isRun: Bool?
        try lists.forEachBatch(of: value) { rows in
            try pass(rows.count, at: failpoint)
            var rest = rows
            if isRun == nil, let first = rows.first {
                isRun = try tree.beginRun(record(first), columnsBehind: columnsBehind)
                rest = UnsafeBufferPointer(rebasing: rows[1...])
            }
            if isRun == true { return try tree.appendRun(rest) }
            for row in rest { try tree.append(record(row)) }
        }
    }

    @inline(__always)
    private mutating func pass(_ rows: Int, at failpoint: StaticString) throws {
        guard interval.isOver(after: rows) else { return }
        Failpoint.reach(failpoint)
        try place.check()
    }
}
