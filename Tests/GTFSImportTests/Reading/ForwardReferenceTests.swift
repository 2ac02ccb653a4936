import TestSupport
import Testing

@testable import GTFSImport

/// References to later rows of the same file, which are sent to the store when the file has been read.
@Suite struct ForwardReferenceTests {
    /// They fill several blocks. Of each three stops, one is in a station that comes later, one in a station that never
    /// comes, and one in none.
    @Test func `many references to later rows are resolved or kept`() throws {
        let count = 54_000
        let stops = (0..<count).map { "q\($0),Q,50.1,8.1,0,\(["late", "never-\($0)", ""][$0 % 3])\n" }
        let feed = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
                + SmallFeed.files["stops.txt", default: ""].split(separator: "\n").dropFirst()
                .map { $0 + ",0,\n" }.joined() + stops.joined() + "late,Late,50.1,8.1,1,\n"
        ])
        let store = try feed.imported()
        let station = try store.rows("SELECT id FROM stop WHERE stop_id = 'late'")
        #expect(
            try store.rows("SELECT parent_station, count(*) FROM stop WHERE parent_station IS NOT NULL GROUP BY 1")
                == station.map { "\($0)|\(count / 3)" })
        #expect(
            try store.rows(
                "SELECT count(*), min(value), sum(value = 'never-' || (\"row\" - 3)) FROM kept_value") == [
                    "\(count / 3)|never-1|\(count / 3)"
                ])
        let code = "code = 'foreign_key_violation'"
        #expect(try store.rows("SELECT count FROM notice_total WHERE \(code)") == ["\(count / 3)"])
        #expect(
            try store.rows("SELECT message FROM notice WHERE \(code) ORDER BY id LIMIT 1") == [
                "stops.txt, row 5, parent_station: \"never-1\" is not a stop_id of stops.txt; the column is left empty "
                    + "and the text kept in kept_value"
            ])
    }
}
