import Glibc
import GTFSFeed
import SystemFiles

/// Stops an import that takes too long. It cancels the import, so every phase that polls for cancellation stops.
///
///     let limit = TimeLimit(seconds: 60, of: "feed.zip", cancellation)
///     limit?.end()        // also after an error
///
/// A thread sleeps until the time is over, or until the end of the import closes a pipe and so wakes it.
struct TimeLimit: ~Copyable {
    private let thread: WorkerThread
    private let reading: Int32
    private let writing: Int32

    /// Nil when the system refuses a pipe or a thread; the import then has no limit.
    init?(seconds: Int, of feed: String, _ cancellation: CancellationFlag) {
        guard let (reading, writing) = SystemFile.pipe() else { return nil }
        let thread = WorkerThread {
            guard Self.isOver(after: Double(seconds), unless: reading) else { return }
            cancellation.cancel(
                refusing: "\(feed): the import has taken \(seconds) seconds, which is the limit (--max-time raises it)")
        }
        guard let thread else {
            for end in [reading, writing] { close(end) }
            return nil
        }
        self.thread = thread
        (self.reading, self.writing) = (reading, writing)
    }

    /// Waits until the time is over. Returns false if the pipe's other end is closed before.
    private static func isOver(after seconds: Double, unless pipe: Int32) -> Bool {
        let end = MonotonicClock.seconds + seconds
        while true {
            // poll(2) takes milliseconds in 32 bits, which are 24 days.
            let left = min(max((end - MonotonicClock.seconds) * 1_000, 0), 1e9)
            var poll = pollfd(fd: pipe, events: 0, revents: 0)
            let code = Glibc.poll(&poll, 1, Int32(left.rounded(.up)))
            if code > 0 || code < 0 && errno != EINTR { return false }
            if MonotonicClock.seconds >= end { return true }
        }
    }

    /// Wakes the thread and waits for its end.
    consuming func end() {
        close(writing)
        thread.join()
        close(reading)
    }
}
