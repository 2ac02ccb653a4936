// Unsafe: rows are handed from thread to thread as bytes in memory that both know.

/// Merges records on a thread of its own, so that whoever takes the rows can write pages meanwhile.
final class RecordMergeThread {
    /// Rows one behind the other: parent, number, sequence, length, and the record's bytes.
    final class Batch: @unchecked Sendable {
        // @unchecked: it belongs to one thread or to a queue between them, never to two threads.
        static let headerLength = 20
        private static let usualCapacity = 256 << 10

        private var memory = UnsafeMutableRawPointer.allocate(byteCount: usualCapacity, alignment: 64)
        private var capacity = usualCapacity
        private(set) var count = 0

        deinit { memory.deallocate() }

        func removeAll() { count = 0 }

        /// False when there is no room for the row; an empty batch takes any row.
        @inline(__always)
        func append(_ row: RecordSorter.Row) -> Bool {
            let end = count + Self.headerLength + row.record.count
            if end > capacity {
                guard count == 0 else { return false }
                memory.deallocate()
                memory = .allocate(byteCount: end, alignment: 64)
                capacity = end
            }
            let place = memory + count
            place.storeBytes(of: row.parent, as: UInt32.self)
            place.storeBytes(of: row.number, toByteOffset: 4, as: UInt32.self)
            place.storeBytes(of: row.sequence, toByteOffset: 8, as: Int64.self)
            place.storeBytes(of: UInt32(truncatingIfNeeded: row.record.count), toByteOffset: 16, as: UInt32.self)
            if let bytes = row.record.baseAddress {
                (place + Self.headerLength).copyMemory(from: bytes, byteCount: row.record.count)
            }
            count = end
            return true
        }

        /// The row at `place`. Moves `place` to the next row.
        @inline(__always)
        func row(at place: inout Int) -> RecordSorter.Row {
            let start = UnsafeRawPointer(memory + place)
            let length = Int(start.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
            place += Self.headerLength + length
            return RecordSorter.Row(
                parent: start.loadUnaligned(as: UInt32.self),
                sequence: start.loadUnaligned(fromByteOffset: 8, as: Int64.self),
                number: start.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
                record: UnsafeRawBufferPointer(start: start + Self.headerLength, count: length))
        }
    }

    /// What the thread does.
    private final class Work: @unchecked Sendable {
        // @unchecked: only the thread uses it, until the thread was joined.
        private let merge: RecordMerge
        /// The row for which the batch before had no room. It is valid until the merge goes on.
        private var left: RecordSorter.Row?

        init(_ merge: RecordMerge) { self.merge = merge }

        /// Nil at the end of the rows.
        func fill(_ batch: Batch) throws(KeySortingError) -> Batch? {
            batch.removeAll()
            if let row = left.take() { _ = batch.append(row) }
            while let row = try merge.next() {
                guard batch.append(row) else {
                    left = row
                    return batch
                }
            }
            return batch.count > 0 ? batch : nil
        }
    }

    private let thread: BatchThread<Batch>
    // Unchecked: no access lasts beyond `next`.
    @exclusivity(unchecked) private var batch: Batch?
    @exclusivity(unchecked) private var place = 0
    private static let batches = 3

    /// Nil when the system refuses another thread.
    init?(_ merge: RecordMerge) {
        let work = Work(merge)
        let batches = (0..<Self.batches).map { _ in Batch() }
        let thread = BatchThread(batches) { batch throws(KeySortingError) in try work.fill(batch) }
        guard let thread else { return nil }
        self.thread = thread
    }

    /// The next row, valid until the next call; nil at the end.
    @inline(__always)
    func next() throws(KeySortingError) -> RecordSorter.Row? {
        if let batch, place < batch.count { return batch.row(at: &place) }
        batch = try thread.next()
        place = 0
        return batch?.row(at: &place)
    }
}
