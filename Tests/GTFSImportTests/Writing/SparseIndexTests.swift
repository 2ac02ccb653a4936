import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Compares the indexes of stop times for sparsely filled columns with the rows that SQLite finds without them.
@Suite struct SparseIndexTests {
    private static let columns = ["location_group", "location", "pickup_booking_rule", "drop_off_booking_rule"]

    enum Rows: CaseIterable { case inOrder, shuffled, twice, twiceWithOthers, belowZero }

    /// Of each hundred calls, about `filled` have a booking rule or a location group. Some of the rules do not exist.
    private static func feed(_ rows: Rows, filled: Int) throws -> LayeredFeed {
        var random = SeededGenerator(seed: UInt64(filled))
        let group = { filled == 0 || Int.random(in: 0..<100, using: &random) >= filled }
        var calls = (1...1_200).map { call in
            ["t,06:00:00,06:00:00,s1,\(call)"]
                + [group() ? "" : "g", "", group() ? "" : "b\(call % 3)", group() ? "" : ["b1", "gone"][call % 2]]
        }
        switch rows {
        case .inOrder: break
        case .shuffled: calls.shuffle(using: &random)
        // A negative sequence does not fit into a key, so the importer gives up and SQLite makes the indexes.
        case .belowZero: calls[0] = ["t,06:00:00,06:00:00,s1,-5", "g", "", "b1", ""]
        case .twice: calls = calls.shuffled(using: &random) + calls
        case .twiceWithOthers: calls = calls.shuffled(using: &random) + calls.map { [$0[0], "g", "", "b2", "b2"] }
        }
        return try LayeredFeed([
            "booking_rules.txt": "booking_rule_id,booking_type\nb0,0\nb1,0\nb2,0\n",
            "location_groups.txt": "location_group_id,location_group_name\ng,Group\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,location_group_id,location_id,"
                + "pickup_booking_rule_id,drop_off_booking_rule_id\n"
                + calls.map { $0.joined(separator: ",") + "\n" }.joined(),
        ])
    }

    @Test(arguments: Rows.allCases, [0, 3, 100]) func indexesHaveTheRowsThatAScanFinds(rows: Rows, filled: Int) throws {
        let feed = try Self.feed(rows, filled: filled)
        feed.options.rowsPerRun = 100
        let store = try feed.imported()
        try store.expectSound()
        #expect(try store.rows("SELECT count(*) FROM stop_time") == ["1200"])
        for column in Self.columns {
            let select = "SELECT \(column), trip, stop_sequence FROM stop_time"
            let found = try store.rows(
                "\(select) INDEXED BY stop_time_\(column) WHERE \(column) IS NOT NULL ORDER BY 1, 2, 3")
            #expect(
                try found == store.rows("\(select) NOT INDEXED WHERE +\(column) IS NOT NULL ORDER BY 1, 2, 3"))
            if rows != .belowZero { #expect(found.isEmpty == (filled == 0 || column == "location")) }
        }
    }

    /// All indexes of `stop_time` exist.
    @Test func allSparseIndexesAreInTheStore() throws {
        let store = try Self.feed(.inOrder, filled: 3).imported()
        let names = try store.rows(
            "SELECT name FROM sqlite_schema WHERE tbl_name = 'stop_time' AND type = 'index' ORDER BY 1")
        #expect(names == (Self.columns + ["stop_departure_time"]).map { "stop_time_\($0)" }.sorted())
    }
}
