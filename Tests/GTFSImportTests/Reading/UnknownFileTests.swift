import Glibc
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Files that GTFS does not define, and GTFS files under other names.
@Suite struct UnknownFileTests {
    /// None of these names may clash with a table, view or index of the store itself.
    @Test(arguments: [
        "notes", "cell", "file", "CELL", "stop", "a\"b", "it's", "two words", "Straße", "select", "x.y", "_", "-",
        "shapes_2", "sqlite_x", "row_number", "%s", "new\nline", "incoming",
    ])
    func anyNameBecomesATable(name: String) throws {
        let file = "\(name).txt"
        let store = try LayeredFeed([file: "a,\"b \"\"c\"\"\"\n1,x\n2,\n\n,z\n"]).imported()
        let description = try store.connection.prepare(
            "SELECT \"table\", \"view\", row_count, kept_row_count FROM feed_file WHERE name = ?")
        description.bind(1, file)
        #expect(try description.step())
        #expect(description.integer(2) == 3 && description.integer(3) == 0)
        let view = try #require(description.text(1))
        let quoted = "\"" + view.replacing("\"", with: "\"\"") + "\""
        #expect(try store.rows("SELECT * FROM \(quoted)") == ["1|x", "2|-", "-|z"])
        #expect(
            try store.rows("SELECT name FROM pragma_table_info('\(view.replacing("'", with: "''"))')") == [
                "a", "b \"c\"",
            ])
        #expect(
            try store.rows("SELECT id FROM \"\((description.text(0) ?? "").replacing("\"", with: "\"\""))\"") == [
                "1", "2", "4",
            ])
        try store.expectSound()
    }

    /// GTFS has no rules for such a file, so its faults are no errors of the feed. The faults of a GTFS file under an
    /// odd name are.
    @Test func faultsOfUnknownFilesAreNoErrors() throws {
        let feed = try LayeredFeed([
            "notes.txt": "a,b\n1\n2,3,4\n", "levels.txt": nil, "LEVELS.TXT": "level_id,level_index\nl,0\n",
        ])
        feed.options.policy.errorLimits = [ErrorLimit(.all, maximum: 0)]
        let store = try feed.imported()
        #expect(
            try store.rows(
                "SELECT code, severity, count FROM notice_total WHERE \(SmallFeed.withoutUnused) ORDER BY code") == [
                    "unknown_file|INFO|2", "unknown_file_anomaly|INFO|2",
                ])
        #expect(try store.rows("SELECT a, b FROM gtfs_notes") == ["1|-", "2|3"])
        #expect(try store.rows("SELECT * FROM extra_cell") == ["notes.txt|3|3|4"])
        try feed.write("LEVELS.TXT", Array("level_id,level_index\nl,0,x\n".utf8))
        #expect(feed.run().error?.code == .feedRefused)
    }

    /// Each file keeps a value and a cell, in lists of their own.
    @Test func `six hundred files with something to keep need few open files`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 128, rlim_max: 128)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            let names = (1...600).map { "x\($0).txt" }
            let files = Dictionary(uniqueKeysWithValues: names.map { ($0, Optional("a,b\n\u{01}v,w,extra\n")) })
            let store = try LayeredFeed(files).imported()
            try #require(try store.rows("SELECT count(*), count(DISTINCT file) FROM extra_cell") == ["600|600"])
        }
    }

    @Test func filesWhoseNamesDifferOnlyInCaseHaveViewsOfTheirOwn() throws {
        let store = try LayeredFeed(["NOTES.txt": "a\n1\n", "Notes.txt": "a\n2\n", "notes.txt": "a\n3\n"]).imported()
        let views = try store.rows("SELECT \"view\" FROM feed_file WHERE name LIKE 'notes%' ORDER BY name")
        #expect(views == ["gtfs_NOTES", "gtfs_Notes_2", "gtfs_notes_3"])
        #expect(try views.flatMap { try store.rows("SELECT a FROM \($0)") } == ["1", "2", "3"])
    }

    /// If two names differ only in case, the file with the exact GTFS name is the GTFS file.
    @Test func theRightSpellingWins() throws {
        let stops = "stop_id,stop_name,stop_lat,stop_lon\n"
        let store = try LayeredFeed(["STOPS.TXT": stops + "x,Old,1.5,1.5\n"]).imported()
        #expect(try store.rows("SELECT stop_id FROM gtfs_stops") == ["s1", "s2"])
        #expect(try store.rows("SELECT stop_id FROM gtfs_STOPS_2") == ["x"])
        #expect(try store.messages == ["STOPS.TXT: not a file of GTFS; kept as a table of texts"])
    }

    @Test func otherFilesAreKeptByteForByte() throws {
        let feed = try LayeredFeed()
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        try feed.write("data.bin", bytes)
        try feed.write("empty.bin", [])
        try feed.write("blank.txt", Array("\n\n".utf8))
        let store = try feed.imported()
        let parts = try store.connection.prepare("SELECT hex(bytes) FROM extra_file WHERE name = ? ORDER BY part")
        for (name, expected) in [("data.bin", bytes), ("blank.txt", [10, 10])] {
            parts.bind(1, name)
            var found = ""
            while try parts.step() { found += parts.text(0) ?? "" }
            parts.reset()
            #expect(found.count == expected.count * 2)
            let digits = Array("0123456789ABCDEF".utf8)
            let hex = expected.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
            #expect(found == String(decoding: hex, as: UTF8.self))
        }
        #expect(
            try store.rows("SELECT name, bytes, row_count FROM feed_file WHERE name = 'data.bin'") == [
                "data.bin|700000|0"
            ])
        #expect(try store.rows("SELECT name FROM feed_file WHERE name = 'empty.bin'") == ["empty.bin"])
    }
}
