import Glibc

/// The clock that never goes back (clock_gettime(2), CLOCK_MONOTONIC).
///
///     let start = MonotonicClock.seconds
///     …
///     report.seconds = MonotonicClock.seconds - start
///
/// `ContinuousClock` would link Swift's concurrency library and libdispatch, and the program would start more slowly.
package enum MonotonicClock {
    /// Seconds since a moment that stays the same until the machine restarts. Costs 25 ns.
    package static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
