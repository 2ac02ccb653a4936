import Synchronization

/// Lets so many fetches run at once; the others wait in their order, and no longer when their task is cancelled.
final class FetchGate: Sendable {
    private struct State {
        var free: Int
        var waiting: [(number: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
        var lastNumber: UInt64 = 0
    }

    private let state: Mutex<State>

    init(width: Int) { state = Mutex(State(free: max(width, 1))) }

    /// Runs `body` when it is its turn. Throws `CancellationError` without running it if the task is cancelled before.
    func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        try await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A task that is cancelled later is found among those who wait; one that is cancelled already knows it.
                let entry: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard state.free == 0 else {
                        state.free -= 1
                        return .success(())
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let entry { continuation.resume(with: entry) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
            }
            waiting?.resume(throwing: CancellationError())
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
