// Unsafe: runs are read into one block of memory that is shared out between them.

/// Merges sorted runs of keys, which lie one behind the other in a file.
final class RunMerge {
    /// A run's part of the memory, and what is still in the file.
    private struct Cursor {
        let memory: UnsafeMutableBufferPointer<SortKey>
        var next: UnsafePointer<SortKey>
        var end: UnsafePointer<SortKey>
        var place: Int
        var left: Int
    }

    private let file: SpillFile
    private let runCount: Int
    private let cursors: UnsafeMutableBufferPointer<Cursor>
    private let tree: LoserTree
    private var left: Int

    /// Merges one run or more, of the given lengths and one behind the other in `file`, within `memory`.
    init(
        _ file: SpillFile, lengths: [Int], memory: UnsafeMutableBufferPointer<SortKey>
    ) throws(KeySortingError) {
        self.file = file
        runCount = lengths.count
        left = lengths.reduce(0, +)
        cursors = .allocate(capacity: lengths.count)
        tree = LoserTree(runs: lengths.count)
        Self.share(memory, among: lengths, cursors)
        for run in 0..<runCount { tree.setFirst(try nextKey(of: run), of: run) }
        tree.begin()
    }

    deinit { cursors.deallocate() }

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

    /// The next key of a run, read from the file when its memory is used up.
    @inline(__always)
    private func nextKey(of run: Int) throws(KeySortingError) -> SortKey {
        if cursors[run].next == cursors[run].end, try !refill(run) { return LoserTree.afterAll }
        defer { cursors[run].next += 1 }
        return cursors[run].next.pointee
    }

    private func refill(_ run: Int) throws(KeySortingError) -> Bool {
        let cursor = cursors[run]
        let part = UnsafeMutableBufferPointer(rebasing: cursor.memory.prefix(cursor.left))
        guard let start = part.baseAddress, !part.isEmpty else { return false }
        try file.read(UnsafeMutableRawBufferPointer(part), at: cursor.place * MemoryLayout<SortKey>.stride)
        cursors[run].next = UnsafePointer(start)
        cursors[run].end = UnsafePointer(start + part.count)
        cursors[run].place += part.count
        cursors[run].left -= part.count
        return true
    }

    /// Fills `keys` with the next ones and answers how many; 0 at the end.
    func fill(_ keys: UnsafeMutableBufferPointer<SortKey>) throws(KeySortingError) -> Int {
        let count = min(left, keys.count)
        for index in 0..<count {
            keys[index] = tree.winningKey
            tree.replace(with: try nextKey(of: tree.winner))
        }
        left -= count
        return count
    }
}
