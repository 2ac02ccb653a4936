import Foundation
import SQLite
import SQLitePages
import Testing

@testable import GTFSImport

/// Reading the pages of a table while other pages are written.
@Suite struct StoredSequencesTests {
    /// The first page is written meanwhile: half of it may be as before and half as after.
    @Test func theFirstPageIsNotRead() throws {
        let (connection, folder) = try SmallFeed.store([:])
        defer { withExtendedLifetime(folder) {} }
        let root = try #require(try connection.rootPage(of: "stop_time"))
        let path = NSTemporaryDirectory() + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try #require(try connection.text("SELECT file FROM pragma_database_list WHERE name = 'main'"))
        var bytes = try Data(contentsOf: URL(filePath: store))
        bytes.replaceSubrange(..<4096, with: Data(count: 4096))
        try bytes.write(to: URL(filePath: path))
        let reader = try DatabaseFile(path: path, sums: PageSums(pageSize: 4096)).reader(root: root)
        var rows: Int64 = 0
        while try reader.next() != nil { rows += 1 }
        #expect(try connection.integer("SELECT count(*) FROM stop_time") == rows && rows > 0)
    }
}
