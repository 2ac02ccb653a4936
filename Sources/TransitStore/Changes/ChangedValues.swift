import SQLite

/// Changed objects of a table by the value of one column.
struct ChangedValues {
    /// The table that the column refers to.
    let target: String?
    /// Changed and inserted objects by the value that the column has now.
    private(set) var now: [Int64: Set<ObjectID>] = [:]
    /// Changed and inserted objects whose reference is empty or leads to a deleted object.
    private(set) var emptyNow: Set<ObjectID> = []
    /// Changed and inserted objects by the text that the column has now.
    private(set) var named: [ExactText: Set<ObjectID>] = [:]
    /// How many objects were changed or deleted, by the value that the column has in the store.
    private(set) var before: [Int64: Int] = [:]
    /// How many objects were changed or deleted whose column is empty in the store.
    private(set) var emptyBefore = 0
    /// How many objects were changed or deleted whose row in the store is not known.
    private(set) var unknown = 0

    init(target: String?) { self.target = target }

    /// Objects that may have one of these values now. `ObjectID.missingRow` stands for an empty reference.
    func candidates(_ values: [Int64]) -> [ObjectID] {
        let found = Set(values.flatMap { now[$0] ?? [] })
        return Array(values.contains(ObjectID.missingRow) ? found.union(emptyNow) : found)
    }

    /// How many changed or deleted rows the store may find by these values.
    func taken(_ values: [Int64]) -> Int {
        let empty = values.contains(ObjectID.missingRow) ? emptyBefore : 0
        return values.reduce(unknown + empty) { $0 + (before[$1] ?? 0) }
    }

    /// Whether any changed or deleted row has a value now, or may have it in the store.
    func mayConcern(_ value: Int64) -> Bool { unknown > 0 || now[value] != nil || before[value] != nil }

    /// Adds the value that a changed or inserted object has now.
    mutating func add(_ id: ObjectID, _ row: PackedRow?, _ column: Int, isEmpty: Bool) {
        if let value = row?.integer(column) { now[value, default: []].insert(id) }
        if let text = row?.text(column) { named[ExactText(text), default: []].insert(id) }
        if isEmpty { emptyNow.insert(id) }
    }

    /// Adds objects whose reference leads to a deleted object from now on.
    mutating func addEmpty(_ ids: Set<ObjectID>) { emptyNow.formUnion(ids) }

    /// Removes the value that an object had before it was changed again or deleted.
    mutating func remove(_ id: ObjectID, _ row: PackedRow?, _ column: Int) {
        emptyNow.remove(id)
        if let text = row?.text(column) { named[ExactText(text)]?.remove(id) }
        guard let value = row?.integer(column) else { return }
        now[value]?.remove(id)
        if now[value]?.isEmpty == true { now[value] = nil }
    }

    /// Counts the value that the row of a changed or deleted object has in the store.
    mutating func countStored(_ row: PackedRow?, _ column: Int) {
        guard let row else { return unknown += 1 }
        if let value = row.integer(column) { before[value, default: 0] += 1 } else { emptyBefore += 1 }
    }

    /// Takes back what `countStored` counted.
    mutating func removeStored(_ row: PackedRow?, _ column: Int) {
        guard let row else { return unknown -= 1 }
        guard let value = row.integer(column) else { return emptyBefore -= 1 }
        guard let count = before[value] else { return }
        before[value] = count > 1 ? count - 1 : nil
    }
}
