// Unsafe code: the table allocates the memory of its slots itself. With an array, each lookup counted references, and
// counting them was most of the work of an object by id: without it, that takes half the time. Every index is
// a hash or its successor, cut to the number of slots. The table cannot be copied, so it alone frees the memory.

/// A map from the ids of objects to values: one hash table for all entities of all stores.
///
/// Nearly all keys are one integer or two small ones: these are packed into one number for the hash table. A dictionary
/// holds the others.
///
/// Open addressing with linear probing: a lookup costs two multiplications and a load or two.
struct ObjectTable<Value>: ~Copyable {
    /// A key and its value are next to each other, so that a lookup in a large table waits for memory once.
    private struct Slot {
        var key = PackedID(table: 0, row: 0)
        var value: Value?
    }

    /// The slots, as many as `slotCount`, all of them initialized. The number of slots is 0 or a power of two.
    private var slots: UnsafeMutablePointer<Slot>
    /// A table holds half as many keys before it grows.
    private(set) var slotCount = 0
    /// How far hashes are shifted to the right to become slots.
    private var shift: UInt64 = 0
    private var used = 0
    private let secret: UInt64
    /// Only a table with more slots shrinks. Otherwise, a program that fetches the same thousand objects again and
    /// again would build the table anew each time.
    private static var mostKeptSlots: Int { 4_096 }
    private var others: [ObjectID: Value] = [:]

    /// A secret of its own is for tests.
    init(secret: UInt64 = PackedID.secret) {
        self.secret = secret
        slots = .allocate(capacity: 0)
    }

    deinit {
        for position in 0..<slotCount where slots[position].value != nil { slots[position].value = nil }
        slots.deallocate()
    }

    var count: Int { used + others.count }

    /// All values, in no order.
    var all: [Value] { (0..<slotCount).compactMap { slots[$0].value } + others.values }

    subscript(id: ObjectID) -> Value? {
        get {
            guard let key = PackedID(id) else { return others[id] }
            guard slotCount > 0 else { return nil }
            return slots[slot(of: key)].value
        }
        set {
            guard let key = PackedID(id) else { return others[id] = newValue }
            if let newValue { insert(newValue, at: key) } else { remove(key) { _ in true } }
        }
    }

    /// The value of an id, or the one that `make` returns, which is then inserted. `make` must not use the table.
    ///
    /// Makes room before it knows whether the id is new, so that it searches once. The next new id would need the room
    /// anyway.
    mutating func value(of id: ObjectID, orInsert make: () -> Value) -> Value {
        guard let key = PackedID(id) else {
            if let value = others[id] { return value }
            let value = make()
            others[id] = value
            return value
        }
        makeRoom()
        let slot = slot(of: key)
        if let value = slots[slot].value { return value }
        let value = make()
        slots[slot] = Slot(key: key, value: value)
        used += 1
        return value
    }

    /// Takes a value out if it is the expected one.
    mutating func remove(_ id: ObjectID, if isExpected: (Value) -> Bool) {
        if let key = PackedID(id) { return remove(key, if: isExpected) }
        if let value = others[id], isExpected(value) { others[id] = nil }
    }

    private mutating func insert(_ value: Value, at key: PackedID) {
        makeRoom()
        let slot = slot(of: key)
        if slots[slot].value == nil { used += 1 }
        slots[slot] = Slot(key: key, value: value)
    }

    /// Takes a key out and moves the keys behind it in its run, so that lookups still find them.
    private mutating func remove(_ key: PackedID, if isExpected: (Value) -> Bool) {
        guard slotCount > 0 else { return }
        var hole = slot(of: key)
        guard let value = slots[hole].value, isExpected(value) else { return }
        slots[hole].value = nil
        used -= 1
        let last = slotCount - 1
        var next = (hole + 1) & last
        while slots[next].value != nil {
            let home = home(of: slots[next].key)
            if (next &- home) & last >= (next &- hole) & last {
                slots[hole] = slots[next]
                slots[next].value = nil
                hole = next
            }
            next = (next + 1) & last
        }
        // Afterwards fewer than a quarter of the slots are taken, so the table neither grows nor shrinks again soon.
        if slotCount > Self.mostKeptSlots, used * 16 < slotCount { resize(to: slotCount / 4) }
    }

    /// Makes sure that one more key fits.
    private mutating func makeRoom() {
        if (used + 1) * 2 > slotCount { resize(to: max(16, slotCount * 2)) }
    }

    private mutating func resize(to count: Int) {
        let (old, oldCount) = (slots, slotCount)
        slots = .allocate(capacity: count)
        slots.initialize(repeating: Slot(), count: count)
        slotCount = count
        shift = UInt64(64 - count.trailingZeroBitCount)
        for position in 0..<oldCount where old[position].value != nil {
            (slots + slot(of: old[position].key)).initialize(to: (old + position).move())
        }
        // A free slot, old or new, holds nothing that must be freed.
        old.deallocate()
    }

    /// The slot of a key, or the free slot where it belongs. A free slot always exists: at most half of them are taken.
    private func slot(of key: PackedID) -> Int {
        var slot = home(of: key)
        while slots[slot].value != nil, slots[slot].key != key { slot = (slot + 1) & (slotCount - 1) }
        return slot
    }

    /// The first slot to look for a key. Fibonacci hashing spreads consecutive keys over the whole table. It uses the
    /// highest bits of the product, as only these depend on the whole word: on a trip's number and on a stop sequence.
    private func home(of key: PackedID) -> Int { Int(truncatingIfNeeded: key.hash(secret) &>> shift) }

    /// The greatest distance of a key from the first slot where a lookup searches for it. For tests.
    var longestSearch: Int {
        (0..<slotCount).filter { slots[$0].value != nil }
            .map { ($0 &- home(of: slots[$0].key)) & (slotCount - 1) }.max() ?? 0
    }
}

/// An id whose key is one integer, or two that fit into one, as two numbers.
private struct PackedID: Equatable {
    /// The entity and the store.
    let table: UInt64
    let row: UInt64

    init(table: UInt64, row: UInt64) {
        self.table = table
        self.row = row
    }

    init?(_ id: ObjectID) {
        let table = UInt64(id.entity.number) << 32 | UInt64(UInt32(bitPattern: id.store))
        switch id.key {
        case .row(let row): self.init(table: table, row: UInt64(bitPattern: row))
        case .pair(let first, let second):
            guard first >= 0, first <= UInt32.max, second >= 0, second <= UInt32.max else { return nil }
            self.init(table: table, row: UInt64(first) << 32 | UInt64(second))
        case .values: return nil
        }
    }

    /// A random number of this process. A feed chooses its stop sequences: without a secret, it could choose them so
    /// that all its calls have the same first slot, and each lookup would go through all of them.
    static let secret = UInt64.random(in: .min ... .max)

    /// Consecutive rows of a table have hashes far from each other; each table begins at another place.
    func hash(_ secret: UInt64) -> UInt64 {
        ((row ^ secret) &+ table &* 0xD6E8_FEB8_6659_FD93) &* 0x9E37_79B9_7F4A_7C15
    }
}
