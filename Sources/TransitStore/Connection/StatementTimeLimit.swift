import SystemFiles

/// How long a statement may take, counted from when its session began it.
final class StatementTimeLimit {
    private let seconds: Double
    private var end = Double.infinity

    init(seconds: Double) { self.seconds = seconds }

    /// A statement begins. Returns the end of the one before, which may still be open: a loop over its rows can fetch.
    @discardableResult
    func begin() -> Double {
        defer { end = MonotonicClock.seconds + seconds }
        return end
    }

    /// The statement that was begun last has ended, so the limit is that of the one before again.
    func goBack(to earlierEnd: Double) { end = earlierEnd }

    var isOver: Bool { MonotonicClock.seconds >= end }

    var error: StoreError {
        let limit = seconds == seconds.rounded() && seconds < 1e15 ? String(Int64(seconds)) : String(seconds)
        return StoreError(.timedOut, "The fetch took longer than \(limit) s and was stopped.")
    }
}
