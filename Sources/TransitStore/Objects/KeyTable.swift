/// A map from the keys of rows to values. Nearly all keys are one integer or two small ones: these are packed into one
/// number for a hash table. A dictionary holds the others.
///
/// Open addressing with linear probing. A lookup costs a multiplication and a load or two, a fifth of the cost of a
/// `Dictionary`.
struct KeyTable<Value> {
    /// A key and its value are next to each other, so that a lookup in a large table waits for memory once.
    private struct Slot {
        var key: UInt64 = 0
        var value: Value?
    }

    private var slots: [Slot] = []
    private var used = 0
    /// Only a table with more slots shrinks. Otherwise, a program that fetches the same thousand objects again and
    /// again would build the table anew each time.
    private static var fewestSlots: Int { 4_096 }
    private var others: [ObjectID.Key: Value] = [:]

    init() {}

    var count: Int { used + others.count }

    /// All values, in no order.
    var all: [Value] { slots.compactMap(\.value) + others.values }

    subscript(key: ObjectID.Key) -> Value? {
        get {
            guard let word = key.word else { return others[key] }
            guard !slots.isEmpty else { return nil }
            return slots[slot(of: word)].value
        }
        set {
            guard let word = key.word else { return others[key] = newValue }
            if let newValue { insert(newValue, at: word) } else { remove(word) { _ in true } }
        }
    }

    /// Takes a value out if it is the expected one.
    mutating func remove(_ key: ObjectID.Key, if isExpected: (Value) -> Bool) {
        if let word = key.word { return remove(word, if: isExpected) }
        if let value = others[key], isExpected(value) { others[key] = nil }
    }

    private mutating func insert(_ value: Value, at word: UInt64) {
        if (used + 1) * 2 > slots.count { grow() }
        let slot = slot(of: word)
        if slots[slot].value == nil { used += 1 }
        slots[slot] = Slot(key: word, value: value)
    }

    /// Takes a key out and moves the keys behind it in its run, so that lookups still find them.
    private mutating func remove(_ word: UInt64, if isExpected: (Value) -> Bool) {
        guard !slots.isEmpty else { return }
        var hole = slot(of: word)
        guard let value = slots[hole].value, isExpected(value) else { return }
        slots[hole].value = nil
        used -= 1
        let last = slots.count - 1
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
        if slots.count > Self.fewestSlots, used * 16 < slots.count { resize(to: slots.count / 4) }
    }

    private mutating func grow() { resize(to: max(16, slots.count * 2)) }

    private mutating func resize(to count: Int) {
        let old = slots
        slots = Array(repeating: Slot(), count: count)
        for taken in old where taken.value != nil { slots[slot(of: taken.key)] = taken }
    }

    /// The slot of a key, or the free slot where it belongs. A free slot always exists: at most half of them are taken.
    private func slot(of word: UInt64) -> Int {
        var slot = home(of: word)
        while slots[slot].value != nil, slots[slot].key != word { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    /// The first slot to look for a key. Fibonacci hashing spreads consecutive keys over the whole table. It uses the
    /// highest bits of the product, as only these depend on the whole word: on a trip's number and on a stop sequence.
    private func home(of word: UInt64) -> Int {
        Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(slots.count.trailingZeroBitCount)))
    }

    /// The number of slots; a table holds half as many keys before it grows. For tests.
    var slotCount: Int { slots.count }

    /// The greatest distance of a key from the first slot where a lookup searches for it. For tests.
    var longestSearch: Int {
        slots.indices.filter { slots[$0].value != nil }
            .map { ($0 &- home(of: slots[$0].key)) & (slots.count - 1) }.max() ?? 0
    }
}

extension ObjectID.Key {
    /// The key as one number, if it fits.
    fileprivate var word: UInt64? {
        switch self {
        case .row(let row): UInt64(bitPattern: row)
        case .pair(let first, let second):
            if first >= 0, first <= UInt32.max, second >= 0, second <= UInt32.max {
                UInt64(first) << 32 | UInt64(second)
            } else {
                nil
            }
        case .values: nil
        }
    }
}

/// A `KeyTable` for each entity of each store.
struct ObjectTable<Value> {
    private var tables: [(entity: EntityDescription, store: Int32, table: KeyTable<Value>)] = []

    init() {}

    var count: Int { tables.reduce(0) { $0 + $1.table.count } }
    var all: [Value] { tables.flatMap(\.table.all) }

    subscript(id: ObjectID) -> Value? {
        get {
            guard let position = position(id) else { return nil }
            return tables[position].table[id.key]
        }
        set {
            if let position = position(id) { return tables[position].table[id.key] = newValue }
            guard let newValue else { return }
            tables.append((id.entity, id.store, KeyTable()))
            tables[tables.count - 1].table[id.key] = newValue
        }
    }

    /// Takes a value out if it is the expected one, with a single search for it.
    mutating func remove(_ id: ObjectID, if isExpected: (Value) -> Bool) {
        if let position = position(id) { tables[position].table.remove(id.key, if: isExpected) }
    }

    /// The position of an id's table. A program uses a handful of entities: a search is faster than a dictionary.
    private func position(_ id: ObjectID) -> Int? {
        for position in tables.indices where tables[position].entity === id.entity && tables[position].store == id.store
        {
            return position
        }
        return nil
    }
}
