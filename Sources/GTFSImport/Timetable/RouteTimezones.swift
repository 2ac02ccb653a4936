import GTFSSchema
import ICU
import SQLite

/// The time zone of each route, which answers about departures need.
struct RouteTimezones {
    let connection: Connection

    /// Sets `route.timezone`; returns the zone of trips without a route.
    ///
    /// A trip runs in the zone of its route's agency, or of the first agency where the route names none or an unknown
    /// one. A zone that does not exist counts as UTC.
    func set() throws(SQLiteError) -> String {
        let zones = try zones()
        let first = zones.first?.zone ?? "UTC"
        // One look at each route, however many agencies and zones there are.
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
