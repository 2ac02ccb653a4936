import Foundation
import SQLite
import Testing

/// Stores with numbers and references that no import writes. The program answers or refuses each question, and never
/// crashes.
@Suite struct CraftedStoreTests {
    private static let most = Int64.max
    private static let least = Int64.min

    @Test(arguments: [
        "UPDATE stop_time SET departure_time = \(most), arrival_time = \(least)",
        "UPDATE stop_time SET departure_time = 1e300",
        "UPDATE stop_time SET stop_sequence = stop_sequence + \(most - 99)",
        "UPDATE feed SET latest_time = \(most)", "UPDATE feed SET latest_time = \(least)",
        "UPDATE feed SET shortest_dwell = \(least), longest_dwell = \(most)",
        "UPDATE feed SET shortest_dwell = \(most), longest_dwell = \(least)",
        "UPDATE frequency SET headway_secs = \(most), start_time = \(least), end_time = \(most)",
        "UPDATE frequency SET headway_secs = 1, start_time = 0, end_time = \(most)",
        "UPDATE frequency SET headway_secs = -1", "UPDATE frequency_call SET arrival = \(most), departure = \(least)",
        "UPDATE frequency_call SET arrival = \(least), departure = \(most)",
        "INSERT INTO service_day SELECT \(most), day_set FROM service_day LIMIT 1",
        "UPDATE service SET start_date = \(least), end_date = \(most), day_set = NULL",
        "UPDATE stop SET latitude = 9e999, longitude = -9e999",
        "UPDATE stop SET parent_station = id, location_type = 1",
        "UPDATE route SET timezone = '../../../etc/passwd'; UPDATE stop SET timezone = '/dev/zero'",
    ])
    func impossibleNumbersEndNoCommandByASignal(sql: String) throws {
        let path = try Self.store(changedBy: sql)
        defer { try? FileManager.default.removeItem(atPath: path) }
        // Trip express-1 is repeated by frequencies, and stops at bahnhof-2.
        for command in [
            ["departures", "bahnhof", "--from", "2026-06-01T07:00", "--within", "2d"],
            ["departures", "bahnhof", "--from", "2026-06-01T07:00", "--within", "2d", "--arrivals"],
            ["departures", "bahnhof-2", "--from", "2026-06-01T07:00", "--limit", "5"],
            ["near", "53.4,12.6", "--limit", "3"], ["search", "markt"], ["fetch", "StopTime"], ["info"],
        ] {
            let result = try FetchProgram.run([path] + command + ["--timeout", "20", "--format", "jsonl"])
            #expect([0, 65].contains(result.exitCode) && result.signal == nil, "\(command): \(result.error)")
        }
    }

    /// As null, the level's properties would look as if the feed had left them out.
    @Test func `a nested object that the store lacks is an error`() throws {
        let path = try Self.store(changedBy: "UPDATE stop SET level = 999 WHERE stop_id = 'bahnhof-1'")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let fetch = [path, "fetch", "Stop", "--where", "stopID = 'bahnhof-1'", "--prefetch", "level"]
        let result = try FetchProgram.run(fetch + ["--format", "jsonl"])
        #expect(result.exitCode == 65 && result.output == "")
        #expect(result.error.hasPrefix("fetch-gtfs: The store has no row level/999 (Level)"), "\(result.error)")
    }

    /// A copy of the sample store with changes.
    private static func store(changedBy sql: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "crafted-\(UUID().uuidString).sqlite").path
        try FileManager.default.copyItem(atPath: FetchProgram.shared.get().store, toPath: path)
        try Connection(path: path, mode: .create).execute(sql)
        return path
    }
}
