import Glibc
import GTFSFeed
import SystemFiles

/// Stops an import that takes too long, by its cancellation: whatever phase polls that also sees this.
///
///     let limit = TimeLimit(seconds: 60, of: "feed.zip", cancellation)
///     defer { limit.end() }
///
/// One thread sleeps until the time is over or the import ends, woken by the end of a pipe.
struct TimeLimit: ~Copyable {
    private let thread: WorkerThread
    private let reading: Int32
    private let writing: Int32

    /// Nil when the system refuses a pipe or a thread; the import then has no limit.
    init?(seconds: Int, of feed: String, _ cancellation: CancellationFlag) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        let reading = ends[0]
        let thread = WorkerThread {
            var poll = pollfd(fd: reading, events: 0, revents: 0)
            // The option allows up to 23 days, which fit into poll's 32 bits.
            var code: Int32
            repeat { code = Glibc.poll(&poll, 1, Int32(clamping: seconds * 1_000)) } while code < 0 && errno == EINTR
            guard code == 0 else { return }
            cancellation.cancel(
                refusing: "\(feed): the import has taken \(seconds) seconds, which is the limit (--max-time raises it)")
        }
        guard let thread else {
            for end in ends { close(end) }
            return nil
        }
        self.thread = thread
        self.reading = reading
        writing = ends[1]
    }

    /// Wakes the thread and waits for its end.
    consuming func end() {
        close(writing)
        thread.join()
        close(reading)
    }
}
