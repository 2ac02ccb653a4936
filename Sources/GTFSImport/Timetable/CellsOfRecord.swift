// Unsafe: the cells of a record are put into memory that is allocated once, so that nothing is allocated for a row.

import Cells
import SQLitePages

/// The cells of one stored record at a time.
///
///     let cells = CellsOfRecord(columns: 5)
///     while let record = try reader.next() {
///         cells.read(record)
///         if let departure = cells.integer(3) { … }
///     }
final class CellsOfRecord {
    let count: Int
    let tags: UnsafeMutablePointer<UInt8>
    let payloads: UnsafeMutablePointer<Int64>

    /// For the first `count` columns of records. All cells are NULL at first.
    init(columns count: Int) {
        self.count = count
        tags = .allocate(capacity: count)
        payloads = .allocate(capacity: count)
        tags.initialize(repeating: CellTag.null, count: count)
        payloads.initialize(repeating: 0, count: count)
    }

    deinit {
        tags.deallocate()
        payloads.deallocate()
    }

    /// Reads a record, or its first `columns` columns. The cells that it lacks are NULL.
    func read(_ record: UnsafeRawBufferPointer, columns: Int? = nil) {
        RecordCells.read(record, columns: columns ?? count, tags: tags, payloads: payloads)
    }

    func integer(_ cell: Int) -> Int64? { tags[cell] == CellTag.integer ? payloads[cell] : nil }

    /// An integer or a double; nil for anything else.
    func number(_ cell: Int) -> Double? {
        let number = CellNumber.value(tags[cell], payloads[cell])
        return number.isNaN ? nil : number
    }
}
