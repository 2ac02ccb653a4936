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
    /// A heap: the entry at (n - 1) / 2 is not before the one at n, so the first is the farthest.
    private var entries: [Entry] = []

    var sorted: [Entry] { entries.sorted { $0.isBefore($1) } }

    init(limit: Int) { self.limit = limit }

    /// A stop farther away than this, in metres, cannot be among the nearest.
    var farthest: Double { entries.count < limit ? .infinity : entries.first?.distance ?? -1 }

    /// Takes a stop if it is among the nearest so far. Leaves out places that are not on earth, as a damaged store may
    /// have them.
    mutating func insert(_ id: ObjectID, store: Int, at there: Coordinate, from place: Coordinate) {
        // In the direction in which the farthest was measured: the way back may be a rounding error longer.
        guard farthest == .infinity || there.isWithin(farthest, of: place), there.refusal == nil else { return }
        insert(Entry(distance: there.distance(to: place), store: store, id: id))
    }

    /// Takes a number of steps that grows with the logarithm of the list: a limit may be as large as the table of
    /// stops.
    private mutating func insert(_ entry: Entry) {
        if entries.count < limit {
            entries.append(entry)
            rise(entries.count - 1)
        } else if let first = entries.first, entry.isBefore(first) {
            entries[0] = entry
            sink(0)
        }
    }

    private mutating func rise(_ position: Int) {
        var position = position
        while position > 0, entries[(position - 1) / 2].isBefore(entries[position]) {
            entries.swapAt(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
    }

    private mutating func sink(_ position: Int) {
        var position = position
        while true {
            var farther = position
            for below in 2 * position + 1...2 * position + 2 where below < entries.count {
                if entries[farther].isBefore(entries[below]) { farther = below }
            }
            if farther == position { return }
            entries.swapAt(position, farther)
            position = farther
        }
    }
}
