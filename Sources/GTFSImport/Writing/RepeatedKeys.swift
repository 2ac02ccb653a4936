// Unsafe: hashes are read where `HashPartitions` holds them.

import KeySorting
import SystemFiles

/// A row that repeats the key of an earlier row of its table; both by their ids.
struct RepeatedKey {
    /// How many are held of one table; with more, they are looked for in the finished table.
    static let most = 1 << 20

    let row: UInt32
    let first: UInt32
}

extension [RepeatedKey] {
    /// The `most` elements with the least rows, in the order of their rows.
    ///
    /// A long table may have one for each row, but notices name only the first. Sorting half a million takes 20 ms.
    func first(_ most: Int) -> [RepeatedKey] {
        guard count > most else { return sorted { $0.row < $1.row } }
        var rows = BitSet()
        for key in self { rows.insert(Int(key.row)) }
        guard let limit = rows.number(at: most) else { return sorted { $0.row < $1.row } }
        return filter { Int($0.row) < limit }.sorted { $0.row < $1.row }
    }
}

/// Finds equal hashes in pieces of parts. In each part the hashes come in the order of their rows. Of the current part,
/// only distinct hashes are held.
struct RepeatedHashes {
    private(set) var rows: [RepeatedKey] = []
    private var part = -1
    /// The distinct hashes of the part.
    private var firsts: [RowHash] = []
    /// Open addressing: indexes of `firsts`, plus 1; 0 is free.
    private var slots = [UInt32](repeating: 0, count: 1 << 10)

    mutating func add(_ piece: UnsafeBufferPointer<RowHash>, ofPart part: Int) {
        if part != self.part {
            self.part = part
            firsts.removeAll(keepingCapacity: true)
            slots.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
        }
        for hash in piece {
            let slot = slot(of: hash)
            if slots[slot] > 0 {
                rows.append(RepeatedKey(row: hash.row, first: firsts[Int(slots[slot]) - 1].row))
            } else {
                firsts.append(hash)
                slots[slot] = UInt32(truncatingIfNeeded: firsts.count)
                if 2 * firsts.count > slots.count { growSlots() }
            }
        }
    }

    /// Where the hash or an equal one is, or where it belongs.
    private func slot(of hash: RowHash) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash.hash) & mask
        while slots[slot] != 0, !firsts[Int(slots[slot]) - 1].isSame(as: hash) { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func growSlots() {
        slots = [UInt32](repeating: 0, count: 2 * slots.count)
        for (number, hash) in firsts.enumerated() { slots[slot(of: hash)] = UInt32(truncatingIfNeeded: number + 1) }
    }
}
