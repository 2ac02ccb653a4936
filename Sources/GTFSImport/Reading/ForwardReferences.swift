// Unsafe: the texts of references are taken and lent as bytes.

import GTFSSchema

/// References to rows of the same file that come later in it, resolved when the file has been read.
///
/// Memory: 40 bytes and the text of each.
struct ForwardReferences {
    /// What has already been saved of a reference: nothing, its whole cell in kept_value, or its row in kept_row.
    enum Kept { case nothing, value, row }

    /// A reference; its text is valid while it is lent.
    struct Reference {
        let row: Int
        /// The feed's own name for the column.
        let column: String
        let text: UnsafeRawBufferPointer
        let kept: Kept
    }

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
    /// not stored; those to unknown IDs are still reported.
    mutating func noteRefused(row: Int) {
        for index in rows.indices.reversed() {
            guard rows[index].row == row else { break }
            rows[index].kept = .row
        }
    }

    /// Visits every reference in order of arrival.
    func forEach(_ body: (Reference) throws -> Void) rethrows {
        try bytes.withUnsafeBytes { bytes in
            var start = 0
            for entry in rows {
                let text = UnsafeRawBufferPointer(rebasing: bytes[start..<entry.end])
                try body(Reference(row: entry.row, column: entry.column, text: text, kept: entry.kept))
                start = entry.end
            }
        }
    }
}

extension FeedReader {
    /// Limits the references in a block, and with them its memory.
    private static let referencesPerBlock = 1 << 14

    /// Resolves references to rows that came later in the file; those that are still unknown refer to nothing.
    func resolveForwardReferences(_ table: TableReader) throws {
        let plan = table.plan
        guard let number = plan.columns.firstIndex(where: { $0.field?.referencedTable == plan.table }),
            let field = plan.columns[number].field, let map = plan.columns[number].identifiers
        else { return }
        let place = NoticeLog.FilePlace(plan.file)
        var (block, count) = (blockWithoutRows(plan), 0)
        try table.forwardReferences.forEach { reference in
            if count == Self.referencesPerBlock {
                try send(.block(block))
                (block, count) = (blockWithoutRows(plan), 0)
            }
            count += 1
            let row = Int64(reference.row)
            guard let key = map.key(of: reference.text) else {
                if reference.kept == .nothing {
                    let text = block.convert(reference.text)
                    block.keptValues.append(
                        KeptValue(row: row, sequence: 0, latecomer: 0, column: UInt32(number), text: text))
                }
                return noteUnknown(reference, to: field.targetWords, plan, place)
            }
            guard reference.kept != .row else { return }
            block.lateReferences.append(LateReference(column: field.column, row: row, target: Int64(key)))
        }
        try send(.block(block))
    }

    private func noteUnknown(
        _ reference: ForwardReferences.Reference, to targets: @autoclosure () -> String, _ plan: TablePlan,
        _ place: NoticeLog.FilePlace
    ) {
        state.notices.add(.foreignKeyViolation, in: place) {
            let value = Notice.shortened(String(decoding: reference.text, as: UTF8.self))
            let (row, name) = (reference.row + 1, reference.column)
            return Notice(
                kind: .foreignKeyViolation, file: plan.file, rowNumber: row, field: name, value: value,
                fault: "\(plan.file), row \(row), \(name): \"\(value)\" is not \(targets())",
                outcome: reference.kept == .row ? .rowKept(notIn: plan.table) : .valueKept, consequence: nil)
        }
    }
}
