import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Compares feeds of agencies and communities, cell by cell, with what Python's csv module reads.
@Suite struct RealFeedTests {
    /// The largest zip to test, in bytes. Importing the feeds up to 1 MB without optimization and comparing
    /// them takes 70 s of processor time.
    /// GTFS_ALL_FEEDS=1 selects all feeds, best with `-c release`.
    private static let largest =
        ProcessInfo.processInfo.environment["GTFS_ALL_FEEDS"] == nil ? 1_000_000 : Int.max

    private static let feeds = RealFeeds.zips(in: "real", upTo: largest)
        .filter { !$0.hasSuffix("/es-renfe-cercanias.zip") }

    @Test(.enabled(if: RealFeeds.folder != nil, Comment(rawValue: RealFeeds.absent)), arguments: feeds)
    func givesBackEveryCellAndFindsEveryFault(feed: String) throws {
        let folder = try TemporaryFolder()
        let store = folder.path("store.sqlite")
        let (_, error) = Importer(ImportOptions(feed: feed, store: store)).run()
        #expect(error == nil)
        #expect(try RealFeeds.differences(of: feed, from: store) == "")
        _ = try SequenceFaultTests.comparedFaults(of: feed, in: store)
        #expect(try Connection.faults(of: store) == [])
        try Self.expectIndexed(store)
        try EmptyColumnTests.expectAgreement(in: Connection(path: store, mode: .readOnly))
        for recipe in ["departures", "arrivals"] { try Self.expectNoBloomFilter(of: recipe, in: store) }
    }

    @Test(.enabled(if: RealFeeds.folder != nil, Comment(rawValue: RealFeeds.absent)))
    func namesTheMethodThatCannotBeRead() throws {
        let folder = try TemporaryFolder()
        let feed = RealFeeds.path + "/real/es-renfe-cercanias.zip"
        let (_, error) = Importer(ImportOptions(feed: feed, store: folder.path("store.sqlite"))).run()
        #expect(error?.code == .feedRefused)
        #expect(
            error?.message == "\(feed): agency.txt is compressed with LZMA (method 14), which cannot be read; "
                + "recompress the feed with deflate")
        #expect(try folder.contents().isEmpty)
    }

    @Test(.enabled(if: RealFeeds.folder != nil, Comment(rawValue: RealFeeds.absent)))
    func convertsLatin1() throws {
        let folder = try TemporaryFolder()
        let store = folder.path("store.sqlite")
        let feed = RealFeeds.path + "/real/no-atb-latin1.zip"
        #expect(Importer(ImportOptions(feed: feed, store: store)).run().error == nil)
        let connection = try Connection(path: store, mode: .readOnly)
        #expect(try connection.text("SELECT encoding FROM feed_file WHERE name = 'stops.txt'") == "windows-1252")
        #expect(try connection.integer("SELECT count(*) FROM stop WHERE name LIKE '%ø%'") ?? 0 > 100)
        #expect(try connection.integer("SELECT count(*) FROM stop WHERE name LIKE '%' || char(0xFFFD) || '%'") == 0)
    }

    /// A condition on any ID column of any view finds its rows by an index, not by reading a table.
    static func expectIndexed(_ store: String) throws {
        let connection = try Connection(path: store, mode: .readOnly)
        let columns = try connection.prepare(
            "SELECT v.name, c.name FROM sqlite_schema AS v JOIN pragma_table_info(v.name) AS c "
                + "WHERE v.type = 'view' AND (c.name LIKE '%\\_id' ESCAPE '\\' OR c.name = 'parent_station') AND c.name <> 'direction_id' "
                + "AND v.name IN (SELECT 'gtfs_' || substr(name, 1, length(name) - 4) FROM feed_file "
                + "WHERE \"table\" NOT LIKE 'extra\\_%' ESCAPE '\\' AND row_count > 1000)")
        while try columns.step() {
            let (view, column) = (columns.text(0) ?? "", columns.text(1) ?? "")
            let plan = try connection.prepare("EXPLAIN QUERY PLAN SELECT * FROM \"\(view)\" WHERE \"\(column)\" = 'x'")
            while try plan.step() {
                let step = plan.text(3) ?? ""
                let isOwn = try isExtra(column, of: view, connection)
                let isSearch = !step.hasPrefix("SCAN t") && !step.hasPrefix("SCAN k")
                #expect(
                    try isSearch || isOwn || isOfEmptyIndex(step, connection), "\(view).\(column): \(step)")
            }
        }
    }

    /// The recipe asks stop_time by an index without reading all of it first. In a short table that would not matter.
    private static func expectNoBloomFilter(of recipe: String, in store: String) throws {
        let connection = try Connection(path: store, mode: .readOnly)
        guard try connection.integer("SELECT count(*) FROM stop_time") ?? 0 > 20_000 else { return }
        let path = CommandLineProgram.packageRoot + "/schema/\(recipe).sql"
        let plan = try connection.prepare("EXPLAIN QUERY PLAN " + String(contentsOfFile: path, encoding: .utf8))
        while try plan.step() {
            let step = plan.text(3) ?? ""
            #expect(!step.hasPrefix("BLOOM FILTER ON c "), "\(recipe): \(step)")
        }
    }

    /// Whether the step goes through an index without rows. SQLite 3.46 counts these too, and prefers them to a search.
    private static func isOfEmptyIndex(_ step: String, _ connection: Connection) throws -> Bool {
        let index = step.split(separator: " ").last ?? ""
        return try connection.integer(
            "SELECT count(*) FROM sqlite_stat1 WHERE idx = '\(index)' AND stat LIKE '0 %'") ?? 0 > 0
    }

    /// Whether GTFS does not define the column. Such columns have no index.
    private static func isExtra(_ column: String, of view: String, _ connection: Connection) throws -> Bool {
        try connection.integer(
            "SELECT count(*) FROM notice WHERE code = 'unknown_column' AND field = '\(column)' "
                + "AND 'gtfs_' || substr(file, 1, length(file) - 4) = '\(view)'") ?? 0 > 0
    }
}
