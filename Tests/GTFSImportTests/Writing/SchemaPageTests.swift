import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// schema/tables.md has a section for each table and view of a store, with each column.
@Suite struct SchemaPageTests {
    private static let root = CommandLineProgram.packageRoot

    /// The columns in each section of the page, by the name of the table or view; views of files have those of GTFS.
    private static func sections() throws -> [String: [String]] {
        let page = try String(contentsOfFile: root + "/schema/tables.md", encoding: .utf8)
        var sections: [String: [String]] = [:]
        for section in page.components(separatedBy: "\n## ").dropFirst() {
            let lines = section.components(separatedBy: "\n")
            let rows = lines.filter { $0.hasPrefix("| `") }.map { row in
                row.components(separatedBy: "|").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
            }
            sections[lines[0]] = rows.map { $0[1] }
            if let view = section.firstMatch(of: /given back by `(gtfs_\w+)`/) {
                sections[String(view.1)] = rows.map { $0[3] }.filter { !$0.isEmpty }
            }
        }
        return sections
    }

    @Test func `the page has every table and column`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("sample.sqlite")
        #expect(Importer(ImportOptions(feed: Self.root + "/pipelines/sample-feed", store: path)).run().error == nil)
        let store = try Connection(path: path, mode: .readOnly)
        let sections = try Self.sections()
        let tables = try store.lines("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
        #expect(tables.count > 80)
        for table in tables where !table.hasPrefix("sqlite_") {
            guard let known = sections[table] else {
                Issue.record("schema/tables.md has no \(table)")
                continue
            }
            let columns = try store.lines("SELECT name FROM pragma_table_info('\(table)')")
            // The page says once that tables of files have `id`. The view of locations.geojson also has `properties`,
            // which are no field.
            let others: Set = table == "gtfs_locations" ? ["id", "properties"] : ["id"]
            #expect(Set(columns).subtracting(others) == Set(known).subtracting(others), "\(table)")
        }
        #expect(Set(sections.keys).subtracting(tables).isEmpty)
    }
}
