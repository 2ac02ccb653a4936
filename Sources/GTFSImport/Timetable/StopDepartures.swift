// Unsafe: reads cells where the reading stage left them, and lends two cells of its own to the record encoder.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// Counts the calls at each stop over all service days, last calls and calls without pickup included, for the table
/// `stop_departures`. A search uses it to tell a main station from a bus stop of the same name.
///
/// The service of each trip is noted while trips are loaded. Stop times are counted while the index of departures is
/// written, where they are in order of stop: each one costs an array lookup.
final class StopDepartures {
    /// By the trip's id: its service, and after `begin(daysOfServices:)` how many days it runs.
    private var days: [UInt32] = []
    /// By the service's id: whether any trip takes it; known after `begin(daysOfServices:)`.
    private(set) var isTaken: [Bool] = []
    /// Departures by the stop's id.
    private var departures: [Int64] = []
    /// By the stop's id: whether any trip calls there, even one that never runs.
    // Unchecked: no access lasts beyond a call of this class's own functions.
    @exclusivity(unchecked) private(set) var isCalled: [Bool] = []
    private var serviceCell: Int?
    /// Looks at the same calls.
    let headsigns: HeadsignWatch?

    init(headsigns: HeadsignWatch? = nil) { self.headsigns = headsigns }

    // MARK: Trips

    /// Notes which cell of trips.txt to read.
    func begin(_ plan: TablePlan) { serviceCell = plan.table == "trip" ? plan.cell(of: "service") : nil }

    /// Adds the trips of a block of the table that was begun.
    func add(_ batch: CellBatch) {
        guard let serviceCell else { return }
        for row in batch.rows {
            days.extend(to: Int(row.id), with: 0)
            days.append(row.integer(serviceCell).map { UInt32(clamping: $0) } ?? 0)
        }
    }

    /// Replaces each trip's service by that service's number of days. Call it when all trips and services are known.
    func begin(daysOfServices: [UInt32]) {
        var isTaken = [Bool](repeating: false, count: daysOfServices.count)
        days = days.map { service in
            guard Int(service) < daysOfServices.count else { return 0 }
            isTaken[Int(service)] = true
            return daysOfServices[Int(service)]
        }
        self.isTaken = isTaken
    }

    // MARK: Calls

    /// Counts stop times by their keys in the index of departures: stop, departure time, trip, sequence.
    ///
    /// No lookup depends on the one before, so the processor has many of them underway at once.
    func add(_ keys: UnsafeBufferPointer<SortKey>) {
        days.withUnsafeBufferPointer { days in
            var (stop, count) = (-1, Int64(0))
            for key in keys {
                let next = key.first.number
                if next != stop {
                    markCalled(next)
                    add(count, to: stop)
                    (stop, count) = (next, 0)
                }
                let trip = Int(key.low >> 32)
                count &+= trip < days.count ? Int64(days[trip]) : 0
            }
            add(count, to: stop)
        }
    }

    private func markCalled(_ stop: Int) {
        guard stop >= 0 else { return }
        isCalled.extend(to: stop + 1, with: false)
        isCalled[stop] = true
    }

    /// Counts `calls` calls of a trip at a stop on each of the trip's days.
    func add(_ calls: Int64, callsAt stop: Int, trip: Int) {
        guard trip < days.count else { return }
        add(calls.multipliedReportingOverflow(by: Int64(days[trip])).partialValue, to: stop)
    }

    /// `stop` is below 0 for a call without one.
    private func add(_ count: Int64, to stop: Int) {
        guard count != 0, stop >= 0 else { return }
        departures.extend(to: stop + 1, with: 0)
        departures[stop] &+= count
    }

    /// Counts all stop times from the table, if no index was written that could count them.
    func addAll(_ connection: Connection) throws {
        let calls = try connection.prepare("SELECT stop, trip, stop_sequence FROM stop_time WHERE stop IS NOT NULL")
        while try calls.step() {
            let (stop, trip) = (Int(calls.integer(0)), Int(calls.integer(1)))
            markCalled(stop)
            add(1, callsAt: stop, trip: trip)
            try headsigns?.look(atStop: stop, trip: trip, sequence: calls.integer(2))
        }
    }

    // MARK: Writing

    /// Writes the table's pages. No transaction may be open. A departure from a platform also counts for its station.
    func write(_ connection: Connection, _ parents: StopParents, in place: StorePlace) throws {
        let totals = totals(parents)
        guard totals.contains(where: { $0 > 0 }) else { return }
        let root = try connection.rootPage(ofTable: "stop_departures", in: place)
        let file = try DatabaseFile(of: place)
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

    private func totals(_ parents: StopParents) -> [Int64] {
        var totals = departures
        for stop in departures.indices where departures[stop] > 0 {
            for parent in parents.above(stop) {
                totals.extend(to: parent + 1, with: 0)
                totals[parent] &+= departures[stop]
            }
        }
        return totals
    }
}
