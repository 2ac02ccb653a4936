import Glibc
import Testing

@testable import SystemFiles

@Suite struct MonotonicClockTests {
    @Test func itCountsSecondsAndNeverGoesBack() {
        let start = MonotonicClock.seconds
        var last = start
        for _ in 0..<10_000 {
            let now = MonotonicClock.seconds
            #expect(now >= last)
            last = now
        }
        usleep(20_000)
        // A busy machine may sleep longer.
        #expect((0.02...60).contains(MonotonicClock.seconds - start))
    }
}
