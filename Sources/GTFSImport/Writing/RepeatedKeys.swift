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
        var rows = RowSet()
        for key in self { rows.insert(key.row) }
        guard let limit = rows.row(at: most) else { return sorted { $0.row < $1.row } }
        return filter { $0.row < limit }.sorted { $0.row < $1.row }
    }
}

/// A set of row numbers, a bit each.
struct RowSet {
    private var words: [UInt64] = []

    mutating func insert(_ row: UInt32) {
        let word = Int(row >> 6)
        if word >= words.count {
            words += [UInt64](repeating: 0, count: Swift.max(word + 1, 2 * words.count) - words.count)
        }
        words[word] |= 1 << UInt64(row & 63)
    }

    func contains(_ row: UInt32) -> Bool {
        let word = Int(row >> 6)
        return word < words.count && words[word] >> UInt64(row & 63) & 1 == 1
    }

    /// The row with `count` rows before it; nil when there is none.
    func row(at count: Int) -> UInt32? {
        var left = count
        for (index, word) in words.enumerated() {
            guard left >= word.nonzeroBitCount else {
                var rest = word
                for _ in 0..<left { rest &= rest &- 1 }
                return UInt32(index * 64 + rest.trailingZeroBitCount)
            }
            left -= word.nonzeroBitCount
        }
        return nil
    }
}
