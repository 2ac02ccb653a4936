import Foundation
import TestSupport
import Testing

@testable import GTFSImport

/// Rows of a few bytes below a header of 1,900 columns. Their memory depends on the columns, not on the bytes.
struct WideTableTests {
    @Test(.enabled(if: !isSanitized, "sanitizers take memory of their own"))
    func blocksOfAWideTableAreSmall() throws {
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

    /// Of the columns that are not of GTFS, a table has 1,900.
    @Test func `cells of further columns are kept beside the table`() throws {
        let numbers = 1...1_902
        let store = try LayeredFeed([
            "routes.txt": "route_id,agency_id,route_short_name,route_type,"
                + numbers.map { "c\($0)" }.joined(separator: ",")
                + "\nr,a,1,3," + numbers.map { "v\($0)" }.joined(separator: ",") + "\n"
        ]).imported()
        #expect(try store.rows("SELECT c1900 FROM gtfs_routes") == ["v1900"])
        #expect(
            try store.rows("SELECT row_number, position, value FROM extra_cell") == [
                "1|1905|c1901", "1|1906|c1902", "2|1905|v1901", "2|1906|v1902",
            ])
    }

    /// Blank lines before a header count in the numbers of rows.
    @Test(arguments: ["", "\n1,2\n", "\n\n3\n"])
    func `the names of further columns are kept wherever the header is`(rows: String) throws {
        let header = (1...1_902).map { "c\($0)" }.joined(separator: ",")
        let store = try LayeredFeed(["notes.txt": "\n\n" + header + rows]).imported()
        #expect(
            try store.rows("SELECT file, row_number, position, value FROM extra_cell") == [
                "notes.txt|3|1901|c1901", "notes.txt|3|1902|c1902",
            ])
        #expect(
            try store.rows("SELECT row_number FROM notice WHERE message LIKE '%more columns than%'") == ["3"])
    }
}
