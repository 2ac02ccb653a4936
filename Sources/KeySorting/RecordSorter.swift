// Unsafe: records are copied from the caller's memory, and lent to the caller until the next call.

/// Sorts rows by a parent and a sequence, if need be more rows than memory should hold.
///
///     let sorter = RecordSorter(in: SortingSpace(folder: "/var/tmp"))
///     try sorter.append(record, parent: trip, sequence: stopSequence, number: line)
///     while let row = try sorter.next() { … row.record … }
///
/// A record is encoded once: its bytes are gathered in a chunk of memory. A full chunk is written as one sorted run to
/// a temporary file without a name, and the runs are merged from there. If one chunk is enough, records are lent from
/// it. Rows with the same key keep their order. Memory: 12 MB of records, at most 24 MB with what sorts them. Used by
/// one thread at a time.
public final class RecordSorter {
    /// A row as it comes out; `record` is valid until the next one is asked for.
    public struct Row {
        public let parent: UInt32
        public let sequence: Int64
        /// The number that `append` was given.
        public let number: UInt32
        public let record: UnsafeRawBufferPointer
    }

    private let spill: SharedSpill
    private let chunkBytes: Int
    private let chunkRecords: Int
    private let mergeBytes: Int
    // Unchecked: no access lasts beyond a call of the sorter's own functions.
    @exclusivity(unchecked) private var chunk = RecordChunk(bytes: 0, records: 0)
    private var hasChunk = false
    private var runs: [Range<Int>] = []
    private var isReading = false
    private var merge: RecordMerge?
    /// Only if there is more than one run.
    private var mergeThread: RecordMergeThread?

    public static let usualChunkRecords = 1 << 17
    private static let usualChunkBytes = 12 << 20
    private static let usualMergeBytes = 8 << 20
    /// A chunk takes at most one of these shares, because sorting it and the rest of the import need memory too.
    private static let sharesOfMemory = 16

    /// Sorts with a temporary file in the space's folder, in runs of 12 MiB or a share of what the space allows.
    public convenience init(in space: SortingSpace, chunkRecords: Int = usualChunkRecords) {
        self.init(
            sharing: SharedSpill(in: space), chunkBytes: Self.usualChunkBytes, chunkRecords: chunkRecords)
    }

    /// Sorts with a temporary file that others use as well, in runs of 2 MiB or a share of what the space allows.
    public convenience init(sharing spill: SharedSpill) {
        self.init(sharing: spill, chunkBytes: Self.usualChunkBytes / 6, chunkRecords: Self.usualChunkRecords / 4)
    }

    private convenience init(sharing spill: SharedSpill, chunkBytes: Int, chunkRecords: Int) {
        self.init(
            spill, chunkBytes: spill.space.memory(usually: chunkBytes, among: Self.sharesOfMemory),
            chunkRecords: chunkRecords,
            mergeBytes: spill.space.memory(usually: Self.usualMergeBytes, among: Self.sharesOfMemory))
    }

    /// Sorts in runs of at most `chunkBytes` and `chunkRecords`, and merges them within `mergeBytes`, but with at least
    /// 16 KB for each run.
    init(_ spill: SharedSpill, chunkBytes: Int, chunkRecords: Int, mergeBytes: Int) {
        self.spill = spill
        self.chunkBytes = chunkBytes
        self.chunkRecords = chunkRecords
        self.mergeBytes = mergeBytes
    }

    /// Adds a row; its bytes are copied. Throws when a run cannot be written to the temporary file.
    public func append(
        _ record: UnsafeRawBufferPointer, parent: UInt32, sequence: Int64, number: UInt32
    ) throws(KeySortingError) {
        if !hasChunk {
            chunk = RecordChunk(bytes: chunkBytes, records: chunkRecords)
            hasChunk = true
        } else if !chunk.hasRoom(record.count) {
            try writeRun()
        }
        chunk.append(record, parent: parent, sequence: sequence, number: number)
    }

    /// The next row in order; nil when there are no more.
    ///
    /// After the first call nothing may be added. Throws when the temporary file cannot be read or written.
    public func next() throws(KeySortingError) -> Row? {
        if let mergeThread { return try mergeThread.next() }
        if let merge { return try merge.next() }
        guard !runs.isEmpty else { return nextOfChunk() }
        try releaseBuffers()
        let merge = try RecordMerge(spill.open(), runs: runs, memory: mergeBytes)
        if runs.count > 1 { mergeThread = RecordMergeThread(merge) }
        if let mergeThread { return try mergeThread.next() }
        self.merge = merge
        return try merge.next()
    }

    /// If one chunk holds all rows, they stay there.
    private func nextOfChunk() -> Row? {
        if !isReading {
            isReading = true
            chunk.sort()
        }
        return chunk.next()
    }

    /// Writes the rows in memory to the file and frees their memory. More may be added.
    public func releaseBuffers() throws(KeySortingError) {
        if !chunk.isEmpty { try writeRun() }
        chunk = RecordChunk(bytes: 0, records: 0)
        hasChunk = false
    }

    private func writeRun() throws(KeySortingError) {
        runs.append(try chunk.write(to: spill.open()))
        chunk.removeAll()
    }
}
