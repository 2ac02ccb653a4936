import Glibc
import Synchronization

/// The wish to stop, set by one thread and polled by those that work.
///
///     let cancellation = CancellationFlag()
///     cancellation.onCancel { connection.interrupt() }
///     while let batch = … { try cancellation.check() … }
///
/// Polling costs one relaxed load.
public final class CancellationFlag: Sendable {
    private struct State {
        var interrupt: (@Sendable () -> Void)?
        var filesToRemove: [String] = []
    }

    private let signal = Atomic<Int32>(0)
    private let state = Mutex(State())

    public init() {}

    public var isSet: Bool { signal.load(ordering: .relaxed) != 0 }

    /// Asks the work to stop, for the reason that a signal gives: SIGINT, SIGTERM or SIGHUP. False when it was asked before.
    @discardableResult
    public func cancel(signal number: Int32 = SIGINT) -> Bool {
        guard signal.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged else { return false }
        state.withLock { $0.interrupt?() }
        return true
    }

    /// Throws `interrupted` or `terminated` once the work shall stop.
    public func check() throws(ImportError) {
        if let error { throw error }
    }

    /// The error to end with; nil while the work may go on.
    public var error: ImportError? {
        switch signal.load(ordering: .relaxed) {
        case 0: nil
        case SIGINT: ImportError(.interrupted, "stopped by SIGINT")
        case SIGHUP: ImportError(.terminated, "stopped by SIGHUP")
        default: ImportError(.terminated, "stopped by SIGTERM")
        }
    }

    /// Registers what ends a long call that does not poll, such as `Connection.interrupt()`; nil when the call is over.
    ///
    /// Called at most once, on the thread that cancels, at once when it has been cancelled before. `onCancel(nil)` returns only
    /// when a call that has begun is over, so what it uses may go away afterwards.
    public func onCancel(_ interrupt: (@Sendable () -> Void)?) {
        state.withLock { state in
            state.interrupt = interrupt
            if isSet { interrupt?() }
        }
    }

    /// What has to be removed when the process ends at once.
    var filesToRemove: [String] {
        get { state.withLock { $0.filesToRemove } }
        set { state.withLock { $0.filesToRemove = newValue } }
    }
}
