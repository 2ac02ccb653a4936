import Synchronization
import SystemFiles

/// The threads of a store that run its background fetches. A thread starts when there is work and ends when there is
/// none; at most `most` run at once.
///
/// Swift's tasks share a pool with one thread for each processor. A statement that runs on such a thread keeps it from
/// all other tasks. Starting a thread of the store costs 20 µs, which is little beside a background fetch.
final class BackgroundThreads: Sendable {
    private struct State {
        var running = 0
        /// The oldest first.
        var waiting: [BackgroundJob] = []
    }

    private let most: Int
    private let state = Mutex(State())

    init(most: Int) { self.most = max(most, 1) }

    /// How many jobs run now, and how many wait for a thread.
    var load: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiting.count) } }

    /// Runs `work` on one of the threads. If the task is cancelled while the work waits, throws `CancellationError` at
    /// once. If the work is running, the cancelling thread calls `interrupt`, which should make the work throw.
    func run<Value: Sendable>(
        interrupt: @escaping @Sendable () -> Void = {}, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let job = BackgroundJob(interrupt: interrupt)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
                job.begin(
                    run: { continuation.resume(with: Result { try work() }) },
                    drop: { continuation.resume(throwing: CancellationError()) })
                enqueue(job)
            }
        } onCancel: {
            job.cancel()
        }
    }

    private func enqueue(_ job: BackgroundJob) {
        let isThreadWanted = state.withLock { state in
            state.waiting.append(job)
            guard state.running < most else { return false }
            state.running += 1
            return true
        }
        if isThreadWanted { startThread() }
    }

    private func startThread() {
        let work: @Sendable () -> Void = { [self] in
            WorkerThread.blockSignals()
            runWaitingJobs()
        }
        if let thread = WorkerThread(work) { return thread.detach() }
        // If the system cannot start a thread, the caller's thread does the work.
        runWaitingJobs()
    }

    /// Runs waiting jobs until none is left.
    private func runWaitingJobs() {
        while let job = next() { job.run() }
    }

    private func next() -> BackgroundJob? {
        state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
    }
}

/// Work for another thread that can be cancelled.
private final class BackgroundJob: Sendable {
    private enum State {
        case new, cancelled, running, done
        case waiting(run: @Sendable () -> Void, drop: @Sendable () -> Void)
    }

    private let state = Mutex(State.new)
    private let interrupt: @Sendable () -> Void

    init(interrupt: @escaping @Sendable () -> Void) { self.interrupt = interrupt }

    /// Sets what to run, and what to call instead if the job is cancelled first. Calls `drop` at once if it already is.
    func begin(run: @escaping @Sendable () -> Void, drop: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .waiting(run: run, drop: drop)
            return false
        }
        if isCancelled { drop() }
    }

    func run() {
        let run: (@Sendable () -> Void)? = state.withLock { state in
            guard case .waiting(let run, _) = state else { return nil }
            state = .running
            return run
        }
        guard let run else { return }
        run()
        state.withLock { $0 = .done }
    }

    func cancel() {
        let call: (@Sendable () -> Void)? = state.withLock { state in
            switch state {
            case .new: state = .cancelled
            case .waiting(_, let drop):
                state = .cancelled
                return drop
            case .running: return interrupt
            case .cancelled, .done: break
            }
            return nil
        }
        call?()
    }
}
