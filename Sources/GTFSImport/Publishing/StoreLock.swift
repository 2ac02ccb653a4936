import Glibc

/// The right to write one store, held by at most one process: `flock` on `<store>.lock` beside it.
///
///     let lock = try StoreLock(target)
///     defer { lock.release() }
///
/// The system gives the lock back when its holder dies, however it dies; a lock file that is left lying around locks
/// nothing. The file holds the process id of whoever holds the lock, for the message only.
final class StoreLock {
    let path: String
    private var descriptor: Int32

    /// Takes the lock without waiting; throws `locked` when another import holds it.
    init(_ target: StoreTarget) throws(ImportError) {
        path = target.within(target.name + ".lock")
        descriptor = -1
        while descriptor < 0 {
            let opened = try Self.open(path)
            try Self.lock(opened, path: path, store: target.path)
            // Between opening and locking, the holder may have finished and removed the file: then what is locked here
            // has no name any more, and others would lock a new file by that name.
            if let held = FileStatus(descriptor: opened), FileStatus(path: path)?.isSameFile(as: held) == true {
                descriptor = opened
            } else {
                close(opened)
            }
        }
        writeProcessID()
    }

    /// Removes the file and gives the lock back; further calls do nothing.
    func release() {
        guard descriptor >= 0 else { return }
        // Removed while still locked, and only if it is still ours, so that no one else's lock loses its name.
        if let held = FileStatus(descriptor: descriptor), FileStatus(path: path)?.isSameFile(as: held) == true {
            unlink(path)
        }
        close(descriptor)
        descriptor = -1
    }

    private static func open(_ path: String) throws(ImportError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else { throw .system("\(path) cannot be created", .cannotCreateStore, errno) }
        return descriptor
    }

    private static func lock(_ descriptor: Int32, path: String, store: String) throws(ImportError) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            defer { close(descriptor) }
            guard number == EWOULDBLOCK else {
                // A file system without locks: the file is of no use, unless someone has found it to be.
                if FileStatus(descriptor: descriptor)?.size == 0 { unlink(path) }
                throw .system("\(path) cannot be locked", .cannotCreateStore, number)
            }
            let holder = processID(in: descriptor).map { " (process \($0))" } ?? ""
            throw ImportError(.locked, "another import\(holder) is writing \(store)")
        }
    }

    /// A failure is of no consequence: only the message of another import would miss the number.
    private func writeProcessID() {
        let text = Array("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.count, 0)
    }

    private static func processID(in descriptor: Int32) -> Int? {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        return Int(String(decoding: buffer.prefix(count).prefix { $0 != 10 }, as: UTF8.self))
    }
}
