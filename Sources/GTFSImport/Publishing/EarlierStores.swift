import Glibc
import SystemFiles

/// The earlier stores kept beside a store: `.1`, the youngest, to `.N`.
///
/// The store's own name always exists: `.1` is first made as a second name (hard link) of the same file, and the new
/// store then takes over the first name. Each step can be undone, so a failed publication leaves everything as it was.
/// A run that is killed between two steps leaves either a gap, which the next run fills, or a `.1` that is the store
/// itself, which the next run keeps. Stores beyond `.N`, from a time when more were kept, are left alone. A file of
/// another kind is replaced instead of kept: as an earlier store it would make the next import refuse.
struct EarlierStores {
    private enum Step {
        case moved(from: String, to: String)
        case linked(String)
    }

    private let target: StoreTarget
    private let count: Int
    private let oldestPath: String
    private let strangers: Set<Int>
    private var steps: [Step] = []

    /// `strangers` are the numbers of the files that are not stores; 0 stands for the file at the store's own path.
    init(of target: StoreTarget, keeping count: Int, oldestPath: String, strangers: Set<Int> = []) {
        self.target = target
        self.count = count
        self.oldestPath = oldestPath
        self.strangers = strangers
    }

    /// Makes the present store `.1` and raises the numbers of the others by one. If a step fails, undoes everything and
    /// throws `ImportError`.
    mutating func shift() throws(ImportError) {
        guard count > 0, !strangers.contains(0), let current = try target.status() else { return }
        if let youngest = try StoreTarget.status(of: target.earlierPath(1)), youngest.isSameFile(as: current) { return }
        do throws(ImportError) {
            var free = try firstFreeNumber()
            Failpoint.reach("keep")
            if free > count || strangers.contains(free) {
                free = min(free, count)
                try move(target.earlierPath(free), oldestPath)
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
    func finish() { SystemFile.remove(oldestPath) }

    /// The lowest number without a store, at most `count` + 1. Stores with higher numbers need not move.
    private func firstFreeNumber() throws(ImportError) -> Int {
        var number = 1
        while number <= count {
            let path = target.earlierPath(number)
            guard let status = try StoreTarget.status(of: path) else { break }
            guard status.isRegularFile else {
                throw StoreTarget.cannotCreate(target.path, "\(path), where the earlier one goes, is \(status.kind)")
            }
            if strangers.contains(number) { break }
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
        guard SystemFile.link(target.path, to: youngest) else {
            throw .system(at: target.path, "cannot be kept as \(youngest)", .cannotCreateStore, errno)
        }
        steps.append(.linked(youngest))
        Failpoint.reach("keep-linked")
    }
}
