import Glibc

/// One attempt to publish a store: the lock, the temporary file, and the exchange of old for new in one instant.
///
///     let publication = try StorePublication(StoreTarget("berlin.sqlite"), cancellation: cancellation)
///     defer { publication.discard() }
///     // … write the store at publication.temporaryPath, check it, close it …
///     try publication.publish(keeping: 2)
///
/// Whoever opens the store's name meanwhile finds the old store or the new one, whole, never nothing; whoever has the old
/// one open keeps it. Unless `publish` returns, the old store is byte for byte what it was, and nothing else is left.
/// Used by one thread. Must be ended by `publish` or `discard`: the lock is not given back by forgetting the value.
public final class StorePublication {
    public let target: StoreTarget
    /// Where to build the store; an empty file to begin with.
    public var temporaryPath: String { temporary.path }

    private let temporary: TemporaryStore
    private let lock: StoreLock
    private let cancellation: CancellationFlag

    /// Takes the lock, removes leftovers of dead imports and creates the temporary file.
    ///
    /// Throws `locked`; `cannotCreateStore` when the folder may not be written or a journal lies beside the store;
    /// `inputOutput` when the disk is full.
    public init(_ target: StoreTarget, cancellation: CancellationFlag = CancellationFlag()) throws(ImportError) {
        self.target = target
        self.cancellation = cancellation
        temporary = TemporaryStore(target)
        lock = try StoreLock(target)
        do throws(ImportError) {
            TemporaryStore.removeLeftovers(of: target)
            try target.refuseSideFiles()
            cancellation.filesToRemove = temporary.allPaths + [lock.path]
            try temporary.create(replacing: FileStatus(path: target.path))
        } catch {
            discard()
            throw error
        }
    }

    /// Makes the temporary file the store, keeping up to `count` earlier ones as `.1` to `.N`, and gives the lock back.
    ///
    /// Costs an fsync of the whole file. When it throws, everything is as before and the attempt is over. A cancellation
    /// that arrives before the exchange still stops it.
    public func publish(keeping count: Int = 0) throws(ImportError) {
        defer { discard() }
        let old = FileStatus(path: target.path)
        try temporary.flush(replacing: old)
        try target.refuseSideFiles()
        try cancellation.commit()
        var earlier = EarlierStores(of: target, keeping: count, oldestPath: temporary.oldestPath)
        try earlier.shift()
        guard rename(temporary.path, target.path) == 0 else {
            let number = errno
            earlier.undo()
            throw .system("\(temporary.path) cannot be renamed to \(target.path)", .cannotCreateStore, number)
        }
        flushFolder()
        earlier.finish()
    }

    /// Removes the temporary file and gives the lock back; after `publish`, and when called again, it does nothing.
    public func discard() {
        guard !isOver else { return }
        isOver = true
        temporary.remove()
        cancellation.filesToRemove = []
        lock.release()
    }

    private var isOver = false

    /// Makes the exchange outlast a power cut. Its failure is no failure of the import: the store is current, and a power cut
    /// then brings back either the old store or the new one, each whole. Some file systems cannot flush folders at all.
    private func flushFolder() {
        let descriptor = open(target.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}

extension StorePublication {
    /// Sends the files that SQLite sorts in, which can grow as large as the store, to the store's own folder.
    ///
    /// SQLite reads SQLITE_TMPDIR when it is first used (<https://sqlite.org/tempfiles.html>, 5), and setting a variable is
    /// only safe before there are threads: call this once, first thing. A value that is set already is kept.
    public static func keepTemporaryFiles(besideStore target: StoreTarget) {
        setenv("SQLITE_TMPDIR", target.folder, 0)
    }
}
