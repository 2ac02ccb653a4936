// Unsafe code: a thread is started by pthread_create, which hands a pointer to what the thread is to do.

import Glibc
import Synchronization

/// Threads of a store's own that run its background fetches: at most so many at once, started when there is work and
/// gone when there is none.
///
/// Swift's tasks share as many threads as there are processors, and a statement that runs on one of these holds up
/// every other task of the process. A thread costs 20 µs to start, little beside a fetch that is worth waiting for.
final class BackgroundThreads: Sendable {
    private struct State {
        var running = 0
        /// In the order in which they came.
        var waiting: [BackgroundJob] = []
    }

    private let most: Int
    private let state = Mutex(State())

    init(most: Int) { self.most = max(most, 1) }

    /// How many jobs run now, and how many wait for a thread.
    var load: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiting.count) } }

    /// Runs `work` on one of the threads. Throws `CancellationError` as soon as the task is cancelled, if it waits; if
    /// it runs, `interrupt` is called, on the thread that cancels, and should make it throw.
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
        var thread = pthread_t()
        let pool = Unmanaged.passRetained(self)
        let code = pthread_create(&thread, nil, BackgroundThreads.main, pool.toOpaque())
        if code == 0 {
            pthread_detach(thread)
            return
        }
        // The system has no thread to give: the work is done where it was asked for.
        pool.release()
        workOff()
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pointer in
        // Signals are for the program's own threads.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_SETMASK, &signals, nil)
        guard let pointer else { return nil }
        Unmanaged<BackgroundThreads>.fromOpaque(pointer).takeRetainedValue().workOff()
        return nil
    }

    /// Does what waits until nothing does.
    private func workOff() {
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

/// Something to do on another thread, until it is cancelled.
private final class BackgroundJob: Sendable {
    private enum State {
        case new, cancelled, running, done
        case waiting(run: @Sendable () -> Void, drop: @Sendable () -> Void)
    }

    private let state = Mutex(State.new)
    private let interrupt: @Sendable () -> Void

    init(interrupt: @escaping @Sendable () -> Void) { self.interrupt = interrupt }

    /// Tells what is to be run, or to be called instead if the job is cancelled before; at once if it has been already.
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
