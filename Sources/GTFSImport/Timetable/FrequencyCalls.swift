// Unsafe: lends cells of its own to the record encoder.

import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// Fills `frequency_call` with the calls of trips that a usable row of frequencies.txt repeats, and counts their
/// departures.
///
/// Times count from the first call of the trip that has one: `start_time` is when the vehicle leaves it. Calls are read
/// trip by trip, sorted by stop as records, and written as pages: a third of the time of one INSERT … SELECT … ORDER BY.
final class FrequencyCalls {
    private let connection: Connection
    private let place: StorePlace
    private let departures: StopDepartures
    private let sorter: RecordSorter
    private var encoder = RecordEncoder(columns: 5)
    private var payloads = [Int64](repeating: 0, count: 5)
    private let tags = [UInt8](repeating: CellBatch.Tag.integer, count: 5)
    private var count = 0

    init(_ connection: Connection, in place: StorePlace, counting departures: StopDepartures) {
        self.connection = connection
        self.place = place
        self.departures = departures
        sorter = RecordSorter(in: place.space)
    }

    /// Writes the table's pages. No transaction may be open.
    func write() throws {
        try readTrips()
        guard count > 0 else { return }
        guard let root = try connection.rootPage(of: "frequency_call") else {
            throw ImportError(.bug, "\(place.path): table frequency_call was not made")
        }
        let file = try DatabaseFile(path: place.path, sums: place.sums)
        let tree = try file.tree(root: root)
        while let row = try sorter.next() {
            try tree.append(row.record)
            count -= 1
            if count & 0x3FFF == 0 { try place.check() }
        }
        try file.adopt(tree.finish())
    }

    private func readTrips() throws {
        let trips = try connection.prepare(
            """
            SELECT trip, sum((end_time - start_time + headway_secs - 1) / headway_secs) FROM frequency
            WHERE trip IS NOT NULL AND start_time < end_time AND headway_secs > 0 GROUP BY trip ORDER BY trip
            """)
        let isInstant = CallColumns.flexibleColumns.map { "\($0) IS NULL" }.joined(separator: " AND ")
        let calls = try connection.prepare(
            "SELECT stop, stop_sequence, arrival_time, departure_time FROM stop_time "
                + "WHERE trip = ? AND departure_time IS NOT NULL AND \(isInstant) ORDER BY stop_sequence")
        while try trips.step() {
            try place.cancellation.check()
            try add(calls, ofTrip: trips.integer(0), starts: trips.integer(1))
        }
    }

    /// A trip that repeats leaves once for each start, and not at its own times, which were counted before.
    private func add(_ calls: Statement, ofTrip trip: Int64, starts: Int64) throws {
        calls.bind(1, trip)
        defer { calls.reset() }
        var start: Int64?
        while try calls.step() {
            let departure = calls.integer(3)
            let first = start ?? departure
            start = first
            guard !calls.isNull(0) else { continue }
            let stop = calls.integer(0)
            payloads[0] = stop
            payloads[1] = trip
            payloads[2] = calls.integer(1)
            payloads[3] = (calls.isNull(2) ? departure : calls.integer(2)) - first
            payloads[4] = departure - first
            let record = encoder.encode(tags: tags, payloads: payloads, text: tags, otherText: tags)
            try sorter.append(record, parent: UInt32(clamping: stop), sequence: trip, number: 0)
            departures.add(starts - 1, callsAt: Int(stop), trip: Int(trip))
            count += 1
        }
    }
}
