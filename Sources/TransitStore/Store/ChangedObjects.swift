import SQLite

/// Changed objects by their ids. It holds their values and not the objects, which hold their context: a context that
/// held objects would never be freed. An object that nobody holds is made again, with these values, when it is asked
/// for.
struct ChangedObjects {
    private var rows: [ObjectID: PackedRow?] = [:]
    /// The context that the changes are part of, which makes the objects.
    unowned var context: StoreContext?

    var isEmpty: Bool { rows.isEmpty }
    var count: Int { rows.count }
    var keys: some Collection<ObjectID> { rows.keys }
    var values: [StoreObject] { rows.keys.compactMap { context?.object(with: $0) } }

    subscript(id: ObjectID) -> StoreObject? {
        get { contains(id) ? context?.object(with: id) : nil }
        set { rows[id] = newValue.map { $0.row } }
    }

    func contains(_ id: ObjectID) -> Bool { rows.index(forKey: id) != nil }

    /// The values that an object of this id begins with; nil for those of its store.
    func row(of id: ObjectID) -> PackedRow? { rows[id] ?? nil }

    mutating func removeAll() { rows = [:] }

    /// Takes an object out; whether it was in.
    mutating func remove(_ id: ObjectID) -> Bool { rows.removeValue(forKey: id) != nil }
}
