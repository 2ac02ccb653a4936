import Glibc
import Synchronization

/// The wish to stop one import, set by one thread and polled by those that work.
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
        var refusal = ""
    }

    private static let running: Int32 = 0
    private static let committed: Int32 = -1
    /// Beyond every signal's number.
    private static let refused: Int32 = 1_000

    /// `running`, `committed`, `refused`, or the signal that asked to stop.
    private let value = Atomic<Int32>(running)
    private let state = Mutex(State())

    public init() {}

    public var isSet: Bool { value.load(ordering: .relaxed) > 0 }

    /// Asks the work to stop, for the reason that a signal gives: SIGINT, SIGTERM or SIGHUP.
    ///
    /// False when that was asked before, or when it is too late because the store is being exchanged.
    @discardableResult
    public func cancel(signal number: Int32 = SIGINT) -> Bool {
        let (asked, _) = value.compareExchange(expected: Self.running, desired: number, ordering: .relaxed)
        if asked { state.withLock { $0.interrupt?() } }
        return asked
    }

    /// Asks the work to stop because the feed takes more than it may; the import ends with `feedRefused` and this
    /// message.
    func cancel(refusing message: String) {
        state.withLock { if $0.refusal.isEmpty { $0.refusal = message } }
        cancel(signal: Self.refused)
    }

    /// Throws `interrupted`, `terminated` or `feedRefused` once the work shall stop.
    public func check() throws(ImportError) {
        if let error { throw error }
    }

    /// As `check`, and from here on nothing stops the work: it is about to take effect.
    func commit() throws(ImportError) {
        _ = value.compareExchange(expected: Self.running, desired: Self.committed, ordering: .relaxed)
        try check()
    }

    /// The error to end with; nil while the work may go on.
    public var error: ImportError? {
        switch value.load(ordering: .relaxed) {
        case Self.running, Self.committed: nil
        case Self.refused: ImportError(.feedRefused, state.withLock { $0.refusal })
        case SIGINT: ImportError(.interrupted, "stopped by SIGINT")
        case SIGHUP: ImportError(.terminated, "stopped by SIGHUP")
        default: ImportError(.terminated, "stopped by SIGTERM")
        }
    }

    /// Registers what ends a long call that does not poll, such as `Connection.interrupt()`; nil when the call is over.
    ///
    /// Called by the thread that cancels, or at once when it has been cancelled before, or both. `onCancel(nil)`
    /// returns only when a call that has begun is over, so what it uses may go away afterwards.
    public func onCancel(_ interrupt: (@Sendable () -> Void)?) {
        state.withLock { state in
            state.interrupt = interrupt
            if isSet { interrupt?() }
        }
    }

    /// What has to be removed when the process ends at once.
    package var filesToRemove: [String] {
        get { state.withLock { $0.filesToRemove } }
        set { state.withLock { $0.filesToRemove = newValue } }
    }
}
