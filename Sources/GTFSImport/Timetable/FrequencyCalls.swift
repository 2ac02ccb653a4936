// Unsafe: reads records of stop times from pages into cells, and lends other cells to the record encoder.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// Fills `frequency_call` with the calls of trips that a usable row of frequencies.txt repeats, and counts their
/// departures. Also finds the earliest time of any vehicle and when the last one ends its ride.
///
/// Times count from the trip's first departure, which is at `start_time` for the first vehicle. Calls are read trip by
/// trip from the pages of `stop_time`, sorted by stop as records and written as pages. For 68,565 calls this takes 0.1
/// of the instructions of one INSERT … SELECT … ORDER BY; finding the last ride takes another 0.1.
final class FrequencyCalls {
    private let connection: Connection
    private let place: StorePlace
    private let repetitions: TripRepetitions
    private let departures: StopDepartures
    private let sorter: RecordSorter
    /// Nil for a feed without any time column.
    private let columns: CallColumns?
    private let stop: Int?
    private let cells: CellsOfRecord
    // Unchecked: no access lasts beyond a call of this class's own functions.
    @exclusivity(unchecked) private var encoder = RecordEncoder(columns: 5)
    private let payloads: UnsafeMutablePointer<Int64>
    private let tags: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private var count = 0
    /// When the last vehicle ends its ride; nil if there are no frequencies.
    private(set) var latest: Int64?
    /// The earliest time of a call if times go backwards to before the service day; else 0.
    private(set) var earliest: Int64 = 0

    /// `plan` is that of stop_times.txt.
    init(
        _ plan: TablePlan, repeating repetitions: TripRepetitions, _ connection: Connection, in place: StorePlace,
        counting departures: StopDepartures
    ) {
        self.repetitions = repetitions
        self.connection = connection
        self.place = place
        self.departures = departures
        columns = CallColumns(plan)
        stop = plan.cell(of: "stop")
        cells = CellsOfRecord(columns: columns?.count ?? 0)
        payloads = .allocate(capacity: 5)
        payloads.initialize(repeating: 0, count: 5)
        tags = .allocate(capacity: 5)
        tags.initialize(repeating: CellTag.integer, count: 5)
        sorter = RecordSorter(in: place.space)
    }

    deinit {
        payloads.deallocate()
        tags.deallocate()
    }

    /// Writes the table's pages. No transaction may be open.
    func write() throws {
        let file = try DatabaseFile(of: place)
        try readTrips(of: file)
        guard count > 0 else { return }
        let tree = try file.tree(root: connection.rootPage(ofTable: "frequency_call", in: place))
        while let row = try sorter.next() {
            try tree.append(row.record)
            count -= 1
            if count & 0x3FFF == 0 { try place.check() }
        }
        try file.adopt(tree.finish())
    }

    private func readTrips(of file: DatabaseFile) throws {
        let calls = try file.reader(root: connection.rootPage(ofTable: "stop_time", in: place))
        if let repetition = repetitions.ofNoTrip { note(Ride(), repetition) }
        try repetitions.forEachTrip { trip, repetition in
            try place.cancellation.check()
            try note(read(calls, ofTrip: trip, starts: repetition.starts), repetition)
        }
    }

    private func note(_ ride: Ride, _ repetition: TripRepetitions.Repetition) {
        latest = max(latest ?? .min, repetition.latestEnd + ride.length)
        if let start = repetition.firstStart { earliest = min(earliest, start + ride.least) }
    }

    private struct Ride {
        var length: Int64 = 0
        /// The earliest time of a call relative to the first departure; below 0 if times go backwards.
        var least: Int64 = 0
    }

    /// Reads the calls of a trip, adds them to the sorter if the trip starts at all, and returns the ride's extent.
    private func read(_ calls: IndexTreeReader, ofTrip trip: Int64, starts: Int64) throws -> Ride {
        guard let columns else { return Ride() }
        var least: Int64 = 0
        try calls.seek { RecordIntegers.value(of: $0, at: 0) ?? 0 < trip }
        var (first, last): (Int64?, Int64?) = (nil, nil)
        // If times go backwards, a ride may end later than `first` and `last` tell.
        var greatest: Int64 = 0
        var start: Int64?
        while let record = try calls.next() {
            cells.read(record)
            guard cells.payloads[0] == trip else { break }
            let (arrival, departure) = (cells.integer(columns.arrival), cells.integer(columns.departure))
            if let begin = arrival ?? departure { first = min(first ?? begin, begin) }
            if let end = departure ?? arrival { last = max(last ?? end, end) }
            guard starts > 0 else { continue }
            let stop = stop.flatMap(cells.integer)
            // The index of departures has counted each call as if the trip were not repeated.
            if let stop { departures.add(starts - 1, callsAt: Int(stop), trip: Int(trip)) }
            guard let departure, !columns.isFlexible(cells.tags) else { continue }
            let zero = start ?? departure
            start = zero
            guard let stop else { continue }
            payloads[0] = stop
            payloads[1] = trip
            payloads[2] = cells.payloads[1]
            payloads[3] = (arrival ?? departure) - zero
            payloads[4] = departure - zero
            least = min(least, payloads[3], payloads[4])
            greatest = max(greatest, payloads[3], payloads[4])
            try addCall()
        }
        return Ride(length: max((last ?? 0) - (first ?? 0), greatest), least: least)
    }

    /// Adds the call in `payloads`.
    private func addCall() throws(KeySortingError) {
        let record = encoder.encode(tags: tags, payloads: payloads, text: tags, otherText: tags)
        try sorter.append(record, parent: UInt32(clamping: payloads[0]), sequence: payloads[1], number: 0)
        count += 1
    }
}
