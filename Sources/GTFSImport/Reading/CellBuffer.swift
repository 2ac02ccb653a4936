import Cells

// Unsafe for speed: SQLite's batch table reads these arrays cell by cell, 25 M cells for 3 M stop times.

/// Rows of cells in the batch table's format, reused for block after block.
///
/// Text cells point into `text` (the block's bytes) or, for text that had to be converted, into `otherText`.
final class CellBuffer {
    private(set) var tags: UnsafeMutablePointer<UInt8>
    private(set) var payloads: UnsafeMutablePointer<Int64>
    private var capacity = 0
    /// Cells in a row.
    private(set) var stride = 0
    // Unchecked: no access lasts beyond the addition. Checking took 60 instructions a row.
    @exclusivity(unchecked) var rowCount = 0

    init() {
        tags = .allocate(capacity: 0)
        payloads = .allocate(capacity: 0)
    }

    deinit {
        tags.deallocate()
        payloads.deallocate()
    }

    /// Empties the buffer and makes room for `rows` rows of `stride` cells.
    func prepare(rows: Int, stride: Int) {
        rowCount = 0
        self.stride = stride
        guard rows * stride > capacity else { return }
        tags.deallocate()
        payloads.deallocate()
        capacity = rows * stride
        tags = .allocate(capacity: capacity)
        payloads = .allocate(capacity: capacity)
    }

    /// Whether any row has a value in the cell.
    func hasValue(inCell cell: Int) -> Bool {
        var place = cell
        for _ in 0..<rowCount {
            if tags[place] != CellTag.null { return true }
            place += stride
        }
        return false
    }

    /// Bytes in use: nine for each cell.
    var usedBytes: Int { rowCount * stride * (MemoryLayout<UInt8>.stride + MemoryLayout<Int64>.stride) }

    func batch(text: UnsafeRawPointer, otherText: UnsafeRawPointer) -> CellBatch {
        CellBatch(
            tags: tags, payloads: payloads, text: text, otherText: otherText, rowCount: rowCount, stride: stride)
    }
}
