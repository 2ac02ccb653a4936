import SQLite
import Testing

@testable import TransitStore

/// Keys that only a damaged store has do not end the process: the other departures are as without them.
@Suite struct DamagedKeyTests {
    /// Ten trips, an hour apart, of a service that runs every day of a year.
    private static func imported() throws -> ImportedStore {
        let hours = (6..<16).map { $0 < 10 ? "0\($0)" : "\($0)" }
        let calls = hours.map { "t\($0),\($0):00:00,\($0):00:00,a,1\nt\($0),\($0):30:00,\($0):30:00,b,2" }
        return try ImportedStore(files: [
            "agency.txt": "agency_name,agency_url,agency_timezone\nA,http://a.example,UTC",
            "routes.txt": "route_id,route_short_name,route_type\nr,1,3",
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\na,A,52.5,13.4\nb,B,52.6,13.5",
            "calendar.txt":
                "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "s,1,1,1,1,1,1,1,20260101,20261231",
            "trips.txt": "route_id,service_id,trip_id\n" + hours.map { "r,s,t\($0)" }.joined(separator: "\n"),
            "stop_times.txt":
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + calls.joined(separator: "\n"),
        ])
    }

    /// The trips that depart on a day, asked for often enough that the connection knows its services.
    private func trips(after damage: String) throws -> [String] {
        let imported = try Self.imported()
        let connection = try Connection(path: imported.path, mode: .create)
        try connection.execute("PRAGMA journal_mode = OFF; " + damage)
        let context = try imported.context()
        let request = DepartureRequest(.stops(["a"]), on: ServiceDate(20_260_701))
        for _ in 0..<3 { _ = try context.departures(request) }
        return try context.departures(request).map(\.tripID)
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "1e300", "1.5", "-1"])
    func `a trip with an impossible service does not run`(service: String) throws {
        let trips = try trips(after: "UPDATE trip SET service = \(service) WHERE trip_id = 't09'")
        #expect(trips == ["t06", "t07", "t08", "t10", "t11", "t12", "t13", "t14", "t15"])
    }

    @Test func `trips that leave at one instant are ordered, whatever their keys`() throws {
        let key = "-9223372036854775808"
        let trips = try trips(
            after: """
                UPDATE trip SET id = \(key) WHERE trip_id = 't09';
                UPDATE stop_time SET trip = \(key), arrival_time = arrival_time + 3600,
                departure_time = departure_time + 3600 WHERE trip = (SELECT id FROM trip WHERE trip_id = 't10') - 1
                """)
        #expect(Set(trips).count == 10)
    }
}
