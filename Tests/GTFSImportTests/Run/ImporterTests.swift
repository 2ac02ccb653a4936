import Foundation
import GTFSFeed
import GTFSSchema
import SQLite
import SystemFiles
import TestSupport
import Testing

@testable import GTFSImport

/// Whole imports: new, unchanged, forced and refused.
@Suite struct ImporterTests {
    private func bytes(_ feed: LayeredFeed) throws -> Data { try Data(contentsOf: URL(filePath: feed.options.store)) }

    @Test func aSecondImportOfTheSameIsUnchanged() throws {
        let feed = try LayeredFeed()
        let first = feed.run()
        #expect(first.error == nil && first.report.status == .published)
        let (before, inode) = (try bytes(feed), FileStatus(path: feed.options.store)?.inode)
        let second = feed.run()
        #expect(second.error == nil && second.report.status == .unchanged)
        #expect(second.report.contentHash == first.report.contentHash)
        #expect(try bytes(feed) == before && FileStatus(path: feed.options.store)?.inode == inode)
    }

    @Test func forceMakesTheSameStoreAgain() throws {
        let feed = try LayeredFeed()
        feed.run()
        let (before, inode) = (try bytes(feed), FileStatus(path: feed.options.store)?.inode)
        feed.options.force = true
        #expect(feed.run().report.status == .published)
        #expect(try bytes(feed) == before && FileStatus(path: feed.options.store)?.inode != inode)
    }

    @Test func anyChangeOfContentOrOptionsImports() throws {
        let feed = try LayeredFeed()
        feed.run()
        let frequencies = "trip_id,start_time,end_time,headway_secs\nu,06:00:00,07:00:00,600\n"
        try feed.write("frequencies.txt", Array(frequencies.utf8))
        #expect(feed.run().report.status == .published)
        #expect(feed.run().report.status == .unchanged)
        feed.options.maximumFieldBytes = 2 << 20
        #expect(feed.run().report.status == .published)
        #expect(feed.run().report.status == .unchanged)
        feed.options.noticesKeptPerCode = 5
        #expect(feed.run().report.status == .published)
        #expect(feed.run().report.status == .unchanged)
        // The batch size does not affect what is stored.
        feed.options.batchRows = 7
        #expect(feed.run().report.status == .unchanged)
    }

    @Test func whatIsNoStoreIsReplacedOnlyByForce() throws {
        let feed = try LayeredFeed()
        try Connection(path: feed.folder.path("other.sqlite"), mode: .create).execute("CREATE TABLE t(a)")
        let database = try Data(contentsOf: URL(filePath: feed.folder.path("other.sqlite")))
        for content in [Data("not a database".utf8), Data("SQLite format 3\u{0}".utf8), database] {
            feed.options.force = false
            try content.write(to: URL(filePath: feed.options.store))
            let message = "\(feed.options.store) exists and is not a store of import-gtfs; --force replaces it"
            let error = feed.run().error
            #expect((error?.code, error?.message) == (.cannotCreateStore, message))
            #expect(try bytes(feed) == content)
            feed.options.force = true
            #expect(feed.run().report.status == .published)
        }
    }

    @Test func anEmptyFileAndAStoreOfAnotherVersionAreReplaced() throws {
        let feed = try LayeredFeed()
        try feed.folder.write("store.sqlite", "")
        #expect(feed.run().report.status == .published)
        try Connection(path: feed.options.store, mode: .create).execute("PRAGMA user_version = 99")
        #expect(feed.run().report.status == .published)
    }

    @Test func batchesAndCachesOfAnySizeGiveTheSameBytes() throws {
        let feed = try LayeredFeed()
        feed.options.force = true
        feed.run()
        let expected = try bytes(feed)
        #expect(expected[24..<28].elementsEqual([0, 0, 0, 1]) && expected[92..<96].elementsEqual([0, 0, 0, 1]))
        for rows in [1, 2, 3, .max] {
            feed.options.batchRows = rows
            feed.run()
            #expect(try bytes(feed) == expected)
        }
        feed.options.maximumMemoryBytes = 2_000_000_000
        feed.run()
        #expect(try bytes(feed) == expected)
    }

    @Test(.enabled(if: !isSanitized, "sanitizers take memory of their own"))
    func tooLittleMemoryIsAnErrorAndTheOldStoreStays() throws {
        let feed = try LayeredFeed()
        feed.run()
        let before = try bytes(feed)
        feed.options.force = true
        feed.options.maximumMemoryBytes = 1_000_000
        let error = try #require(feed.run().error)
        #expect(error.code == .inputOutput)
        let words = ": the import needs more memory than --memory 1000000 allows, "
        #expect(error.message.hasPrefix(feed.options.feed + words))
        #expect(error.message.hasSuffix(" MB so far; allow more"))
        #expect(try bytes(feed) == before)
    }

    @Test func noticesAreCappedAndCounted() throws {
        let rows = (0..<50).map { "s\($0),Name,50.1,8.1,http:\n" }.joined()
        let feed = try LayeredFeed(["stops.txt": "stop_id,stop_name,stop_lat,stop_lon,stop_url\n" + rows])
        feed.options.noticesKeptPerCode = 7
        let store = try feed.imported()
        #expect(
            try store.rows("SELECT code, severity, count, kept FROM notice_total WHERE code = 'invalid_url'")
                == ["invalid_url|ERROR|50|7"])
        #expect(try store.rows("SELECT count(*), max(row_number) FROM notice WHERE code = 'invalid_url'") == ["7|8"])
    }

    /// After the first thousand, blank lines are only counted. They must not get notices with a row number of 0.
    @Test func noNoticeHasRowZero() throws {
        let blank = String(repeating: "\n", count: 1500)
        let feed = try LayeredFeed([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n\(blank)s1,One,50.1,8.1\ns2,Two,50.2,8.2\n"
        ])
        feed.options.noticesKeptPerCode = 2000
        let store = try feed.imported()
        #expect(try store.rows("SELECT count FROM notice_total WHERE code = 'empty_row'") == ["1500"])
        #expect(
            try store.rows("SELECT count(*), min(row_number), max(row_number) FROM notice WHERE code = 'empty_row'")
                == ["1000|2|1001"])
        #expect(try store.rows("SELECT kept FROM notice_total WHERE code = 'empty_row'") == ["1000"])
    }

    @Test func theStoreHasDatesCountsAndFilesOfTheFeed() throws {
        let feed = try LayeredFeed([
            "calendar_dates.txt": "service_id,date,exception_type\nw,20270105,1\nw,20251231,2\n",
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "t,23:59:00,24:30:00,s1,1\nt,25:10:00,25:10:01,s2,2\nx,1:00:00,1:00:00,s1,1\n",
        ])
        let store = try feed.imported()
        #expect(
            try store.rows(
                """
                SELECT start_date, end_date, stop_count, route_count, trip_count, stop_time_count, latest_time,
                notice_count, specification FROM feed
                """) == ["20260101|20270105|2|1|2|2|90601|4|\(Specification.revision)"])
        #expect(
            try store.rows(
                "SELECT name, \"table\", \"view\", encoding, row_count, kept_row_count FROM feed_file WHERE name LIKE 's%'"
            )
                == [
                    "shapes.txt|shape_point|gtfs_shapes|UTF-8|2|0",
                    "stop_times.txt|stop_time|gtfs_stop_times|UTF-8|3|1", "stops.txt|stop|gtfs_stops|UTF-8|2|0",
                ])
    }

    /// The latest time also counts arrivals, pickup and drop-off windows, and the last rides of frequencies.
    @Test(arguments: [
        ("t,23:00:00,23:00:00,s1,1,,\nt,26:00:00,,s2,2,,\n", "", "93600"),
        ("t,,,s1,1,08:00:00,20:00:00\nt,,,s2,2,08:00:00,21:00:00\n", "", "75600"),
        ("t,00:10:00,00:10:00,s1,1,,\nt,,00:40:00,s2,2,,\n", "t,06:00:00,26:00:00,600\n", "95400"),
        ("t,,,s1,1,,\nt,,,s2,2,,\n", "t,06:00:00,26:00:00,600\n", "93600"),
        ("t,,,s1,1,,\nt,,,s2,2,,\n", "", "-"),
        ("t,7:00,6:59,s1,1,,\nt,,,s2,2,,\n", "", "25200"),
    ])
    func theLatestTimeIsThatOfCallsWindowsAndLastRides(times: String, frequencies: String, expected: String) throws {
        let store = try LayeredFeed([
            "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,"
                + "start_pickup_drop_off_window,end_pickup_drop_off_window\n" + times,
            "frequencies.txt": "trip_id,start_time,end_time,headway_secs\n" + frequencies,
        ]).imported()
        #expect(try store.rows("SELECT latest_time FROM feed") == [expected])
    }

    @Test(arguments: ["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt"])
    func withoutARequiredFileTheFeedIsRefused(name: String) throws {
        let feed = try LayeredFeed([name: nil])
        let (report, error) = feed.run()
        #expect(report.status == .failed)
        #expect(error?.code == .feedRefused)
        let rest = Set(SmallFeed.files.keys.filter { $0 != name })
        let message = try #require(error?.message)
        #expect(message.hasPrefix("\(feed.options.feed): required file \(name) is missing; the feed has "))
        let listed = message.components(separatedBy: "the feed has ").last ?? ""
        #expect(Set(listed.components(separatedBy: ", ")) == rest)
        #expect(feed.folder.names == ["feed"])
    }

    @Test func aFeedWithoutTripsIsRefusedWithTheReason() throws {
        let feed = try LayeredFeed(["trips.txt": "route_id,service_id,trip_id\n"])
        let count = (SmallFeed.files["stop_times.txt"]?.split(separator: "\n").count ?? 0) - 1
        #expect(
            feed.run().error?.message
                == "\(feed.options.feed): none of the \(count) rows of stop_times.txt can be stored (see the notices): "
                + "trips.txt has no rows")
    }

    @Test(arguments: [
        (
            "trips.txt", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
            "; trips.txt is a pointer of Git LFS; fetch the file itself with \"git lfs pull\""
        ),
        ("trips.txt", "route_id,service_id,trip\nr,s,t\n", "; the header of trips.txt lacks the column trip_id"),
        ("trips.txt", "r,s,t\n", ": trips.txt has no rows"),
        (
            "trips.txt", "r,s,t\nr,s,u\n",
            "; the first row of trips.txt names no column of GTFS and so is not a header"
        ),
        ("trips.txt", "route_id,service_id,trip_id\nr,s,other\n", "; trips.txt has none of their trip_ids"),
        (
            "stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nx,1:00:00,1:00:00,s1,1\n",
            "; trips.txt has none of their trip_ids"
        ),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nx,1:00:00,1:00:00,s1,1\n,1:00:00,,s1,2\n", ""
        ),
    ])
    func aFeedWhoseStopTimesHaveNoTripsIsRefusedWithTheReason(file: String, text: String, cause: String) throws {
        let message = try #require(try LayeredFeed([file: text]).run().error?.message)
        let rows = " rows of stop_times.txt can be stored (see the notices)"
        #expect(message.components(separatedBy: rows).last == cause)
    }

    @Test func aFeedWithoutUsableStopTimesIsRefusedWithTheReason() throws {
        let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        for (text, fault) in [
            (header, "stop_times.txt has no rows, so there is no timetable to store"),
            ("", "stop_times.txt has no rows, so there is no timetable to store"),
            (
                header + "x,1:00:00,1:00:00,s1,1\ny,,,s1,1\n",
                "none of the 2 rows of stop_times.txt can be stored (see the notices)"
            ),
            (
                "trip_id,stop_id,sequence\nt,s1,1\n",
                "none of the 1 rows of stop_times.txt can be stored (see the notices); its header lacks the column "
                    + "stop_sequence"
            ),
            (
                "stop_id,sequence\ns1,1\n",
                "none of the 1 rows of stop_times.txt can be stored (see the notices); its header lacks the columns "
                    + "trip_id and stop_sequence"
            ),
            (
                "t,6:00:00,6:00:00,s1,1\nt,6:10:00,6:10:00,s2,2\n",
                "none of the 1 rows of stop_times.txt can be stored (see the notices); its first row names no column "
                    + "of GTFS and so is not a header"
            ),
            (
                "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
                "none of the 2 rows of stop_times.txt can be stored (see the notices); it is a pointer of Git LFS; "
                    + "fetch the file itself with \"git lfs pull\""
            ),
        ] {
            let feed = try LayeredFeed(["stop_times.txt": text])
            let (_, error) = feed.run()
            #expect(error?.message.hasPrefix("\(feed.options.feed): \(fault)") == true, "\(error?.message ?? "")")
        }
    }
}
