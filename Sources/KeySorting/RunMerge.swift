// Unsafe: runs are read into one block of memory that is shared out between them, and the tree's nodes are two more
// blocks: as arrays of a class they cost 90 ns a key instead of 13.

/// Merges sorted runs of a file by a tree of losers: one comparison a level for each key.
///
/// (Knuth, The Art of Computer Programming, volume 3, section 5.4.1)
final class RunMerge {
    /// A run's part of the memory, and what is still in the file.
    private struct Cursor {
        let memory: UnsafeMutableBufferPointer<SortKey>
        var next: UnsafePointer<SortKey>
        var end: UnsafePointer<SortKey>
        var place: Int
        var left: Int
    }

    /// What stands for a run that has ended. A key can have this value as well: then it does not matter which of the two
    /// is taken, as the merge ends when as many keys as there are were taken.
    private static let afterAll = SortKey(high: .max, low: .max)

    private let file: RunFile
    private let runCount: Int
    private let cursors: UnsafeMutableBufferPointer<Cursor>
    /// The runs' present keys.
    private let heads: UnsafeMutablePointer<SortKey>
    /// The loser of each match, by node; node 0 is the winner of all.
    private let losers: UnsafeMutablePointer<Int>
    private var left: Int

    /// Merges one run or more, of the given lengths and one behind the other in `file`, within `memory`.
    init(
        _ file: RunFile, lengths: [Int], memory: UnsafeMutableBufferPointer<SortKey>
    ) throws(KeySortingError) {
        self.file = file
        runCount = lengths.count
        left = lengths.reduce(0, +)
        cursors = .allocate(capacity: lengths.count)
        heads = .allocate(capacity: lengths.count)
        losers = .allocate(capacity: lengths.count)
        heads.initialize(repeating: Self.afterAll, count: lengths.count)
        losers.initialize(repeating: 0, count: lengths.count)
        Self.share(memory, among: lengths, cursors)
        for run in 0..<runCount { heads[run] = try nextKey(of: run) }
        losers[0] = play(1)
    }

    deinit {
        cursors.deallocate()
        heads.deallocate()
        losers.deallocate()
    }

    private static func share(
        _ memory: UnsafeMutableBufferPointer<SortKey>, among lengths: [Int],
        _ cursors: UnsafeMutableBufferPointer<Cursor>
    ) {
        let share = memory.count / lengths.count
        var place = 0
        for (run, length) in lengths.enumerated() {
            let part = UnsafeMutableBufferPointer(rebasing: memory[run * share..<(run + 1) * share])
            guard let start = part.baseAddress.map({ UnsafePointer($0) }) else { continue }
            let cursor = Cursor(memory: part, next: start, end: start, place: place, left: length)
            cursors.initializeElement(at: run, to: cursor)
            place += length
        }
    }

    /// The winner below a node; the losers are noted.
    private func play(_ node: Int) -> Int {
        if node >= runCount { return node - runCount }
        let (a, b) = (play(2 * node), play(2 * node + 1))
        let isFirst = heads[a] <= heads[b]
        losers[node] = isFirst ? b : a
        return isFirst ? a : b
    }

    /// The next key of a run, read from the file when its memory is used up.
    @inline(__always)
    private func nextKey(of run: Int) throws(KeySortingError) -> SortKey {
        if cursors[run].next == cursors[run].end, try !refill(run) { return Self.afterAll }
        defer { cursors[run].next += 1 }
        return cursors[run].next.pointee
    }

    private func refill(_ run: Int) throws(KeySortingError) -> Bool {
        let cursor = cursors[run]
        let part = UnsafeMutableBufferPointer(rebasing: cursor.memory.prefix(cursor.left))
        guard let start = part.baseAddress, !part.isEmpty else { return false }
        try file.read(part, from: cursor.place)
        cursors[run].next = UnsafePointer(start)
        cursors[run].end = UnsafePointer(start + part.count)
        cursors[run].place += part.count
        cursors[run].left -= part.count
        return true
    }

    /// Fills `keys` with the next ones and answers how many; 0 at the end.
    func fill(_ keys: UnsafeMutableBufferPointer<SortKey>) throws(KeySortingError) -> Int {
        let count = min(left, keys.count)
        var winner = losers[0]
        for index in 0..<count {
            keys[index] = heads[winner]
            let key = try nextKey(of: winner)
            heads[winner] = key
            winner = replay(winner, key)
        }
        losers[0] = winner
        left -= count
        return count
    }

    /// Plays a run's new key against the losers on its way up, and answers who wins.
    @inline(__always)
    private func replay(_ run: Int, _ key: SortKey) -> Int {
        var (winner, key) = (run, key)
        var node = (run + runCount) >> 1
        while node > 0 {
            let other = losers[node]
            let otherKey = heads[other]
            let isLost = otherKey < key
            losers[node] = isLost ? winner : other
            winner = isLost ? other : winner
            key = isLost ? otherKey : key
            node >>= 1
        }
        return winner
    }
}
