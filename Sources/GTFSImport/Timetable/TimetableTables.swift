import GTFSSchema
import ICU
import SQLite

/// What answers about departures need beside the feed's own rows: the time zone of each route, and the calls of trips
/// that repeat.
struct TimetableTables {
    let connection: Connection

    /// Sets `route.timezone`; returns the zone of trips without a route.
    ///
    /// A trip runs in the zone of its route's agency, or of the first agency where the route names none or an unknown
    /// one. A zone that does not exist counts as UTC.
    func setTimezones() throws(SQLiteError) -> String {
        let zones = try zones()
        let first = zones.first?.zone ?? "UTC"
        let update = try connection.prepare("UPDATE route SET timezone = ?1 WHERE agency IS ?2 OR ?2 IS NULL")
        update.bind(1, first)
        update.bindNull(2)
        try update.run()
        for (agency, zone) in zones where zone != first {
            update.bind(1, zone)
            update.bind(2, agency)
            try update.run()
        }
        return first
    }

    private func zones() throws(SQLiteError) -> [(agency: Int64, zone: String)] {
        let rows = try connection.prepare("SELECT id, timezone FROM agency ORDER BY id")
        var zones: [(agency: Int64, zone: String)] = []
        while try rows.step() {
            let zone = rows.text(1) ?? ""
            zones.append((rows.integer(0), TimeZones.isKnown(zone) ? zone : "UTC"))
        }
        return zones
    }

    /// Fills `frequency_call` with the calls of trips that a usable row of frequencies.txt repeats.
    ///
    /// Times count from the first call of the trip that has one: `start_time` is when the vehicle leaves it.
    func fillFrequencyCalls() throws(SQLiteError) {
        let flexible = CallColumns.flexibleColumns
        func hasInstant(_ name: String) -> String {
            "\(name).departure_time IS NOT NULL AND "
                + flexible.map { "\(name).\($0) IS NULL" }.joined(separator: " AND ")
        }
        try connection.execute(
            """
            INSERT INTO frequency_call
            SELECT c.stop, c.trip, c.stop_sequence, c.arrival_time - r.start, c.departure_time - r.start
            FROM (SELECT trip, (SELECT f.departure_time FROM stop_time AS f WHERE f.trip = u.trip AND \(hasInstant("f"))
                    ORDER BY f.stop_sequence LIMIT 1) AS start
                FROM (SELECT DISTINCT trip FROM frequency
                    WHERE trip IS NOT NULL AND start_time < end_time AND headway_secs > 0) AS u) AS r
            JOIN stop_time AS c ON c.trip = r.trip
            WHERE c.stop IS NOT NULL AND \(hasInstant("c"))
            ORDER BY c.stop, c.trip, c.stop_sequence
            """)
    }
}
