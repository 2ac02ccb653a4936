import Console
import Glibc
import SystemFiles

/// Makes the previous store live again.
///
///     let outcome = try Rollback(of: StoreTarget("berlin.sqlite")).run()
///
/// The stores rotate: `.1` becomes live, `.2` becomes `.1`, and the store that was live becomes the last one. So
/// nothing is lost, and a second rollback goes one store further back. The live store's name always has a store. A
/// rollback that is cancelled changes nothing. One that is killed leaves a gap in the numbers or one store under two
/// names; the next import copes with both.
package struct Rollback {
    private let target: StoreTarget
    private let rolledBack: RolledBackFeeds
    private let cancellation: CancellationFlag

    package init(of target: StoreTarget, cancellation: CancellationFlag = CancellationFlag()) {
        self.target = target
        self.cancellation = cancellation
        rolledBack = RolledBackFeeds(of: target)
    }

    /// Rolls back; returns a sentence about what was done, and a warning if the earlier stores have a gap or the folder
    /// cannot be flushed. Throws `locked`; `cannotOpenFeed` if there is no earlier store; `feedRefused` if it is
    /// damaged or of another version; `cannotCreateStore`; `interrupted` or `terminated` if it was cancelled before the
    /// first change.
    package func run() throws(ImportError) -> (message: String, warning: String?) {
        let lock = try StoreLock(target)
        cancellation.filesToRemove = [lock.path]
        defer {
            cancellation.filesToRemove = []
            lock.release()
        }
        Failpoint.reach("rollback-locked")
        try TemporaryStore.removeLeftovers(of: target)
        try target.refuseSideFiles()
        let numbers = try earlierNumbers()
        if !numbers.isEmpty { try refuseForeign(numbers) }
        let youngest = try sound(numbers)
        try rolledBack.refuseForeign()
        Failpoint.reach("rollback-checked")
        try cancellation.commit()
        try closeGaps(numbers)
        let done = try exchange(numbers.count)
        return ("\(target.path) is again the store that was \(target.earlierPath(youngest))\(done.words)", done.warning)
    }

    /// Rotates the stores and updates the list of feeds; returns the end of the message, and a warning.
    private func exchange(_ count: Int) throws(ImportError) -> (words: String, warning: String?) {
        let live = try LiveStore.find(target.path)
        let hash = try LiveStore.find(target.earlierPath(1))?.contentHash
        var words = hash.map { ", content \($0)" } ?? ""
        if let hash, try rolledBack.contains(contentHash: hash) { words += "; its feed was rolled back before" }
        let doubt = doubt(about: live)
        let rotation = try rotate(count, listing: live?.contentHash)
        // This feed is live again, so it no longer counts as rolled back.
        if let hash, hash != live?.contentHash { rolledBack.remove(contentHash: hash) }
        var warnings = [rotation.warning, StorePublication.flush(target)].compactMap(\.self)
        if let last = rotation.last {
            words += "; the one that was live is now \(last)"
            if let doubt { warnings.append("\(last) \(doubt), and the next import may bring it back") }
        }
        return (words, warnings.isEmpty ? nil : warnings.joined(separator: "; "))
    }

    /// Why the list of rolled-back feeds may lack the live store's feed; nil if it will have it.
    private func doubt(about live: LiveStore?) -> String? {
        guard live != nil else { return "cannot be read, so its feed is unknown" }
        let damage = try? PublishedStore.damage(path: target.path, cancellation)
        return damage == nil ? nil : "is damaged, so its feed may not be the one that was noted"
    }

    /// The numbers of the earlier stores, youngest first.
    private func earlierNumbers() throws(ImportError) -> [Int] {
        var earlier: [Int] = []
        for number in try takenNumbers() where try !target.isSecondName(number) { earlier.append(number) }
        return earlier
    }

    /// Numbers the earlier stores from 1, as a killed run may have left a gap. Removes a second name of the live store:
    /// renaming it to the live name would do nothing, as both are the same file (rename(2)).
    private func closeGaps(_ numbers: [Int]) throws(ImportError) {
        for number in try takenNumbers() where try target.isSecondName(number) {
            SystemFile.remove(target.earlierPath(number))
        }
        for (number, wanted) in zip(numbers, 1...) where number != wanted {
            let (path, free) = (target.earlierPath(number), target.earlierPath(wanted))
            guard SystemFile.rename(path, to: free) else {
                throw .system(at: path, "cannot be renamed to \(free)", .cannotCreateStore, errno)
            }
        }
    }

    /// The numbers after the store's name, lowest first. Throws if a link, a folder or a pipe has one that the stores
    /// need: a rename would put it in a store's place.
    private func takenNumbers() throws(ImportError) -> [Int] {
        let taken = try target.earlierFiles()
        let files = taken.filter(\.status.isRegularFile).map(\.number)
        for (number, status) in taken.prefix(while: { $0.number <= files.count + 1 }) where !status.isRegularFile {
            throw ImportError(
                .cannotCreateStore, at: target.earlierPath(number),
                " is \(status.kind), and a rollback renames earlier stores; put the store itself there, or remove it")
        }
        return files
    }

    /// Throws if one of the files that would be renamed is not a store.
    private func refuseForeign(_ numbers: [Int]) throws(ImportError) {
        for path in [target.path] + numbers.map(target.earlierPath) where try ExistingFiles.isForeign(path) {
            throw ImportError(
                .cannotCreateStore, at: path,
                " is not a store of import-gtfs, and a rollback would rename it; move it away")
        }
    }

    /// The number of the youngest earlier store. Throws if there is none that readers can open.
    private func sound(_ numbers: [Int]) throws(ImportError) -> Int {
        guard let youngest = numbers.first else {
            throw ImportError(
                .cannotOpenFeed, at: target.earlierPath(1),
                " does not exist: no earlier store was kept (imports keep them with --keep N)")
        }
        let path = target.earlierPath(youngest)
        let descriptor = SystemFile.open(path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(at: path, "cannot be opened", .cannotOpenFeed, errno) }
        close(descriptor)
        if let damage = try PublishedStore.damage(path: path, cancellation) {
            let next = numbers.dropFirst().first.map { "; remove it to go back to \(target.earlierPath($0))" } ?? ""
            throw ImportError(
                .feedRefused, at: path, " is damaged and cannot be the store again: \(damage.words)\(next)")
        }
        guard try PublishedStore.find(path) != nil else {
            throw ImportError(
                .feedRefused, at: path,
                " has another version of the store's layout, and readers would not open it; import the feed again")
        }
        return youngest
    }

    /// Where the store that was live is now, if there was one, and a warning if the earlier stores have a gap.
    private typealias Rotation = (last: String?, warning: String?)

    /// Keeps the live store under the last name, and moves each earlier store up by one.
    private func rotate(_ count: Int, listing contentHash: String?) throws(ImportError) -> Rotation {
        let hadLive = try target.status() != nil
        let last = target.earlierPath(count + 1)
        let copy = hadLive ? try SecondName(of: target).makeForRollback(last) : nil
        Failpoint.reach("rollback-linked")
        do throws(ImportError) {
            try replaceLive(listing: contentHash)
        } catch {
            if hadLive { SystemFile.remove(copy ?? last) }
            throw error
        }
        Failpoint.reach("rollback-renamed")
        if let copy {
            do throws(ImportError) { try SecondName(of: target).name(copy, last) } catch {
                return (nil, "\(error.message); the next run does it")
            }
        }
        for number in 1..<(hadLive ? count + 1 : count) {
            let (from, to) = (target.earlierPath(number + 1), target.earlierPath(number))
            guard SystemFile.rename(from, to: to) else {
                // To go on would write over the store that stays here.
                let reason = "\(from) cannot be renamed to \(to): \(SystemError.last.words)"
                return (hadLive ? last : nil, "\(reason); the next rollback closes the gap")
            }
            Failpoint.reach("rollback-moved")
        }
        return (hadLive ? target.earlierPath(count) : nil, nil)
    }

    /// Makes `.1` the live store. Adds the feed of the one that was live to the list before: if the process is killed
    /// in between, the next import must not bring that feed back.
    private func replaceLive(listing contentHash: String?) throws(ImportError) {
        let listBytes: Int? = if let contentHash { try rolledBack.add(contentHash: contentHash) } else { nil }
        Failpoint.reach("rollback-listed")
        let (live, youngest) = (target.path, target.earlierPath(1))
        guard SystemFile.rename(youngest, to: live) else {
            let number = errno
            if let listBytes { rolledBack.cut(toBytes: listBytes) }
            throw .system(at: youngest, "cannot be renamed to \(live)", .cannotCreateStore, number)
        }
    }

    /// Takes back what a rollback did that was killed before it replaced the live store: the store has a second name,
    /// beyond `.1`, and its feed may be on the list. The name must not become an earlier store. The caller holds the
    /// lock.
    static func settle(_ target: StoreTarget) {
        let numbers = (try? target.earlierFiles().map(\.number)) ?? []
        let seconds = numbers.filter { $0 > 1 && (try? target.isSecondName($0)) == true }
        guard !seconds.isEmpty, let hash = LiveStore(path: target.path)?.contentHash else { return }
        RolledBackFeeds(of: target).remove(contentHash: hash)
        // The system must count a second name as well. If the name belonged to another file, removing it would lose an
        // earlier store.
        guard (try? target.status())??.names ?? 1 > 1 else { return }
        for number in seconds { SystemFile.remove(target.earlierPath(number)) }
    }
}
