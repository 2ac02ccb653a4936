import GTFSFeed
import GTFSSchema
import Glibc
import SQLitePages
import SystemFiles

/// The files that a publication would replace or rename: the file with the store's name, and the earlier stores.
///
///     let existing = try ExistingFiles(of: target, keeping: 3)
///     try existing.refuseForeign()                 // unless --force was given
///     try existing.refuseInput(feed)               // always
struct ExistingFiles {
    private let target: StoreTarget
    /// The store's path, then those of the earlier stores that are kept.
    private let paths: [String]

    init(of target: StoreTarget, keeping count: Int) throws(ImportError) {
        self.target = target
        paths = try [target.path] + Self.earlier(target, atMost: count)
    }

    /// The paths of the earlier stores, up to the first gap: stores beyond it are not renamed (EarlierStores).
    static func earlier(_ target: StoreTarget, atMost count: Int) throws(ImportError) -> [String] {
        var paths: [String] = []
        while paths.count < count {
            let path = target.earlierPath(paths.count + 1)
            guard try StoreTarget.status(of: path) != nil else { break }
            paths.append(path)
        }
        return paths
    }

    /// Throws `cannotCreateStore` if a file that is not a store of import-gtfs would be replaced, or renamed as an
    /// earlier store. An empty file may be replaced: nothing is lost.
    func refuseForeign() throws(ImportError) {
        for path in paths where try Self.content(of: path) == .foreign {
            let isFile = try StoreTarget.status(of: path)?.isRegularFile == true
            throw ImportError(
                .cannotCreateStore, at: path,
                " exists and is not a store of import-gtfs; " + (isFile ? "--force replaces it" : "move it away"))
        }
    }

    /// The numbers of the files that are not stores of import-gtfs; 0 stands for the file at the store's own path.
    /// Throws if a file cannot be read, unless `--force` was given: then it counts as a store, which may be kept.
    func foreignNumbers(force: Bool) throws(ImportError) -> Set<Int> {
        var numbers: Set<Int> = []
        for (number, path) in paths.enumerated() {
            do throws(ImportError) {
                if try Self.content(of: path) != .store { numbers.insert(number) }
            } catch {
                guard force else { throw error }
            }
        }
        return numbers
    }

    /// Throws `cannotCreateStore` if the feed is read from one of the files, from the lock file or from the list of
    /// feeds that were rolled back, under any name.
    func refuseInput(_ feed: OpenedFeed) throws(ImportError) {
        try refuse(paths + [target.lockPath, target.rolledBackPath]) {
            feed.reads(device: $0.device, inode: $0.inode)
        }
    }

    /// The same check before the feed is opened, for what its argument names: a path, or standard input for `-`.
    func refuseInput(argument: String) throws(ImportError) {
        let container = FeedArgument(argument).path
        var inputs = [argument, container].compactMap { FileStatus(path: $0) }
        if container == "-", let input = FileStatus(descriptor: STDIN_FILENO) { inputs.append(input) }
        try refuse(paths + [target.rolledBackPath]) { status in inputs.contains { $0.isSameFile(as: status) } }
    }

    private func refuse(_ paths: [String], where isInput: (FileStatus) -> Bool) throws(ImportError) {
        for path in paths {
            guard let status = try StoreTarget.status(of: path), isInput(status) else { continue }
            throw StoreTarget.cannotCreate(path, "it is read as the feed, which is never written")
        }
    }

    /// This publication's own files in the folder: they are not part of a feed that lies there.
    func ownFiles() throws(ImportError) -> [String] {
        // All earlier stores, including those from a time when more were kept, and those behind a gap.
        let candidates = try [target.path] + listedEarlierPaths()
        let stores = candidates.filter { (try? Self.content(of: $0)) == .store }
        // Without a store, no file beside it can be its journal.
        let beside = stores.isEmpty ? [] : StoreTarget.sideEndings.map { target.path + $0 }
        return stores + [target.lockPath, target.rolledBackPath] + beside
    }

    private func listedEarlierPaths() throws(ImportError) -> [String] {
        do throws(ImportError) { return try target.earlierFiles().map { target.earlierPath($0.number) } } catch {
            // A folder that may not be listed cannot be the feed either.
            guard error.cause?.code == EACCES else { throw error }
            return []
        }
    }

    /// Whether a file is there that is neither a store of import-gtfs nor empty.
    static func isForeign(_ path: String) throws(ImportError) -> Bool { try content(of: path) == .foreign }

    private enum Content {
        case nothing, store, foreign
    }

    /// Classifies the file by its header, or by the sums at its end if the header is damaged.
    private static func content(of path: String) throws(ImportError) -> Content {
        guard let status = try StoreTarget.status(of: path), status.size > 0 else { return .nothing }
        guard status.isRegularFile else { return .foreign }
        do throws(SystemError) {
            let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
            guard descriptor >= 0 else { throw .last }
            defer { close(descriptor) }
            let header = StoreHeader(try SystemFile.head(StoreHeader.byteCount, of: descriptor))
            if header?.isStore == true { return .store }
            return PageTrailer.isSealed(descriptor) ? .store : .foreign
        } catch {
            throw .system(
                at: path, "exists, but cannot be read to see whether it is a store (--force replaces it)",
                .cannotCreateStore, error)
        }
    }
}
