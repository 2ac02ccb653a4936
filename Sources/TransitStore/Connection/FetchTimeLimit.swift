import SystemFiles

/// How long a statement may take, or testing rows in memory, counted from its beginning.
final class FetchTimeLimit {
    private let seconds: Double
    private var end = Double.infinity

    init(seconds: Double) { self.seconds = seconds }

    /// Starts the time anew.
    func begin() { end = MonotonicClock.seconds + seconds }

    /// Runs a whole statement with a limit of its own, then restores the limit of the statement before: that one may
    /// still be open, because a loop over its rows can fetch.
    func within<Value>(_ body: () throws -> Value) rethrows -> Value {
        let earlierEnd = end
        begin()
        defer { end = earlierEnd }
        return try body()
    }

    var isOver: Bool { MonotonicClock.seconds >= end }

    var error: StoreError { .tookTooLong("The fetch", seconds: seconds) }
}

extension StoreError {
    /// The error of work that took longer than it may.
    package static func tookTooLong(_ work: String, seconds: Double) -> StoreError {
        let limit = Int64(exactly: seconds).map(String.init) ?? String(seconds)
        return StoreError(.timedOut, "\(work) took longer than \(limit) s and was stopped.")
    }
}
