import Glibc
import SQLitePages
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
        guard let copy = try make(path, orCopyAt: TemporaryStore(target).copyPath) else { return }
        do throws(ImportError) { try name(copy, path) } catch {
            SystemFile.remove(copy)
            throw error
        }
    }

    /// Gives the live store the name `path` before a rollback takes the first name from it. Returns where its copy is
    /// if there are no hard links: `name` gives it the name `path` once the first name is another store's. So a
    /// rollback that is killed before leaves no copy that looks like an earlier store (`settleRollback`).
    func makeForRollback(_ path: String) throws(ImportError) -> String? {
        try make(path, orCopyAt: TemporaryStore(target).liveCopyPath)
    }

    /// Gives a copy its name. Throws `cannotCreateStore`; then the copy stays where it is.
    func name(_ copy: String, _ path: String) throws(ImportError) {
        do throws(SystemError) {
            // A rename would replace what is there.
            if try FileStatus.find(path, followingLinks: false) != nil { throw SystemError(number: EEXIST) }
            guard SystemFile.rename(copy, to: path) else { throw .last }
        } catch {
            throw .system(at: copy, "cannot be renamed to \(path)", .cannotCreateStore, error)
        }
    }

    /// Ends what a killed rollback has begun, if it left a copy of the store that was live. If that store is still
    /// live, the copy is removed, and its feed is taken off the list of those that were rolled back. Otherwise the copy
    /// becomes the last of the earlier stores. The caller holds the lock.
    func settleRollback(_ copy: String) throws(ImportError) {
        if isCopy(copy, of: target.path) {
            SystemFile.remove(copy)
            if let hash = LiveStore(path: target.path)?.contentHash {
                RolledBackFeeds(of: target).remove(contentHash: hash)
            }
        } else if Self.isComplete(copy) {
            let last = try target.earlierFiles().last?.number ?? 0
            try name(copy, target.earlierPath(last + 1))
        } else {
            SystemFile.remove(copy)
        }
    }

    /// Returns nil after a hard link, else the path of a copy.
    private func make(_ path: String, orCopyAt copy: String) throws(ImportError) -> String? {
        if SystemFile.link(target.path, to: path) { return nil }
        let number = errno
        if number == EXDEV { throw target.isMounted }
        guard Self.withoutLinks.contains(number) else { throw cannotKeep(path, SystemError(number: number)) }
        do throws(SystemError) { try write(to: copy) } catch {
            SystemFile.remove(copy)
            throw cannotKeep(path, error)
        }
        return copy
    }

    /// Removes `.1` if it is a copy of the live store, which a killed publication has left: the next one would keep it
    /// as an earlier store and drop the oldest too early. A hard link can look like a copy, since some file systems
    /// give each name a file number of its own (sshfs, mergerfs).
    func removeCopy() {
        let first = target.earlierPath(1)
        if isCopy(first, of: target.path) { SystemFile.remove(first) }
    }

    /// Whether two files have the same bytes, and are not one file with two names.
    private func isCopy(_ path: String, of other: String) -> Bool {
        // A link is no copy, wherever it leads.
        guard let one = try? FileStatus.find(path, followingLinks: false), let two = FileStatus(path: other),
            one.isRegularFile, two.isRegularFile, !one.isSameFile(as: two), one.size == two.size
        else { return false }
        let descriptors = [path, other].map { SystemFile.open($0, O_RDONLY) }
        defer { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }
        guard descriptors.allSatisfy({ $0 >= 0 }) else { return false }
        return (try? SystemFile.areEqual(descriptors[0], descriptors[1], piece: Self.piece)) == true
    }

    /// Whether a copy was finished.
    private static func isComplete(_ path: String) -> Bool {
        let descriptor = SystemFile.open(path, O_RDONLY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return PageTrailer.isSealed(descriptor)
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
