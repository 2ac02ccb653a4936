// Unsafe: runs are read into one block of memory that is shared out between them.

/// Merges sorted runs of packed keys, which lie one behind the other.
final class RunMerge {
    /// Where a run lies, and how many keys it has.
    struct Run {
        var bytes: Range<Int>
        var count: Int
    }

    /// A run's part of the memory, and what is still to be read.
    private struct Cursor {
        let memory: UnsafeMutableRawPointer
        var next: UnsafeRawPointer
        var end: UnsafeRawPointer
        var rest: Range<Int>
        var left: Int
        var keys = PackedKeys()
    }

    /// Room for a key that was read in part, and for as much again.
    private static let leastShare = 64
    /// More would take fresh memory and not read faster.
    private static let mostShare = 128 << 10

    private let source: HeldBytes
    private let memory: UnsafeMutableRawPointer
    private let share: Int
    private let cursors: UnsafeMutableBufferPointer<Cursor>
    private let tree: LoserTree
    private var left: Int
    /// The least key of the other runs. It is known once the current run has won twice in a row: if there are few
    /// different values, one run wins thousands of times in a row.
    private var challenger = beforeAll
    private static let beforeAll = SortKey(high: 0, low: 0)

    /// Merges one or more runs within `bytes` of memory, but with at least 64 bytes for each.
    init(_ source: HeldBytes, _ runs: [Run], memory bytes: Int) throws(KeySortingError) {
        self.source = source
        left = runs.reduce(0) { $0 + $1.count }
        let most = runs.map(\.bytes.count).max() ?? 0
        share = max(min(bytes / runs.count, most + PackedKeys.margin, Self.mostShare), Self.leastShare)
        memory = .allocate(byteCount: share * runs.count, alignment: 64)
        cursors = .allocate(capacity: runs.count)
        tree = LoserTree(runs: runs.count)
        for (number, run) in runs.enumerated() {
            let start = memory + number * share
            cursors.initializeElement(
                at: number,
                to: Cursor(
                    memory: start, next: UnsafeRawPointer(start), end: UnsafeRawPointer(start), rest: run.bytes,
                    left: run.count))
        }
        for run in runs.indices { tree.setFirst(try nextKey(of: run), of: run) }
        tree.begin()
    }

    deinit {
        cursors.deallocate()
        memory.deallocate()
    }

    /// The next key of a run. Reads more of the run when its memory is used up.
    @inline(__always)
    private func nextKey(of run: Int) throws(KeySortingError) -> SortKey {
        guard cursors[run].left > 0 else { return LoserTree.afterAll }
        cursors[run].left -= 1
        if cursors[run].end - cursors[run].next < PackedKeys.longest { try refill(run) }
        return cursors[run].keys.read(&cursors[run].next)
    }

    private func refill(_ run: Int) throws(KeySortingError) {
        let cursor = cursors[run]
        guard !cursor.rest.isEmpty else { return }
        let kept = cursor.end - cursor.next
        cursor.memory.copyMemory(from: cursor.next, byteCount: kept)
        let count = min(share - PackedKeys.margin - kept, cursor.rest.count)
        try source.read(
            UnsafeMutableRawBufferPointer(start: cursor.memory + kept, count: count), at: cursor.rest.lowerBound)
        cursors[run].next = UnsafeRawPointer(cursor.memory)
        cursors[run].end = UnsafeRawPointer(cursor.memory + kept + count)
        cursors[run].rest = cursor.rest.lowerBound + count..<cursor.rest.upperBound
    }

    /// Fills `keys` with the next keys and returns how many; 0 at the end.
    func fill(_ keys: UnsafeMutableBufferPointer<SortKey>) throws(KeySortingError) -> Int {
        let count = min(left, keys.count)
        for index in 0..<count {
            keys[index] = tree.winningKey
            let (key, winner) = (try nextKey(of: tree.winner), tree.winner)
            if key < challenger {
                tree.keepWinning(with: key)
                continue
            }
            tree.replace(with: key)
            challenger = tree.winner == winner ? tree.secondKey : Self.beforeAll
        }
        left -= count
        return count
    }
}
