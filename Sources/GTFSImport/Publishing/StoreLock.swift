import Glibc
import SystemFiles

/// The right to write one store, held by at most one process: `flock` on `<store>.lock` beside it.
///
///     let lock = try StoreLock(target)
///     defer { lock.release() }
///
/// The system releases the lock when its holder dies, however it dies, so a leftover lock file locks nothing. The file
/// contains the holder's process id, for the message only.
final class StoreLock {
    let path: String
    private var descriptor: Int32

    /// Takes the lock without waiting. Throws `locked` if another import holds it, and `cannotCreateStore` if a file
    /// with the lock's name is not an import's lock.
    init(_ target: StoreTarget) throws(ImportError) {
        path = target.lockPath
        descriptor = -1
        var attempts = 0
        while descriptor < 0 {
            attempts += 1
            guard attempts <= Self.mostAttempts else {
                throw ImportError(
                    .cannotCreateStore, at: path,
                    " cannot be locked: its file is another one each time it is looked at. The folder needs a file "
                        + "system whose files keep their numbers")
            }
            guard let opened = try Self.open(path) else { continue }
            try Self.lock(opened, path: path, store: target.path)
            // Between opening and locking, the previous holder may have removed the file. Then the locked file no
            // longer has a name, and others would lock a new file with that name.
            if let held = FileStatus(descriptor: opened), FileStatus(path: path)?.isSameFile(as: held) == true {
                descriptor = opened
            } else {
                close(opened)
            }
        }
        writeProcessID()
    }

    /// Removes the file and releases the lock; further calls do nothing.
    func release() {
        guard descriptor >= 0 else { return }
        // Removes the file while it is locked, and only if it is still ours: another import's lock file must stay.
        if let held = FileStatus(descriptor: descriptor), FileStatus(path: path)?.isSameFile(as: held) == true {
            SystemFile.remove(path)
        }
        close(descriptor)
        descriptor = -1
    }

    /// Opens or creates the file; nil if it appeared or disappeared meanwhile. Follows no link. Opens a file that is
    /// not a lock only for reading, and also a lock that another user has made: it can be locked nevertheless.
    private static func open(_ path: String) throws(ImportError) -> Int32? {
        var seen = SystemFile.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        if seen < 0, errno == ELOOP { throw foreign(path, "it is a symbolic link") }
        if seen < 0, errno != ENOENT { throw .system(at: path, "cannot be opened", .cannotCreateStore, errno) }
        defer { if seen >= 0 { close(seen) } }
        if seen >= 0, let reason = try reasonToLeave(seen, path) { throw foreign(path, reason) }
        let making = seen < 0 ? O_CREAT | O_EXCL : 0
        let descriptor = SystemFile.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | making, 0o644)
        if descriptor >= 0 {
            guard seen < 0 || isSame(seen, descriptor) else {
                close(descriptor)
                return nil
            }
            // Whatever the umask: other users must be able to see whether it is locked.
            if seen < 0 { _ = fchmod(descriptor, 0o644) }
            return descriptor
        }
        if errno == (seen < 0 ? EEXIST : ENOENT) { return nil }
        if seen >= 0, errno == EACCES {
            let readable = seen
            seen = -1  // It stays open.
            return readable
        }
        throw .system(
            at: path, seen < 0 ? "cannot be created" : "cannot be opened for writing", .cannotCreateStore, errno)
    }

    private static func isSame(_ one: Int32, _ other: Int32) -> Bool {
        guard let one = FileStatus(descriptor: one), let other = FileStatus(descriptor: other) else { return false }
        return one.isSameFile(as: other)
    }

    /// Why the file is not an import's lock; nil if it is one. A lock is a regular file with one name that contains a
    /// process id or nothing. Throws if the system cannot tell.
    private static func reasonToLeave(_ descriptor: Int32, _ path: String) throws(ImportError) -> String? {
        guard let status = FileStatus(descriptor: descriptor) else {
            throw .system(at: path, "cannot be looked at", .cannotCreateStore, errno)
        }
        if !status.isRegularFile { return "it is \(status.kind)" }
        if status.names > 1 { return "the file has another name as well" }
        if status.size == 0 { return nil }
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try SystemFile.head(longestContent + 1, of: descriptor) } catch {
            throw .system(at: path, "cannot be read", .cannotCreateStore, error)
        }
        let digits = bytes.last == 10 ? bytes.dropLast() : bytes[...]
        let isNumber = digits.allSatisfy(\.isDigit)
        return isNumber && bytes.count <= longestContent ? nil : "it holds something else than a process id"
    }

    private static let longestContent = 20
    /// Each attempt but the first means that another import has ended in between.
    private static let mostAttempts = 10_000

    private static func foreign(_ path: String, _ reason: String) -> ImportError {
        ImportError(
            .cannotCreateStore, at: path,
            " is not the lock of an import: \(reason). Move it away, or choose another name for the store")
    }

    private static func lock(_ descriptor: Int32, path: String, store: String) throws(ImportError) {
        guard SystemFile.uninterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) != 0 else { return }
        let number = errno
        defer { close(descriptor) }
        guard number == EWOULDBLOCK else {
            // The file system has no locks, so the file is useless. It is removed only if it is empty, as it may be
            // someone else's.
            if FileStatus(descriptor: descriptor)?.size == 0 { SystemFile.remove(path) }
            throw .system(at: path, "cannot be locked", .cannotCreateStore, number)
        }
        let holder = processID(in: descriptor).map { " (process \($0))" } ?? ""
        throw ImportError(.locked, "another import\(holder) is writing \(store)")
    }

    /// Failures are ignored: another import's message would only lack the process id.
    private func writeProcessID() {
        let text = Array("\(getpid())\n".utf8)
        _ = SystemFile.uninterrupted { ftruncate(descriptor, 0) }
        text.withUnsafeBytes { try? SystemFile.write($0, to: descriptor, at: 0) }
    }

    private static func processID(in descriptor: Int32) -> Int? {
        guard let bytes = try? SystemFile.head(longestContent, of: descriptor) else { return nil }
        return Int(String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self))
    }
}
