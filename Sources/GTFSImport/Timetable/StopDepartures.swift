// Unsafe: reads cells where the reading stage left them, and lends two of its own to the record encoder.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// Counts how often vehicles leave each stop, over all service days: `stop_departures`, by which a search tells a main
/// station from a bus stop of the same name.
///
/// Trips' services are noted while trips pass. Stop times are counted while the index of departures is written, which
/// brings the stops in order: a look into an array for each of them.
final class StopDepartures {
    /// By the trip's id: its service, and after `begin(daysOfServices:)` how many days it runs.
    private var days: [UInt32] = []
    /// By the stop's id.
    private var departures: [Int64] = []
    private var serviceCell: Int?

    // MARK: Trips

    /// What is asked of a row of trips.txt.
    func begin(_ plan: TablePlan) {
        serviceCell = plan.table == "trip" ? plan.cellColumns.firstIndex(of: "service") : nil
    }

    /// Adds the trips of a block of the table that was begun.
    func add(_ batch: CellBatch, stride: Int) {
        guard let serviceCell else { return }
        for row in 0..<batch.rowCount {
            let (tags, payloads) = (batch.tags + row * stride, batch.payloads + row * stride)
            let trip = Int(payloads[0])
            if days.count < trip { days.append(contentsOf: repeatElement(0, count: trip - days.count)) }
            days.append(tags[serviceCell] == CellTag.integer ? UInt32(clamping: payloads[serviceCell]) : 0)
        }
    }

    /// All trips are known, and of each service how many days it has.
    func begin(daysOfServices: [UInt32]) {
        for trip in days.indices {
            let service = Int(days[trip])
            days[trip] = service < daysOfServices.count ? daysOfServices[service] : 0
        }
    }

    // MARK: Calls

    /// Counts stop times by keys of the index of departures: stop and 1, departure time, trip, sequence.
    ///
    /// Nothing waits for the look into the array, so that many of them are underway at once.
    func add(_ keys: UnsafeBufferPointer<SortKey>) {
        days.withUnsafeBufferPointer { days in
            var (stop, count) = (0, Int64(0))
            for key in keys {
                let next = Int(key.high >> 32) - 1
                if next != stop {
                    add(count, to: stop)
                    (stop, count) = (next, 0)
                }
                let trip = Int(key.low >> 32)
                count &+= trip < days.count ? Int64(days[trip]) : 0
            }
            add(count, to: stop)
        }
    }

    /// Takes a stop time out again.
    func remove(_ key: SortKey) { add(-1, callsAt: Int(key.high >> 32) - 1, trip: Int(key.low >> 32)) }

    /// Counts so many calls of a trip at a stop on each of its days.
    func add(_ calls: Int64, callsAt stop: Int, trip: Int) {
        guard trip < days.count else { return }
        add(calls.multipliedReportingOverflow(by: Int64(days[trip])).partialValue, to: stop)
    }

    /// `stop` is below 0 for a call without one.
    private func add(_ count: Int64, to stop: Int) {
        guard count != 0, stop >= 0 else { return }
        Self.grow(&departures, to: stop)
        departures[stop] &+= count
    }

    private static func grow(_ counts: inout [Int64], to stop: Int) {
        if counts.count <= stop { counts.append(contentsOf: repeatElement(0, count: stop + 1 - counts.count)) }
    }

    /// Counts what no index counted.
    func addAll(_ connection: Connection) throws(SQLiteError) {
        let calls = try connection.prepare("SELECT stop, trip FROM stop_time WHERE stop IS NOT NULL")
        while try calls.step() { add(1, callsAt: Int(calls.integer(0)), trip: Int(calls.integer(1))) }
    }

    // MARK: Writing

    /// Writes the table's pages. No transaction may be open. What leaves a platform leaves its station too.
    func write(_ connection: Connection, in place: StorePlace) throws {
        let totals = try totals(connection)
        guard totals.contains(where: { $0 > 0 }) else { return }
        guard let root = try connection.rootPage(of: "stop_departures") else {
            throw ImportError(.bug, at: place.path, ": table stop_departures was not made")
        }
        let file = try DatabaseFile(path: place.path, sums: place.sums)
        let tree = try file.tableTree(root: root)
        let tags = [CellTag.null, CellTag.integer]
        var payloads = [Int64](repeating: 0, count: tags.count)
        var encoder = RecordEncoder(columns: tags.count)
        for stop in totals.indices where totals[stop] > 0 {
            payloads[1] = totals[stop]
            try tree.append(encoder.encode(tags: tags, payloads: payloads, text: tags, otherText: tags), rowid: stop)
        }
        try file.adopt(tree.finish())
    }

    private func totals(_ connection: Connection) throws(SQLiteError) -> [Int64] {
        let parents = try parents(connection)
        var totals = departures
        for stop in departures.indices where departures[stop] > 0 && stop < parents.count {
            var above = parents[stop]
            // A feed's parents may go round in a circle.
            for _ in 0..<8 {
                guard let parent = above.map(Int.init), parent != stop else { break }
                Self.grow(&totals, to: parent)
                totals[parent] &+= departures[stop]
                above = parent < parents.count ? parents[parent] : nil
            }
        }
        return totals
    }

    /// By the stop's id, up to the last stop that has one.
    private func parents(_ connection: Connection) throws(SQLiteError) -> [UInt32?] {
        var parents: [UInt32?] = []
        let rows = try connection.prepare(
            "SELECT id, parent_station FROM stop WHERE parent_station IS NOT NULL ORDER BY id")
        while try rows.step() {
            let stop = Int(rows.integer(0))
            parents.append(contentsOf: repeatElement(nil, count: stop - parents.count))
            parents.append(UInt32(clamping: rows.integer(1)))
        }
        return parents
    }
}
