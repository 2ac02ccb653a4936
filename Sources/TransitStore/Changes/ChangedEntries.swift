/// Entries that follow from the changed rows of a table, in order. Each row may have several.
///
/// After a change, only the entries of its row are made again, when they are next asked for.
struct ChangedEntries<Entry: Comparable> {
    private(set) var sorted: SortedPieces<Entry>
    private var entries: [ObjectID: [Entry]] = [:]
    /// Rows that were noted since their entries were made.
    private(set) var touched: Set<ObjectID> = []
    /// How often the entries of a row were made.
    private(set) var madeCount = 0

    init(_ ids: [ObjectID], entries make: (ObjectID) -> [Entry]) {
        for id in ids { entries[id] = make(id) }
        madeCount = ids.count
        sorted = SortedPieces(entries.values.flatMap(\.self))
    }

    /// Notes that a row was changed.
    mutating func note(_ id: ObjectID) { touched.insert(id) }

    /// Makes the entries of noted rows again.
    mutating func update(entries make: (ObjectID) -> [Entry]) {
        for id in touched {
            for entry in entries[id] ?? [] { sorted.remove(entry) }
            let now = make(id)
            for entry in now { sorted.insert(entry) }
            entries[id] = now.isEmpty ? nil : now
        }
        madeCount += touched.count
        touched = []
    }
}
