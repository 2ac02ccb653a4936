import Foundation
import GTFSSchema
import Testing

@testable import TransitStore

/// The page of all entities says what the model says.
///
///     UPDATE_DOCUMENTATION=1 swift test --filter DocumentationTests     // writes it anew
@Suite struct EntityDocumentationTests {
    private static let path = ImportedStore.packageRoot + "/Sources/TransitStore/TransitStore.docc/Entities.md"

    @Test func thePageIsThatOfTheModel() throws {
        let page = Self.page(try TestStore { _ in }.open().model.listing)
        if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTATION"] != nil {
            try page.write(toFile: Self.path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: Self.path, encoding: .utf8) == page)
    }

    /// No field of GTFS is forgotten, and none is an entity's under two names.
    @Test func everyFieldIsAProperty() throws {
        let listing = try TestStore { _ in }.open().model.listing
        for file in Specification.gtfs.files {
            let entity = try #require(listing.first { $0.file == file.name })
            let fields = entity.properties.filter { $0.file == file.name && !$0.type.hasPrefix("many ") }
            #expect(Set(fields.compactMap(\.field)) == Set(file.fields.map(\.name)), "\(file.name)")
            #expect(fields.count == file.fields.count, "\(file.name)")
        }
    }

    private static func page(_ listing: [EntityListing]) -> String {
        let head = """
            # Entities

            What can be fetched: every entity with its properties and relationships, and the field of GTFS that each is from. Made from
            the model; `fetch-gtfs STORE info --entities` lists the same of a store, with columns that only its feed has.

            An entity has one name, such as `StopTime`, and that of its table, `stop_time`; entities without a class have that of their
            table alone and are fetched as ``StoredRow``. Names of files (`stops`, `stops.txt`), views (`gtfs_stops`) and fields
            (`stop_name`) are no names here, but whoever uses them is told the right one.

            Types: `text`, `number`, `time` (seconds since noon minus 12 h), `date` (YYYYMMDD); the name of an entity for the object that a
            reference leads to; `many` for the objects whose field refers back. Properties without a field are made by the importer.

            """
        return head + "\n" + listing.map(section).joined(separator: "\n")
    }

    private static func section(_ entity: EntityListing) -> String {
        let isTyped = entity.name != entity.table
        let origin = entity.file.map { "from `\($0)`" } ?? "made by the importer"
        var lines = ["## \(entity.name)", ""]
        lines.append(isTyped ? "``\(entity.name)``, table `\(entity.table)`, \(origin)." : "A table \(origin).")
        if entity.table == "stop" {
            let kinds = LocationType.knownValues.map { "`\($0.entityName ?? "")` (\($0.rawValue))" }.joined(
                separator: ", ")
            lines.append("Sub-entities by `locationType`: \(kinds).")
        }
        lines += ["", "| property | type | field |", "|---|---|---|"]
        lines += entity.properties.map { property in
            let isOwn = property.file == entity.file
            let field = property.field.map { isOwn ? " `\($0)` " : " `\(property.file ?? "")` `\($0)` " } ?? " "
            return "| `\(property.name)` | \(property.type) |\(field)|"
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
