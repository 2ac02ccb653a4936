import Glibc
import SystemFiles

/// A second name of the live store, under which it stays when another store takes the first name: a hard link, or a
/// copy on file systems that have no hard links, such as exFAT and most mounts of object stores.
struct SecondName {
    private let target: StoreTarget

    init(of target: StoreTarget) { self.target = target }

    /// Errors by which link(2) says that there are no hard links, or no more of them.
    private static let withoutLinks: Set<Int32> = [EPERM, EOPNOTSUPP, ENOSYS, EMLINK]
    /// How many bytes are copied or compared at once.
    private static let piece = 1 << 20

    /// Gives the live store the name `path`. A copy costs as much as writing the store. Throws `cannotCreateStore`.
    func make(_ path: String) throws(ImportError) {
        if SystemFile.link(target.path, to: path) { return }
        let number = errno
        if number == EXDEV { throw target.isMounted }
        guard Self.withoutLinks.contains(number) else { throw cannotKeep(path, SystemError(number: number)) }
        let copy = TemporaryStore(target).copyPath
        do throws(SystemError) {
            try write(to: copy)
            guard SystemFile.rename(copy, to: path) else { throw .last }
        } catch {
            SystemFile.remove(copy)
            throw cannotKeep(path, error)
        }
    }

    /// Removes `.1` if it is a copy of the live store, which a killed publication has left: the next one would keep it
    /// as an earlier store and drop the oldest too early. A hard link can look like a copy, since some file systems
    /// give each name a file number of its own (sshfs, mergerfs).
    func removeCopy() throws(ImportError) {
        let first = target.earlierPath(1)
        guard let live = try target.status(), let youngest = try StoreTarget.status(of: first),
            live.isRegularFile, youngest.isRegularFile, !youngest.isSameFile(as: live), live.size == youngest.size
        else { return }
        let (one, other) = (SystemFile.open(target.path, O_RDONLY), SystemFile.open(first, O_RDONLY))
        defer { for descriptor in [one, other] where descriptor >= 0 { close(descriptor) } }
        guard one >= 0, other >= 0, (try? SystemFile.areEqual(one, other, piece: Self.piece)) == true else { return }
        SystemFile.remove(first)
    }

    private func cannotKeep(_ path: String, _ error: SystemError) -> ImportError {
        .system(at: target.path, "cannot be kept as \(path)", .cannotCreateStore, error)
    }

    /// Writes a copy of the live store with its owner and permissions, and waits until the disk has it.
    private func write(to path: String) throws(SystemError) {
        let source = SystemFile.open(target.path, O_RDONLY)
        guard source >= 0 else { throw .last }
        defer { close(source) }
        let copy = SystemFile.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
        guard copy >= 0 else { throw .last }
        defer { close(copy) }
        try SystemFile.copy(source, to: copy, piece: Self.piece)
        FileStatus(descriptor: source)?.passOn(to: copy)
        try SystemFile.flush(copy)
    }
}
