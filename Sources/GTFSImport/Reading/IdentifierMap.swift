// Unsafe for speed: 3 M stop times look up 6 M identifiers, and a dictionary of Strings would allocate for each. The
// map compares bytes in place. Only its memory grows with the feed (about 30 bytes per identifier).

import GTFSFeed
import SystemFiles

/// The identifiers of one namespace, such as all trip IDs, with the integer key of each.
///
/// Owned by the reading stage; not thread-safe. Identifiers are stored one after the other in order of arrival. So a
/// lookup in the order of definition (stop times in the order of trips) compares bytes once and needs no hash.
final class IdentifierMap {
    /// Records: an identifier's length and key, then its bytes, padded with zeros to a whole word. A lookup waits for
    /// one place in memory only. Records begin at multiples of eight.
    private(set) var records: UnsafeMutableRawPointer
    private var recordMemory = LargeMemory(zeros: firstRecords)
    private var recordCapacity = firstRecords
    private static let firstRecords = 4096
    private var recordBytes = 0
    private(set) var count = 0
    /// Open addressing: the low half is the record's offset / 8 + 1, the upper half is the upper half of the hash; 0 is
    /// a free slot. The upper half also determines the slot, so growing the table does not need the texts.
    private(set) var slots: UnsafeMutablePointer<UInt64>
    private var slotMemory: LargeMemory
    private(set) var slotMask = 511
    /// The record that was found last.
    private var last = -1
    /// What `prefetch` has read; stored so that the compiler does not remove the reads.
    var prefetched: UInt64 = 0
    private let seed = UInt64.random(in: .min ... .max)
    /// Odd, so that no bit of a word is lost. Its highest bit is set, so that every bit moves.
    private let multiplier = UInt64.random(in: .min ... .max) | 0x8000_0000_0000_0001

    init() {
        records = recordMemory.bytes
        slotMemory = Self.freeSlots(slotMask + 1)
        slots = slotMemory.bytes.assumingMemoryBound(to: UInt64.self)
    }

    /// The key of an identifier; nil if the map does not contain it.
    func key(of text: UnsafeRawBufferPointer) -> Int32? {
        let tail = IdentifierWords.tail(of: text)
        if last >= 0, let key = keyNearLast(text, tail) { return key }
        let slot = slots[findSlot(text, tail, hash: hash(text, tail))]
        guard slot != 0 else { return nil }
        last = Self.place(slot)
        return Self.key(records + last)
    }

    /// The key, if the text is that of the record found last or of the next one.
    @inline(__always)
    private func keyNearLast(_ text: UnsafeRawBufferPointer, _ tail: UInt64) -> Int32? {
        if Self.holds(records + last, text, tail) { return Self.key(records + last) }
        let next = last + Self.length(Int(Self.head(records + last) & 0xFFFF_FFFF))
        guard next < recordBytes, Self.holds(records + next, text, tail) else { return nil }
        last = next
        return Self.key(records + next)
    }

    /// Adds an identifier. If the map already has it, changes nothing and returns its existing key.
    func insert(_ text: UnsafeRawBufferPointer, key: Int32) -> Int32? {
        let tail = IdentifierWords.tail(of: text)
        if last >= 0, let known = keyNearLast(text, tail) { return known }
        let hash = hash(text, tail)
        let slot = findSlot(text, tail, hash: hash)
        if slots[slot] != 0 {
            last = Self.place(slots[slot])
            return Self.key(records + last)
        }
        slots[slot] = (hash & 0xFFFF_FFFF_0000_0000) | UInt64(append(text, tail, key: key) / 8 + 1)
        // Grows above five eighths full: a lookup of an absent identifier then visits about four slots. At three
        // quarters full it would visit eight.
        if count * 8 > (slotMask + 1) * 5 { growSlots() }
        return nil
    }

    /// Removes the identifier that was added last.
    func removeLast(_ text: UnsafeRawBufferPointer) {
        let tail = IdentifierWords.tail(of: text)
        var slot = findSlot(text, tail, hash: hash(text, tail))
        guard slots[slot] != 0, Self.place(slots[slot]) + Self.length(text.count) == recordBytes else { return }
        (recordBytes, count, last) = (Self.place(slots[slot]), count - 1, -1)
        slots[slot] = 0
        // The entries after it are entered again, as the gap would hide them.
        slot = (slot + 1) & slotMask
        while slots[slot] != 0 {
            let moved = slots[slot]
            slots[slot] = 0
            enter(moved)
            slot = (slot + 1) & slotMask
        }
    }

    /// Enters the content of a slot into the first free slot for its hash.
    @inline(__always)
    private func enter(_ moved: UInt64) {
        var place = Int(moved >> 32) & slotMask
        while slots[place] != 0 { place = (place + 1) & slotMask }
        slots[place] = moved
    }

    /// Visits every identifier in order of arrival.
    func forEach(_ body: (UnsafeRawBufferPointer, Int32) -> Void) {
        forEachNumber { body(text($0), key($0)) }
    }

    // MARK: Numbers

    /// The number of the identifier that is added next: the offset of its record divided by eight.
    var nextNumber: UInt32 { UInt32(truncatingIfNeeded: recordBytes / 8) }

    /// The key of the identifier with this number.
    func key(_ number: UInt32) -> Int32 { Self.key(records + Int(number) * 8) }

    /// The offset in the records at which the text of the identifier with this number begins.
    static func offset(ofText number: UInt32) -> Int { Int(number) * 8 + 8 }

    // MARK: Records

    /// The record's offset, from a slot that is not free.
    @inline(__always)
    static func place(_ slot: UInt64) -> Int { (Int(slot & 0xFFFF_FFFF) - 1) * 8 }

    /// Length and key.
    @inline(__always)
    static func head(_ record: UnsafeRawPointer) -> UInt64 { record.load(as: UInt64.self) }

    @inline(__always)
    static func key(_ record: UnsafeRawPointer) -> Int32 { record.load(fromByteOffset: 4, as: Int32.self) }

    /// How long the record of a text with `count` bytes is: even an empty text takes one word.
    @inline(__always)
    private static func length(_ count: Int) -> Int { 16 + IdentifierWords.whole(count) }

    /// Whether the record has this text. Compares words from the end, where identifiers of one feed usually differ. A
    /// call of memcmp cost as much as everything else.
    @inline(__always)
    static func holds(_ record: UnsafeRawPointer, _ text: UnsafeRawBufferPointer, _ tail: UInt64) -> Bool {
        guard Int(head(record) & 0xFFFF_FFFF) == text.count else { return false }
        let whole = IdentifierWords.whole(text.count)
        guard record.load(fromByteOffset: 8 + whole, as: UInt64.self) == tail else { return false }
        guard whole > 0, let base = text.baseAddress else { return true }
        return IdentifierWords.areSame(record + 8, base, whole)
    }

    func findSlot(_ text: UnsafeRawBufferPointer, _ tail: UInt64, hash: UInt64) -> Int {
        var place = Int(hash >> 32) & slotMask
        while slots[place] != 0 {
            if (slots[place] ^ hash) >> 32 == 0, Self.holds(records + Self.place(slots[place]), text, tail) { break }
            place = (place + 1) & slotMask
        }
        return place
    }

    /// Appends a record and returns its offset.
    private func append(_ text: UnsafeRawBufferPointer, _ tail: UInt64, key: Int32) -> Int {
        // No record of a feed is 4 GiB long.
        let (start, whole) = (recordBytes, IdentifierWords.whole(text.count))
        recordBytes += Self.length(text.count)
        while recordBytes > recordCapacity { growRecords(used: start) }
        let head = UInt64(UInt32(bitPattern: key)) << 32 | UInt64(UInt32(clamping: text.count))
        records.storeBytes(of: head, toByteOffset: start, as: UInt64.self)
        if let base = text.baseAddress { (records + start + 8).copyMemory(from: base, byteCount: whole) }
        records.storeBytes(of: tail, toByteOffset: start + 8 + whole, as: UInt64.self)
        count += 1
        return start
    }

    private func growRecords(used: Int) {
        recordCapacity *= 2
        recordMemory.grow(to: recordCapacity, keeping: used)
        records = recordMemory.bytes
    }

    private static func freeSlots(_ count: Int) -> LargeMemory {
        LargeMemory(zeros: count * MemoryLayout<UInt64>.stride)
    }

    private func growSlots() {
        let (old, oldCount) = (slots, slotMask + 1)
        slotMask = oldCount * 2 - 1
        var other = Self.freeSlots(oldCount * 2)
        swap(&other, &slotMemory)
        slots = slotMemory.bytes.assumingMemoryBound(to: UInt64.self)
        withExtendedLifetime(other) {
            for index in 0..<oldCount where old[index] != 0 { enter(old[index]) }
        }
    }

    // MARK: Hashes

    /// Multiplies and folds eight bytes at a time: fast, and distributes identifiers evenly enough.
    ///
    /// If the constants were known, a feed could contain 200,000 identifiers of 16 bytes with the same hash, which took
    /// 80 s. So seed and multiplier are random for every map. The store does not depend on them, only on the order of
    /// arrival.
    func hash(_ text: UnsafeRawBufferPointer) -> UInt64 { hash(text, IdentifierWords.tail(of: text)) }

    @inline(__always)
    func hash(_ text: UnsafeRawBufferPointer, _ tail: UInt64) -> UInt64 {
        var hash = seed ^ UInt64(text.count)
        let whole = IdentifierWords.whole(text.count)
        var offset = 0
        while offset < whole {
            hash = mix(hash, text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        return mix(hash, tail)
    }

    @inline(__always)
    private func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: multiplier)
        return product.high ^ product.low
    }
}

extension IdentifierMap: NumberedTexts {
    func text(_ number: UInt32) -> UnsafeRawBufferPointer {
        let text = UnsafeRawPointer(records) + Self.offset(ofText: number)
        return UnsafeRawBufferPointer(start: text, count: Int(Self.head(text - 8) & 0xFFFF_FFFF))
    }

    /// In order of arrival.
    func forEachNumber(_ body: (UInt32) throws -> Void) rethrows {
        var place = 0
        while place < recordBytes {
            let count = Int(Self.head(records + place) & 0xFFFF_FFFF)
            try body(UInt32(truncatingIfNeeded: place / 8))
            place += Self.length(count)
        }
    }
}

/// A text as words of eight bytes.
enum IdentifierWords {
    /// Number of bytes before the last word, which has one to eight bytes.
    @inline(__always)
    static func whole(_ count: Int) -> Int { count == 0 ? 0 : (count &- 1) & ~7 }

    /// The last word, padded with zeros; reads no byte beyond the text.
    @inline(__always)
    static func tail(of text: UnsafeRawBufferPointer) -> UInt64 {
        let count = text.count
        guard count > 0, let base = text.baseAddress else { return 0 }
        if count >= 8 {
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
            return word &>> UInt64(56 &- 8 &* ((count &- 1) & 7))
        }
        if count >= 4 {
            let first = UInt32(littleEndian: base.loadUnaligned(as: UInt32.self))
            let last = UInt32(littleEndian: base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            return UInt64(first) | UInt64(last) &<< UInt64(8 &* (count &- 4))
        }
        // One to three bytes: combines the first, the middle and the last byte, which may coincide.
        let middle = count >> 1
        return UInt64(base.load(as: UInt8.self))
            | UInt64(base.load(fromByteOffset: middle, as: UInt8.self)) &<< UInt64(8 &* middle)
            | UInt64(base.load(fromByteOffset: count &- 1, as: UInt8.self)) &<< UInt64(8 &* (count &- 1))
    }

    /// Compares `count` bytes, a multiple of eight, from the end.
    @inline(__always)
    static func areSame(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
        var end = count
        while end > 0 {
            end -= 8
            guard
                a.loadUnaligned(fromByteOffset: end, as: UInt64.self)
                    == b.loadUnaligned(fromByteOffset: end, as: UInt64.self)
            else { return false }
        }
        return true
    }
}
