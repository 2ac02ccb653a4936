import Console
import Glibc
import Synchronization
import SystemFiles
import TransitStore

/// Ends the program when the time of `--timeout` is over, whatever it is doing.
///
/// SQL statements check the time themselves and end with their own message. Other work does not: sorting departures,
/// spelling out names of a megabyte, waiting for the reader of the output. So a separate thread waits a little longer
/// than a statement may take, and then ends the process.
enum Deadline {
    /// The extra seconds in which a statement can end by itself.
    private static let grace = 0.25
    static let mostSeconds = 1e9
    /// Set by the thread that decides how the program ends: the deadline's thread or the working one.
    private static let isOver = Atomic<Bool>(false)

    /// Starts the thread; called once. If the thread cannot start, only statements are limited in time.
    static func begin(seconds: Double) {
        WorkerThread { wait(seconds) }?.detach()
    }

    /// Called by the working thread before it reports how it ended. If the time was over first, it never returns.
    static func end() {
        while isOver.exchange(true, ordering: .relaxed) { pause() }
    }

    private static func wait(_ seconds: Double) {
        sleep(min(seconds + grace, mostSeconds))
        if !isOver.exchange(true, ordering: .relaxed) {
            WorkerThread {
                let error = StoreError.tookTooLong("The program", seconds: seconds)
                Terminal.error.write("fetch-gtfs: \(error.message)\n")
                _exit(ExitCode.timedOut)
            }?.detach()
        }
        // The message may wait forever: standard error may be the same full pipe as standard output. So the program
        // ends after another short wait.
        sleep(grace)
        _exit(ExitCode.timedOut)
    }

    /// The program handles no signals, so nothing interrupts the sleep.
    private static func sleep(_ seconds: Double) {
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
        nanosleep(&time, nil)
    }
}
