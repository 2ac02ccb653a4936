import GTFSFeed
import GTFSSchema
import Glibc
import SystemFiles

/// The files that a publication would take the place of: what has the store's name, and the earlier stores that move
/// on.
///
///     let existing = ExistingFiles(of: target, keeping: 3)
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

    /// A gap ends the row of stores that move on (EarlierStores).
    static func earlier(_ target: StoreTarget, atMost count: Int) throws(ImportError) -> [String] {
        var paths: [String] = []
        while paths.count < count {
            let path = "\(target.path).\(paths.count + 1)"
            guard try StoreTarget.status(of: path) != nil else { break }
            paths.append(path)
        }
        return paths
    }

    /// Throws `cannotCreateStore` when a file that is no store of ours would be replaced, or moved as an earlier store.
    /// An empty file may be replaced: nothing is lost with it.
    func refuseForeign() throws(ImportError) {
        for path in paths where try Self.content(of: path) == .foreign {
            throw ImportError(
                .cannotCreateStore, at: path, " exists and is not a store of import-gtfs; --force replaces it")
        }
    }

    /// Throws `cannotCreateStore` when one of the files, or the lock, is what the feed is read from, by whatever name.
    func refuseInput(_ feed: OpenedFeed) throws(ImportError) {
        for path in paths + [target.within(target.name + ".lock")] {
            guard let status = try StoreTarget.status(of: path) else { continue }
            guard feed.reads(device: status.device, inode: status.inode) else { continue }
            throw StoreTarget.cannotCreate(path, "it is read as the feed, which is never written")
        }
    }

    /// As `refuseInput`, before the feed is opened, as far as its argument tells: a path, or standard input for `-`.
    func refuseInput(argument: String) throws(ImportError) {
        let container = argument.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        var inputs = [argument, String(container)].compactMap { FileStatus(path: $0) }
        if container == "-", let input = FileStatus(descriptor: STDIN_FILENO) { inputs.append(input) }
        for path in paths {
            guard let status = try StoreTarget.status(of: path) else { continue }
            if inputs.contains(where: { $0.isSameFile(as: status) }) {
                throw StoreTarget.cannotCreate(path, "it is read as the feed, which is never written")
            }
        }
    }

    /// Files in a folder that are not part of the feed there: this publication's own.
    func ownFiles() throws(ImportError) -> [String] {
        // Earlier stores also from a time when more were kept.
        let candidates = try [target.path] + Self.earlier(target, atMost: .max)
        let stores = candidates.filter { (try? Self.content(of: $0)) == .store }
        // Without a store there is nothing that could be one of its earlier ones or its journal.
        let beside = stores.isEmpty ? [] : ["-journal", "-wal", "-shm"].map { target.path + $0 }
        return stores + [target.within(target.name + ".lock"), RolledBackFeeds(of: target).path] + beside
    }

    private enum Content {
        case nothing, store, foreign
    }

    /// Asks the file's header (<https://sqlite.org/fileformat2.html#the_database_header>, 1.3).
    private static func content(of path: String) throws(ImportError) -> Content {
        guard let status = try StoreTarget.status(of: path), status.size > 0 else { return .nothing }
        guard status.isRegularFile else { return .foreign }
        do throws(SystemError) {
            let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
            guard descriptor >= 0 else { throw .last }
            defer { close(descriptor) }
            let header = try SystemFile.head(100, of: descriptor)
            guard header.count == 100, header.starts(with: "SQLite format 3\0".utf8) else { return .foreign }
            let identity = header[68..<72].reduce(0) { $0 << 8 | UInt32($1) }
            return identity == UInt32(bitPattern: StoreSchema.applicationID) ? .store : .foreign
        } catch {
            throw .system(
                at: path, "exists, but cannot be read to see whether it is a store (--force replaces it)",
                .cannotCreateStore, error)
        }
    }
}
