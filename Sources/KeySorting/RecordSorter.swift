// Unsafe: records come from and go to memory of others, which lend it for one call.

/// Sorts rows by a parent and a sequence, more of them than memory shall hold if need be.
///
///     let sorter = RecordSorter(in: SortingSpace(folder: "/var/tmp"))
///     try sorter.append(record, parent: trip, sequence: stopSequence, number: line)
///     while let row = try sorter.next() { … row.record … }
///
/// A record is encoded once: its bytes are gathered in a chunk of memory, go as one sorted run into a temporary file
/// without a name when the chunk is full, and are merged from there. Rows of one key come out in the order in which
/// they went in. Memory: 12 MB of records, at most 24 MB with what sorts them. One thread at a time.
public final class RecordSorter {
    /// A row as it comes out; `record` is valid until the next one is asked for.
    public struct Row {
        public let parent: UInt32
        public let sequence: Int64
        /// What `append` was told.
        public let number: UInt32
        public let record: UnsafeRawBufferPointer
    }

    private let space: SortingSpace
    private let mergeBytes: Int
    private var chunk: RecordChunk
    private var file: SpillFile?
    private var runs: [Range<Int>] = []
    private var merge: RecordMerge?

    public static let usualChunkRecords = 1 << 17
    private static let usualChunkBytes = 12 << 20
    private static let usualMergeBytes = 8 << 20
    /// A chunk, what sorts it, and what else an import has in memory meanwhile.
    private static let sharesOfMemory = 16

    /// Sorts with a temporary file in the space's folder, in runs of 12 MiB or a share of what the space allows.
    public convenience init(in space: SortingSpace, chunkRecords: Int = usualChunkRecords) {
        self.init(
            in: space, chunkBytes: space.memory(usually: Self.usualChunkBytes, among: Self.sharesOfMemory),
            chunkRecords: chunkRecords,
            mergeBytes: space.memory(usually: Self.usualMergeBytes, among: Self.sharesOfMemory))
    }

    /// Sorts in runs of so many bytes and records, and merges them within `mergeBytes`, but 16 KB for each run.
    init(in space: SortingSpace, chunkBytes: Int, chunkRecords: Int, mergeBytes: Int) {
        self.space = space
        self.mergeBytes = mergeBytes
        chunk = RecordChunk(bytes: chunkBytes, records: chunkRecords)
    }

    /// Adds a row; its bytes are copied. Throws when a run cannot be written to the temporary file.
    public func append(
        _ record: UnsafeRawBufferPointer, parent: UInt32, sequence: Int64, number: UInt32
    ) throws(KeySortingError) {
        if !chunk.hasRoom(record.count) { try writeRun() }
        chunk.append(record, parent: parent, sequence: sequence, number: number)
    }

    /// The next row in order; nil when there are no more.
    ///
    /// After the first call nothing may be added. Throws when the temporary file cannot be read or written.
    public func next() throws(KeySortingError) -> Row? {
        if let merge { return try merge.next() }
        if !chunk.isEmpty { try writeRun() }
        chunk = RecordChunk(bytes: 0, records: 0)
        guard let file else { return nil }
        let merge = try RecordMerge(file, runs: runs, memory: mergeBytes)
        self.merge = merge
        return try merge.next()
    }

    private func writeRun() throws(KeySortingError) {
        let file = try openFile()
        runs.append(try chunk.write(to: file))
        chunk.removeAll()
    }

    private func openFile() throws(KeySortingError) -> SpillFile {
        if let file { return file }
        let file = try SpillFile(in: space)
        self.file = file
        return file
    }
}
