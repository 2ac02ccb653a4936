import Foundation
import TestSupport
import Testing

@testable import GTFSImport

/// Compares the notices about calls and points with what a brute-force count in Python finds in the CSV of real feeds
/// (Support/count_sequence_faults.py).
@Suite(.enabled(if: RealFeeds.folder != nil, Comment(rawValue: RealFeeds.absent))) struct SequenceFaultTests {
    private static let script =
        CommandLineProgram.packageRoot
        + "/Tests/GTFSImportTests/Support/count_sequence_faults.py"

    @Test func realFeedsHaveAsManyFaultsAsPythonCounts() throws {
        let folder = try TemporaryFolder()
        let feeds = RealFeeds.zips(in: "real", upTo: 1_000_000)
        var total = 0
        for feed in feeds {
            let store = folder.path("store.sqlite")
            let (_, error) = Importer(ImportOptions(feed: feed, store: store)).run()
            guard error == nil else { continue }
            let result = try CommandLineProgram.run(
                ["python3", "-B", Self.script, feed, store], executable: "/usr/bin/env")
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == 1, "\(result.output)\(result.error)")
            total += lines.last?.split(separator: " ").first.flatMap { Int($0) } ?? 0
            try FileManager.default.removeItem(atPath: store)
        }
        #expect(total > feeds.count * 100)
    }
}
