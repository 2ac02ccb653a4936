import GTFSSchema
import SQLite

/// Counts how often vehicles leave each stop, over all service days: `stop_departures`, by which a search tells a main
/// station from a bus stop of the same name.
///
/// Counted while the index of departures is written, which brings the stops in order: a look into an array for each
/// stop time.
final class StopDepartures {
    /// How many days each trip runs, by the trip's id.
    private var days: [UInt32] = []
    /// By the stop's id.
    private var departures: [Int64] = []

    /// Reads how many days each trip runs. `service_day` and `trip` must be complete.
    init(_ connection: Connection) throws(SQLiteError) {
        var daysOfSet: [Int64: UInt32] = [:]
        let sets = try connection.prepare("SELECT day_set, count(*) FROM service_day GROUP BY day_set")
        while try sets.step() { daysOfSet[sets.integer(0)] = UInt32(clamping: sets.integer(1)) }
        var daysOfService: [Int64: UInt32] = [:]
        let services = try connection.prepare("SELECT id, day_set FROM service WHERE day_set IS NOT NULL")
        while try services.step() { daysOfService[services.integer(0)] = daysOfSet[services.integer(1)] ?? 0 }
        let trips = try connection.prepare("SELECT id, service FROM trip ORDER BY id")
        while try trips.step() {
            let trip = Int(trips.integer(0))
            while days.count < trip { days.append(0) }
            days.append(daysOfService[trips.integer(1)] ?? 0)
        }
    }

    /// Counts a stop time.
    @inline(__always)
    func add(stop: Int, trip: Int) {
        guard trip < days.count else { return }
        add(Int64(days[trip]), to: stop)
    }

    @inline(__always)
    private func add(_ count: Int64, to stop: Int) {
        while departures.count <= stop { departures.append(0) }
        departures[stop] += count
    }

    /// Counts what no index counted.
    func addAll(_ connection: Connection) throws(SQLiteError) {
        let calls = try connection.prepare("SELECT stop, trip FROM stop_time WHERE stop IS NOT NULL")
        while try calls.step() { add(stop: Int(calls.integer(0)), trip: Int(calls.integer(1))) }
    }

    /// Trips that repeat leave once for each start, and not at their own times.
    func addRepetitions(_ connection: Connection) throws(SQLiteError) {
        let calls = try connection.prepare(
            """
            SELECT c.stop, c.trip, (SELECT sum((f.end_time - f.start_time + f.headway_secs - 1) / f.headway_secs)
                FROM frequency AS f WHERE f.trip = c.trip AND f.start_time < f.end_time AND f.headway_secs > 0) - 1
            FROM frequency_call AS c
            """)
        while try calls.step() {
            let (stop, trip) = (Int(calls.integer(0)), Int(calls.integer(1)))
            guard trip < days.count else { continue }
            add(Int64(days[trip]).multipliedReportingOverflow(by: calls.integer(2)).partialValue, to: stop)
        }
    }

    /// Fills the table. What leaves a platform leaves its station too.
    func write(_ connection: Connection) throws(SQLiteError) {
        let parents = try parents(connection)
        var totals = departures
        for stop in departures.indices where departures[stop] > 0 {
            var above = parents[stop]
            // A feed's parents may go round in a circle.
            for _ in 0..<8 {
                guard let parent = above, parent != stop else { break }
                while totals.count <= parent { totals.append(0) }
                totals[parent] += departures[stop]
                above = parents[parent]
            }
        }
        let insert = try connection.prepare("INSERT INTO stop_departures(stop, departures) VALUES (?, ?)")
        for stop in totals.indices where totals[stop] > 0 {
            insert.bind(1, Int64(stop))
            insert.bind(2, totals[stop])
            try insert.run()
        }
    }

    private func parents(_ connection: Connection) throws(SQLiteError) -> [Int: Int] {
        var parents: [Int: Int] = [:]
        let rows = try connection.prepare("SELECT id, parent_station FROM stop WHERE parent_station IS NOT NULL")
        while try rows.step() { parents[Int(rows.integer(0))] = Int(rows.integer(1)) }
        return parents
    }
}
