import SQLite
import Synchronization
import SystemFiles

/// The rows that a store has read recently, shared by all of its contexts. Faults are filled from here.
///
/// Rows go into a young generation. When it is full, it replaces the old one, whose rows are forgotten. A row of the
/// old generation that is asked for moves to the young one. A lookup takes one lock and looks into at most two tables.
final class RowCache: Sendable {
    private struct Entry {
        let row: PackedRow
        let readAt: Double
    }

    private struct Generations: ~Copyable {
        var young = ObjectTable<Entry>()
        var old = ObjectTable<Entry>()
    }

    private let generations = Mutex(Generations())
    private let capacity: Int
    private let staleness: Double?

    init(capacity: Int, staleness: Double?) {
        self.capacity = max(capacity, 0)
        self.staleness = staleness
    }

    /// Whether rows are kept at all.
    var keepsRows: Bool { capacity > 0 }

    /// The row; nil if it is not cached or is older than the staleness interval.
    func row(of id: ObjectID) -> PackedRow? {
        generations.withLock { generations in
            if let entry = generations.young[id] { return isFresh(entry) ? entry.row : nil }
            guard let entry = generations.old[id], isFresh(entry) else { return nil }
            insert(id, entry, into: &generations)
            return entry.row
        }
    }

    /// Keeps rows that have just been read.
    func insert(_ rows: [(ObjectID, PackedRow)]) {
        guard keepsRows, !rows.isEmpty else { return }
        let now = staleness == nil ? 0 : MonotonicClock.seconds
        generations.withLock { generations in
            for (id, row) in rows { insert(id, Entry(row: row, readAt: now), into: &generations) }
        }
    }

    private func insert(_ id: ObjectID, _ entry: Entry, into generations: inout Generations) {
        if generations.young.count >= capacity {
            swap(&generations.old, &generations.young)
            generations.young = ObjectTable()
        }
        generations.young[id] = entry
    }

    func remove(_ id: ObjectID) {
        generations.withLock {
            $0.young[id] = nil
            $0.old[id] = nil
        }
    }

    func removeAll() { generations.withLock { $0 = Generations() } }

    private func isFresh(_ entry: Entry) -> Bool {
        guard let staleness else { return true }
        return MonotonicClock.seconds - entry.readAt <= staleness
    }
}
