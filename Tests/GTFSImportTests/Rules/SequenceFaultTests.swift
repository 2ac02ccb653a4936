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

    /// RealFeedTests compares every feed. This one shows that there is something to compare.
    @Test func aSmallFeedHasAllOfItsManyFaults() throws {
        let folder = try TemporaryFolder()
        let (feed, store) = (RealFeeds.path + "/real/us-mdot-farev2.zip", folder.path("store.sqlite"))
        #expect(Importer(ImportOptions(feed: feed, store: store)).run().error == nil)
        #expect(try Self.comparedFaults(of: feed, in: store) > 2_000)
    }

    /// How many faults Python finds in the feed. An issue if the store has another count of any code.
    static func comparedFaults(of feed: String, in store: String) throws -> Int {
        let result = try CommandLineProgram.run(
            ["python3", "-B", script, feed, store], executable: "/usr/bin/env")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 1, "\(result.output)\(result.error)")
        return lines.last?.split(separator: " ").first.flatMap { Int($0) } ?? 0
    }
}
