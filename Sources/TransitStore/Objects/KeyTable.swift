/// A map from the keys of rows to values. Nearly all keys are one integer or two small ones: these are packed into one
/// number for a hash table. A dictionary holds the others.
///
/// Open addressing with linear probing. A lookup costs a multiplication and a load or two, a fifth of the cost of a
/// `Dictionary`.
struct KeyTable<Value> {
    private var keys: [UInt64] = []
    private var values: [Value?] = []
    private var used = 0
    private var others: [ObjectID.Key: Value] = [:]

    init() {}

    var count: Int { used + others.count }

    /// All values, in no order.
    var all: [Value] { values.compactMap { $0 } + others.values }

    subscript(key: ObjectID.Key) -> Value? {
        get {
            guard let word = key.word else { return others[key] }
            guard !keys.isEmpty else { return nil }
            return values[slot(of: word)]
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
        if (used + 1) * 2 > keys.count { grow() }
        let slot = slot(of: word)
        if values[slot] == nil { used += 1 }
        keys[slot] = word
        values[slot] = value
    }

    /// Takes a key out and moves the keys behind it in its run, so that lookups still find them.
    private mutating func remove(_ word: UInt64, if isExpected: (Value) -> Bool) {
        guard !keys.isEmpty else { return }
        var hole = slot(of: word)
        guard let value = values[hole], isExpected(value) else { return }
        values[hole] = nil
        used -= 1
        var next = (hole + 1) & (keys.count - 1)
        while values[next] != nil {
            let home = home(of: keys[next])
            if (next &- home) & (keys.count - 1) >= (next &- hole) & (keys.count - 1) {
                keys[hole] = keys[next]
                values[hole] = values[next]
                values[next] = nil
                hole = next
            }
            next = (next + 1) & (keys.count - 1)
        }
    }

    private mutating func grow() {
        let (oldKeys, oldValues) = (keys, values)
        let size = max(16, oldKeys.count * 2)
        keys = Array(repeating: 0, count: size)
        values = Array(repeating: nil, count: size)
        for (position, value) in oldValues.enumerated() where value != nil {
            let slot = slot(of: oldKeys[position])
            keys[slot] = oldKeys[position]
            values[slot] = value
        }
    }

    /// The slot of a key, or the free slot where it belongs. A free slot always exists: at most half of them are taken.
    private func slot(of word: UInt64) -> Int {
        var slot = home(of: word)
        while values[slot] != nil, keys[slot] != word { slot = (slot + 1) & (keys.count - 1) }
        return slot
    }

    /// The first slot to look for a key. Fibonacci hashing spreads consecutive keys over the whole table. It uses the
    /// highest bits of the product, as only these depend on the whole word: on a trip's number and on a stop sequence.
    private func home(of word: UInt64) -> Int {
        Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(keys.count.trailingZeroBitCount)))
    }

    /// The greatest distance of a key from the first slot where a lookup searches for it. For tests.
    var longestSearch: Int {
        keys.indices.filter { values[$0] != nil }.map { ($0 &- home(of: keys[$0])) & (keys.count - 1) }.max() ?? 0
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
