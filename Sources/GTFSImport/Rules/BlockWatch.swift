// Unsafe: reads cells where the reading stage left them.

import Cells

/// Notes the blocks of trips, the kinds of vehicles on their lines, and when each trip of a block begins and ends,
/// while routes, trips and stop times pass.
///
/// Memory: 24 bytes for each trip, if any trip has a block.
final class BlockWatch {
    /// When a trip begins and ends, in seconds of its service day.
    struct Times {
        var firstArrival = Int32.min
        var firstDeparture = Int32.min
        var lastArrival = Int32.min
        var lastDeparture = Int32.min

        /// Whether its first and its last call have both times.
        var areKnown: Bool { firstArrival != .min }
    }

    /// A trip whose line has another kind of vehicle than that of the first trip of its block.
    struct OddTrip {
        let trip: Int64
        let first: Int64
    }

    private struct Trip {
        /// 0 for none.
        var block: UInt32 = 0
        var service: UInt32 = 0
    }

    private struct Block {
        let firstTrip: UInt32
        /// The route type of the first trip with a known line; or `unknown`, or `mixed`.
        var routeType: Int8
    }

    /// A route type that GTFS does not know, whatever its number.
    private static let otherType: Int8 = -1
    private static let unknown: Int8 = -2
    private static let mixed: Int8 = -3

    // Unchecked: no access lasts beyond a call of this class's own functions, which trips call one by one.
    /// By the route's id.
    @exclusivity(unchecked) private var routeTypes: [Int8] = []
    private let numbers = IdentifierMap()
    @exclusivity(unchecked) private var blocks: [Block] = []
    /// By the trip's id; empty without blocks.
    @exclusivity(unchecked) private var trips: [Trip] = []
    /// By the trip's id; empty without blocks.
    @exclusivity(unchecked) private var times: [Times] = []
    /// One for each block whose trips have lines with different kinds of vehicles, in the order of trips.txt.
    private(set) var oddTrips: [OddTrip] = []
    private var typeCell: Int?
    private var tripCells: (block: Int, service: Int?, route: Int?)?

    var hasBlocks: Bool { !blocks.isEmpty }

    // MARK: Routes and trips

    /// Notes which cells of routes.txt or trips.txt to read.
    func begin(_ plan: TablePlan) {
        typeCell = plan.table == "route" ? plan.cell(of: "route_type") : nil
        tripCells =
            plan.table == "trip"
            ? plan.cell(of: "block_id").map { ($0, plan.cell(of: "service"), plan.cell(of: "route")) } : nil
    }

    /// Adds the routes or trips of a block of rows of the table that was begun.
    func add(_ batch: CellBatch) {
        if let typeCell { addRoutes(batch, typeCell) }
        guard let tripCells else { return }
        for row in batch.rows {
            guard let name = row.text(tripCells.block) else { continue }
            add(
                row.id, block: name, service: tripCells.service.flatMap(row.integer),
                route: tripCells.route.flatMap(row.integer))
        }
    }

    private func addRoutes(_ batch: CellBatch, _ cell: Int) {
        for row in batch.rows {
            routeTypes.extend(to: Int(row.id), with: 0)
            routeTypes.append(row.integer(cell).map(Self.type) ?? 0)
        }
    }

    private static func type(_ number: Int64) -> Int8 {
        (0...7).contains(number) || (11...12).contains(number) ? Int8(number) : otherType
    }

    @inline(__always)
    private func add(_ trip: Int64, block name: UnsafeRawBufferPointer, service: Int64?, route: Int64?) {
        let known = numbers.insert(name, key: Int32(clamping: blocks.count))
        let block = known.map(Int.init) ?? blocks.count
        if known == nil { blocks.append(Block(firstTrip: UInt32(clamping: trip), routeType: Self.unknown)) }
        trips.extend(to: Int(trip), with: Trip())
        trips.append(Trip(block: UInt32(clamping: block + 1), service: UInt32(clamping: service ?? 0)))
        guard let route, route < routeTypes.count else { return }
        let (type, before) = (routeTypes[Int(route)], blocks[block].routeType)
        if type != before, before != Self.mixed { change(block, to: type, at: trip) }
    }

    private func change(_ block: Int, to type: Int8, at trip: Int64) {
        let isKnown = blocks[block].routeType != Self.unknown
        blocks[block].routeType = isKnown ? Self.mixed : type
        if isKnown { oddTrips.append(OddTrip(trip: trip, first: Int64(blocks[block].firstTrip))) }
    }

    // MARK: Calls

    /// Call it when all trips are known.
    func beginCalls() { times = [Times](repeating: Times(), count: trips.count) }

    /// Notes the times of a trip's first and last call. Noting a trip again overwrites what was noted of it.
    func end(_ look: SequenceLook, arrival: Int64) {
        let trip = Int(truncatingIfNeeded: look.parent)
        guard trip < times.count else { return }
        // The cell of a time that is missing has no value.
        guard look.first.areKnown, look.isTimed else { return times[trip] = Times() }
        times[trip] = Times(
            firstArrival: Int32(clamping: look.first.arrival), firstDeparture: Int32(clamping: look.first.departure),
            lastArrival: Int32(clamping: arrival), lastDeparture: Int32(clamping: look.departure))
    }

    /// Visits the trips of blocks whose times are known.
    func forEach(_ body: (_ trip: UInt32, _ block: UInt32, _ service: UInt32, Times) throws -> Void) rethrows {
        for trip in trips.indices where trips[trip].block != 0 && times.indices.contains(trip) && times[trip].areKnown {
            try body(UInt32(trip), trips[trip].block, trips[trip].service, times[trip])
        }
    }

    /// The service of a trip of a block.
    func service(of trip: UInt32) -> Int { Int(trips[Int(trip)].service) }

    /// The times of a trip of a block.
    func times(of trip: UInt32) -> Times { times[Int(trip)] }
}
