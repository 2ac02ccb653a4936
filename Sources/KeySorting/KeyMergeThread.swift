// Unsafe: keys are handed from thread to thread in memory that both know.

/// Merges keys on a thread of its own, so that whoever takes the keys can write pages meanwhile. If a second processor
/// is free, an index takes two thirds of the time.
final class KeyMergeThread {
    private struct Batch: @unchecked Sendable {
        // @unchecked: memory belongs to one thread or to a queue between them, never to two threads.
        let memory: UnsafeMutableBufferPointer<SortKey>
        var count = 0
    }

    /// A merge that only the thread uses.
    private struct HandedOver: @unchecked Sendable {
        // @unchecked: whoever makes it does not use the merge.
        let merge: RunMerge
    }

    private let memory: UnsafeMutableBufferPointer<SortKey>
    private var thread: BatchThread<Batch>?
    private static let batches = 3

    /// Nil when the system refuses another thread.
    init?(_ merge: RunMerge, batchSize: Int) {
        memory = .allocate(capacity: Self.batches * batchSize)
        let (memory, work) = (memory, HandedOver(merge: merge))
        let batches = (0..<Self.batches).map { number in
            Batch(memory: .init(rebasing: memory[number * batchSize..<(number + 1) * batchSize]))
        }
        thread = BatchThread(batches) { batch throws(KeySortingError) in
            let batch = Batch(memory: batch.memory, count: try work.merge.fill(batch.memory))
            return batch.count > 0 ? batch : nil
        }
        if thread == nil { return nil }
    }

    deinit {
        // Ends the thread, which writes to the memory.
        thread = nil
        memory.deallocate()
    }

    /// The next keys, valid until the next call; nil at the end.
    func nextBatch() throws(KeySortingError) -> UnsafeBufferPointer<SortKey>? {
        try thread?.next().map { UnsafeBufferPointer(rebasing: $0.memory[..<$0.count]) }
    }
}
