// Unsafe for speed: 3 M stop times look up 6 M identifiers, and a dictionary of Strings would allocate for each. The
// map compares bytes in place; it is the one thing whose memory grows with the feed (about 30 bytes an identifier).
// Unsafe only where cells pass by, as bytes that lie in the reader's block: nothing is copied or allocated for a cell.

import GTFSFeed
import Glibc

/// The identifiers of one namespace, such as all trip IDs, with the integer key of each.
///
/// Owned by the reading stage; not thread-safe. Positions are given in order of arrival, so that looking up identifiers
/// in the order in which they were defined (stop times in the order of trips) compares bytes once and hashes nothing.
final class IdentifierMap {
    private var bytes: UnsafeMutablePointer<UInt8>
    private var byteCapacity = 4096
    private var byteCount = 0
    /// What is known of an identifier beside its bytes; together, so that it is in the cache or not as a whole.
    private struct Entry {
        var start: Int
        var count: UInt32
        var key: Int32
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var capacity = 256
    private(set) var count = 0
    /// Open addressing: position + 1 in the low half, the hash's upper half above; 0 is free. The upper half tells the
    /// place too, so that texts need not be read when there are to be more slots.
    private var slots: UnsafeMutablePointer<UInt64>
    private var slotMask = 511
    private var lastPosition = -1
    /// What `approach` saw: kept, so that it is not optimized away.
    private var met: UInt64 = 0
    /// 256 KB.
    private static let slotsBeyondCache = 1 << 15
    private let seed = UInt64.random(in: .min ... .max)
    /// Odd, so that no bit of a word is lost, and with its highest bit set, so that none stays where it was.
    private let multiplier = UInt64.random(in: .min ... .max) | 0x8000_0000_0000_0001

    init() {
        bytes = .allocate(capacity: byteCapacity)
        entries = .allocate(capacity: capacity)
        slots = .allocate(capacity: slotMask + 1)
        slots.initialize(repeating: 0, count: slotMask + 1)
    }

    deinit {
        bytes.deallocate()
        entries.deallocate()
        slots.deallocate()
    }

    /// The key of an identifier, nil when it is not there.
    func key(of text: UnsafeRawBufferPointer) -> Int32? {
        if lastPosition >= 0 {
            if equals(lastPosition, text) { return entries[lastPosition].key }
            if lastPosition + 1 < count, equals(lastPosition + 1, text) {
                lastPosition += 1
                return entries[lastPosition].key
            }
        }
        let slot = slots[findSlot(text, hash: hash(text))]
        guard slot != 0 else { return nil }
        lastPosition = Int(slot & 0xFFFF_FFFF) - 1
        return entries[lastPosition].key
    }

    /// Adds an identifier; the key of the one that is there already, if there is one, wins and is returned.
    func insert(_ text: UnsafeRawBufferPointer, key: Int32) -> Int32? {
        let hash = hash(text)
        let place = findSlot(text, hash: hash)
        if slots[place] != 0 { return entries[Int(slots[place] & 0xFFFF_FFFF) - 1].key }
        append(text, key: key)
        slots[place] = (hash & 0xFFFF_FFFF_0000_0000) | UInt64(count)
        // At three quarters full, one that is not there would be looked for in eight slots; so it is in four.
        if count * 8 > (slotMask + 1) * 5 { growSlots() }
        return nil
    }

    // MARK: A block at a time

    /// An identifier on its way through the steps of `findKeys`.
    private struct Lookup {
        var text: UnsafeRawBufferPointer
        var hash: UInt64
        var slot: UInt64
        var entry = Entry(start: 0, count: 0, key: 0)
        var row: Int
    }

    /// Finds the keys of a column's fields in a block: -1 for each that is not there as it stands or stands in no
    /// field.
    ///
    /// Step after step for 32 rows at a time, so that the processor waits for the memory of all of them at once: where
    /// trips come in no order, 3 M rows take a third of the time. Rows that repeat the identifier before cost a
    /// comparison.
    func findKeys(ofColumn column: Int, in records: RecordBlock, into keys: UnsafeMutablePointer<Int32>) {
        let (firsts, starts, ends) = (records.firstField, records.fieldStart, records.fieldEnd)
        let (start, rowCount) = (UnsafeRawPointer(records.bytes), records.rowCount)
        var previous = UnsafeRawBufferPointer(start: start, count: 0)
        withUnsafeTemporaryAllocation(of: Lookup.self, capacity: 32) { lookups in
            var row = 0
            while row < rowCount {
                let first = row
                var count = 0
                while row < rowCount, count < lookups.count {
                    defer { row &+= 1 }
                    let field = Int(firsts[row]) &+ column
                    guard field < Int(firsts[row &+ 1]) else {
                        keys[row] = -1
                        previous = UnsafeRawBufferPointer(start: start, count: 0)
                        continue
                    }
                    let (from, to) = (Int(starts[field]), Int(ends[field]))
                    let text = UnsafeRawBufferPointer(start: start + from, count: to &- from)
                    guard !Self.isSame(text, previous) else {
                        keys[row] = Self.asBefore
                        continue
                    }
                    previous = text
                    let hash = hash(text)
                    lookups[count] = Lookup(
                        text: text, hash: hash, slot: slots[Int(hash >> 32) & slotMask], row: row)
                    count &+= 1
                }
                finish(UnsafeMutableBufferPointer(rebasing: lookups[..<count]), into: keys)
                for row in max(first, 1)..<max(row, 1) where keys[row] == Self.asBefore { keys[row] = keys[row - 1] }
            }
        }
    }

    /// Looks where the identifiers of a column's fields will be entered, so that the processor waits for the memory of
    /// all of them at once: half a million take 30 ms less.
    func approach(column: Int, in records: RecordBlock) {
        guard slotMask >= Self.slotsBeyondCache else { return }
        let (firsts, starts, ends) = (records.firstField, records.fieldStart, records.fieldEnd)
        let start = UnsafeRawPointer(records.bytes)
        var met: UInt64 = 0
        for row in 0..<records.rowCount {
            let field = Int(firsts[row]) &+ column
            guard field < Int(firsts[row &+ 1]) else { continue }
            let (from, to) = (Int(starts[field]), Int(ends[field]))
            met ^= slots[Int(hash(UnsafeRawBufferPointer(start: start + from, count: to &- from)) >> 32) & slotMask]
        }
        self.met = met
    }

    /// Marks a field that repeats the one before. Keys are row numbers, and not negative.
    private static let asBefore: Int32 = -2

    @inline(__always)
    private static func isSame(_ text: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard text.count == other.count, text.count > 0, let a = text.baseAddress, let b = other.baseAddress
        else { return false }
        return equals(a, b, text.count)
    }

    private func finish(_ lookups: UnsafeMutableBufferPointer<Lookup>, into keys: UnsafeMutablePointer<Int32>) {
        for index in lookups.indices {
            let slot = lookups[index].slot
            if slot != 0 { lookups[index].entry = entries[Int(slot & 0xFFFF_FFFF) - 1] }
        }
        for lookup in lookups {
            guard lookup.slot != 0 else {
                keys[lookup.row] = -1
                continue
            }
            let (entry, text) = (lookup.entry, lookup.text)
            if (lookup.slot ^ lookup.hash) >> 32 == 0, Int(entry.count) == text.count, let base = text.baseAddress,
                Self.equals(UnsafeRawPointer(bytes + entry.start), base, text.count)
            {
                keys[lookup.row] = entry.key
            } else {
                let slot = slots[findSlot(text, hash: lookup.hash)]
                keys[lookup.row] = slot == 0 ? -1 : entries[Int(slot & 0xFFFF_FFFF) - 1].key
            }
        }
    }

    /// Visits every identifier in order of arrival.
    func forEach(_ body: (UnsafeRawBufferPointer, Int32) -> Void) {
        for position in 0..<count { body(text(at: position), entries[position].key) }
    }

    private func text(at position: Int) -> UnsafeRawBufferPointer {
        let entry = entries[position]
        return UnsafeRawBufferPointer(start: bytes + entry.start, count: Int(entry.count))
    }

    @inline(__always)
    private func equals(_ position: Int, _ text: UnsafeRawBufferPointer) -> Bool {
        let entry = entries[position]
        guard Int(entry.count) == text.count else { return false }
        guard let base = text.baseAddress else { return true }
        return Self.equals(UnsafeRawPointer(bytes + entry.start), base, text.count)
    }

    /// By words from the end, where identifiers of one feed differ; a call of memcmp cost as much as all the rest.
    @inline(__always)
    private static func equals(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
        var end = count
        while end >= 8 {
            end -= 8
            if a.loadUnaligned(fromByteOffset: end, as: UInt64.self)
                != b.loadUnaligned(fromByteOffset: end, as: UInt64.self)
            {
                return false
            }
        }
        while end > 0 {
            end -= 1
            if a.load(fromByteOffset: end, as: UInt8.self) != b.load(fromByteOffset: end, as: UInt8.self) {
                return false
            }
        }
        return true
    }

    private func findSlot(_ text: UnsafeRawBufferPointer, hash: UInt64) -> Int {
        var place = Int(hash >> 32) & slotMask
        while slots[place] != 0 {
            if (slots[place] ^ hash) >> 32 == 0, equals(Int(slots[place] & 0xFFFF_FFFF) - 1, text) { break }
            place = (place + 1) & slotMask
        }
        return place
    }

    private func append(_ text: UnsafeRawBufferPointer, key: Int32) {
        while byteCount + text.count > byteCapacity {
            bytes = Self.grow(bytes, used: byteCount, to: byteCapacity * 2)
            byteCapacity *= 2
        }
        if count == capacity {
            entries = Self.grow(entries, used: count, to: capacity * 2)
            capacity *= 2
        }
        if let base = text.baseAddress { memcpy(bytes + byteCount, base, text.count) }
        // No record of a feed is as long as 4 GiB.
        entries[count] = Entry(start: byteCount, count: UInt32(clamping: text.count), key: key)
        byteCount += text.count
        count += 1
    }

    private func growSlots() {
        let old = slots
        let oldCount = slotMask + 1
        slotMask = oldCount * 2 - 1
        slots = .allocate(capacity: oldCount * 2)
        slots.initialize(repeating: 0, count: oldCount * 2)
        for index in 0..<oldCount where old[index] != 0 {
            var place = Int(old[index] >> 32) & slotMask
            while slots[place] != 0 { place = (place + 1) & slotMask }
            slots[place] = old[index]
        }
        old.deallocate()
    }

    private static func grow<T>(_ memory: UnsafeMutablePointer<T>, used: Int, to capacity: Int) -> UnsafeMutablePointer<
        T
    > {
        let grown = UnsafeMutablePointer<T>.allocate(capacity: capacity)
        grown.moveInitialize(from: memory, count: used)
        memory.deallocate()
        return grown
    }

    /// Multiply and fold, eight bytes at a time: fast, and even enough for identifiers.
    ///
    /// With constants that a feed's maker knows, 200,000 identifiers of 16 bytes can be made that all have one hash,
    /// and took 80 s; so start and multiplier are drawn anew for every map. The store does not depend on them:
    /// positions do.
    func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
        var hash = seed ^ UInt64(text.count)
        var offset = 0
        while offset + 8 <= text.count {
            hash = mix(hash, text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var tail: UInt64 = 0
        while offset < text.count {
            tail = tail << 8 | UInt64(text[offset])
            offset += 1
        }
        return mix(hash, tail)
    }

    @inline(__always)
    private func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: multiplier)
        return product.high ^ product.low
    }
}

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
