import GTFSFeed
import Glibc
import KeySorting
import SQLite
import SQLitePages
import SystemFiles

/// Where a store is built: its private file, and what all its writers share.
///
///     let place = try StorePlace(at: path, for: feed, space: space, options: options, cancellation: cancellation)
///     let builder = try StoreBuilder(at: place, options: options)
struct StorePlace {
    /// The feed's path, for errors.
    let feed: String
    let file: PrivateFile
    /// For temporary files, in the folder of the target.
    let space: SortingSpace
    let size: StoreSize
    let memory: MemoryLimit
    let cancellation: CancellationFlag
    let rowsPerRun: Int
    /// The sums of all pages, those that SQLite writes and those that the importer writes.
    let sums = PageSums(pageSize: 4096)
    let textBudget = TextBudget()
    /// Set for a thread whose work may turn out not to be needed.
    private var isAbandoned: AbandonedWork?
    var path: String { file.path }

    /// Opens the file, which exists. Throws `ImportError` and `SQLiteError`.
    init(
        at path: String, for feed: OpenedFeed, space: SortingSpace, options: ImportOptions,
        cancellation: CancellationFlag
    ) throws {
        let descriptor = SystemFile.open(path, O_RDWR)
        guard descriptor >= 0 else { throw ImportError.system(at: path, "cannot be opened", .inputOutput, errno) }
        self.feed = feed.place
        let folder = space.folder
        file = try PrivateFile(descriptor: descriptor, path: path) { UnnamedFile.makeForC(in: folder) }
        size = StoreSize(of: feed, in: file, options: options, space: space)
        memory = MemoryLimit(bytes: options.maximumMemoryBytes)
        self.space = space
        self.cancellation = cancellation
        rowsPerRun = options.rowsPerRun
        file.observeWrites(sums.record)
    }

    /// The same place, where `check` also throws when the work is abandoned.
    func abandonable(_ isAbandoned: AbandonedWork) -> StorePlace {
        var place = self
        place.isAbandoned = isAbandoned
        return place
    }

    /// Throws when the import should stop or takes too much of the disk. For loops that read no rows of the feed.
    func check() throws(ImportError) {
        try cancellation.check()
        if isAbandoned?.isSet == true { throw ImportError(.interrupted, "the import has ended meanwhile") }
        try size.check()
    }

    /// As `check`, for statements: whether the running one should stop.
    func isOver() -> Bool {
        do throws(ImportError) {
            try check()
            return false
        } catch {
            if error.code == .feedRefused { cancellation.cancel(refusing: error.message) }
            return true
        }
    }
}
