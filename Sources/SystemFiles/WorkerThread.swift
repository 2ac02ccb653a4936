// Unsafe: pthread_create takes a pointer to its argument. Foundation's Thread would bring all of Foundation along.

import Glibc

/// A thread that runs one function; `join` waits for its end and makes all that it wrote visible. Call `join` or
/// `detach`, or the thread's memory stays.
package struct WorkerThread: ~Copyable {
    private var thread = pthread_t()

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Nil when the system refuses another thread.
    package init?(_ run: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(Body(run))
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        guard code == 0 else {
            body.release()
            return nil
        }
    }

    package consuming func join() { pthread_join(thread, nil) }

    /// Lets the thread end by itself.
    package consuming func detach() { pthread_detach(thread) }

    /// Keeps signals from the calling thread, so that other threads of the program handle them.
    package static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_SETMASK, &signals, nil)
    }
}
