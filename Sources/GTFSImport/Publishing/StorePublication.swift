import Glibc
import SystemFiles

/// One attempt to publish a store: takes the lock, makes the temporary file, and replaces the old store atomically.
///
///     let publication = try StorePublication(StoreTarget("berlin.sqlite"), cancellation: cancellation)
///     defer { publication.discard() }
///     // … write the store at publication.temporaryPath, check it, close it …
///     try publication.publish(keeping: 2)
///
/// A program that opens the store meanwhile gets either the complete old store or the complete new one. A program that
/// has the old store open keeps it. If `publish` does not return normally, the old store is unchanged byte for byte,
/// and no other file is left. Used by one thread. End it with `publish` or `discard`: releasing the object does not
/// release the lock.
package final class StorePublication {
    package let target: StoreTarget
    /// Where to build the store; at first an empty file.
    package var temporaryPath: String { temporary.path }
    let temporary: TemporaryStore

    private let lock: StoreLock
    private let cancellation: CancellationFlag

    /// Takes the lock, removes leftovers of dead imports and creates the temporary file.
    ///
    /// Throws `locked`; `cannotCreateStore` if the folder is not writable or a journal lies beside the store;
    /// `inputOutput` if the disk is full.
    package init(_ target: StoreTarget, cancellation: CancellationFlag = CancellationFlag()) throws(ImportError) {
        self.target = target
        self.cancellation = cancellation
        temporary = TemporaryStore(target)
        lock = try StoreLock(target)
        cancellation.filesToRemove = [lock.path]
        Failpoint.reach("locked")
        do throws(ImportError) {
            try TemporaryStore.removeLeftovers(of: target)
            try target.refuseSideFiles()
            cancellation.filesToRemove = temporary.allPaths + [lock.path]
            try temporary.create(replacing: target.status())
            Failpoint.reach("created")
        } catch {
            discard()
            throw error
        }
    }

    /// Makes the temporary file the store, keeps up to `count` earlier ones as `.1` to `.N`, deletes the list of feeds
    /// that were rolled back, and releases the lock.
    ///
    /// `foreignNumbers` are the numbers of files that are not stores, or damaged ones: they are replaced, not kept
    /// (`EarlierStores`).
    ///
    /// Costs an fsync of the whole file. If it throws, everything is as before and the attempt is over. A cancellation
    /// still takes effect until the exchange begins.
    ///
    /// - Returns: A warning about the published store; usually nil.
    @discardableResult
    package func publish(keeping count: Int = 0, foreignNumbers: Set<Int> = []) throws(ImportError) -> String? {
        defer { discard() }
        let old = try target.status()
        Failpoint.reach("flush")
        try temporary.flush(replacing: old, cancellation: cancellation)
        Failpoint.reach("flushed")
        try target.refuseSideFiles()
        try cancellation.commit()
        var earlier = EarlierStores(
            of: target, keeping: count, beside: temporary, foreignNumbers: foreignNumbers)
        try earlier.shift()
        Failpoint.reach("rename")
        guard SystemFile.rename(temporary.path, to: target.path) else {
            let number = errno
            earlier.undo()
            // The store is a mount point of its own, as when Docker mounts a single file (rename(2)).
            if number == EBUSY { throw target.isMounted }
            throw .system(at: temporary.path, "cannot be renamed to \(target.path)", .cannotCreateStore, number)
        }
        Failpoint.reach("renamed")
        let warning = Self.flush(target)
        Failpoint.reach("folder-flushed")
        earlier.finish()
        // While the lock is held: a rollback right after it must not lose its list.
        RolledBackFeeds(of: target).forget()
        Failpoint.reach("oldest-removed")
        return warning
    }

    /// Removes the temporary file and releases the lock. Does nothing after `publish` or when called again.
    package func discard() {
        guard !isOver else { return }
        isOver = true
        temporary.remove()
        cancellation.filesToRemove = []
        lock.release()
    }

    private var isOver = false

    /// Flushes the folder, so that the exchange survives a power cut. If that fails, the import still succeeds, as the
    /// new store is in place, but a warning is returned: a power cut may bring back the old store, which is complete.
    /// Some file systems cannot flush folders at all, which is ignored.
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
