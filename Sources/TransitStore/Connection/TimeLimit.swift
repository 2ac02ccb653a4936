import Glibc

/// How long a statement may take, as far as its session has begun one.
final class TimeLimit {
    private let seconds: Double
    private var end = Double.infinity

    init(seconds: Double) { self.seconds = seconds }

    /// A statement begins.
    func begin() { end = Self.now() + seconds }

    var isOver: Bool { Self.now() >= end }

    var error: StoreError {
        let limit = seconds == seconds.rounded() && seconds < 1e15 ? String(Int64(seconds)) : String(seconds)
        return StoreError(.timedOut, "The fetch took longer than \(limit) s and was stopped.")
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
