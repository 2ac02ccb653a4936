import Cells
import GTFSSchema
import SQLite
import SystemFiles

/// Notes stops and pathways while they pass, and tells which places within stations cannot be reached by pathways from
/// an entrance, or from which no entrance can be reached.
///
/// A query would take longer than importing the pathways. Memory: a byte for each stop, and 9 bytes for each pathway.
struct PathwayWatch {
    /// What a place lacks, as the rule's message knows it.
    enum Lack: Int64 {
        case wayIn = 1
        case wayOut = 2
        case both = 3
    }

    private static let noType: UInt8 = 0xFF
    private static let (platform, station, entrance, node, boardingArea) =
        (UInt8(0), UInt8(1), UInt8(2), UInt8(3), UInt8(4))
    private static let unknown = UInt32.max

    /// `location_type` by the stop's id.
    private var types: [UInt8] = []
    /// The ends of each pathway by the stops' ids, `unknown` for a stop that the feed lacks.
    private var (froms, tos): ([UInt32], [UInt32]) = ([], [])
    /// By the pathway's place in the lists.
    private var areTwoWay: [Bool] = []
    private var typeCell: Int?
    private var cells: (from: Int, to: Int, isBidirectional: Int?)?

    var hasPathways: Bool { !froms.isEmpty }

    /// Notes which cells of stops.txt or pathways.txt to read.
    mutating func begin(_ plan: TablePlan) {
        typeCell = plan.table == "stop" ? plan.cell(of: "location_type") : nil
        cells = nil
        // Without types there is no station.
        guard plan.table == "pathway", !types.isEmpty, let from = plan.cell(of: "from_stop"),
            let to = plan.cell(of: "to_stop")
        else {
            return
        }
        cells = (from, to, plan.cell(of: "is_bidirectional"))
    }

    /// Looks at the rows of a block of the table that was begun.
    mutating func look(at batch: CellBatch) {
        if let typeCell { addTypes(batch, typeCell) }
        guard let cells else { return }
        for row in batch.rows {
            froms.append(row.integer(cells.from).map { UInt32(clamping: $0) } ?? Self.unknown)
            tos.append(row.integer(cells.to).map { UInt32(clamping: $0) } ?? Self.unknown)
            areTwoWay.append(cells.isBidirectional.flatMap(row.integer) == 1)
        }
    }

    private mutating func addTypes(_ batch: CellBatch, _ cell: Int) {
        for row in batch.rows {
            types.extend(to: Int(row.id), with: Self.noType)
            types.append(row.integer(cell).map { UInt8(exactly: $0) ?? Self.noType } ?? Self.platform)
        }
    }

    // MARK: Reaching places

    /// Visits the places that lack a way in or out, in the order of their ids. They are nodes, boarding areas, and
    /// platforms without boarding areas, in stations that have pathways.
    func forEachUnreachable(_ parents: StopParents, _ body: (_ stop: Int64, Lack) throws -> Void) rethrows {
        var (stations, withChildren) = (BitSet(upTo: types.count), BitSet(upTo: types.count))
        for stop in froms + tos {
            if let station = station(of: stop, parents) { stations.insert(station) }
        }
        for parent in parents.stops.lazy.compactMap({ parents[$0] }) { withChildren.insert(parent) }
        let (entered, left) = (reached(from: froms, to: tos), reached(from: tos, to: froms))
        for stop in types.indices {
            let type = types[stop]
            let isMeant =
                type == Self.node || type == Self.boardingArea || type == Self.platform && !withChildren.contains(stop)
            guard isMeant, !entered.contains(stop) || !left.contains(stop),
                let station = station(of: UInt32(stop), parents), stations.contains(station)
            else { continue }
            let lack: Lack = entered.contains(stop) ? .wayOut : left.contains(stop) ? .wayIn : .both
            try body(Int64(stop), lack)
        }
    }

    /// The station that a place is or lies in, at most two levels above.
    private func station(of stop: UInt32, _ parents: StopParents) -> Int? {
        var place = Int(stop)
        for _ in 0..<3 {
            guard types.indices.contains(place) else { return nil }
            if types[place] == Self.station { return place }
            guard let parent = parents[place] else { return nil }
            place = parent
        }
        return nil
    }

    /// The entrances and all places to which pathways lead from them, in the direction of `froms` to `tos`.
    private func reached(from froms: [UInt32], to tos: [UInt32]) -> BitSet {
        let ways = Ways(froms, tos, areTwoWay, stops: types.count)
        var reached = BitSet(upTo: types.count)
        var open = types.indices.filter { types[$0] == Self.entrance }.map { UInt32($0) }
        for stop in open { reached.insert(Int(stop)) }
        while let stop = open.popLast() {
            for next in ways.from(Int(stop)) where !reached.contains(Int(next)) {
                reached.insert(Int(next))
                open.append(next)
            }
        }
        return reached
    }
}

/// Where one can go from each stop, as one list with the place where each stop's part begins.
private struct Ways {
    private var starts: [Int]
    private var targets: [UInt32]

    init(_ froms: [UInt32], _ tos: [UInt32], _ areTwoWay: [Bool], stops: Int) {
        var starts = [Int](repeating: 0, count: stops + 1)
        func forEachWay(_ body: (_ from: Int, _ to: UInt32) -> Void) {
            for way in froms.indices where froms[way] < stops && tos[way] < stops {
                body(Int(froms[way]), tos[way])
                if areTwoWay[way] { body(Int(tos[way]), froms[way]) }
            }
        }
        forEachWay { from, _ in starts[from + 1] += 1 }
        for stop in 0..<stops { starts[stop + 1] += starts[stop] }
        var targets = [UInt32](repeating: 0, count: starts[stops])
        var places = starts
        forEachWay { from, to in
            targets[places[from]] = to
            places[from] += 1
        }
        (self.starts, self.targets) = (starts, targets)
    }

    func from(_ stop: Int) -> ArraySlice<UInt32> { targets[starts[stop]..<starts[stop + 1]] }
}

/// The rule about places that cannot be reached by pathways.
struct PathwayRules: ComparedRule {
    /// The word in schema/rules.tsv.
    private static let unreachable = "unreachable"

    let connection: Connection
    let watch: PathwayWatch
    let parents: StopParents

    var words: Set<String> { [Self.unreachable] }

    /// Whether any place may have the fault that this word of a rule names.
    func mayFind(_ word: String) -> Bool { word == Self.unreachable && watch.hasPathways }

    /// Notes what breaks rules of one table.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        for rule in rules where rule.comparison == Self.unreachable {
            let findings = RuleFindings(rule, connection)
            try watch.forEachUnreachable(parents) { stop, lack in
                try findings.add(row: stop, lack.rawValue, times: 1, &notices)
            }
        }
    }
}
