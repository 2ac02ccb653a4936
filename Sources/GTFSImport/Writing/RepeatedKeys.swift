// Unsafe: hashes are read where `HashPartitions` holds them.

import KeySorting
import SystemFiles

/// A row that repeats the key of an earlier row of its table; both by their ids.
struct RepeatedKey {
    let row: UInt32
    let first: UInt32
}

/// The rows of a table that repeat the key of an earlier row: how many there are, and the first of them.
///
/// A long table may have one for each row, but notices name only the first.
struct RepeatedKeys {
    private(set) var count = 0
    /// Those with the least rows, in no order, and up to as many others.
    private var held: [RepeatedKey] = []
    /// Rows from this one on are only counted.
    private var end = UInt32.max
    /// The number of first ones that are known; twice as many take 8 MB.
    private let most: Int

    init(most: Int = 1 << 19) { self.most = most }

    mutating func add(_ key: RepeatedKey) {
        count += 1
        guard key.row < end else { return }
        held.append(key)
        if held.count >= 2 * most { leaveOutLast() }
    }

    mutating func add(_ others: RepeatedKeys) {
        let count = count + others.count
        for key in others.held { add(key) }
        self.count = count
        end = min(end, others.end)
    }

    private mutating func leaveOutLast() {
        end = row(after: most) ?? end
        held.removeAll { $0.row >= end }
    }

    /// The first `wanted` ones, in the order of their rows.
    func first(_ wanted: Int) -> [RepeatedKey] {
        // Sorting half a million takes 20 ms.
        let end = row(after: min(wanted, most)) ?? end
        return held.filter { $0.row < end }.sorted { $0.row < $1.row }
    }

    /// The row of the held key that `count` others come before.
    private func row(after count: Int) -> UInt32? {
        var rows = BitSet()
        for key in held { rows.insert(Int(key.row)) }
        return rows.number(at: count).map(UInt32.init)
    }
}

/// Finds equal hashes in pieces of parts. In each part the hashes come in the order of their rows. Of the current part,
/// only distinct hashes are held.
struct RepeatedHashes {
    private(set) var rows = RepeatedKeys()
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
                rows.add(RepeatedKey(row: hash.row, first: firsts[Int(slots[slot]) - 1].row))
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
