// Unsafe: pthread_create takes a pointer to its argument.

import Console
import Glibc
import Synchronization

/// Ends the program when the time of `--timeout` is over, whatever it does then.
///
/// Statements look at the clock themselves, and end with words of their own. What goes on in memory does not: sorting
/// departures, spelling out names of a megabyte, waiting for the reader of the output. A thread of its own waits a
/// little longer than a statement may take, and then ends the process.
enum Deadline {
    /// What a statement gets beyond its time to end by itself.
    private static let grace = 0.25
    private static let mostSeconds = 1e9
    /// Set by the thread that decides how the program ends: this one, or the one that works.
    private static let isOver = Atomic<Bool>(false)

    /// Called once. Without a thread, statements alone keep to the time.
    static func begin(seconds: Double) {
        let end = Unmanaged.passRetained(Seconds(min(seconds + grace, mostSeconds)))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Deadline.wait(Unmanaged<Seconds>.fromOpaque(argument).takeRetainedValue().value) }
                return nil
            }, end.toOpaque())
        if code == 0 { pthread_detach(thread) } else { end.release() }
    }

    /// Called by the thread that works before it says how it ended. Does not return when the time was over first.
    static func end() {
        while isOver.exchange(true, ordering: .relaxed) { pause() }
    }

    private static func wait(_ seconds: Double) {
        // No signal that is handled comes to this thread, so that the sleep is not broken off.
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
        nanosleep(&time, nil)
        guard !isOver.exchange(true, ordering: .relaxed) else { return }
        Terminal.error.write("fetch-gtfs: It took longer than --timeout allows, and was stopped.\n")
        _exit(ExitCode.timedOut)
    }

    private final class Seconds: Sendable {
        let value: Double
        init(_ value: Double) { self.value = value }
    }
}
