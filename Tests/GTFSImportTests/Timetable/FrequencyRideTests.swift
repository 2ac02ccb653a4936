import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Compares what the importer gathers from frequencies while it reads them with what SQLite computes by trip.
@Suite("Frequencies are gathered while they pass")
struct FrequencyRideTests {
    private static let latest = """
        SELECT max((SELECT max(departure_time) FROM stop_time), COALESCE(max(f.end_time + COALESCE(r.length, 0)), 0))
        FROM frequency AS f LEFT JOIN (SELECT trip, max(departure_time) - min(departure_time) AS length
            FROM stop_time GROUP BY trip) AS r ON r.trip = f.trip
        """
    /// A trip without a usable row in frequencies.txt departs once.
    private static let departures = """
        SELECT sum(COALESCE((SELECT sum((end_time - start_time + headway_secs - 1) / headway_secs)
            FROM frequency AS f WHERE f.trip = s.trip AND start_time < end_time AND headway_secs > 0), 1)) FROM stop_time AS s
        """

    /// Twenty trips from one stop to another on one day. The rows of frequencies.txt name these trips or two unknown
    /// ones. Some times and headways are unusable.
    private func feed(_ random: inout SeededGenerator) throws -> LayeredFeed {
        let trips = 0..<20
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        for trip in trips {
            let end = "08:\(trip % 6)5:00"
            times += "t\(trip),08:00:00,08:00:00,s1,1\nt\(trip),\(end),\(end),s2,2\n"
        }
        var frequencies = "trip_id,start_time,end_time,headway_secs\n"
        func time(_ random: inout SeededGenerator) -> String {
            Int.random(in: 0..<10, using: &random) == 0
                ? ["", "soon"].randomElement(using: &random) ?? ""
                : "\(Int.random(in: 4..<28, using: &random)):\(Int.random(in: 10..<60, using: &random)):00"
        }
        for _ in 0..<Int.random(in: 1..<200, using: &random) {
            let trip = Int.random(in: 0..<22, using: &random)
            let headway = ["", "0", "600", "7", "-3", "x"].randomElement(using: &random) ?? ""
            frequencies += "t\(trip),\(time(&random)),\(time(&random)),\(headway)\n"
        }
        return try LayeredFeed([
            "trips.txt": "route_id,service_id,trip_id\n" + trips.map { "r,d,t\($0)\n" }.joined(),
            "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "d,1,1,1,1,1,1,1,20260301,20260301\n",
            "stop_times.txt": times, "frequencies.txt": frequencies,
        ])
    }

    @Test(arguments: 0..<20) func ridesAreThoseThatSQLiteCounts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = try feed(&random).imported()
        #expect(try store.rows("SELECT latest_time FROM feed") == store.rows(Self.latest), "seed \(seed)")
        let counted = try store.rows("SELECT sum(departures) FROM stop_departures")
        #expect(try counted == store.rows(Self.departures), "seed \(seed)")
    }

    /// The last vehicle starts before 11:00 and arrives an hour later, though the last departure says half an hour.
    @Test func `a ride ends with an arrival that is later than its departure`() throws {
        let store = try LayeredFeed([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,08:00:00,08:00:00,s1,1\n"
                + "t,09:00:00,08:30:00,s2,2\n",
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt,10:00:00,11:00:00,600\n",
        ]).imported()
        #expect(try store.rows("SELECT latest_time FROM feed") == ["\(12 * 3_600)"])
    }
}
