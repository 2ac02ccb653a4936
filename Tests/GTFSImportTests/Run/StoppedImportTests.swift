import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GTFSImport

/// Every phase, and every loop over many rows, checks for cancellation.
@Suite struct StoppedImportTests {
    /// A feed that runs all loops: rows out of order, long tables, cells beyond the header, columns with few texts.
    ///
    /// It has a translation by value. Without one, another thread ranks the words, and the test cannot observe that
    /// thread.
    private func feed() throws -> LayeredFeed {
        var random = SeededGenerator(seed: 5)
        var layer = LongTableIndexTests.layer(&random, rows: 300)
        layer["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + (0..<200).reversed().map { "t,06:00:00,06:00:00,s1,\($0)\n" }.joined()
        layer["translations.txt"] =
            "table_name,field_name,language,translation,field_value\nstops,stop_name,fr,Un,One\n"
        let feed = try LayeredFeed(layer)
        (feed.options.rowsOfLongTable, feed.options.rowsPerRun, feed.options.batchRows) = (1, 50, 100)
        return feed
    }

    private func places(
        _ feed: LayeredFeed, _ cancellation: CancellationFlag, stopAt place: String? = nil
    ) -> (places: [String], error: ImportError?) {
        let seen = Mutex<[String]>([])
        let (_, error) = Failpoint.$observer.withValue({ name in
            seen.withLock { $0.append(name) }
            if name == place { cancellation.cancel(signal: SIGTERM) }
        }) { Importer(feed.options, cancellation: cancellation).run() }
        return (seen.withLock { $0 }, error)
    }

    @Test(arguments: [
        "opened", "block", "set-aside", "merge", "departure-keys", "key-hashes", "kept-records", "loaded",
        "search-terms", "text-order", "ranks", "places", "index-keys", "index", "check", "finish", "finished",
    ])
    func nothingFollowsAStop(place: String) throws {
        let feed = try feed()
        let (seen, error) = places(feed, CancellationFlag(), stopAt: place)
        #expect(error?.code == .terminated)
        let start = try #require(seen.firstIndex(of: place), "\(seen)")
        #expect(seen[start...].dropFirst().allSatisfy { $0 == place && place == "index" }, "\(seen[start...])")
        #expect(try feed.folder.contents().keys.filter { $0.contains("sqlite") } == [])
    }

    /// An unchanged feed reads its store again for the report page, which takes seconds for ten million calls.
    @Test func readingAStoreForThePageStops() throws {
        let feed = try feed()
        _ = try feed.imported()
        feed.options.gathersDetails = true
        let cancellation = CancellationFlag()
        let importer = Importer(feed.options, cancellation: cancellation) { progress in
            if progress.phase == "report" { cancellation.cancel(signal: SIGTERM) }
        }
        let (_, error) = importer.run()
        #expect(error?.code == .terminated)
    }

    @Test func withoutAStopAllIsDone() throws {
        let (seen, error) = try places(feed(), CancellationFlag())
        #expect(error == nil)
        #expect(Set(seen).isSuperset(of: ["merge", "ranks", "oldest-removed"]), "\(seen)")
    }
}
