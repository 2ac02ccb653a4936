// Unsafe: reads cells where the reading stage left them.

import Cells
import GTFSSchema

/// Counts the rides of each trip that are too fast, while routes, trips and stop times pass.
///
/// Memory: 16 bytes for each stop, and one for each route and each trip; if any ride is too fast, four more for each
/// trip.
final class SpeedWatch {
    typealias FastTrip = (id: Int, topSpeed: Double, rides: FastRides)

    /// By the route's id: the class of its top speed.
    private var routes: [UInt8] = []
    /// By the trip's id: the class of its top speed.
    private var trips: [UInt8] = []
    /// By the trip's id, up to the last trip with any. Unchecked, as below: no access lasts beyond a call of this
    /// class's own functions.
    @exclusivity(unchecked) private var fastRides: [FastRides] = []
    private var typeCell: (isThere: Bool, cell: Int?) = (false, nil)
    private var routeCell: Int?
    /// Nil unless calls are looked at.
    private var cells: SpeedLook.Cells?
    private var times: StopTravelTimes?
    @exclusivity(unchecked) private var inFile = SpeedLook()
    @exclusivity(unchecked) private var byKey = SpeedLook()

    deinit { times?.deallocate() }

    /// Whether any trip may have rides that are too fast.
    var hasFastTrips: Bool { !fastRides.isEmpty }

    /// The trips that may have rides that are too fast, in the order of their ids, with their top speeds in km/h.
    var fastTrips: some Sequence<FastTrip> {
        fastRides.indices.lazy.filter { self.fastRides[$0] != FastRides() }
            .map { (id: $0, topSpeed: TopSpeed.of(self.trips[$0]), rides: self.fastRides[$0]) }
    }

    // MARK: Routes and trips

    /// Notes which cells of routes.txt or trips.txt to read.
    func begin(_ plan: TablePlan) {
        typeCell = (plan.table == "route", plan.cell(of: "route_type"))
        routeCell = plan.table == "trip" ? plan.cell(of: "route") : nil
    }

    /// Adds the rows of a block of the table that was begun.
    func add(_ batch: CellBatch) {
        if typeCell.isThere {
            add(batch, to: &routes) { TopSpeed.kind(ofRouteType: typeCell.cell.flatMap($0.integer)) }
        }
        guard let routeCell else { return }
        add(batch, to: &trips) { row in
            guard let route = row.integer(routeCell).map(Int.init), routes.indices.contains(route) else { return 0 }
            return routes[route]
        }
    }

    private func add(_ batch: CellBatch, to kinds: inout [UInt8], _ kind: (CellRow) -> UInt8) {
        for row in batch.rows {
            kinds.extend(to: Int(row.id), with: 0)
            kinds.append(kind(row))
        }
    }

    /// The class of a trip's top speed; 0 for a trip without a line.
    func kind(of trip: Int) -> UInt8 { trips.indices.contains(trip) ? trips[trip] : 0 }

    // MARK: Calls

    /// Call it when all stops and trips are known.
    func beginCalls(_ plan: TablePlan, _ places: StopPlaces) {
        cells = SpeedLook.Cells(plan)
        guard cells != nil, times == nil else { return }
        times = StopTravelTimes(places)
    }

    /// Looks at calls in the order of the file.
    func look(at batch: CellBatch) {
        guard let cells, let times else { return }
        // Known numbers of cells save a tenth of the instructions.
        if cells.areUsual {
            look(at: batch, SpeedLook.Cells.usual, times)
        } else {
            look(at: batch, cells, times)
        }
    }

    @inline(__always)
    private func look(at batch: CellBatch, _ cells: SpeedLook.Cells, _ times: StopTravelTimes) {
        var look = inFile
        for row in batch.rows {
            let (tags, payloads) = (row.tags, row.payloads)
            if !look.follows(tags, payloads, cells, times) { lookClosely(&look, tags, payloads, cells, times) }
        }
        inFile = look
    }

    /// Takes the record of a call in the order of the keys. False if it must be looked at by its cells.
    @inline(__always)
    func follows(_ record: UnsafeRawBufferPointer, of trip: UInt32) -> Bool {
        guard let times, let cells, cells.areUsual else { return cells == nil }
        return byKey.follows(record, of: Int64(trip), times)
    }

    /// Looks at a call in the order of the keys. What was found in the order of the file does not count for its trip.
    func lookAgain(at tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>) {
        guard let cells, let times else { return }
        if byKey.follows(tags, payloads, cells, times) { return }
        let trip = Int(payloads[0])
        if payloads[0] != byKey.trip, fastRides.indices.contains(trip) { fastRides[trip] = FastRides() }
        lookClosely(&byKey, tags, payloads, cells, times)
    }

    /// Call it when all calls have passed in the order of the file, before any record.
    func endFile() { end(inFile) }

    /// Call it when all calls are stored.
    func finish() { end(byKey) }

    @inline(never)
    private func lookClosely(
        _ look: inout SpeedLook, _ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>,
        _ cells: SpeedLook.Cells, _ times: StopTravelTimes
    ) {
        if payloads[0] != look.trip {
            end(look)
            let trip = Int(payloads[0])
            look.begin(payloads[0], kind(of: trip), times)
        }
        if look.kind != 0 { look.lookClosely(tags, payloads, cells, times) }
    }

    private func end(_ look: SpeedLook) {
        let rides = look.findings
        guard rides != FastRides() else { return }
        fastRides.extend(to: Int(look.trip) + 1, with: FastRides())
        fastRides[Int(look.trip)] = rides
    }
}

/// The rides of a trip that are too fast.
struct FastRides: Equatable {
    /// The count, above a bit for each flag: many trips of a feed may have such rides.
    private var bits: UInt32 = 0

    /// From one stop to the next.
    var count: Int { Int(bits >> 2) }

    /// Whether there is one over a far distance.
    var hasFar: Bool {
        get { bits & 1 != 0 }
        set { bits = bits & ~1 | (newValue ? 1 : 0) }
    }

    /// Whether only a review can tell all of this.
    var areUncertain: Bool {
        get { bits & 2 != 0 }
        set { bits = bits & ~2 | (newValue ? 2 : 0) }
    }

    mutating func add(_ rides: Int) { bits &+= UInt32(truncatingIfNeeded: rides) << 2 }
}
