import Glibc

/// The file that a store is published as, found and checked once at the start.
///
///     let target = try StoreTarget("stores/berlin.sqlite")
///     target.path     // "/srv/gtfs/stores/berlin.sqlite"
///
/// Symbolic links are followed, so that a link stays a link and what it points to is replaced; two names of one store
/// therefore share its lock, too.
public struct StoreTarget: Sendable, Equatable {
    /// The absolute path of the folder, free of symbolic links.
    public let folder: String
    /// The file's name in its folder.
    public let name: String

    public var path: String { within(name) }

    /// Finds the file that `path` leads to; it need not exist, its folder must.
    ///
    /// Throws `cannotCreateStore` when the folder is missing or `path` leads to something other than a regular file.
    public init(_ path: String) throws(ImportError) {
        (folder, name) = try Self.resolve(path)
        if let status = FileStatus(path: self.path), !status.isRegularFile {
            throw Self.cannotCreate(path, "it is \(status.kind)")
        }
    }

    /// Whether a store, or any other file, is there already.
    public var exists: Bool { FileStatus(path: path) != nil }

    /// The path of another file in the same folder.
    func within(_ name: String) -> String { folder == "/" ? "/" + name : folder + "/" + name }

    /// Throws `cannotCreateStore` when the store would replace the feed that it is made from.
    public func refuseToReplace(feed: String) throws(ImportError) {
        guard let store = FileStatus(path: path) else { return }
        let container = feed.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        for candidate in [feed, String(container)] where FileStatus(path: candidate)?.isSameFile(as: store) == true {
            throw Self.cannotCreate(path, "it is the feed itself, which is only ever read")
        }
    }

    /// Throws `cannotCreateStore` when SQLite's journal or log lies beside the store.
    ///
    /// Whoever opened the new store first would have that journal, which belongs to the old one, applied to it, and so
    /// damage it (<https://sqlite.org/howtocorrupt.html>, 1.4). Removing it instead would damage the old store and could
    /// pull it from under a program that is writing. An empty journal is harmless and ignored
    /// (<https://sqlite.org/lockingv3.html>, 4.1).
    func refuseSideFiles() throws(ImportError) {
        let journal = within(name + "-journal")
        if let status = FileStatus(path: journal), status.size > 0 { throw Self.sideFile(journal) }
        let log = within(name + "-wal")
        if FileStatus(path: log) != nil { throw Self.sideFile(log) }
    }

    private static func sideFile(_ path: String) -> ImportError {
        ImportError(
            .cannotCreateStore,
            "\(path) exists: a program has written to the store, and SQLite would apply that file to the new one. "
                + "Close that program, or open the store once with sqlite3, then import again")
    }

    static func cannotCreate(_ path: String, _ reason: String) -> ImportError {
        ImportError(.cannotCreateStore, "\(path) cannot be written as a store: \(reason)")
    }

    // Finding the file.

    private static func resolve(_ path: String) throws(ImportError) -> (folder: String, name: String) {
        guard !path.isEmpty else { throw ImportError(.cannotCreateStore, "the store's path is empty") }
        guard !path.utf8.contains(0) else { throw cannotCreate(path, "the path holds a NUL byte") }
        var current = path
        for _ in 0..<40 {  // as many links as Linux follows (path_resolution(7))
            let (parent, name) = split(current)
            if ["", ".", ".."].contains(name) { throw cannotCreate(path, "it names a folder") }
            let folder = try realFolder(parent, of: path)
            guard let link = linkTarget(folder + "/" + name) else { return (folder, name) }
            current = link.hasPrefix("/") ? link : folder + "/" + link
        }
        throw cannotCreate(path, String(cString: strerror(ELOOP)))
    }

    private static func split(_ path: String) -> (parent: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let name = String(path[path.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    private static func realFolder(_ folder: String, of path: String) throws(ImportError) -> String {
        guard let resolved = realpath(folder, nil) else {
            throw .system("\(path) cannot be written as a store: folder \(folder)", .cannotCreateStore, errno)
        }
        defer { free(resolved) }
        let real = String(cString: resolved)
        guard FileStatus(path: real)?.isFolder == true else { throw cannotCreate(path, "\(folder) is no folder") }
        return real
    }

    private static func linkTarget(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
