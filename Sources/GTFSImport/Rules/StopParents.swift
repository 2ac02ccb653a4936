import Cells
import GTFSSchema

/// The parent of each stop, noted while stops.txt passes: the station of a platform, or the platform of a boarding
/// area.
///
/// Memory: 8 bytes for each stop.
struct StopParents: Sendable {
    /// By the stop's id.
    private var parents: [UInt32?] = []
    private var cell: Int?

    /// The ids of the stops that may have a parent.
    var stops: Range<Int> { parents.indices }

    /// The id of a stop's parent; nil if it has none, or one that the feed lacks.
    subscript(stop: Int) -> Int? { parents.indices.contains(stop) ? parents[stop].map(Int.init) : nil }

    /// The parent, its parent, and so on. In a faulty feed, stops are their own or each other's parents: each is named
    /// once, and the stop itself never. The limit bounds long chains.
    func above(_ stop: Int) -> [Int] {
        var path: [Int] = []
        var next = self[stop]
        while let parent = next, parent != stop, !path.contains(parent), path.count < StoreSchema.mostParentLevels {
            path.append(parent)
            next = self[parent]
        }
        return path
    }

    // MARK: Noting

    /// Notes which cell of stops.txt to read.
    mutating func begin(_ plan: TablePlan) { cell = plan.table == "stop" ? plan.cell(of: "parent_station") : nil }

    /// Adds the stops of a block of the table that was begun.
    mutating func add(_ batch: CellBatch) {
        guard let cell else { return }
        for row in batch.rows {
            if let parent = row.integer(cell) { set(UInt32(clamping: parent), asParentOf: Int(row.id)) }
        }
    }

    /// Adds parents that the file lists after their stops.
    mutating func add(_ references: LateReferences) {
        guard cell != nil else { return }
        for (stop, parent) in references["parent_station"] ?? [] { set(parent, asParentOf: Int(stop)) }
    }

    private mutating func set(_ parent: UInt32, asParentOf stop: Int) {
        parents.extend(to: stop + 1, with: nil)
        parents[stop] = parent
    }
}
