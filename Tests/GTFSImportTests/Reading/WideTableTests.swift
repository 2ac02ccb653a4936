import Foundation
import TestSupport
import Testing

@testable import GTFSImport

/// Rows of a few bytes below a header of 1,900 columns. Their memory depends on the columns, not on the bytes.
struct WideTableTests {
    @Test func blocksOfAWideTableAreSmall() throws {
        let columns =
            "route_id,agency_id,route_short_name,route_type," + (1...1_890).map { "c\($0)" }.joined(separator: ",")
        let rows = (1...30_000).map { "r\($0),,a,3" }
        let feed = try LayeredFeed(["routes.txt": ([columns] + rows).joined(separator: "\n") + "\n"])
        let result = try CommandLineProgram.run([feed.options.feed, feed.options.store, "--json", "--quiet"])
        let report = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(report["status"] as? String == "published")
        // Holding the cells of 30,000 rows at once would take 510 MB.
        #expect(try #require(report["peak_memory_bytes"] as? Int) < 250_000_000)
    }
}
