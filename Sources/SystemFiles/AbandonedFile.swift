import CSystem
import Glibc

/// Finds temporary files of SQLite (`etilqs_…`) whose program died. Their names do not tell which program that was.
///
/// Each should have a name only for an instant: its maker opens it, removes the name and keeps the descriptor. If a
/// file still has its name and nobody has it open, its maker died in that instant.
package enum AbandonedFile {
    /// Whether such a file may have this name.
    package static func isSuspect(_ name: String) -> Bool {
        guard let rest = name.without(prefix: "etilqs_") else { return false }
        return (1...16).contains(rest.utf8.count) && rest.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// Whether the file belongs to this user, is private as temporary files are, and no process has it open.
    ///
    /// The system grants a write lease on a file only if nobody else has it open. Where there are no leases, as on
    /// network file systems, nothing counts as abandoned.
    package static func isAbandoned(_ path: String) -> Bool {
        let descriptor = SystemFile.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard let status = FileStatus(descriptor: descriptor), status.isRegularFile, status.owner == geteuid(),
            status.permissions == 0o600, status.names == 1
        else { return false }
        // If someone opens the file meanwhile, the system sends this signal, which is ignored by default.
        guard fcntl(descriptor, Int32(CSYSTEM_SETSIG), SIGURG) == 0,
            fcntl(descriptor, Int32(CSYSTEM_SETLEASE), Int32(F_WRLCK)) == 0
        else {
            return false
        }
        _ = fcntl(descriptor, Int32(CSYSTEM_SETLEASE), Int32(F_UNLCK))
        return true
    }
}
