// Unsafe: lends texts where they lie.

import Cells
import KeySorting

/// How much memory the texts of an import's indexes may take. An index with more texts is left to SQLite, which sorts
/// in a file.
final class TextBudget {
    private var bytes = 48 << 20

    /// Takes memory; false when not enough is left.
    func take(_ count: Int) -> Bool {
        guard bytes >= count else { return false }
        bytes -= count
        return true
    }

    /// Takes memory back, for the texts of other indexes.
    func giveBack(_ count: Int) { bytes += count }
}

/// The texts of one index: numbered as they come, and ranked by their bytes once all have come.
final class IndexTexts {
    /// Each text once, with its number.
    private let known = IdentifierMap()
    /// Where each text lies: by its number, and after `ranks` by its rank.
    // Unchecked: no access lasts beyond a call of the own functions.
    @exclusivity(unchecked) private var payloads: [Int64] = []
    /// The number of the text that came last.
    @exclusivity(unchecked) private var last = 0
    private let budget: TextBudget?
    @exclusivity(unchecked) private var taken = 0
    /// Memory for each text beside its bytes: its place, its row, and its slot in the map.
    private static let bytesPerText = 48
    private static let longestText = 1 << 10

    /// Without a budget, texts get numbers as long as they lie within 4 GB.
    init(budget: TextBudget?) { self.budget = budget }

    deinit { budget?.giveBack(taken) }

    /// The memory from whose start payloads count; valid until the next text comes.
    var bytes: UnsafeRawPointer { UnsafeRawPointer(known.records) }

    func payload(ofRank rank: Int) -> Int64 { payloads[rank] }

    /// Prefetches the places where the texts of some rows will be looked up.
    func prefetch(cell: Int, of rows: Range<Int>, in batch: CellBatch) {
        known.prefetch(cell: cell, of: rows, in: batch)
    }

    /// The same for the texts that `forEachText` visits.
    func prefetch(_ forEachText: ((UnsafeRawBufferPointer) -> Void) -> Void) { known.prefetch(forEachText) }

    /// The text's number, from 0; nil when there are too many.
    func number(of text: UnsafeRawBufferPointer) -> UInt32? {
        // Rows with the same text often stand together.
        if payloads.count > last, isLast(text) { return UInt32(last) }
        let place = known.nextNumber
        if let key = known.insert(text, key: Int32(payloads.count)) {
            last = Int(key)
            return UInt32(bitPattern: key)
        }
        let offset = IdentifierMap.offset(ofText: place)
        guard offset + text.count <= UInt32.max, takesMemory(text.count) else {
            known.removeLast(text)
            return nil
        }
        last = payloads.count
        payloads.append(CellText.payload(offset: offset, count: text.count))
        return UInt32(last)
    }

    private func takesMemory(_ count: Int) -> Bool {
        guard let budget else { return true }
        guard count <= Self.longestText, budget.take(count + Self.bytesPerText) else { return false }
        taken += count + Self.bytesPerText
        return true
    }

    private func isLast(_ text: UnsafeRawBufferPointer) -> Bool { self.text(UInt32(last)).hasSameBytes(as: text) }

    /// The rank of each number. Afterwards, texts are known by their ranks only. Calls `check` now and then, which
    /// throws to stop.
    func ranks(in space: SortingSpace, checking check: () throws -> Void) throws -> [UInt32] {
        var ranks = [UInt32](repeating: 0, count: payloads.count)
        var inOrder: [Int64] = []
        inOrder.reserveCapacity(payloads.count)
        try TextOrder(self, in: space).forEach(checking: check) { number in
            ranks[Int(number)] = UInt32(inOrder.count)
            inOrder.append(payloads[Int(number)])
        }
        payloads = inOrder
        return ranks
    }
}

extension IndexTexts: NumberedTexts {
    func text(_ number: UInt32) -> UnsafeRawBufferPointer {
        CellText.bytes(of: payloads[Int(number)], from: bytes)
    }

    func forEachNumber(_ body: (UInt32) throws -> Void) rethrows {
        for number in payloads.indices { try body(UInt32(truncatingIfNeeded: number)) }
    }
}
