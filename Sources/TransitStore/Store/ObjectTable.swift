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

    /// A program touches a handful of entities: a search is faster than a dictionary.
    private func position(_ id: ObjectID) -> Int? {
        for position in tables.indices where tables[position].entity === id.entity && tables[position].store == id.store
        {
            return position
        }
        return nil
    }
}
