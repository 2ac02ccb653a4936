// Unsafe: which cells of a call have a kept value is noted in memory that is allocated once.

import Cells
import GTFSSchema
import SQLite
import SQLitePages

/// Finds the calls that break a rule, trip by trip in the order of their sequence. A call counts as the feed has it:
/// without the times that the importer filled in, and with the values that no column could store.
///
/// Reads the table's pages itself: SQL would compare each call with the one before by window functions.
final class CallReview {
    /// Receives a call that breaks rules, and the sequences of the trip's last departure and distance before it.
    typealias Finding = (
        _ faults: CallFaults, _ trip: Int64, _ sequence: Int64, _ before: (departure: Int64, distance: Int64)
    ) throws -> Void

    private struct Call {
        var faults: CallFaults = []
        var sequence: Int64 = 0
        /// The sequences of the trip's last departure and distance before this call.
        var before: (departure: Int64, distance: Int64) = (0, 0)
        /// What is wrong if the call is the first or the last of its trip.
        var edge: CallFaults = []
        /// What is wrong if the trip has no other call.
        var alone: CallFaults = []
    }

    /// A value of an earlier call of the trip and that call's sequence.
    private struct Earlier<Value> {
        let value: Value
        let sequence: Int64
    }

    private let reader: IndexTreeReader
    private let kept: KeptKeys
    private let columns: ReviewedColumns
    private let check: () throws -> Void
    private let cells: CellsOfRecord
    /// Where a row has a kept value.
    private let isKept: UnsafeMutablePointer<Bool>
    private var hasKept = false
    private var departure: Earlier<Int64>?
    private var distance: Earlier<Double>?
    /// The faults of calls with windows, by their trip, if its route has continuous pickup or drop-off.
    private let continuousTrips: [Int64: CallFaults]

    /// `plan` is that of stop_times.txt. Windows are compared with the routes only if `seekingContinuous`.
    init(
        _ plan: TablePlan, _ stored: StoredSequences, _ connection: Connection, in place: StorePlace,
        keptColumns: StoreSchema.KeptColumns?, seekingContinuous: Bool
    ) throws {
        reader = try stored.reader(ofTable: plan.table)
        kept = try KeptKeys(keptColumns, connection)
        columns = ReviewedColumns(plan)
        cells = CellsOfRecord(columns: columns.count)
        continuousTrips = seekingContinuous ? try Self.continuousTrips(connection) : [:]
        check = place.check
        isKept = .allocate(capacity: cells.count)
        isKept.initialize(repeating: false, count: cells.count)
    }

    private static func continuousTrips(_ connection: Connection) throws(SQLiteError) -> [Int64: CallFaults] {
        let rows = try connection.prepare(
            "SELECT trip.id, ifnull(line.continuous_pickup IN (0, 2, 3), 0) FROM trip JOIN route AS line "
                + "ON line.id = trip.route WHERE line.continuous_pickup IN (0, 2, 3) "
                + "OR line.continuous_drop_off IN (0, 2, 3)")
        var trips: [Int64: CallFaults] = [:]
        while try rows.step() {
            trips[rows.integer(0)] = rows.integer(1) == 1 ? .windowOnContinuousPickup : .windowOnContinuousDropOff
        }
        return trips
    }

    deinit {
        isKept.deallocate()
    }

    /// Visits the calls that break a rule. Call it once.
    func forEach(_ body: Finding) throws {
        var (trip, call): (Int64?, Call) = (nil, Call())
        var interval = CheckInterval()
        while let record = try reader.next() {
            if interval.isOver() { try check() }
            try read(record)
            let isFirst = cells.payloads[0] != trip
            if let trip {
                if isFirst { call.faults.formUnion(call.edge.union(call.alone)) }
                if !call.faults.isEmpty { try body(call.faults, trip, call.sequence, call.before) }
            }
            if isFirst { (trip, departure, distance) = (cells.payloads[0], nil, nil) }
            call = judged(isFirst: isFirst)
        }
        guard let trip else { return }
        call.faults.formUnion(call.edge.union(call.alone))
        if !call.faults.isEmpty { try body(call.faults, trip, call.sequence, call.before) }
    }

    private func read(_ record: UnsafeRawBufferPointer) throws {
        cells.read(record)
        columns.times?.blankFilled(cells)
        if hasKept { isKept.update(repeating: false, count: cells.count) }
        hasKept = false
        guard kept.mayFollow else { return }
        try kept.forEach(ofRow: cells.payloads[0], cells.payloads[1]) { number in
            guard let cell = columns.cell(ofColumn: number) else { return }
            isKept[cell] = true
            hasKept = true
        }
    }

    // MARK: The call at hand

    private func integer(_ cell: Int?) -> Int64? { cell.flatMap(cells.integer) }

    /// Whether the feed has a value, stored or kept.
    private func has(_ cell: Int?) -> Bool { cell.map { cells.tags[$0] != CellTag.null || isKept[$0] } ?? false }

    private func judged(isFirst: Bool) -> Call {
        var call = Call()
        call.sequence = cells.payloads[1]
        call.before = (departure?.sequence ?? 0, distance?.sequence ?? 0)
        judgeTimes(&call)
        if isFirst { call.faults.formUnion(call.edge) }
        if has(columns.stop) { judgeDistance(&call) }
        judgePlaces(&call)
        if has(columns.windowStart) || has(columns.windowEnd) {
            judgeWindow(&call)
            judgeTypes(&call, isFirst: isFirst)
        }
        return call
    }

    private func judgeTimes(_ call: inout Call) {
        let (hasArrival, hasDeparture) = (has(columns.arrival), has(columns.departure))
        if hasArrival, !hasDeparture { call.faults.insert(.onlyArrival) }
        if hasDeparture, !hasArrival { call.faults.insert(.onlyDeparture) }
        if let arrival = integer(columns.arrival), let departure, arrival < departure.value {
            call.faults.insert(.arrivalBeforeDeparture)
        }
        if let time = integer(columns.departure) { departure = Earlier(value: time, sequence: cells.payloads[1]) }
        if !has(columns.windowStart), !has(columns.windowEnd) {
            if !hasArrival { call.edge.insert(.edgeWithoutArrival) }
            if !hasDeparture { call.edge.insert(.edgeWithoutDeparture) }
        }
        if hasArrival || hasDeparture, columns.timepoint != nil, !has(columns.timepoint) {
            call.faults.insert(.withoutTimepoint)
        }
        guard integer(columns.timepoint) == 1 else { return }
        if !hasArrival { call.faults.insert(.exactWithoutArrival) }
        if !hasDeparture { call.faults.insert(.exactWithoutDeparture) }
    }

    /// Only for calls at stops: others have no distance that could be compared.
    private func judgeDistance(_ call: inout Call) {
        guard let cell = columns.distance else { return }
        let number = cells.number(cell) ?? .nan
        if let distance, distance.value >= number { call.faults.insert(.distanceNotGreater) }
        distance = Earlier(value: number, sequence: cells.payloads[1])
    }

    /// An unreadable distance, which only kept_value has, counts as missing.
    private func judgePlaces(_ call: inout Call) {
        let (hasStop, hasGroup, hasLocation) = (has(columns.stop), has(columns.group), has(columns.location))
        guard hasGroup || hasLocation else { return }
        if hasStop || hasGroup && hasLocation { call.faults.insert(.severalPlaces) }
        if !hasStop, columns.distance.flatMap(cells.number) != nil { call.faults.insert(.distanceWithoutStop) }
    }

    private func judgeWindow(_ call: inout Call) {
        if has(columns.arrival) || has(columns.departure) { call.faults.insert(.timeInWindow) }
        if !has(columns.windowStart) { call.faults.insert(.windowWithoutStart) }
        if !has(columns.windowEnd) { call.faults.insert(.windowWithoutEnd) }
        if let start = integer(columns.windowStart), let end = integer(columns.windowEnd), start >= end {
            call.faults.insert(.windowNotOpen)
        }
        if let faults = continuousTrips[cells.payloads[0]] { call.faults.formUnion(faults) }
    }

    /// An empty type means 0, as scheduled.
    private func judgeTypes(_ call: inout Call, isFirst: Bool) {
        let pickup = has(columns.pickupType) ? integer(columns.pickupType) : 0
        let dropOff = has(columns.dropOffType) ? integer(columns.dropOffType) : 0
        let hasWindow = has(columns.windowStart) && has(columns.windowEnd)
        if isFirst, hasWindow, pickup == 2, dropOff == 2 { call.alone = .onlyCallOnDemand }
        if pickup == 0 || pickup == 3 { call.faults.insert(.pickupInWindow) }
        if dropOff == 0 { call.faults.insert(.dropOffInWindow) }
        if pickup == 2, has(columns.windowStart), !has(columns.pickupBookingRule) {
            call.faults.insert(.pickupWithoutBookingRule)
        }
        if dropOff == 2, has(columns.windowEnd), !has(columns.dropOffBookingRule) {
            call.faults.insert(.dropOffWithoutBookingRule)
        }
    }
}

/// Where a record of stop times has what the rules ask for; nil for columns that the file lacks.
private struct ReviewedColumns {
    let times: CallColumns?
    let arrival: Int?
    let departure: Int?
    let stop: Int?
    let group: Int?
    let location: Int?
    let timepoint: Int?
    let distance: Int?
    let windowStart: Int?
    let windowEnd: Int?
    let pickupType: Int?
    let dropOffType: Int?
    let pickupBookingRule: Int?
    let dropOffBookingRule: Int?
    /// How many columns of a record to read.
    let count: Int
    private let cellsOfColumns: [Int]

    init(_ plan: TablePlan) {
        times = CallColumns(plan)
        (arrival, departure) = (plan.cell(of: "arrival_time"), plan.cell(of: "departure_time"))
        (stop, group, location) = (plan.cell(of: "stop"), plan.cell(of: "location_group"), plan.cell(of: "location"))
        (timepoint, distance) = (plan.cell(of: "timepoint"), plan.cell(of: "shape_dist_traveled"))
        windowStart = plan.cell(of: "start_pickup_drop_off_window")
        windowEnd = plan.cell(of: "end_pickup_drop_off_window")
        (pickupType, dropOffType) = (plan.cell(of: "pickup_type"), plan.cell(of: "drop_off_type"))
        pickupBookingRule = plan.cell(of: "pickup_booking_rule")
        dropOffBookingRule = plan.cell(of: "drop_off_booking_rule")
        count = max(plan.stride, times?.count ?? 0)
        cellsOfColumns = plan.columns.map(\.cell)
    }

    /// The cell of a column by its number in `numbered_value`.
    func cell(ofColumn number: Int) -> Int? { cellsOfColumns.indices.contains(number) ? cellsOfColumns[number] : nil }
}
