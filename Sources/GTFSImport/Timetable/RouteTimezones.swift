import GTFSSchema
import ICU
import SQLite

/// Determines the time zone of each route; queries for departures need it.
struct RouteTimezones {
    let connection: Connection

    /// Sets `route.timezone` and returns the zone of trips without a route.
    ///
    /// A trip runs in the zone of its route's agency. If the route names no agency or an unknown one, the first
    /// agency's zone applies. A zone that does not exist counts as UTC.
    func set() throws(SQLiteError) -> String {
        let zones = try zones()
        let first = zones.first?.zone ?? "UTC"
        // Visits each route once, however many agencies and zones there are.
        try connection.execute("CREATE TEMP TABLE agency_zone(agency INTEGER PRIMARY KEY, zone TEXT)")
        let others = try connection.prepare("INSERT INTO temp.agency_zone VALUES(?, ?)")
        for (agency, zone) in zones where zone != first {
            others.bind(1, agency)
            others.bind(2, zone)
            try others.run()
        }
        let update = try connection.prepare(
            "UPDATE route SET timezone = COALESCE("
                + "(SELECT zone FROM temp.agency_zone AS z WHERE z.agency = route.agency), ?)")
        update.bind(1, first)
        try update.run()
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
}
