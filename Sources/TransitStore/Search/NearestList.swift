/// The nearest stops found so far.
struct NearestList {
    struct Entry {
        let distance: Double
        /// The position of the stop's store among the context's.
        let store: Int
        let id: ObjectID

        func isBefore(_ other: Entry) -> Bool {
            if distance != other.distance { return distance < other.distance }
            if store != other.store { return store < other.store }
            return id.isOrderedBefore(other.id)
        }
    }

    /// `Int.max` for all stops.
    let limit: Int
    /// In order, except if all stops are wanted.
    private var entries: [Entry] = []

    var sorted: [Entry] { limit == .max ? entries.sorted { $0.isBefore($1) } : entries }

    init(limit: Int) { self.limit = limit }

    /// A stop farther away than this, in metres, cannot be among the nearest.
    var farthest: Double { entries.count < limit ? .infinity : entries.last?.distance ?? -1 }

    mutating func insert(_ entry: Entry) {
        // Sorted once at the end: each insertion would move half of all stops.
        guard limit < .max else { return entries.append(entry) }
        guard entry.distance <= farthest else { return }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].isBefore(entry) { low = middle + 1 } else { high = middle }
        }
        entries.insert(entry, at: low)
        if entries.count > limit { entries.removeLast() }
    }
}
