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
    /// Names such as `OUT.20261124` are copies of someone else.
    private static let greatestNumber = 9_999

    private let target: StoreTarget
    private let rolledBack: RolledBackFeeds
    private let cancellation: CancellationFlag

    package init(of target: StoreTarget, cancellation: CancellationFlag = CancellationFlag()) {
        self.target = target
        self.cancellation = cancellation
        rolledBack = RolledBackFeeds(of: target)
    }

    /// Rolls back; returns a sentence about what was done, and a warning if the folder cannot be flushed. Throws
    /// `locked`; `cannotOpenFeed` if there is no earlier store; `feedRefused` if it is damaged or of another version;
    /// `cannotCreateStore`; `interrupted` or `terminated` if it was cancelled before the first change.
    package func run() throws(ImportError) -> (message: String, warning: String?) {
        let lock = try StoreLock(target)
        cancellation.filesToRemove = [lock.path]
        defer {
            cancellation.filesToRemove = []
            lock.release()
        }
        Failpoint.reach("rollback-locked")
        try target.refuseSideFiles()
        let numbers = try earlierNumbers()
        try requireSound(numbers.first)
        let live = LiveStore(path: target.path)
        Failpoint.reach("rollback-checked")
        try cancellation.commit()
        try closeGaps(numbers)
        let count = numbers.count
        let last = target.exists ? "; the one that was live is now \(name(count))" : ""
        // Before the stores turn: if this is killed in between, the next import must not bring the feed back.
        let listBytes = if let live { try rolledBack.add(contentHash: live.contentHash) } else { Int?.none }
        do throws(ImportError) { try turn(count) } catch {
            if let listBytes { rolledBack.cut(toBytes: listBytes) }
            throw error
        }
        let hash = LiveStore(path: target.path)?.contentHash
        var words = hash.map { ", content \($0)" } ?? ""
        if let hash, try rolledBack.contains(contentHash: hash) { words += "; its feed was rolled back before" }
        return (
            "\(target.path) is again the store that was \(name(1))\(words)\(last)",
            StorePublication.flush(target)
        )
    }

    private func name(_ number: Int) -> String { "\(target.path).\(number)" }

    /// The numbers of the earlier stores, youngest first.
    private func earlierNumbers() throws(ImportError) -> [Int] {
        var earlier: [Int] = []
        for number in try takenNumbers() where try !isSecondNameOfLive(number) { earlier.append(number) }
        return earlier
    }

    /// A killed run may have left the live store under a second name.
    private func isSecondNameOfLive(_ number: Int) throws(ImportError) -> Bool {
        guard let live = try target.status() else { return false }
        return try StoreTarget.status(of: name(number))?.isSameFile(as: live) == true
    }

    /// Numbers the earlier stores from 1, as a killed run may have left a gap. Removes a second name of the live store:
    /// renaming it to the live name would do nothing, as both are the same file (rename(2)).
    private func closeGaps(_ numbers: [Int]) throws(ImportError) {
        for number in try takenNumbers() where try isSecondNameOfLive(number) { SystemFile.remove(name(number)) }
        for (number, wanted) in zip(numbers, 1...) where number != wanted {
            guard SystemFile.rename(name(number), to: name(wanted)) else {
                throw .system(at: name(number), "cannot be renamed to \(name(wanted))", .cannotCreateStore, errno)
            }
        }
    }

    /// The numbers after the store's name, lowest first.
    private func takenNumbers() throws(ImportError) -> [Int] {
        do throws(SystemError) {
            let prefix = target.name + "."
            let numbers = try SystemFile.names(in: target.folder).compactMap { name -> Int? in
                guard let digits = name.without(prefix: prefix), let number = Int(digits), number > 0,
                    number <= Self.greatestNumber, digits == String(number)
                else { return nil }
                let status = FileStatus(path: target.within(name))
                return status?.isRegularFile == true ? number : nil
            }
            return numbers.sorted()
        } catch {
            throw .system(at: target.folder, "cannot be read", .cannotCreateStore, error)
        }
    }

    /// Throws unless there is an earlier store that readers can open.
    private func requireSound(_ youngest: Int?) throws(ImportError) {
        guard let youngest else {
            throw ImportError(
                .cannotOpenFeed, at: name(1),
                " does not exist: no earlier store was kept (imports keep them with --keep N)")
        }
        let path = name(youngest)
        if let damage = try PublishedStore.damage(path: path, cancellation) {
            throw ImportError(.feedRefused, at: path, " is damaged and cannot be the store again: \(damage.words)")
        }
        guard PublishedStore(path: path) != nil else {
            throw ImportError(
                .feedRefused, at: path, " has another version of the store's layout, and readers would not open it")
        }
    }

    private func turn(_ count: Int) throws(ImportError) {
        let hadLive = target.exists
        let (live, last) = (target.path, name(count + 1))
        guard !hadLive || SystemFile.link(live, to: last) else {
            throw .system(at: live, "cannot be kept as \(last)", .cannotCreateStore, errno)
        }
        Failpoint.reach("rollback-linked")
        guard SystemFile.rename(name(1), to: live) else {
            let number = errno
            if hadLive { SystemFile.remove(last) }
            throw .system(at: name(1), "cannot be renamed to \(live)", .cannotCreateStore, number)
        }
        Failpoint.reach("rollback-renamed")
        // A failure from here on leaves a gap, which is harmless. To go on would write over the store after the gap.
        for number in 1..<(hadLive ? count + 1 : count) {
            guard SystemFile.rename(name(number + 1), to: name(number)) else { return }
            Failpoint.reach("rollback-moved")
        }
    }
}
