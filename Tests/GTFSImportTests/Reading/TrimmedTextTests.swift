import SQLite
import Testing

@testable import GTFSImport

/// Blanks around a value are dropped. If other characters are trimmed, the original value is kept.
@Suite struct TrimmedTextTests {
    @Test(arguments: [
        ("\u{1B}One", "\u{1B}"), ("One\u{8}", "\u{8}"), ("One\u{2028}", "\u{2028}"), ("\u{2029}One", "\u{2029}"),
        (" \u{C}One ", "\u{C}"), ("One\u{85}", "\u{85}"),
    ])
    func moreThanBlanksIsKept(name: String, removed: String) throws {
        let stops = "stop_id,stop_name,stop_lat,stop_lon\ns1,\(name),50.1,8.1\ns2,Two,50.2,8.2\n"
        let (connection, folder) = try SmallFeed.store(["stops.txt": stops])
        defer { withExtendedLifetime(folder) {} }
        #expect(try connection.text("SELECT name FROM stop WHERE id = 1") == "One")
        #expect(
            try connection.text(
                "SELECT value FROM kept_value WHERE \"table\" = 'stop' AND \"row\" = 1 AND \"column\" = 'name'")
                == name)
        #expect(try connection.text("SELECT stop_name FROM gtfs_stops WHERE stop_id = 's1'") == name)
        #expect(try connection.text("SELECT stop_name FROM gtfs_stops WHERE stop_id = 's2'") == "Two")
        #expect(try connection.integer("SELECT count(*) FROM gtfs_stops") == 2)
    }

    @Test(arguments: [" One", "One\t", "\u{A0}One\u{3000}", "\u{2003}One", "\u{202F}One\u{205F}", "One\u{1680}"])
    func blanksAreNot(name: String) throws {
        let stops = "stop_id,stop_name,stop_lat,stop_lon\ns1,\(name),50.1,8.1\ns2,Two,50.2,8.2\n"
        let (connection, folder) = try SmallFeed.store(["stops.txt": stops])
        defer { withExtendedLifetime(folder) {} }
        #expect(try connection.text("SELECT name FROM stop WHERE id = 1") == "One")
        #expect(try connection.integer("SELECT count(*) FROM kept_value") == 0)
    }

    /// Files of fixed width have many blanks in each row. The importer checks eight at a time.
    @Test func anyNumberOfBlanksIsTrimmed() throws {
        let blanks = (0...40).map { String(repeating: " ", count: $0) }
        let paddings = blanks + blanks.map { $0 + "\t" } + blanks.map { "\u{A0}" + $0 }
        let fillings = blanks.map { $0 + "\u{1B}" } + blanks.map { $0 + "\u{2028}" + $0 } + blanks.map { "\u{8}" + $0 }
        func around(_ paddings: [String]) -> [String] {
            paddings.flatMap { padding -> [String] in ["One\(padding)", "\(padding)One", "\(padding)One\(padding)"] }
        }
        let names = around(paddings) + around(fillings)
        let rows = names.enumerated().map { "s\($0 + 3),\($1),50.1,8.1\n" }.joined()
        let (connection, folder) = try SmallFeed.store([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\ns1,One,50.1,8.1\ns2,One,50.2,8.2\n\(rows)"
        ])
        defer { withExtendedLifetime(folder) {} }
        #expect(try connection.integer("SELECT count(*) FROM stop WHERE name IS NOT 'One'") == 0)
        let kept = try connection.prepare("SELECT value FROM kept_value ORDER BY \"row\"")
        var values: [String] = []
        while try kept.step() { values.append(kept.text(0) ?? "") }
        #expect(values == around(fillings))
    }

    /// A row with two such values and one of trimmed characters only, and an ID that other rows refer to.
    @Test func severalValuesOfOneRowAreKept() throws {
        let (connection, folder) = try SmallFeed.store([
            "stops.txt":
                "stop_id,stop_name,stop_code,stop_lat,stop_lon\n\u{8}s1,\u{1B}One,\u{1B},50.1,8.1\ns2,Two,,50.2,8.2\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,06:00:00,06:00:00,s1,1\n\u{1B}t,06:10:00,06:10:00,s2\u{1B},2\n",
        ])
        defer { withExtendedLifetime(folder) {} }
        let sql = "SELECT stop_id, stop_name, stop_code FROM gtfs_stops ORDER BY stop_lat"
        #expect(try SmallFeed.all(sql, connection) == "\u{8}s1 \u{1B}One \u{1B}; s2 Two -")
        #expect(try connection.integer("SELECT count(*) FROM stop_time JOIN stop ON stop.id = stop_time.stop") == 2)
        #expect(try connection.text("SELECT trip_id FROM gtfs_stop_times WHERE stop_sequence = 2") == "\u{1B}t")
        #expect(try connection.text("SELECT stop_id FROM gtfs_stop_times WHERE stop_sequence = 2") == "s2\u{1B}")
    }
}
