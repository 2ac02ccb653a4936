/// Decides which ids name rows of the store that a statement runs on.
struct StoreNumber: Sendable, Equatable {
    /// Nil if the store is not known; then it counts as the store of any id.
    var number: Int32?
    var isFirstOfContext = true

    /// Whether ids with this number are ids of the store.
    func has(_ number: Int32) -> Bool {
        self.number == nil || self.number == number || number == 0 && isFirstOfContext
    }
}

/// What statements must know about a store: its number, its optional index, and the columns that no row fills.
struct StoreTraits: Sendable {
    var store = StoreNumber()
    /// An index on longitude cell and latitude. It serves boxes, whatever the number of stops.
    var hasLongitudeCells = false
    var emptyColumns = EmptyColumnList.none

    static let none = StoreTraits()
}
