import Glibc

// Unsafe: keys are gathered, sorted and lent out in memory that is allocated once and bounds what sorting takes.

/// Sorts keys of 16 bytes, if need be more keys than memory should hold.
///
///     let sorter = KeySorter(in: SortingSpace(folder: "/var/tmp"))
///     for call in calls {
///         try sorter.append(SortKey(high: call.stop << 32 | call.departure, low: call.trip << 32 | call.sequence))
///     }
///     while let keys = try sorter.nextBatch() { for key in keys { … } }
///
/// A run has as many keys as half the memory holds, and is sorted by radix. If there is more than one run, the runs are
/// packed, kept in memory or in a temporary file without a name, and merged. Keys that come in order are one run,
/// however many there are. 3 M keys take about 0.2 s. Used by one thread at a time.
public final class KeySorter {
    /// A run of 131,072 keys.
    private static let usualMemory = 4 << 20
    private static let packedAtOnce = 64 << 10
    /// A table may have a sorter for each of its indexes.
    private static let sortersAtOnce = 64

    private let space: SortingSpace
    private var memory: UnsafeMutableBufferPointer<SortKey>
    /// Keys in one run.
    private let capacity: Int
    private let batchSize: Int
    private let bitsInOrder: UInt64
    private var count = 0
    private var runs: [RunMerge.Run] = []
    private var packing = PackedKeys()
    private let packed: HeldBytes
    private var merge: RunMerge?
    /// Only if there is more than one run.
    private var mergeThread: KeyMergeThread?
    private var isFinished = false

    /// Sorts within 4 MiB, or a share of what the space allows, with a temporary file if that is not enough. `times`
    /// multiplies the memory, for a sorter of far more keys than others.
    ///
    /// `bitsInOrder` says how many of the lowest bits need no sorting, because keys that differ only in them are
    /// appended in ascending order; 0 for none.
    public convenience init(in space: SortingSpace, times: Int = 1, bitsInOrder: UInt64 = 0) {
        let bytes = space.memory(usually: times * Self.usualMemory, among: Self.sortersAtOnce / times)
        // A sorter with far more keys would fill the memory that all share, and still need a file.
        self.init(
            runLength: bytes / (2 * MemoryLayout<SortKey>.stride), in: space, mayHold: times == 1,
            bitsInOrder: bitsInOrder)
    }

    /// Sorts in runs of `runLength` keys. With runs of n keys, at least n^2 keys can be sorted.
    init(runLength: Int, in space: SortingSpace, mayHold: Bool = true, bitsInOrder: UInt64 = 0) {
        self.bitsInOrder = bitsInOrder
        self.space = space
        capacity = runLength
        batchSize = min(runLength, 8192)
        packed = HeldBytes(in: space, mayHold: mayHold)
        memory = .allocate(capacity: 2 * runLength)
    }

    deinit { memory.deallocate() }

    private var keys: UnsafeMutableBufferPointer<SortKey> { UnsafeMutableBufferPointer(rebasing: memory[..<count]) }
    private var other: UnsafeMutableBufferPointer<SortKey> {
        UnsafeMutableBufferPointer(rebasing: memory[capacity..<capacity + count])
    }

    /// Adds a key. Throws when a run cannot be written to the temporary file.
    public func append(_ key: SortKey) throws(KeySortingError) {
        if count == capacity { try writeRun() }
        memory.initializeElement(at: count, to: key)
        count += 1
    }

    /// Adds keys. Throws when a run cannot be written to the temporary file.
    public func append(contentsOf keys: UnsafeBufferPointer<SortKey>) throws(KeySortingError) {
        var rest = keys[...]
        while !rest.isEmpty {
            if count == capacity { try writeRun() }
            let part = rest.prefix(capacity - count)
            _ = UnsafeMutableBufferPointer(rebasing: memory[count..<count + part.count]).initialize(from: part)
            count += part.count
            rest = rest.dropFirst(part.count)
        }
    }

    /// The next keys in order, valid until the next call; nil when there are no more.
    ///
    /// After the first call nothing may be added. Throws when the temporary file cannot be read or written.
    public func nextBatch() throws(KeySortingError) -> UnsafeBufferPointer<SortKey>? {
        if let merge { return try nextBatch(of: merge) }
        guard !isFinished else { return nil }
        isFinished = true
        guard !runs.isEmpty else {
            return count == 0 ? nil : UnsafeBufferPointer(RadixSort.sort(keys, other, bitsInOrder: bitsInOrder))
        }
        if count > 0 { try writeRun() }
        let bytes = memory.count * MemoryLayout<SortKey>.stride
        memory.deallocate()
        memory = .allocate(capacity: batchSize)
        let merge = try RunMerge(packed, runs, memory: bytes)
        self.merge = merge
        if runs.count > 1 { mergeThread = KeyMergeThread(merge, batchSize: batchSize) }
        return try nextBatch(of: merge)
    }

    private func nextBatch(of merge: RunMerge) throws(KeySortingError) -> UnsafeBufferPointer<SortKey>? {
        if let mergeThread { return try mergeThread.nextBatch() }
        let batch = UnsafeMutableBufferPointer(rebasing: memory[..<batchSize])
        let filled = try merge.fill(batch)
        return filled == 0 ? nil : UnsafeBufferPointer(rebasing: batch[..<filled])
    }

    private func writeRun() throws(KeySortingError) {
        // Each run needs room for a key when they are merged. The least memory, 1 MiB, is enough for 1.8 * 10^9 keys.
        guard runs.count < memory.count - batchSize else {
            throw .system("more than \(runs.count * capacity) keys cannot be merged in so little memory", EFBIG)
        }
        let keys = UnsafeBufferPointer(RadixSort.sort(keys, other, bitsInOrder: bitsInOrder))
        if let first = keys.first { beginRun(first) }
        try pack(keys)
        count = 0
    }

    /// Begins a run, unless the keys continue the last one.
    private func beginRun(_ first: SortKey) {
        guard runs.isEmpty || first < packing.last else { return }
        packing = PackedKeys()
        runs.append(RunMerge.Run(bytes: packed.count..<packed.count, count: 0))
    }

    private func pack(_ keys: UnsafeBufferPointer<SortKey>) throws(KeySortingError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.packedAtOnce, alignment: 64)
        defer { buffer.deallocate() }
        guard let start = buffer.baseAddress else { return }
        var (packing, place) = (packing, start)
        let full = start + (Self.packedAtOnce - PackedKeys.longest - PackedKeys.margin)
        for key in keys {
            place = packing.write(key, to: place)
            guard place >= full else { continue }
            try packed.append(UnsafeRawBufferPointer(start: start, count: place - start))
            place = start
        }
        try packed.append(UnsafeRawBufferPointer(start: start, count: place - start))
        self.packing = packing
        let run = runs.count - 1
        runs[run].bytes = runs[run].bytes.lowerBound..<packed.count
        runs[run].count += keys.count
    }
}

/// A key of 16 bytes, ordered by its upper half and then by its lower.
///
///     SortKey(high: stop << 32 | departure, low: trip << 32 | sequence)
public struct SortKey: Sendable, Hashable, Comparable {
    public var high: UInt64
    public var low: UInt64

    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    @inlinable
    public static func < (a: SortKey, b: SortKey) -> Bool { a.high < b.high || (a.high == b.high && a.low < b.low) }
}
