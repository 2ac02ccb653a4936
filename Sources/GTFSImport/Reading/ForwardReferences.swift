// Unsafe: the texts of references are taken and lent as bytes.

/// References to rows of the same file that come later in it, resolved when the file has been read.
struct ForwardReferences {
    private var rows: [(row: Int, column: String, end: Int, isKept: Bool)] = []
    private var bytes: [UInt8] = []

    var isEmpty: Bool { rows.isEmpty }

    mutating func add(row: Int, column: String, _ text: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: text)
        rows.append((row, column, bytes.count, false))
    }

    /// Notes that the whole cell of the row's reference is in kept_value already.
    mutating func noteKept(row: Int) {
        guard let last = rows.last, last.row == row else { return }
        rows[rows.count - 1].isKept = true
    }

    /// Removes the references of a row that is not stored after all; it must be the last row added.
    mutating func forget(row: Int) {
        while let last = rows.last, last.row == row {
            rows.removeLast()
            bytes.removeSubrange((rows.last?.end ?? 0)...)
        }
    }

    /// Visits every reference in order of arrival.
    func forEach(_ body: (_ row: Int, _ column: String, _ text: UnsafeRawBufferPointer, _ isKept: Bool) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            for entry in rows {
                let text = UnsafeRawBufferPointer(rebasing: bytes[start..<entry.end])
                body(entry.row, entry.column, text, entry.isKept)
                start = entry.end
            }
        }
    }
}
