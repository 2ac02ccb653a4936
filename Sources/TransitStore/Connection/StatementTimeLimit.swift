import SystemFiles

/// How long a statement may take, counted from when its session began it.
final class StatementTimeLimit {
    private let seconds: Double
    private var end = Double.infinity

    init(seconds: Double) { self.seconds = seconds }

    /// A statement begins.
    func begin() { end = MonotonicClock.seconds + seconds }

    var isOver: Bool { MonotonicClock.seconds >= end }

    var error: StoreError {
        let limit = seconds == seconds.rounded() && seconds < 1e15 ? String(Int64(seconds)) : String(seconds)
        return StoreError(.timedOut, "The fetch took longer than \(limit) s and was stopped.")
    }
}
