import Glibc

/// The file in which a store is built: `.<name>.<process id>.importing`, in the folder of the store that it will become.
struct TemporaryStore: Sendable, Equatable {
    let path: String

    /// SQLite's own files beside it, and the place that the oldest kept store waits in until it may go.
    private static let sideEndings = ["-journal", "-wal", "-shm", oldestEnding]
    private static let oldestEnding = "-oldest"

    init(_ target: StoreTarget) { path = target.within(".\(target.name).\(getpid()).importing") }

    var oldestPath: String { path + Self.oldestEnding }
    /// Every file that this import may leave if it is killed.
    var allPaths: [String] { [path] + Self.sideEndings.map { path + $0 } }

    /// Creates the file, empty, with the permissions that the store will have.
    ///
    /// A new store is readable for everyone as far as the umask allows; a replaced one hands on its permissions.
    func create(replacing old: FileStatus?) throws(ImportError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("\(path) cannot be created", .cannotCreateStore, errno) }
        defer { close(descriptor) }
        // Writable for us even where the finished store shall not be.
        if let old { fchmod(descriptor, old.permissions | 0o600) }
    }

    /// Hands on owner and permissions as far as the system lets us, and waits until the disk has all bytes.
    func flush(replacing old: FileStatus?) throws(ImportError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("\(path) cannot be opened", .inputOutput, errno) }
        defer { close(descriptor) }
        if let old {
            // Only the superuser may give a file away; anyone may hand it to a group of their own.
            if fchown(descriptor, old.owner, old.group) != 0 { _ = fchown(descriptor, uid_t.max, old.group) }
            fchmod(descriptor, old.permissions)
        }
        if fsync(descriptor) != 0 { throw .system("\(path) cannot be flushed to the disk", .inputOutput, errno) }
    }

    func remove() {
        for path in allPaths { unlink(path) }
    }

    /// Removes what imports of the same store left when they were killed; the caller holds the lock, so none is alive.
    static func removeLeftovers(of target: StoreTarget) {
        for name in names(in: target.folder) where isTemporary(name, of: target.name) { unlink(target.within(name)) }
    }

    static func isTemporary(_ name: String, of store: String) -> Bool {
        let prefix = ".\(store)."
        guard name.hasPrefix(prefix) else { return false }
        let rest = name.dropFirst(prefix.count).drop { ("0"..."9").contains($0) }
        guard rest.startIndex > name.index(name.startIndex, offsetBy: prefix.count) else { return false }
        return rest == ".importing" || sideEndings.contains { rest == ".importing" + $0 }
    }

    /// Names that are UTF-8; a folder that cannot be listed has none, as nothing in it could be cleaned up anyway.
    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            if let name = String(validatingCString: start) { names.append(name) }
        }
        return names
    }
}
