// Unsafe: reads fields in place in a block, and the slots and records of identifiers.

import Cells
import GTFSFeed

/// Lookups for a block of rows at a time, so that the processor waits for many memory accesses at once.
extension IdentifierMap {
    /// An identifier on its way through the steps of `findKeys`.
    private struct Lookup {
        var text: UnsafeRawBufferPointer
        var tail: UInt64
        var hash: UInt64
        var slot: UInt64
        var head: UInt64 = 0
        var row: Int
    }

    /// Marks a field that repeats the one before. Keys are row numbers, so they are never negative.
    private static let asBefore: Int32 = -2
    /// These slots take 256 KB.
    private static let slotsBeyondCache = 1 << 15

    /// Finds the keys of a column's fields in a block: -1 if the map does not contain the field's exact text, or if the
    /// row lacks the field.
    ///
    /// Runs each step for 32 rows at a time: if trips are in no order, 3 M rows take a third of the time. A row that
    /// repeats the identifier before it costs one comparison.
    func findKeys(ofColumn column: Int, in records: RecordBlock, into keys: UnsafeMutablePointer<Int32>) {
        let (firsts, starts, ends) = (records.firstFields, records.fieldStarts, records.fieldEnds)
        let (start, rowCount) = (UnsafeRawPointer(records.bytes), records.rowCount)
        let (slots, slotMask) = (slots, slotMask)
        let none = UnsafeRawBufferPointer(start: start, count: 0)
        var (previous, previousTail) = (none, UInt64(0))
        withUnsafeTemporaryAllocation(of: Lookup.self, capacity: 32) { lookups in
            var row = 0
            while row < rowCount {
                let first = row
                var count = 0
                while row < rowCount, count < 32 {
                    defer { row &+= 1 }
                    let field = Int(firsts[row]) &+ column
                    guard field < Int(firsts[row &+ 1]) else {
                        keys[row] = -1
                        (previous, previousTail) = (none, 0)
                        continue
                    }
                    let (from, to) = (Int(starts[field]), Int(ends[field]))
                    let text = UnsafeRawBufferPointer(start: start + from, count: to &- from)
                    let tail = IdentifierWords.tail(of: text)
                    guard tail != previousTail || !Self.isSame(text, previous) else {
                        keys[row] = Self.asBefore
                        continue
                    }
                    (previous, previousTail) = (text, tail)
                    let hash = hash(text, tail)
                    lookups[count] = Lookup(
                        text: text, tail: tail, hash: hash, slot: slots[Int(hash >> 32) & slotMask], row: row)
                    count &+= 1
                }
                finish(UnsafeMutableBufferPointer(rebasing: lookups[..<count]), into: keys)
                for row in max(first, 1)..<max(row, 1) where keys[row] == Self.asBefore { keys[row] = keys[row - 1] }
            }
        }
    }

    /// Compares two texts whose last words are equal.
    @inline(__always)
    private static func isSame(_ text: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard text.count == other.count, text.count > 0, let a = text.baseAddress, let b = other.baseAddress
        else { return false }
        return IdentifierWords.areSame(a, b, IdentifierWords.whole(text.count))
    }

    private func finish(_ lookups: UnsafeMutableBufferPointer<Lookup>, into keys: UnsafeMutablePointer<Int32>) {
        let (records, slots, slotMask) = (UnsafeRawPointer(records), slots, slotMask)
        for index in lookups.indices {
            let hash = lookups[index].hash
            var (slot, place) = (lookups[index].slot, Int(hash >> 32) & slotMask)
            // The next slots are in the cache once the first one is.
            while slot != 0, (slot ^ hash) >> 32 != 0 {
                place = (place &+ 1) & slotMask
                slot = slots[place]
            }
            lookups[index].slot = slot
            if slot != 0 { lookups[index].head = Self.head(records + Self.place(slot)) }
        }
        for lookup in lookups {
            guard lookup.slot != 0 else {
                keys[lookup.row] = -1
                continue
            }
            let text = lookup.text
            if Self.holds(records + Self.place(lookup.slot), text, lookup.tail) {
                keys[lookup.row] = Int32(truncatingIfNeeded: lookup.head >> 32)
            } else {
                // The slot is another identifier's, whose hash has the same upper half.
                let slot = slots[findSlot(text, lookup.tail, hash: lookup.hash)]
                keys[lookup.row] = slot == 0 ? -1 : Self.key(records + Self.place(slot))
            }
        }
    }

    /// As many rows as fit in the nearest cache: with a whole block, the first would be evicted before the last are
    /// loaded.
    static let rowsPrefetched = 128

    /// Prefetches the slots in which the identifiers of some rows will be entered: half a million take 30 ms less.
    func prefetch(column: Int, of rows: Range<Int>, in records: RecordBlock) {
        guard isBeyondCache else { return }
        let (firsts, starts, ends) = (records.firstFields, records.fieldStarts, records.fieldEnds)
        let start = UnsafeRawPointer(records.bytes)
        let (slots, slotMask) = (slots, slotMask)
        var prefetched: UInt64 = 0
        for row in rows {
            let field = Int(firsts[row]) &+ column
            guard field < Int(firsts[row &+ 1]) else { continue }
            let (from, to) = (Int(starts[field]), Int(ends[field]))
            prefetched ^=
                slots[Int(hash(UnsafeRawBufferPointer(start: start + from, count: to &- from)) >> 32) & slotMask]
        }
        self.prefetched = prefetched
    }

    /// The same for texts of a batch's cells.
    func prefetch(cell: Int, of rows: Range<Int>, in batch: CellBatch) {
        guard isBeyondCache else { return }
        let (slots, slotMask) = (slots, slotMask)
        var prefetched: UInt64 = 0
        for row in rows {
            guard let text = batch[row].text(cell) else { continue }
            prefetched ^= slots[Int(hash(text) >> 32) & slotMask]
        }
        self.prefetched = prefetched
    }

    /// The same for texts that `forEachText` passes one after the other.
    func prefetch(_ forEachText: ((UnsafeRawBufferPointer) -> Void) -> Void) {
        guard isBeyondCache else { return }
        let (slots, slotMask) = (slots, slotMask)
        var prefetched: UInt64 = 0
        forEachText { prefetched ^= slots[Int(hash($0) >> 32) & slotMask] }
        self.prefetched = prefetched
    }

    private var isBeyondCache: Bool { slotMask >= Self.slotsBeyondCache }
}
