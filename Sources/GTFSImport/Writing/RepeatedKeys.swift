import SystemFiles

/// A row that repeats the key of an earlier row of its table; both by their ids.
struct RepeatedKey {
    let row: UInt32
    let first: UInt32
}

extension [RepeatedKey] {
    /// The `most` elements with the least rows, in the order of their rows.
    ///
    /// A long table may have one for each row, but notices name only the first. Sorting half a million takes 20 ms.
    func first(_ most: Int) -> [RepeatedKey] {
        guard count > most else { return sorted { $0.row < $1.row } }
        var rows = BitSet()
        for key in self { rows.insert(Int(key.row)) }
        guard let limit = rows.number(at: most) else { return sorted { $0.row < $1.row } }
        return filter { Int($0.row) < limit }.sorted { $0.row < $1.row }
    }
}
