import Glibc
import SystemFiles

/// The path at which a store is published, resolved and checked once at the start.
///
///     let target = try StoreTarget("stores/berlin.sqlite")
///     target.path     // "/srv/gtfs/stores/berlin.sqlite"
///
/// Follows symbolic links, so a link stays a link and the file that it points to is replaced. Two links to one store
/// therefore share its lock.
package struct StoreTarget: Sendable, Equatable {
    /// The absolute path of the folder, free of symbolic links.
    package let folder: String
    /// The file's name in its folder.
    package let name: String

    package var path: String { within(name) }

    /// Resolves `path`. The file need not exist; its folder must.
    ///
    /// Throws `cannotCreateStore` if the folder is missing, or if `path` leads to something that is not a regular file.
    package init(_ path: String) throws(ImportError) {
        try self.init(resolving: path)
        if let status = try status() {
            guard status.isRegularFile else { throw Self.cannotCreate(path, leadingTo: status.kind, status) }
        } else if let open = try Self.status(of: path) {
            // A link to an open file without a path, such as /dev/stdout to a pipe: the link's text is a name that does
            // not exist.
            throw Self.cannotCreate(path, leadingTo: open.isRegularFile ? "a file without a path" : open.kind, open)
        }
    }

    /// Resolves `path`, whatever it leads to. Throws `cannotCreateStore` if its folder is missing.
    package init(resolving path: String) throws(ImportError) { (folder, name) = try Self.resolve(path) }

    private static func cannotCreate(
        _ path: String, leadingTo kind: String, _ status: FileStatus
    ) -> ImportError {
        cannotCreate(path, "it is \(kind)" + (status.isFolder ? "" : "; OUT must be the path of a file"))
    }

    /// The status of the file at the path; nil if there is none.
    func status() throws(ImportError) -> FileStatus? { try Self.status(of: path) }

    static func status(of path: String) throws(ImportError) -> FileStatus? {
        do throws(SystemError) {
            return try FileStatus.find(path)
        } catch {
            throw .system(at: path, "cannot be looked at", .cannotCreateStore, error)
        }
    }

    /// The path of another file in the same folder.
    func within(_ name: String) -> String { folder == "/" ? "/" + name : folder + "/" + name }

    // MARK: Files beside the store

    /// The lock of imports and rollbacks (`StoreLock`).
    var lockPath: String { path + ".lock" }
    /// The list of feeds that the store was rolled back from (`RolledBackFeeds`).
    var rolledBackPath: String { path + ".rolled-back" }

    /// The earlier store with this number; 1 is the youngest (`EarlierStores`).
    func earlierPath(_ number: Int) -> String { "\(path).\(number)" }

    /// Names such as `OUT.20261124` are copies of someone else.
    private static let greatestNumber = 9_999

    /// The number in the name of an earlier store; nil for any other name.
    func earlierNumber(inName other: String) -> Int? {
        guard let digits = other.without(prefix: name + "."), let number = Int(digits), digits == String(number),
            (1...Self.greatestNumber).contains(number)
        else { return nil }
        return number
    }

    /// What has the name of an earlier store, lowest number first.
    func earlierFiles() throws(ImportError) -> [(number: Int, status: FileStatus)] {
        do throws(SystemError) {
            var found: [(number: Int, status: FileStatus)] = []
            for name in try SystemFile.names(in: folder) {
                guard let number = earlierNumber(inName: name),
                    let status = try FileStatus.find(within(name), followingLinks: false)
                else { continue }
                found.append((number, status))
            }
            return found.sorted { $0.number < $1.number }
        } catch {
            throw .system(at: folder, "cannot be read", .cannotCreateStore, error)
        }
    }

    /// Whether the earlier store with this number is the live store under a second name, left by a run that was killed.
    func isSecondName(_ number: Int) throws(ImportError) -> Bool {
        guard let live = try status() else { return false }
        return try Self.status(of: earlierPath(number))?.isSameFile(as: live) == true
    }

    /// Whether a file is the store, or one that imports and rollbacks make beside it.
    package func uses(_ file: StoreTarget) -> Bool {
        guard file.folder == folder else { return false }
        let own = [path, lockPath, rolledBackPath] + Self.sideEndings.map { path + $0 }
        return own.contains(file.path) || earlierNumber(inName: file.name) != nil
    }

    /// What SQLite appends to a database's path for its rollback journal, its write-ahead log and that log's index.
    static let sideEndings = [journalEnding, logEnding, "-shm"]
    private static let journalEnding = "-journal"
    private static let logEnding = "-wal"

    /// Throws `cannotCreateStore` if SQLite's rollback journal or write-ahead log lies beside the store.
    ///
    /// The journal belongs to the old store. The first program to open the new store would apply the journal to it and
    /// damage it (<https://sqlite.org/howtocorrupt.html>, 1.4). Removing the journal would damage the old store, and
    /// could take it away from a program that is writing. An empty journal is harmless and ignored
    /// (<https://sqlite.org/lockingv3.html>, 4.1).
    func refuseSideFiles() throws(ImportError) {
        let journal = path + Self.journalEnding
        if let status = try Self.status(of: journal), status.size > 0 { throw Self.sideFile(journal) }
        let log = path + Self.logEnding
        if try Self.status(of: log) != nil { throw Self.sideFile(log) }
    }

    private static func sideFile(_ path: String) -> ImportError {
        ImportError(
            .cannotCreateStore, at: path,
            " exists: a program has written to the store, and SQLite would apply that file to the new one. "
                + "Close that program, or open the store once with sqlite3, then import again")
    }

    /// Throws `cannotCreateStore` if the store's name leaves no room for the longer names of the files that an import
    /// makes beside it. Without this check, the number of digits in the process id would decide whether an import
    /// works.
    func refuseLongName() throws(ImportError) {
        let most = pathconf(folder, Int32(_PC_NAME_MAX)) - TemporaryStore.longestAddition
        let count = name.pathBytes.count
        guard most > 0, count > most else { return }
        throw Self.cannotCreate(
            path, "the name has \(count) bytes, but at most \(most) leave room for the files beside the store")
    }

    /// The error if the store's file is a mount point of its own, which no other file can replace.
    var isMounted: ImportError {
        Self.cannotCreate(path, "it is a mount point of its own and cannot be replaced; mount its folder instead")
    }

    static func cannotCreate(_ path: String, _ reason: String) -> ImportError {
        ImportError(.cannotCreateStore, at: path, " cannot be written as a store: \(reason)")
    }

    // MARK: Finding the file

    private static func resolve(_ path: String) throws(ImportError) -> (folder: String, name: String) {
        guard !path.isEmpty else { throw ImportError(.cannotCreateStore, "the store's path is empty") }
        guard !path.utf8.contains(0) else { throw cannotCreate(path, "the path holds a NUL byte") }
        var current = path
        for _ in 0..<40 {  // as many links as Linux follows (path_resolution(7))
            let (parent, name) = split(current)
            if ["", ".", ".."].contains(name) { throw cannotCreate(path, "it names a folder") }
            let folder = try realFolder(parent, of: path)
            guard let link = SystemFile.linkTarget(folder + "/" + name) else { return (folder, name) }
            current = link.utf8.first == UInt8(ascii: "/") ? link : folder + "/" + link
        }
        throw cannotCreate(path, SystemError(number: ELOOP).words)
    }

    private static func split(_ path: String) -> (parent: String, name: String) {
        // Searches bytes, because a combining accent after a slash forms one Character with it.
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    private static func realFolder(_ folder: String, of path: String) throws(ImportError) -> String {
        do throws(SystemError) {
            let real = try SystemFile.resolve(folder)
            if try FileStatus.find(real)?.isFolder == true { return real }
        } catch {
            throw .system(at: path, "cannot be written as a store: folder \(folder)", .cannotCreateStore, error)
        }
        throw cannotCreate(path, "\(folder) is not a folder")
    }
}
