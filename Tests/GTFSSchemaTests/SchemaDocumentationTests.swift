import Foundation
import Testing

@testable import GTFSSchema

/// The page of tables and columns says what the declaration says.
struct SchemaDocumentationTests {
    private let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "schema/tables.md")

    @Test func thePageIsWhatTheDeclarationSays() throws {
        if ProcessInfo.processInfo.environment["UPDATE_SCHEMA_PAGE"] == "1" {
            try Data(SchemaDocumentation.page.utf8).write(to: page)
        }
        let written = try String(decoding: Data(contentsOf: page), as: UTF8.self)
        #expect(
            written == SchemaDocumentation.page,
            "make it anew: UPDATE_SCHEMA_PAGE=1 swift test --filter SchemaDocumentation")
    }

    @Test func everyTableAndColumnIsOnIt() {
        for file in Specification.gtfs.files {
            #expect(SchemaDocumentation.page.contains("## \(file.table)\n"))
            for field in file.fields { #expect(SchemaDocumentation.page.contains("| `\(field.column)` | ")) }
            for column in StoreSchema.derivedColumns[file.table] ?? [] {
                #expect(SchemaDocumentation.page.contains("| `\(column.name)` | "))
            }
        }
    }
}
