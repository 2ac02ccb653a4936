import Foundation
import TestSupport
import Testing

@testable import GTFSImport

/// Feeds that change while they are read.
@Suite struct FeedChangeTests {
    /// No file is read twice, not even for rows out of order that turn out to be duplicates at the very end.
    @Test func aFileMayGoWhenItHasBeenRead() throws {
        let folder = try TemporaryFolder()
        let feed = folder.path("feed")
        try FileManager.default.createDirectory(atPath: feed, withIntermediateDirectories: true)
        var files = SmallFeed.files
        files["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + "t,06:00:00,06:00:00,s1,1\nt,06:10:00,06:10:00,s2,2\nt,06:20:00,06:20:00,s1,1\n"
        for (name, text) in files { try text.write(toFile: feed + "/" + name, atomically: true, encoding: .utf8) }
        let options = ImportOptions(feed: feed, store: folder.path("store.sqlite"))
        let (_, error) = Importer(options) { progress in
            if progress.phase == "reading feed_info.txt" { unlink(feed + "/stop_times.txt") }
        }.run()
        #expect(error == nil)
        #expect(
            try AskedStore(options.store).rows("SELECT row_number, text FROM kept_row")
                == ["4|t,06:20:00,06:20:00,s1,1"])
    }
}
