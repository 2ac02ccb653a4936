// Unsafe: runs are read into one block of memory that is shared out between them.

/// Merges sorted runs of a file by a tree of losers: one comparison a level for each key.
///
/// (Knuth, The Art of Computer Programming, volume 3, section 5.4.1)
final class RunMerge {
    /// A run's part of the memory, and what is still in the file.
    private struct Cursor {
        let memory: UnsafeMutableBufferPointer<SortKey>
        var next = 0
        var end = 0
        var place: Int
        var left: Int
    }

    /// What stands for a run that has ended. A key can have this value as well: then it does not matter which of the two
    /// is taken, as the merge ends when as many keys as there are were taken.
    private static let afterAll = SortKey(high: .max, low: .max)

    private let file: RunFile
    private var cursors: [Cursor] = []
    /// The runs' present keys.
    private var heads: [SortKey]
    /// The loser of each match, by node; node 0 is the winner of all.
    private var losers: [Int]
    private var left: Int

    /// Merges runs of the given lengths, which lie one behind the other in `file`, within `memory`.
    init(
        _ file: RunFile, lengths: [Int], memory: UnsafeMutableBufferPointer<SortKey>
    ) throws(KeySortingError) {
        self.file = file
        left = lengths.reduce(0, +)
        heads = Array(repeating: Self.afterAll, count: lengths.count)
        losers = Array(repeating: 0, count: lengths.count)
        let share = max(memory.count / lengths.count, 1)
        var place = 0
        for (run, length) in lengths.enumerated() {
            let part = UnsafeMutableBufferPointer(rebasing: memory[run * share..<(run + 1) * share])
            cursors.append(Cursor(memory: part, place: place, left: length))
            place += length
        }
        for run in cursors.indices { try advance(run) }
        losers[0] = cursors.count == 1 ? 0 : play(1)
    }

    /// The winner below a node; the losers are noted.
    private func play(_ node: Int) -> Int {
        if node >= heads.count { return node - heads.count }
        let (a, b) = (play(2 * node), play(2 * node + 1))
        let isFirst = heads[a] <= heads[b]
        losers[node] = isFirst ? b : a
        return isFirst ? a : b
    }

    /// Moves a run to its next key, reading more of it when its memory is used up.
    @inline(__always)
    private func advance(_ run: Int) throws(KeySortingError) {
        if cursors[run].next == cursors[run].end { try refill(run) }
        guard cursors[run].next < cursors[run].end else { return heads[run] = Self.afterAll }
        heads[run] = cursors[run].memory[cursors[run].next]
        cursors[run].next += 1
    }

    private func refill(_ run: Int) throws(KeySortingError) {
        let cursor = cursors[run]
        let count = min(cursor.left, cursor.memory.count)
        let part = UnsafeMutableBufferPointer(rebasing: cursor.memory[..<count])
        try file.read(part, from: cursor.place)
        (cursors[run].next, cursors[run].end) = (0, count)
        cursors[run].place += count
        cursors[run].left -= count
    }

    /// Fills `keys` with the next ones and answers how many; 0 at the end.
    func fill(_ keys: UnsafeMutableBufferPointer<SortKey>) throws(KeySortingError) -> Int {
        let count = min(left, keys.count)
        for index in 0..<count {
            var winner = losers[0]
            keys[index] = heads[winner]
            try advance(winner)
            var node = (winner + heads.count) / 2
            while node > 0 {
                let other = losers[node]
                let isLost = heads[other] < heads[winner]
                losers[node] = isLost ? winner : other
                winner = isLost ? other : winner
                node /= 2
            }
            losers[0] = winner
        }
        left -= count
        return count
    }
}
