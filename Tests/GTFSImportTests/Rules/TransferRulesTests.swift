import TestSupport
import Testing

@testable import GTFSImport

/// The rules about transfers between trips, against SQL that looks at every call.
@Suite struct TransferRulesTests {
    private static let stops = (0..<12).map { "s\($0)" }
    private static let trips = (0..<20).map { "t\($0)" }

    /// Stations, platforms of stations and of other platforms, entrances, and places of unknown kinds and parents.
    private static func places(_ random: inout SeededGenerator) -> String {
        "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
            + stops.map { stop in
                let kind = ["", "0", "0", "1", "1", "2", "4", "far"].randomElement(using: &random) ?? ""
                let parent =
                    Int.random(in: 0..<3, using: &random) == 0 ? "" : "s\(Int.random(in: 0...12, using: &random))"
                return "\(stop),Stop,50.1,8.1,\(kind),\(parent)\n"
            }.joined()
    }

    private static func calls(_ random: inout SeededGenerator) -> String {
        var rows = trips.dropLast(3).flatMap { trip in
            (1...Int.random(in: 1...6, using: &random)).map { sequence in
                "\(trip),06:0\(sequence):00,06:0\(sequence):00,s\(Int.random(in: 0...12, using: &random)),\(sequence)\n"
            }
        }
        if Bool.random(using: &random) { rows.shuffle(using: &random) }
        return "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + rows.joined()
    }

    private static func transfers(_ random: inout SeededGenerator) -> String {
        func name(_ prefix: String, _ most: Int) -> String {
            let number = Int.random(in: -2...most, using: &random)
            return number < 0 ? "" : "\(prefix)\(number)"
        }
        let rows = (0..<200).map { _ in
            "\(name("s", 12)),\(name("s", 12)),\([0, 4, 5].randomElement(using: &random) ?? 0),\(name("t", 20)),\(name("t", 20))\n"
        }
        return "from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id\n" + rows.joined()
    }

    /// Whether the trip calls at the stop or, if that is a station, at a place in it.
    private static func calls(_ trip: String, _ stop: String) -> String {
        """
        EXISTS (SELECT 1 FROM stop_time AS call JOIN stop AS place ON place.id = call.stop \
        LEFT JOIN stop AS station ON station.id = place.parent_station WHERE call.trip = t.\(trip) \
        AND (place.id = t.\(stop) AND ifnull(place.location_type, 0) = 0 \
        OR station.id = t.\(stop) AND station.location_type = 1))
        """
    }

    @Test func `a station in the first row of stops.txt counts for its platforms`() throws {
        let store = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nz,Station,50.1,8.1,1,\n"
                + "s1,One,50.1,8.1,,z\ns2,Two,50.2,8.2,,\n",
            "transfers.txt": "from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id\ns2,z,0,t,t\nz,s2,0,t,t\n",
        ]).imported()
        #expect(
            try store.rows("SELECT * FROM notice WHERE code = 'transfer_with_invalid_trip_and_stop'").isEmpty)
    }

    @Test(arguments: UInt64(0)..<12) func stopsOfTransfersAreComparedWithTheCallsOfTheirTrips(seed: UInt64) throws {
        var random = SeededGenerator(seed: 900 + seed)
        let store = try LayeredFeed([
            "stops.txt": Self.places(&random),
            "trips.txt": "route_id,service_id,trip_id\n" + Self.trips.map { "r,w,\($0)\n" }.joined(),
            "stop_times.txt": Self.calls(&random),
            "transfers.txt": Self.transfers(&random),
        ]).imported()
        let expected = try store.rows(
            """
            SELECT id + 1, 'from_stop_id' FROM transfer AS t
            WHERE from_trip IS NOT NULL AND from_stop IS NOT NULL AND NOT \(Self.calls("from_trip", "from_stop"))
            UNION ALL SELECT id + 1, 'to_stop_id' FROM transfer AS t
            WHERE to_trip IS NOT NULL AND to_stop IS NOT NULL AND NOT \(Self.calls("to_trip", "to_stop"))
            ORDER BY 1, 2
            """)
        let found = try store.rows(
            "SELECT row_number, field FROM notice WHERE code = 'transfer_with_invalid_trip_and_stop' ORDER BY id")
        #expect(found == expected)
        #expect(found.count > 20)
        // Riders stay seated from the last stop of one trip to the first one of another.
        let seated = try store.rows(
            """
            SELECT id + 1, 'from_stop_id' FROM transfer AS t WHERE transfer_type IN (4, 5) AND from_stop IS NOT NULL
            AND from_stop IS NOT (
                SELECT stop FROM stop_time WHERE trip = from_trip ORDER BY stop_sequence DESC LIMIT 1)
            AND EXISTS (SELECT 1 FROM stop_time WHERE trip = from_trip AND stop = from_stop)
            UNION ALL SELECT id + 1, 'to_stop_id' FROM transfer AS t WHERE transfer_type IN (4, 5)
            AND to_stop IS NOT NULL
            AND to_stop IS NOT (SELECT stop FROM stop_time WHERE trip = to_trip ORDER BY stop_sequence LIMIT 1)
            AND EXISTS (SELECT 1 FROM stop_time WHERE trip = to_trip AND stop = to_stop)
            ORDER BY 1, 2
            """)
        let midTrip = try store.rows(
            "SELECT row_number, field FROM notice WHERE code = 'transfer_with_suspicious_mid_trip_in_seat' ORDER BY id")
        #expect(midTrip == seated)
        #expect(midTrip.count > 3)
    }
}
