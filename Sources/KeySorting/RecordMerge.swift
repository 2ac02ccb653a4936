// Unsafe: each run is read into memory of its own, and records are lent from there.

/// Merges sorted runs of records that lie in a file.
final class RecordMerge {
    private let cursors: UnsafeMutableBufferPointer<RecordCursor>
    private let tree: LoserTree
    /// The least key of the other runs. The current run goes on while its key is less.
    private var challenger = LoserTree.afterAll
    private var hasBegun = false

    /// Merges one or more runs within `memory` bytes, but with at least 16 KB for each.
    init(_ file: SpillFile, runs: [Range<Int>], memory: Int) throws(KeySortingError) {
        let share = max(min(memory / runs.count, RecordCursor.mostMemory), RecordCursor.leastMemory)
        cursors = .allocate(capacity: runs.count)
        for (number, run) in runs.enumerated() {
            let cursor = RecordCursor(file, run, number: UInt32(truncatingIfNeeded: number), memory: share)
            cursors.initializeElement(at: number, to: cursor)
        }
        tree = LoserTree(runs: runs.count)
        for number in runs.indices { tree.setFirst(try cursors[number].advance(), of: number) }
        tree.begin()
        challenger = tree.secondKey
    }

    deinit {
        for number in cursors.indices { cursors[number].deallocate() }
        cursors.deinitialize()
        cursors.deallocate()
    }

    func next() throws(KeySortingError) -> RecordSorter.Row? {
        if hasBegun { try advance() }
        hasBegun = true
        return try cursors[tree.winner].row()
    }

    @inline(__always)
    private func advance() throws(KeySortingError) {
        let key = try cursors[tree.winner].advance()
        if key < challenger { return tree.keepWinning(with: key) }
        tree.replace(with: key)
        challenger = tree.secondKey
    }
}

/// One run of a file, read from front to back.
///
/// `RecordMerge` frees its memory.
struct RecordCursor {
    static let leastMemory = 16 << 10
    static let mostMemory = 1 << 20

    private let file: SpillFile
    private let number: UInt32
    private let memory: UnsafeMutableRawPointer
    private let capacity: Int
    /// Bytes in memory that were not used yet.
    private var window = 0..<0
    /// The rest of the run, which is still in the file.
    private var rest: Range<Int>
    private var stretch = RecordChunk.Header(parent: 0, number: 0, sequence: 0, byteCount: 0)
    private var prefix = RecordChunk.Prefix(distance: 0, byteCount: 0)
    private var isAtEnd = false
    private var isFirst = true
    /// A record that is longer than the memory, while it is lent.
    private var longRecord: UnsafeMutableRawBufferPointer?

    init(_ file: SpillFile, _ run: Range<Int>, number: UInt32, memory: Int) {
        self.file = file
        self.number = number
        self.memory = .allocate(byteCount: memory, alignment: 64)
        capacity = memory
        rest = run
    }

    func deallocate() {
        memory.deallocate()
        longRecord?.deallocate()
    }

    /// Goes to the next record and returns its key.
    @inline(__always)
    mutating func advance() throws(KeySortingError) -> SortKey {
        if isFirst {
            isFirst = false
            try beginStretch()
        } else {
            try leaveRecord()
        }
        guard !isAtEnd else { return LoserTree.afterAll }
        try need(RecordChunk.Prefix.longest)
        prefix = RecordChunk.Prefix(at: memory + window.lowerBound)
        return SortKey(
            parent: stretch.parent, sequence: stretch.sequence &+ Int64(prefix.distance), place: number)
    }

    /// The record that `advance` went to; nil at the end.
    @inline(__always)
    mutating func row() throws(KeySortingError) -> RecordSorter.Row? {
        guard !isAtEnd else { return nil }
        return RecordSorter.Row(
            parent: stretch.parent, sequence: stretch.sequence &+ Int64(prefix.distance), number: stretch.number,
            record: try record())
    }

    @inline(__always)
    private mutating func record() throws(KeySortingError) -> UnsafeRawBufferPointer {
        let length = prefix.length + Int(prefix.byteCount)
        guard length <= capacity else { return try readLongRecord() }
        try need(length)
        return UnsafeRawBufferPointer(
            start: memory + window.lowerBound + prefix.length, count: Int(prefix.byteCount))
    }

    /// Only the beginning of a long record is in memory, until the record is asked for.
    private mutating func readLongRecord() throws(KeySortingError) -> UnsafeRawBufferPointer {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(prefix.byteCount), alignment: 16)
        longRecord?.deallocate()
        longRecord = bytes
        try file.read(bytes, at: rest.lowerBound - window.count + prefix.length)
        return UnsafeRawBufferPointer(bytes)
    }

    @inline(__always)
    private mutating func leaveRecord() throws(KeySortingError) {
        guard !isAtEnd else { return }
        let length = prefix.length + Int(prefix.byteCount)
        skip(length)
        stretch.number &+= 1
        stretch.byteCount -= length
        if stretch.byteCount == 0 { try beginStretch() }
    }

    @inline(__always)
    private mutating func skip(_ count: Int) {
        if count <= window.count {
            window = window.lowerBound + count..<window.upperBound
        } else {
            rest = rest.lowerBound + (count - window.count)..<rest.upperBound
            window = 0..<0
            longRecord?.deallocate()
            longRecord = nil
        }
    }

    private mutating func beginStretch() throws(KeySortingError) {
        guard !window.isEmpty || !rest.isEmpty else { return isAtEnd = true }
        try need(RecordChunk.Header.longest)
        var length = 0
        stretch = RecordChunk.Header(at: memory + window.lowerBound, length: &length)
        skip(length)
    }

    /// Makes sure that `count` bytes are in memory, or all that are left. `count` must fit into the memory.
    @inline(__always)
    private mutating func need(_ count: Int) throws(KeySortingError) {
        if window.count < count, !rest.isEmpty { try refill() }
    }

    private mutating func refill() throws(KeySortingError) {
        let kept = window.count
        memory.copyMemory(from: memory + window.lowerBound, byteCount: kept)
        let count = min(capacity - kept, rest.count)
        try file.read(UnsafeMutableRawBufferPointer(start: memory + kept, count: count), at: rest.lowerBound)
        window = 0..<kept + count
        rest = rest.lowerBound + count..<rest.upperBound
    }
}
