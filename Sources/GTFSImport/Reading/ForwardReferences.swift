// Unsafe: the texts of references are taken and lent as bytes.

/// References to rows of the same file that come later in it, resolved when the file has been read.
///
/// Memory: 40 bytes and the text of each.
struct ForwardReferences {
    /// What of a reference is kept already: nothing, its whole cell in kept_value, or its whole row in kept_row.
    enum Kept { case nothing, value, row }

    private var rows: [(row: Int, column: String, end: Int, kept: Kept)] = []
    private var bytes: [UInt8] = []

    var isEmpty: Bool { rows.isEmpty }

    /// The text is UTF-8.
    mutating func add(row: Int, column: String, _ text: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: text)
        rows.append((row, column, bytes.count, .nothing))
    }

    /// Notes that the whole cell of the row's reference is in kept_value already.
    mutating func noteKept(row: Int) {
        guard let last = rows.last, last.row == row else { return }
        rows[rows.count - 1].kept = .value
    }

    /// Notes that the row is not stored after all, but kept whole; it must be the last row added. Its references are
    /// then stored nowhere, but one that leads nowhere still gives a notice.
    mutating func noteRefused(row: Int) {
        for index in rows.indices.reversed() {
            guard rows[index].row == row else { break }
            rows[index].kept = .row
        }
    }

    /// Visits every reference in order of arrival.
    func forEach(
        _ body: (_ row: Int, _ column: String, _ text: UnsafeRawBufferPointer, _ kept: Kept) throws -> Void
    ) rethrows {
        try bytes.withUnsafeBytes { bytes in
            var start = 0
            for entry in rows {
                let text = UnsafeRawBufferPointer(rebasing: bytes[start..<entry.end])
                try body(entry.row, entry.column, text, entry.kept)
                start = entry.end
            }
        }
    }
}
