import Glibc
import SystemFiles

/// The earlier stores kept beside a store: `.1`, the youngest, to `.N`.
///
/// The store's own name always exists: `.1` is first made as a second name (hard link) of the same file, and the new
/// store then takes over the first name. Each step can be undone, so a failed publication leaves everything as it was.
/// A run that is killed between two steps leaves a gap, which the next run fills; a `.1` that is the store itself,
/// which the next run keeps; or a store that it had set aside, which the next run puts back (`SetAsideStore`). Stores
/// beyond `.N`, from a time when more were kept, are left alone. A file of another kind is replaced instead of kept: as
/// an earlier store it would make the next import refuse.
struct EarlierStores {
    private enum Step {
        case moved(from: String, to: String)
        case linked(String)
    }

    private let target: StoreTarget
    private let count: Int
    private let temporary: TemporaryStore
    private let foreignNumbers: Set<Int>
    private var steps: [Step] = []
    private var setAside: String?

    /// `foreignNumbers` are the numbers of the files that are not stores, or damaged ones; 0 stands for the file at the
    /// store's own path.
    init(of target: StoreTarget, keeping count: Int, beside temporary: TemporaryStore, foreignNumbers: Set<Int> = []) {
        self.target = target
        self.count = count
        self.temporary = temporary
        self.foreignNumbers = foreignNumbers
    }

    /// Makes the present store `.1` and raises the numbers of the others by one. If a step fails, undoes everything and
    /// throws `ImportError`.
    mutating func shift() throws(ImportError) {
        guard count > 0, !foreignNumbers.contains(0), let current = try target.status() else { return }
        if let youngest = try StoreTarget.status(of: target.earlierPath(1)), youngest.isSameFile(as: current) { return }
        do throws(ImportError) {
            var free = try firstFreeNumber()
            Failpoint.reach("keep")
            if free > count || foreignNumbers.contains(free) {
                free = min(free, count)
                let path = temporary.setAsidePath(of: free)
                try move(target.earlierPath(free), path)
                setAside = path
            }
            while free > 1 {
                try move(target.earlierPath(free - 1), target.earlierPath(free))
                free -= 1
            }
            try linkYoungest()
        } catch {
            undo()
            throw error
        }
    }

    /// Restores the names from before `shift()`.
    mutating func undo() {
        while let step = steps.popLast() {
            switch step {
            case .moved(let from, let to): SystemFile.rename(to, to: from)
            case .linked(let path): SystemFile.remove(path)
            }
        }
    }

    /// Removes the store that is now too old, or the file that is not a store.
    func finish() { if let setAside { SystemFile.remove(setAside) } }

    /// The lowest number without a store, at most `count` + 1. Stores with higher numbers need not move.
    private func firstFreeNumber() throws(ImportError) -> Int {
        var number = 1
        while number <= count {
            let path = target.earlierPath(number)
            guard let status = try StoreTarget.status(of: path) else { break }
            guard status.isRegularFile else {
                throw StoreTarget.cannotCreate(target.path, "\(path), where the earlier one goes, is \(status.kind)")
            }
            if foreignNumbers.contains(number) { break }
            number += 1
        }
        return number
    }

    private mutating func move(_ from: String, _ to: String) throws(ImportError) {
        guard SystemFile.rename(from, to: to) else {
            throw .system(at: from, "cannot be renamed to \(to)", .cannotCreateStore, errno)
        }
        steps.append(.moved(from: from, to: to))
        Failpoint.reach("keep-moved")
    }

    private mutating func linkYoungest() throws(ImportError) {
        let youngest = target.earlierPath(1)
        try SecondName(of: target).make(youngest)
        steps.append(.linked(youngest))
        Failpoint.reach("keep-linked")
    }
}

/// An earlier store that a publication sets aside, because it is now too old. It is removed once the new store is in
/// place; if the publication was killed before, the next run puts it back.
struct SetAsideStore {
    private let path: String
    /// The number that it had among the earlier stores.
    private let number: Int
    /// Where the new store was built. The file has this name until it takes the store's name.
    private let temporaryPath: String

    /// Nil if a file in the store's folder has another kind of name.
    init?(name: String, of target: StoreTarget) {
        let digits = Substring(name.utf8.suffix(name.utf8.reversed().prefix(while: \.isDigit).count))
        let beginning = String(Substring(name.utf8.dropLast(digits.utf8.count)))
        guard let number = Int(digits), number > 0,
            let temporary = beginning.without(suffix: TemporaryStore.setAsideEnding),
            TemporaryStore.isTemporary(temporary, of: target.name)
        else { return nil }
        path = target.within(name)
        temporaryPath = target.within(temporary)
        self.number = number
    }

    /// Removes the store if the new one is in place. Otherwise takes back the renames. The caller holds the lock.
    func settle(_ target: StoreTarget) throws(ImportError) {
        guard try StoreTarget.status(of: temporaryPath) != nil else {
            SystemFile.remove(path)
            return
        }
        if try target.isSecondName(1) { SystemFile.remove(target.earlierPath(1)) }
        var free = 1
        while try StoreTarget.status(of: target.earlierPath(free)) != nil { free += 1 }
        // The stores up to its number were moved up by one.
        while free < number, SystemFile.rename(target.earlierPath(free + 1), to: target.earlierPath(free)) { free += 1 }
        guard SystemFile.rename(path, to: target.earlierPath(free)) else {
            throw .system(at: path, "cannot be put back as \(target.earlierPath(free))", .cannotCreateStore, errno)
        }
    }
}
