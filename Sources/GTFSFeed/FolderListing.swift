import Glibc

// Unsafe: readdir(3) hands out pointers into its own buffer; a name is copied before the next call, and the folder is closed on every way out.

/// Lists the files of a folder and of the folders in it.
///
/// Links to files are followed, links to folders are not (they could lead in circles), except the folder that was asked for. Hidden files
/// are left out as in archives, pipes and devices too: opening one could block for ever.
struct FolderListing {
    private static let deepest = 32

    private let root: String
    private let limits: FeedLimits
    private var items: [Container.Item] = []
    private var leftOut: [String] = []
    private var hasMore = false
    private var ignored: String?

    /// Lists everything but `store` and what lies beside it under its name (`.lock`, `.1`, `-journal`).
    static func read(_ root: String, limits: FeedLimits, ignoring store: String? = nil) throws(FeedError) -> Container {
        var listing = FolderListing(root: root, limits: limits)
        listing.ignored = store.flatMap { path($0, within: root) }
        try listing.list("", depth: 0)
        listing.items.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        var anomalies: [String] = []
        if !listing.leftOut.isEmpty {
            anomalies.append("leaves out what is no file that can be read: \(listed(listing.leftOut, limit: 3))")
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
            if isRealFolder(absolute(path)) {
                hasMore = true
                if depth < Self.deepest {
                    try list(path + "/", depth: depth + 1)
                } else {
                    leftOut.append(path.quoted())
                }
            } else if case .file(let state)? = FileKind.of(path: absolute(path)) {
                try add(
                    Container.Item(path: path, size: state.size, checksum: nil, source: .file(path: absolute(path))))
            } else {
                leftOut.append(path.quoted())
            }
        }
    }

    /// Lists a folder within; one that may not be read is left out.
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
        guard items.count < limits.maximumEntries else {
            throw FeedError(.overLimit, "holds more than \(limits.maximumEntries) files", at: root)
        }
        items.append(item)
    }

    private func isIgnored(_ path: String) -> Bool {
        guard let ignored else { return false }
        return path == ignored || path.hasPrefix(ignored + ".") || path.hasPrefix(ignored + "-")
    }

    /// The part of an absolute path, free of links, that lies below `root`; nil when it does not.
    private static func path(_ path: String, within root: String) -> String? {
        guard let resolved = realpath(root, nil) else { return nil }
        defer { free(resolved) }
        let folder = String(cString: resolved)
        return path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : nil
    }

    private func absolute(_ path: String) -> String { root.hasSuffix("/") ? root + path : "\(root)/\(path)" }

    private func isRealFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func names(in folder: String) throws(FeedError) -> [String] {
        guard let handle = opendir(folder) else { throw .cannotOpen(folder, errno) }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = next(handle) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .readFailed(folder, errno) }
        return names
    }

    /// The next entry; `nil` with `errno` 0 at the end, as readdir(3) tells the end from a failure.
    private func next(_ handle: OpaquePointer) -> UnsafeMutablePointer<dirent>? {
        errno = 0
        return readdir(handle)
    }
}
