import SystemFiles

/// Fills batches on a thread of its own, while another thread uses those before. Used batches are filled again.
///
///     guard let thread = BatchThread(batches, fill: { batch throws(KeySortingError) in … }) else { … }
///     while let batch = try thread.next() { … }
final class BatchThread<Batch: Sendable> {
    private let filled = BoundedQueue<Result<Batch, KeySortingError>>(capacity: .max)
    private let free = BoundedQueue<Batch>(capacity: .max)
    private var thread: WorkerThread?
    private var taken: Batch?

    /// `fill` returns the filled batch, or nil at the end. Nil when the system refuses another thread.
    init?(_ batches: [Batch], fill: @escaping @Sendable (Batch) throws(KeySortingError) -> Batch?) {
        for batch in batches { free.push(batch) }
        let (filled, free) = (filled, free)
        guard let started = WorkerThread({ Self.run(fill, free, filled) }) else { return nil }
        thread = consume started
    }

    deinit {
        free.close()
        if let thread = thread.take() { thread.join() }
    }

    /// The next batch, which belongs to the caller until the next call; nil at the end.
    func next() throws(KeySortingError) -> Batch? {
        if let taken { free.push(taken) }
        taken = try filled.pop()?.get()
        return taken
    }

    private static func run(
        _ fill: (Batch) throws(KeySortingError) -> Batch?, _ free: BoundedQueue<Batch>,
        _ filled: BoundedQueue<Result<Batch, KeySortingError>>
    ) {
        defer { filled.close() }
        while let batch = free.pop() {
            do throws(KeySortingError) {
                guard let batch = try fill(batch) else { return }
                filled.push(.success(batch))
            } catch {
                filled.push(.failure(error))
                return
            }
        }
    }
}
