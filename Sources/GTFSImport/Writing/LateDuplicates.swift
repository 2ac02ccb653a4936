// Unsafe: the text of rows is taken and lent as bytes.

import Cells
import KeySorting
import SystemFiles

/// Rows of a clustered table that turned out to repeat a key when all rows were sorted.
///
/// The reading stage can tell for nearly every row that its key is new. The text of the others waits here, so that a
/// feed need not be read again for a few duplicates.
final class LateDuplicates {
    let plan: TablePlan
    private let texts: TextRun
    private var numbers = BitSet()

    init(_ plan: TablePlan, in space: SortingSpace) {
        self.plan = plan
        texts = TextRun(in: space)
    }

    var count: Int { numbers.count }
    var isEmpty: Bool { numbers.isEmpty }

    func contains(_ number: Int) -> Bool { numbers.contains(number) }

    /// Notes that the row is a duplicate.
    func markDuplicate(row number: Int) { numbers.insert(number) }

    /// Holds the text of a row that may turn out to be a duplicate; rows come in the order of their numbers.
    func hold(_ row: PossibleDuplicate, in batch: CellBatch) throws {
        let (high, low) = (
            UInt32(truncatingIfNeeded: row.sequence >> 32), UInt32(truncatingIfNeeded: row.sequence)
        )
        let (text, number) = (row.text.bytes(in: batch), UInt32(clamping: row.rowNumber))
        guard try texts.append(text, row: number, rank: Int64(high), word: low) else {
            throw ImportError(.bug, at: plan.file, ": rows come in no order")
        }
    }

    /// Visits the duplicates in the order of their numbers. Call it once, last.
    func forEach(
        _ body: (_ number: Int, _ sequence: Int64, _ text: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard !numbers.isEmpty else { return }
        while let entry = try texts.next() {
            guard numbers.contains(Int(entry.row)) else { continue }
            try body(Int(entry.row), Int64(entry.rank) << 32 | Int64(entry.word), entry.text)
        }
    }
}
