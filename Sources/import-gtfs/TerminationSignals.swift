// Unsafe: the flag is passed to a pthread as a pointer, and signal handlers are compared as numbers.

import GTFSImport
import Glibc
import SystemFiles

/// Handles SIGINT, SIGTERM and SIGHUP in a thread of their own, so that they do not interrupt other code.
///
///     let cancellation = CancellationFlag()
///     // First thing in main: threads started later inherit the blocked signals.
///     TerminationSignals.watch(cancellation)
///
/// The first signal asks the import or rollback to stop; it then cleans up and ends with 130 or 143. At a second
/// SIGINT, or if the import has not ended after 0.7 seconds, for example because a disk does not answer, the thread
/// removes the temporary files and ends the process. A child process frees the large files, which can take the disk
/// long. Once the store is being exchanged, or was found current, signals come too late. SIGHUP stays ignored if it was
/// ignored before (nohup). SIGINT counts even then, because a script that runs imports with `&` ignores it for them.
/// SIGPIPE and SIGXFSZ are ignored, so that a closed pipe and the limit on file sizes become errors of the failing
/// call.
enum TerminationSignals {
    static func watch(_ cancellation: CancellationFlag) {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // A parent that ignores SIGCHLD would keep the program from hearing how the command of --after ended.
        signal(SIGCHLD, SIG_DFL)
        var signals = watched()
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(cancellation)
        if pthread_create(&thread, nil, waitForSignals, argument.toOpaque()) == 0 {
            pthread_detach(thread)
        } else {
            // Without the thread, signals end the process as they do by default.
            argument.release()
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        }
    }

    fileprivate static func watched() -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        // Linux keeps blocked signals pending even when they are ignored, so sigwait would return a SIGHUP that nohup
        // turned off.
        if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) {
            sigaddset(&signals, SIGHUP)
        }
        return signals
    }
}

/// The thread's body, for the life of the process.
private func waitForSignals(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let cancellation = Unmanaged<CancellationFlag>.fromOpaque(argument).takeRetainedValue()
    var signals = TerminationSignals.watched()
    var first: Int32 = 0
    repeat { first = sigwaitinfo(&signals, nil) } while first < 0
    SystemFile.leaveLargeFilesToChild()
    while first < 0 || !cancellation.cancel(signal: first) { first = sigwaitinfo(&signals, nil) }
    waitForSecondInterrupt(&signals)
    for path in cancellation.filesToRemove { SystemFile.remove(path) }
    _exit(128 + (first == SIGINT ? SIGINT : SIGTERM))
}

/// Returns at the next SIGINT, or when the time that an import has for cleaning up is over.
private func waitForSecondInterrupt(_ signals: inout sigset_t) {
    let deadline = MonotonicClock.seconds + 0.7
    while true {
        let left = deadline - MonotonicClock.seconds
        guard left > 0 else { return }
        var time = timespec(tv_sec: 0, tv_nsec: Int(left * 1e9))
        if sigtimedwait(&signals, nil, &time) == SIGINT { return }
    }
}
