// Unsafe only where cells pass by, as bytes that lie in the reader's block: nothing is copied or allocated for a cell.

/// References to rows of the same file that come later in it, resolved when the file has been read.
struct ForwardReferences {
    private var rows: [(row: Int, column: String, end: Int)] = []
    private var bytes: [UInt8] = []

    var isEmpty: Bool { rows.isEmpty }

    mutating func add(row: Int, column: String, _ text: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: text)
        rows.append((row, column, bytes.count))
    }

    /// Forgets those of a row that is not stored after all; only the youngest row can be.
    mutating func forget(row: Int) {
        while let last = rows.last, last.row == row {
            rows.removeLast()
            bytes.removeSubrange((rows.last?.end ?? 0)...)
        }
    }

    /// Visits every reference in order of arrival.
    func forEach(_ body: (_ row: Int, _ column: String, _ text: UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            for entry in rows {
                body(entry.row, entry.column, UnsafeRawBufferPointer(rebasing: bytes[start..<entry.end]))
                start = entry.end
            }
        }
    }
}
