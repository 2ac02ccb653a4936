import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// Compares the answers of the SQL recipes with a brute-force expansion of the feed in Python
/// (Tests/Timetable/oracle.py).
@Suite struct TimetableOracleTests {
    private static let folder = CommandLineProgram.packageRoot + "/Tests/Timetable"

    /// Imports feeds, has the oracle ask its questions, and returns what it printed.
    private static func disagreements(_ feeds: [String], questions: Int, in folder: TemporaryFolder) throws -> String {
        var pairs: [String] = []
        for (number, feed) in feeds.enumerated() {
            let store = folder.path("\(number).sqlite")
            var options = ImportOptions(feed: feed, store: store)
            options.rowsPerRun = 50
            let (_, error) = Importer(options).run()
            #expect(error == nil, "\(feed)")
            pairs += [feed, store]
        }
        let result = try CommandLineProgram.run(
            ["python3", "-B", Self.folder + "/oracle.py", "compare"] + pairs + ["--questions=\(questions)"],
            executable: "/usr/bin/env")
        let lines = result.output.split(separator: "\n").filter { !$0.hasSuffix(" 0 disagreements") }
        #expect(result.output.split(separator: "\n").count >= feeds.count)
        return lines.joined(separator: "\n") + result.error
    }

    /// Makes feeds that each test one rule, and some random ones that mix all rules.
    private static func makeFeeds(in folder: TemporaryFolder, random: Int) throws -> [String] {
        let made = folder.path("made")
        let result = try CommandLineProgram.run(
            ["python3", "-B", Self.folder + "/made_feeds.py", made, "--random=\(random)"], executable: "/usr/bin/env")
        #expect(result.exitCode == 0, "\(result.error)")
        return try FileManager.default.contentsOfDirectory(atPath: made).sorted().map { made + "/" + $0 }
    }

    @Test func theSampleFeedAgreesWithPython() throws {
        let feed = CommandLineProgram.packageRoot + "/pipelines/sample-feed"
        #expect(try Self.disagreements([feed], questions: 200, in: TemporaryFolder()) == "")
    }

    @Test func feedsMadeForEachRuleAgreeWithPython() throws {
        let folder = try TemporaryFolder()
        let feeds = try Self.makeFeeds(in: folder, random: 0)
        #expect(feeds.count > 20)
        #expect(try Self.disagreements(feeds, questions: 20, in: folder) == "")
    }

    @Test func feedsThatMixTheRulesAgreeWithPython() throws {
        let folder = try TemporaryFolder()
        let feeds = try Self.makeFeeds(in: folder, random: 10).filter { $0.contains("/mixed-") }
        #expect(feeds.count == 20)
        #expect(try Self.disagreements(feeds, questions: 20, in: folder) == "")
        try expectTwinsAreSame(feeds, in: folder)
    }

    /// The order of rows in stop_times.txt affects neither the stored rows nor the views.
    private func expectTwinsAreSame(_ feeds: [String], in folder: TemporaryFolder) throws {
        for number in stride(from: 0, to: feeds.count, by: 2) {
            let both = try (number...number + 1).map { store in
                let connection = try Connection(path: folder.path("\(store).sqlite"), mode: .readOnly)
                #expect(try connection.text("PRAGMA integrity_check") == "ok")
                return try [
                    "SELECT * FROM stop_time", "SELECT * FROM gtfs_stop_times", "SELECT * FROM frequency_call",
                    "SELECT * FROM stop_time INDEXED BY stop_time_stop_departure_time ORDER BY stop, departure_time",
                    "SELECT longest_dwell, shortest_dwell FROM feed",
                ].map { try SmallFeed.all($0, connection) }
            }
            #expect(both[0] == both[1], "\(feeds[number])")
        }
    }

    private static let feeds = [
        "fo-faroe", "hk-hsr", "us-detroit-pm", "br-spo", "us-brown-flex", "hr-hzpp", "in-chennai", "mk-rail",
    ].compactMap { RealFeeds.zip("\($0).zip") }

    @Test(.enabled(if: !feeds.isEmpty, "none of the feeds to compare is in the folder real/ of GTFS_FEEDS"))
    func realFeedsAgreeWithPython() throws {
        #expect(try Self.disagreements(Self.feeds, questions: 25, in: TemporaryFolder()) == "")
    }

    /// The oracle must find a wrong time; otherwise its agreement would mean nothing.
    @Test func aWrongTimeIsFound() throws {
        let folder = try TemporaryFolder()
        let feed = CommandLineProgram.packageRoot + "/pipelines/sample-feed"
        let (_, error) = Importer(ImportOptions(feed: feed, store: folder.path("0.sqlite"))).run()
        #expect(error == nil)
        try Connection(path: folder.path("0.sqlite"), mode: .create).execute(
            "UPDATE stop_time SET departure_time = departure_time + 1 WHERE stop_sequence = 2")
        let result = try CommandLineProgram.run(
            ["python3", "-B", Self.folder + "/oracle.py", "compare", feed, folder.path("0.sqlite")],
            executable: "/usr/bin/env")
        #expect(result.exitCode == 1 && result.output.contains("missing"))
    }
}
