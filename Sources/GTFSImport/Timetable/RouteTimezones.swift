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
        let all = try connection.prepare("UPDATE route SET timezone = ?")
        all.bind(1, first)
        try all.run()
        // Once for each zone, not for each agency: routes are read through.
        let some = try connection.prepare(
            "UPDATE route SET timezone = ?1 WHERE agency IN (SELECT value FROM json_each(?2))")
        let agenciesByZone = Dictionary(grouping: zones, by: \.zone).sorted { $0.key < $1.key }
        for (zone, agencies) in agenciesByZone where zone != first {
            some.bind(1, zone)
            some.bind(2, "[\(agencies.map { String($0.agency) }.joined(separator: ","))]")
            try some.run()
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
}
