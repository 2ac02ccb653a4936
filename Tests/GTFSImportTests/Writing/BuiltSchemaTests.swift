import Foundation
import GTFSSchema
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// A store's schema equals what SQLite would have written, although the importer itself enters the sorted indexes.
@Suite struct BuiltSchemaTests {
    private static let schema =
        "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY 1, 2"

    /// The schema that SQLite makes from a store's statements if the feed has these fields.
    private static func expected(_ present: [String: Set<String>]) throws -> String {
        let connection = try Connection(path: ":memory:", mode: .create)
        for statement in StoreSchema.supportingStatements { try connection.execute(statement) }
        let properties = StoreSchema.ExtraColumn(column: "properties", viewColumn: "properties")
        for file in Specification.gtfs.files {
            try connection.execute(
                StoreSchema.createTable(of: file, present: present[file.name] ?? [], extra: []))
        }
        for index in StoreSchema.indexes { try connection.execute(index.sql) }
        for file in Specification.gtfs.files {
            try connection.execute(
                StoreSchema.createView(of: file, extra: file.table == "location" ? [properties] : [], kept: nil))
        }
        return try SmallFeed.all(schema, connection)
    }

    @Test func theSchemaIsTheOneThatCREATEStatementsMake() throws {
        let (store, folder) = try SmallFeed.store([:])
        let present = try Dictionary(
            uniqueKeysWithValues: SmallFeed.files.map { name, text in
                (name, Set(try #require(text.split(separator: "\n").first).split(separator: ",").map(String.init)))
            })
        #expect(try SmallFeed.all(Self.schema, store) == Self.expected(present))
        #expect(try Connection.faults(of: folder.path("store.sqlite")) == [])
    }

    @Test func everyTableAndViewAnswers() throws {
        let (store, _) = try SmallFeed.store([:])
        for file in Specification.gtfs.files {
            let rows = try store.integer("SELECT count(*) FROM \(StoreSchema.quoted(file.table))")
            #expect(try store.integer("SELECT count(*) FROM \(StoreSchema.quoted(file.view))") == rows, "\(file.name)")
        }
    }

    @Test func ownColumnsAndKeptValuesAreInTheViews() throws {
        let (store, folder) = try SmallFeed.store([
            "levels.txt": "level_id,level_index,level_colour\"s\nl,x,green\n"
        ])
        #expect(try SmallFeed.all("SELECT * FROM gtfs_levels", store) == "l x - green")
        #expect(try Connection.faults(of: folder.path("store.sqlite")) == [])
    }
}
