// Unsafe: keys are handed from thread to thread in memory that both know.

import SystemFiles

/// Merges keys on a thread of its own, so that whoever takes the keys can write pages meanwhile. If a second processor
/// is free, an index takes two thirds of the time.
final class KeyMergeThread: @unchecked Sendable {
    // @unchecked: only the thread uses the merge, until the thread was joined. Memory belongs to one thread or to a
    // queue between them, never to two threads.

    private struct Batch: @unchecked Sendable {
        // @unchecked: as above.
        let memory: UnsafeMutableBufferPointer<SortKey>
        var count = 0
        var error: KeySortingError?
    }

    private let filled = BoundedQueue<Batch>(capacity: .max)
    private let free = BoundedQueue<Batch>(capacity: .max)
    private let memory: UnsafeMutableBufferPointer<SortKey>
    private var thread: WorkerThread?
    private var taken: Batch?
    private static let batches = 3

    /// Nil when the system refuses another thread.
    init?(_ merge: RunMerge, batchSize: Int) {
        memory = .allocate(capacity: Self.batches * batchSize)
        for number in 0..<Self.batches {
            let part = memory[number * batchSize..<(number + 1) * batchSize]
            free.push(Batch(memory: UnsafeMutableBufferPointer(rebasing: part)))
        }
        let work = Work(merge: merge, filled: filled, free: free)
        guard let thread = WorkerThread({ work.run() }) else { return nil }
        self.thread = consume thread
    }

    deinit {
        free.close()
        filled.close()
        if let thread = thread.take() { thread.join() }
        memory.deallocate()
    }

    /// The next keys, valid until the next call; nil at the end.
    func nextBatch() throws(KeySortingError) -> UnsafeBufferPointer<SortKey>? {
        if let taken { free.push(taken) }
        taken = filled.pop()
        guard let taken else { return nil }
        if let error = taken.error { throw error }
        return UnsafeBufferPointer(rebasing: taken.memory[..<taken.count])
    }

    /// What the thread does.
    private struct Work: @unchecked Sendable {
        // @unchecked: as above.
        let merge: RunMerge
        let filled: BoundedQueue<Batch>
        let free: BoundedQueue<Batch>

        func run() {
            while var batch = free.pop() {
                do throws(KeySortingError) {
                    batch.count = try merge.fill(batch.memory)
                } catch {
                    (batch.count, batch.error) = (0, error)
                }
                if batch.count > 0 || batch.error != nil { filled.push(batch) }
                if batch.count == 0 { break }
            }
            filled.close()
        }
    }
}
