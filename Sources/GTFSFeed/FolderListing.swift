import Glibc
import SystemFiles

/// Lists the files of a folder and of the folders in it.
///
/// Links to files are followed, links to folders are not (they could lead in circles), except the folder that was asked
/// for. Hidden files are left out, as in archives. So are pipes and devices, because opening one could block forever.
struct FolderListing {
    private static let deepest = 32

    private let root: String
    private let limits: FeedLimits
    private var items: [Container.Item] = []
    private var leftOut: [String] = []
    private var hasMore = false
    private var ignored: Set<[UInt8]> = []

    /// Lists everything but `ownFiles`, which are absolute paths without links.
    static func read(
        _ root: String, limits: FeedLimits, ignoring ownFiles: [String] = []
    ) throws(FeedError) -> Container {
        var listing = FolderListing(root: root, limits: limits)
        listing.ignored = paths(ownFiles, within: root)
        try listing.list("", depth: 0)
        listing.items.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        var anomalies: [String] = []
        if !listing.leftOut.isEmpty {
            anomalies.append("leaves out entries that are not readable files: \(listed(listing.leftOut, limit: 3))")
        }
        return Container(
            place: root, isFolder: true, items: listing.items, anomalies: anomalies, hasMore: listing.hasMore)
    }

    private init(root: String, limits: FeedLimits) {
        self.root = root
        self.limits = limits
    }

    private mutating func list(_ folder: String, depth: Int) throws(FeedError) {
        for name in try names(in: absolute(folder)) {
            let path = folder + name
            if EntryName.isHidden(name) || isIgnored(path) {
                hasMore = true
                continue
            }
            if try isRealFolder(absolute(path)) {
                hasMore = true
                try listInner(path, depth: depth + 1)
            } else if let status = try status(absolute(path)), status.isRegularFile {
                let (size, source) = (UInt64(clamping: status.size), EntrySource.file(path: absolute(path)))
                try add(Container.Item(path: path, size: size, checksum: nil, source: source))
            } else {
                leftOut.append(path.quoted())
            }
        }
    }

    /// Lists a sub-folder; leaves it out if it cannot be opened or is nested more than 32 levels deep.
    private mutating func listInner(_ path: String, depth: Int) throws(FeedError) {
        guard depth <= Self.deepest else { return leftOut.append(path.quoted()) }
        do throws(FeedError) {
            try list(path + "/", depth: depth)
        } catch {
            guard error.code == .cannotOpen else { throw error }
            leftOut.append(path.quoted())
        }
    }

    private mutating func add(_ item: Container.Item) throws(FeedError) {
        guard items.count < limits.maximumFiles else {
            throw .tooManyEntries(limits, at: root)
        }
        items.append(item)
    }

    private func isIgnored(_ path: String) -> Bool { !ignored.isEmpty && ignored.contains(Array(path.utf8)) }

    /// Turns absolute paths without links into paths relative to `root`; drops those that do not lie below it.
    private static func paths(_ paths: [String], within root: String) -> Set<[UInt8]> {
        guard let resolved = try? SystemFile.resolve(root) else { return [] }
        let folder = resolved == "/" ? "/" : resolved + "/"
        return Set(
            paths.compactMap { path in
                path.utf8.starts(with: folder.utf8) ? Array(path.utf8.dropFirst(folder.utf8.count)) : nil
            })
    }

    private func absolute(_ path: String) -> String { root.ends(with: "/") ? root + path : "\(root)/\(path)" }

    private func isRealFolder(_ path: String) throws(FeedError) -> Bool {
        do throws(SystemError) {
            return try FileStatus.find(path, followingLinks: false)?.isFolder == true
        } catch {
            if Self.isMachineFault(error.number) { throw .readFailed(path, error.number) }
            return false
        }
    }

    /// Nil for a link that leads nowhere. Any other failure throws: a failing disk or a missing permission must not
    /// shorten a feed.
    private func status(_ path: String) throws(FeedError) -> FileStatus? {
        do throws(SystemError) {
            return try FileStatus.find(path)
        } catch {
            if error.number == EACCES || error.number == EPERM { throw .cannotOpen(path, error.number) }
            if Self.isMachineFault(error.number) { throw .readFailed(path, error.number) }
            return nil
        }
    }

    /// Whether the error number tells of the machine, such as EIO or EMFILE, and not of the path: a missing file, a
    /// missing permission, links in a circle.
    private static func isMachineFault(_ number: Int32) -> Bool {
        ![ENOENT, ENOTDIR, ELOOP, EACCES, EPERM, ENAMETOOLONG].contains(number)
    }

    private func names(in folder: String) throws(FeedError) -> [String] {
        do throws(SystemError) {
            return try SystemFile.names(in: folder)
        } catch {
            if Self.isMachineFault(error.number) { throw .readFailed(folder, error.number) }
            throw .cannotOpen(folder, error.number)
        }
    }
}
