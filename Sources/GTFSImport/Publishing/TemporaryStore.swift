import Glibc
import SQLitePages
import SystemFiles

/// The file in which a store is built: `.<name>.<number>.importing`, in the folder of the finished store.
struct TemporaryStore: Sendable, Equatable {
    let path: String

    /// Ends the name of an earlier store that is set aside; its number follows.
    static let setAsideEnding = "-was-"
    private static let copyEnding = "-copy"
    private static let liveCopyEnding = "-live"

    /// Seven digits that another process does not have. Process ids would not do: the first process of each container
    /// is number 1. If two containers share a folder but no locks, the second run would remove the first one's file and
    /// make its own under the same name, which the first would then publish, half built.
    private static let number = Int.random(in: 1_000_000...9_999_999)

    /// How many bytes the longest name of a temporary file has beyond the store's name. The number of an earlier store
    /// has up to four digits.
    static let longestAddition = "..1234567.importing\(setAsideEnding)1234".utf8.count

    init(_ target: StoreTarget) { path = target.within(".\(target.name).\(Self.number).importing") }

    /// The file, SQLite's own files beside it, and the copy.
    var allPaths: [String] { [path, copyPath] + StoreTarget.sideEndings.map { path + $0 } }
    /// Where a copy of the live store is written, if it needs one.
    var copyPath: String { path + Self.copyEnding }
    /// Where a rollback copies the live store, if it needs a copy.
    var liveCopyPath: String { path + Self.liveCopyEnding }
    /// Where the earlier store with a number goes until it may be removed.
    func setAsidePath(of number: Int) -> String { path + Self.setAsideEnding + String(number) }

    /// Creates the file, empty, with the permissions that the store will have.
    ///
    /// Everyone may read a new store, as far as the umask allows. A store that is replaced passes on its permissions.
    func create(replacing old: FileStatus?) throws(ImportError) {
        let descriptor = SystemFile.open(path, O_RDWR | O_CREAT | O_EXCL, 0o644)
        guard descriptor >= 0 else { throw .system(at: path, "cannot be created", .cannotCreateStore, errno) }
        defer { close(descriptor) }
        // The importer can write the file even if the finished store will be read-only.
        if let old { _ = fchmod(descriptor, old.permissions | 0o600) }
    }

    /// Writes the checksums of the store's pages behind the last page. Each page was read back right after it was
    /// written.
    ///
    /// This is the last write of an import: no connection may have the file open.
    func seal(_ sums: PageSums) throws(ImportError) {
        let descriptor = SystemFile.open(path, O_RDWR)
        guard descriptor >= 0 else {
            let number = errno
            if number == ENOENT {
                throw ImportError(
                    .inputOutput, at: path,
                    " is gone: another import has taken it for a leftover, as locks do not reach from there to here")
            }
            throw .system(at: path, "cannot be opened", .inputOutput, number)
        }
        defer { close(descriptor) }
        do throws(PageFileError) {
            try PageTrailer.seal(descriptor, sums)
        } catch {
            throw ImportError(error.isOfTheDisk ? .inputOutput : .bug, "\(path): \(error)")
        }
    }

    /// Passes on owner and permissions as far as the system allows, and waits until the disk has all bytes.
    func flush(replacing old: FileStatus?, cancellation: CancellationFlag) throws(ImportError) {
        let descriptor = SystemFile.open(path, O_RDONLY)
        guard descriptor >= 0 else { throw .system(at: path, "cannot be opened", .inputOutput, errno) }
        defer { close(descriptor) }
        old?.passOn(to: descriptor)
        do throws(SystemError) {
            try FileFlush(descriptor, isCancelled: { cancellation.isSet }).run()
        } catch {
            throw .system(at: path, "cannot be flushed to the disk", .inputOutput, error)
        }
    }

    func remove() {
        for path in allPaths { SystemFile.remove(path) }
    }

    /// Removes the files that killed imports of the same store left behind, and temporary files that dead programs
    /// abandoned. First puts an earlier store back that such an import had set aside; throws if this fails. Also takes
    /// back what a killed rollback had noted. The caller holds the lock, so no such run is active. Does nothing if the
    /// folder cannot be listed.
    static func removeLeftovers(of target: StoreTarget) throws(ImportError) {
        Rollback.settle(target)
        let names = (try? SystemFile.names(in: target.folder)) ?? []
        if names.contains(where: { isTemporary($0, of: target.name) }) { SecondName(of: target).removeCopy() }
        for name in names where isLiveCopy(name, of: target.name) {
            try SecondName(of: target).settleRollback(target.within(name))
        }
        for setAside in names.compactMap({ SetAsideStore(name: $0, of: target) }) { try setAside.settle(target) }
        for name in names {
            let path = target.within(name)
            if isTemporary(name, of: target.name) || UnnamedFile.isLeftover(name)
                || (AbandonedFile.isSuspect(name) && AbandonedFile.isAbandoned(path))
            {
                SystemFile.remove(path)
            }
        }
    }

    private static func isLiveCopy(_ name: String, of store: String) -> Bool {
        name.without(suffix: liveCopyEnding).map { isTemporary($0, of: store) && $0.hasSuffix(".importing") } ?? false
    }

    static func isTemporary(_ name: String, of store: String) -> Bool {
        let prefix = ".\(store).".utf8
        guard name.utf8.starts(with: prefix) else { return false }
        let digits = name.utf8.dropFirst(prefix.count)
        let rest = digits.drop(while: \.isDigit)
        guard rest.startIndex > digits.startIndex else { return false }
        return (["", copyEnding] + StoreTarget.sideEndings).contains { rest.elementsEqual((".importing" + $0).utf8) }
    }
}

extension PageFileError {
    /// Whether the system or the disk failed, rather than the caller.
    var isOfTheDisk: Bool { kind == .inputOutput || kind == .lost }
}
