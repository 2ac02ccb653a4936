import Glibc
import Synchronization

/// A request to stop one import: one thread sets it, the working threads poll it.
///
///     let cancellation = CancellationFlag()
///     let importer = Importer(options, cancellation: cancellation)      // run() on another thread
///     cancellation.cancel()                                             // run() ends with code interrupted
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
    /// Larger than every signal number.
    private static let refused: Int32 = 1_000

    /// `running`, `committed`, `refused`, or the signal that asked to stop.
    private let value = Atomic<Int32>(running)
    private let state = Mutex(State())

    /// A flag that nobody has set.
    public init() {}

    /// Whether the import was asked to stop.
    public var isSet: Bool { value.load(ordering: .relaxed) > 0 }

    /// Asks the import to stop because of a signal: SIGINT, SIGTERM or SIGHUP.
    ///
    /// Returns false if a signal has asked before, or if it is too late because the store is being exchanged or was
    /// found current. An import that is stopping anyway, because of a limit, keeps its reason.
    @discardableResult
    public func cancel(signal number: Int32 = SIGINT) -> Bool {
        let (asked, before) = value.compareExchange(expected: Self.running, desired: number, ordering: .relaxed)
        if asked { state.withLock { $0.interrupt?() } }
        return asked || before == Self.refused
    }

    /// Asks the import to stop because the feed exceeds a limit; the import ends with `feedRefused` and this message.
    func cancel(refusing message: String) {
        state.withLock { if $0.refusal.isEmpty { $0.refusal = message } }
        cancel(signal: Self.refused)
    }

    /// Throws `interrupted`, `terminated` or `feedRefused` if the import was asked to stop.
    package func check() throws(ImportError) {
        if let error { throw error }
    }

    /// Checks like `check`; afterwards the import can no longer be stopped, as it is about to take effect.
    func commit() throws(ImportError) {
        _ = value.compareExchange(expected: Self.running, desired: Self.committed, ordering: .relaxed)
        try check()
    }

    /// The error to end with; nil while the import may continue.
    package var error: ImportError? {
        switch value.load(ordering: .relaxed) {
        case Self.running, Self.committed: nil
        case Self.refused: ImportError(.feedRefused, state.withLock { $0.refusal })
        case SIGINT: ImportError(.interrupted, "stopped by SIGINT")
        case SIGHUP: ImportError(.terminated, "stopped by SIGHUP")
        default: ImportError(.terminated, "stopped by SIGTERM")
        }
    }

    /// Registers a closure that ends a long call which does not poll, such as `Connection.interrupt()`. Pass nil when
    /// the call is over.
    ///
    /// The closure may be called twice: by the cancelling thread, and immediately if already cancelled. `onCancel(nil)`
    /// waits until a running call of the closure has returned, so whatever the closure uses may be freed afterwards.
    package func onCancel(_ interrupt: (@Sendable () -> Void)?) {
        state.withLock { state in
            state.interrupt = interrupt
            if isSet { interrupt?() }
        }
    }

    /// Files to remove if the process must exit immediately.
    package var filesToRemove: [String] {
        get { state.withLock { $0.filesToRemove } }
        set { state.withLock { $0.filesToRemove = newValue } }
    }
}

/// Set when nobody needs the result of some work any more.
final class AbandonedWork: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}
