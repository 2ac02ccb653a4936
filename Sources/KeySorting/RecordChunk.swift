// Unsafe: records are copied one behind the other into memory that is allocated once: 12 ns for 30 bytes.

/// Records in memory, in the order of their rows, that can be written in the order of their keys.
///
/// Rows that follow each other with one parent and growing sequences are a stretch, which is sorted as one. A row that
/// does not continue a stretch begins a new one.
struct RecordChunk: ~Copyable {
    /// A stretch in the chunk; it ends where the next one begins.
    private struct Stretch {
        var start: Int
        var number: UInt32
        var parent: UInt32
        var first: Int64
        var last: Int64
    }

    private let mostRecords: Int
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private var used = 0
    private var recordCount = 0
    private var stretches: UnsafeMutablePointer<Stretch>
    private var stretchCount = 0
    private static let stretchesAtOnce = 64
    /// What `prefetch` read, kept so that reading is not optimized away.
    private var prefetched: UInt8 = 0
    /// The row that would continue the last stretch.
    private var nextNumber: UInt32 = 0
    /// The stretches' keys, and the memory for sorting them.
    private var order = UnsafeMutableBufferPointer<SortKey>(start: nil, count: 0)
    private var sorted = UnsafeBufferPointer<SortKey>(start: nil, count: 0)
    /// Where `next` is.
    private var nextStretch = 0
    private var stretch = Stretch(start: 0, number: 0, parent: 0, first: 0, last: 0)
    private var place = 0
    private var stretchEnd = 0

    init(bytes: Int, records: Int) {
        mostRecords = records
        capacity = bytes
        memory = .allocate(byteCount: bytes, alignment: 16)
        stretches = .allocate(capacity: records)
    }

    deinit {
        memory.deallocate()
        stretches.deallocate()
        order.deallocate()
    }

    var isEmpty: Bool { recordCount == 0 }

    /// Whether one more record of `byteCount` bytes fits; an empty chunk takes any.
    func hasRoom(_ byteCount: Int) -> Bool {
        isEmpty || (recordCount < mostRecords && used + Prefix.longest + byteCount <= capacity)
    }

    mutating func append(_ record: UnsafeRawBufferPointer, parent: UInt32, sequence: Int64, number: UInt32) {
        let distance = extend(parent, sequence, number) ?? begin(parent, sequence, number)
        let prefix = Prefix(distance: distance, byteCount: UInt32(clamping: record.count))
        let needed = used + prefix.length + record.count
        if needed > capacity { grow(to: needed) }
        prefix.store(to: memory + used)
        if let bytes = record.baseAddress {
            (memory + used + prefix.length).copyMemory(from: bytes, byteCount: record.count)
        }
        used = needed
        recordCount += 1
        nextNumber = number &+ 1
    }

    /// Only an empty chunk grows, for one record that is longer than the chunk.
    private mutating func grow(to bytes: Int) {
        memory.deallocate()
        capacity = bytes
        memory = .allocate(byteCount: bytes, alignment: 16)
    }

    /// The distance from the first sequence, if the row continues the last stretch.
    @inline(__always)
    private func extend(_ parent: UInt32, _ sequence: Int64, _ number: UInt32) -> UInt32? {
        guard stretchCount > 0 else { return nil }
        let stretch = stretches + (stretchCount - 1)
        guard stretch.pointee.parent == parent, stretch.pointee.last < sequence, number == nextNumber,
            case let (distance, overflow) = sequence.subtractingReportingOverflow(stretch.pointee.first), !overflow,
            let distance = UInt32(exactly: distance)
        else { return nil }
        stretch.pointee.last = sequence
        return distance
    }

    private mutating func begin(_ parent: UInt32, _ sequence: Int64, _ number: UInt32) -> UInt32 {
        let stretch = Stretch(start: used, number: number, parent: parent, first: sequence, last: sequence)
        (stretches + stretchCount).initialize(to: stretch)
        stretchCount += 1
        return 0
    }

    mutating func removeAll() { (used, recordCount, stretchCount) = (0, 0, 0) }

    // MARK: Reading

    /// Puts the stretches in the order of their keys; rows of one key keep their order. Nothing may be appended
    /// afterwards.
    mutating func sort() {
        order.deallocate()
        order = .allocate(capacity: 2 * recordCount)
        sorted = sortedStretches(order)
        if overlaps(sorted) {
            split()
            sorted = sortedStretches(order)
        }
        (nextStretch, place, stretchEnd) = (0, 0, 0)
    }

    /// The next record, after `sort`; nil when there are no more. Valid until the chunk is emptied.
    mutating func next() -> RecordSorter.Row? {
        if place == stretchEnd {
            guard nextStretch < sorted.count else { return nil }
            beginStretch()
        }
        let prefix = Prefix(at: memory + place)
        let record = UnsafeRawBufferPointer(start: memory + place + prefix.length, count: Int(prefix.byteCount))
        defer {
            place += prefix.length + record.count
            stretch.number &+= 1
        }
        return RecordSorter.Row(
            parent: stretch.parent, sequence: stretch.first &+ Int64(prefix.distance), number: stretch.number,
            record: record)
    }

    private mutating func beginStretch() {
        if nextStretch % Self.stretchesAtOnce == 0 { prefetch(stretches(from: nextStretch)) }
        let index = Self.index(sorted[nextStretch])
        stretch = stretches[index]
        (place, stretchEnd) = (stretch.start, end(of: index))
        nextStretch += 1
    }

    private func stretches(from first: Int) -> UnsafeBufferPointer<SortKey> {
        UnsafeBufferPointer(rebasing: sorted[first..<min(first + Self.stretchesAtOnce, sorted.count)])
    }

    @inline(__always)
    private static func index(_ key: SortKey) -> Int { Int(UInt32(truncatingIfNeeded: key.low)) }

    // MARK: Writing

    /// Writes the records as one sorted run and returns its place in the file; rows of one key keep their order.
    mutating func write(to file: SpillFile) throws(KeySortingError) -> Range<Int> {
        let start = file.size
        sort()
        let output = FileOutput(file)
        for first in Swift.stride(from: 0, to: sorted.count, by: Self.stretchesAtOnce) {
            let part = stretches(from: first)
            prefetch(part)
            for key in part { try write(Self.index(key), to: output) }
        }
        try output.flush()
        return start..<file.size
    }

    // MARK: Sorting

    private func sortedStretches(_ memory: UnsafeMutableBufferPointer<SortKey>) -> UnsafeBufferPointer<SortKey> {
        let keys = UnsafeMutableBufferPointer(rebasing: memory[..<stretchCount])
        let other = UnsafeMutableBufferPointer(rebasing: memory[recordCount..<recordCount + stretchCount])
        for index in 0..<stretchCount {
            let stretch = stretches[index]
            keys.initializeElement(
                at: index,
                to: SortKey(parent: stretch.parent, sequence: stretch.first, place: UInt32(truncatingIfNeeded: index)))
        }
        return UnsafeBufferPointer(RadixSort.sort(keys, other, bitsInOrder: 32))
    }

    /// Whether any stretch begins before the one sorted in front of it has ended. Stretches of one record each do not
    /// overlap.
    private func overlaps(_ order: UnsafeBufferPointer<SortKey>) -> Bool {
        guard stretchCount < recordCount else { return false }
        var previous: Stretch?
        for key in order {
            let stretch = stretches[Self.index(key)]
            if let previous, previous.parent == stretch.parent, previous.last >= stretch.first { return true }
            previous = stretch
        }
        return false
    }

    /// Makes each record a stretch of its own.
    private mutating func split() {
        let single = UnsafeMutablePointer<Stretch>.allocate(capacity: mostRecords)
        var count = 0
        for index in 0..<stretchCount {
            var stretch = stretches[index]
            let (first, end) = (stretch.first, end(of: index))
            while stretch.start < end {
                var prefix = Prefix(at: memory + stretch.start)
                stretch.first = first + Int64(prefix.distance)
                stretch.last = stretch.first
                (single + count).initialize(to: stretch)
                count += 1
                prefix.distance = 0
                prefix.store(to: memory + stretch.start)
                stretch.start += prefix.length + Int(prefix.byteCount)
                stretch.number &+= 1
            }
        }
        stretches.deallocate()
        (stretches, stretchCount) = (single, count)
    }

    private func end(of index: Int) -> Int { index + 1 < stretchCount ? stretches[index + 1].start : used }

    /// Reads one byte of each stretch, so that the processor waits for the memory of all of them at once.
    private mutating func prefetch(_ order: UnsafeBufferPointer<SortKey>) {
        var prefetched: UInt8 = 0
        for key in order {
            let stretch = stretches[Self.index(key)]
            prefetched ^= memory.load(fromByteOffset: stretch.start, as: UInt8.self)
        }
        self.prefetched = prefetched
    }

    private func write(_ index: Int, to output: FileOutput) throws(KeySortingError) {
        let stretch = stretches[index]
        let records = UnsafeRawBufferPointer(start: memory + stretch.start, count: end(of: index) - stretch.start)
        try output.append(
            Header(parent: stretch.parent, number: stretch.number, sequence: stretch.first, byteCount: records.count))
        try output.append(records)
    }
}

extension SortKey {
    /// Orders by parent, then by sequence, then by place.
    @inline(__always)
    init(parent: UInt32, sequence: Int64, place: UInt32) {
        let biased = UInt64(bitPattern: sequence) ^ (1 << 63)
        self.init(high: UInt64(parent) << 32 | biased >> 32, low: biased << 32 | UInt64(place))
    }
}

/// Gathers small pieces on their way to a file.
private final class FileOutput {
    private static let size = 256 << 10
    private let file: SpillFile
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
    private var count = 0

    init(_ file: SpillFile) { self.file = file }

    deinit { buffer.deallocate() }

    @inline(__always)
    func append(_ header: RecordChunk.Header) throws(KeySortingError) {
        if count + RecordChunk.Header.longest > Self.size { try flush() }
        guard let start = buffer.baseAddress else { return }
        count += header.store(to: start + count)
    }

    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) throws(KeySortingError) {
        if count + bytes.count > Self.size { try flush() }
        guard bytes.count <= Self.size else { return try file.append(bytes) }
        UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    func flush() throws(KeySortingError) {
        try file.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        count = 0
    }
}
