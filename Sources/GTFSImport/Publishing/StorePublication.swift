import Glibc
import SystemFiles

/// One attempt to publish a store: the lock, the temporary file, and the exchange of old for new in one instant.
///
///     let publication = try StorePublication(StoreTarget("berlin.sqlite"), cancellation: cancellation)
///     defer { publication.discard() }
///     // … write the store at publication.temporaryPath, check it, close it …
///     try publication.publish(keeping: 2)
///
/// Whoever opens the store's name meanwhile finds the old store or the new one, whole, never nothing; whoever has the
/// old one open keeps it. Unless `publish` returns, the old store is byte for byte what it was, and nothing else is
/// left. Used by one thread. Must be ended by `publish` or `discard`: the lock is not given back by forgetting the
/// value.
package final class StorePublication {
    package let target: StoreTarget
    /// Where to build the store; an empty file to begin with.
    package var temporaryPath: String { temporary.path }
    let temporary: TemporaryStore

    private let lock: StoreLock
    private let cancellation: CancellationFlag

    /// Takes the lock, removes leftovers of dead imports and creates the temporary file.
    ///
    /// Throws `locked`; `cannotCreateStore` when the folder may not be written or a journal lies beside the store;
    /// `inputOutput` when the disk is full.
    package init(_ target: StoreTarget, cancellation: CancellationFlag = CancellationFlag()) throws(ImportError) {
        self.target = target
        self.cancellation = cancellation
        temporary = TemporaryStore(target)
        lock = try StoreLock(target)
        Failpoint.reach("locked")
        do throws(ImportError) {
            TemporaryStore.removeLeftovers(of: target)
            try target.refuseSideFiles()
            cancellation.filesToRemove = temporary.allPaths + [lock.path]
            try temporary.create(replacing: target.status())
            Failpoint.reach("created")
        } catch {
            discard()
            throw error
        }
    }

    /// Makes the temporary file the store, keeping up to `count` earlier ones as `.1` to `.N`, and gives the lock back.
    ///
    /// Costs an fsync of the whole file. When it throws, everything is as before and the attempt is over. A
    /// cancellation that arrives before the exchange still stops it.
    ///
    /// - Returns: What people should know of a store that was published all the same; nil as a rule.
    @discardableResult
    package func publish(keeping count: Int = 0) throws(ImportError) -> String? {
        defer { discard() }
        let old = try target.status()
        Failpoint.reach("flush")
        try temporary.flush(replacing: old, cancellation: cancellation)
        Failpoint.reach("flushed")
        try target.refuseSideFiles()
        try cancellation.commit()
        var earlier = EarlierStores(of: target, keeping: count, oldestPath: temporary.oldestPath)
        try earlier.shift()
        Failpoint.reach("rename")
        guard SystemFile.rename(temporary.path, to: target.path) else {
            let number = errno
            earlier.undo()
            throw .system(at: temporary.path, "cannot be renamed to \(target.path)", .cannotCreateStore, number)
        }
        Failpoint.reach("renamed")
        let warning = Self.flush(target)
        Failpoint.reach("folder-flushed")
        earlier.finish()
        Failpoint.reach("oldest-removed")
        return warning
    }

    /// Removes the temporary file and gives the lock back; after `publish`, and when called again, it does nothing.
    package func discard() {
        guard !isOver else { return }
        isOver = true
        temporary.remove()
        cancellation.filesToRemove = []
        lock.release()
    }

    private var isOver = false

    /// Makes the exchange outlast a power cut. Its failure is no failure of the import, as the store is current, but is
    /// said: a power cut may bring back the old store, which is whole. Some file systems cannot flush folders at all.
    static func flush(_ target: StoreTarget) -> String? {
        let descriptor = SystemFile.open(target.folder, O_RDONLY | O_DIRECTORY)
        do throws(SystemError) {
            guard descriptor >= 0 else { throw .last }
            defer { close(descriptor) }
            try SystemFile.flush(descriptor)
            return nil
        } catch {
            if [EINVAL, EROFS, ENOSYS, EOPNOTSUPP].contains(error.number) { return nil }
            return "folder \(target.folder) cannot be flushed to the disk: \(error.words). "
                + "The new store is in place; a power cut may bring the earlier one back"
        }
    }
}
