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
        let page = try Self.page(TestStore { _ in }.open().model.listing)
        if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTATION"] != nil {
            try page.write(toFile: Self.path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: Self.path, encoding: .utf8) == page)
    }

    /// Every field of GTFS is a property of its entity, under one name only.
    @Test func everyFieldIsAProperty() throws {
        let listing = try TestStore { _ in }.open().model.listing
        for file in Specification.gtfs.files {
            let entity = try #require(listing.first { $0.file == file.name })
            let fields = entity.properties.filter { $0.file == file.name && !$0.type.hasPrefix("many ") }
            #expect(Set(fields.compactMap(\.field)) == Set(file.fields.map(\.name)), "\(file.name)")
            #expect(fields.count == file.fields.count, "\(file.name)")
        }
    }

    private static func page(_ listing: [EntityListing]) throws -> String {
        let head = """
            # Entities

            Every entity with its properties and relationships, and the field of GTFS that each comes from. `fetch-gtfs STORE info
            --entities` lists the same for a store, and for tables without a class also the columns that only its feed has. In a table
            with a class, such as `stop`, a feed's own columns are no properties: `feedColumns()` reads them, and so does SQL.

            An entity with a class has two names: the class, such as `StopTime`, and its table, `stop_time`. An entity without a class has
            the name of its table, and you fetch it as ``StoredRow``. If you use the name of a file (`stops.txt`), a view (`gtfs_stops`) or a
            field (`stop_name`), the error tells you the right name. The last section lists the values of the enumerations.

            The column *Swift* shows the type of the property in Swift. Where it is empty, the property has a name only: use `value(of:)`,
            `object(of:)` or `objects(of:)`. The column *in words* shows what conditions in words and the command line compare it with:

            - `text`, `number`, `time` (such as `08:30:00`, or seconds since noon minus 12 hours), `date` (YYYYMMDD)
            - the name of an entity: a reference to one object
            - `many` and the name of an entity: all objects that refer to this one by the field

            The importer makes the properties that have no field.

            """
        let types = try swiftTypes()
        return head + "\n" + listing.map { section($0, types) }.joined(separator: "\n") + "\n" + enumerations
    }

    /// The values of each enumeration. Of the extended route types, which have numbers from 100 on, only how many.
    private static var enumerations: String {
        let types: [any GTFSEnumeration.Type] = [
            Availability.self, BoardingType.self, ContinuousStopping.self, Direction.self, ExactTimes.self,
            ExceptionType.self, LocationType.self, PathwayMode.self, RouteType.self, StopAccess.self, Timepoint.self,
            TransferType.self,
        ]
        let rows = types.map { type in
            let known = type.knownValues.map { (name: "\($0)", number: $0.rawValue as Int) }
            let values = known.filter { $0.number < 100 }.map { "`\($0.name)` \($0.number)" }.joined(separator: ", ")
            let extended = known.filter { $0.number >= 100 }.count
            return "| ``\(type)`` | \(values)\(extended > 0 ? ", and \(extended) extended types from 100 on" : "") |"
        }
        return (["## Enumerations", "", "| type | values and their numbers |", "|---|---|"] + rows)
            .joined(separator: "\n") + "\n"
    }

    /// The types of all public properties by their paths, such as `Stop.name`, from the list that CI compares with the
    /// build.
    private static func swiftTypes() throws -> [String: String] {
        let surface = try String(contentsOfFile: ImportedStore.packageRoot + "/.ci/surface.tsv", encoding: .utf8)
        return surface.split(separator: "\n").reduce(into: [:]) { types, line in
            let cells = line.split(separator: "\t")
            guard cells.count == 4, cells[1] == "property", let colon = cells[3].firstRange(of: ": "),
                let end = cells[3].firstRange(of: " { get")
            else { return }
            types[String(cells[2])] = String(cells[3][colon.upperBound..<end.lowerBound])
        }
    }

    private static func section(_ entity: EntityListing, _ types: [String: String]) -> String {
        let isTyped = entity.name != entity.table
        let origin = entity.file.map { "from `\($0)`" } ?? "made by the importer"
        var lines = ["## \(entity.name)", ""]
        let kind = StoreSchema.keptViews.contains { $0.name == entity.table } ? "view" : "table"
        lines.append(isTyped ? "``\(entity.name)``, table `\(entity.table)`, \(origin)." : "A \(kind) \(origin).")
        if entity.table == "stop" {
            let kinds = LocationType.knownValues.map { "`\($0.entityName ?? "")` (\($0.rawValue))" }.joined(
                separator: ", ")
            lines.append("Sub-entities by `locationType`: \(kinds).")
        }
        lines += [
            "", "| property |\(isTyped ? " Swift |" : "") in words | field |", "|---|\(isTyped ? "---|" : "")---|---|",
        ]
        lines += entity.properties.map { property in
            let isOwn = property.file == entity.file
            let field = property.field.map { isOwn ? " `\($0)` " : " `\(property.file ?? "")` `\($0)` " } ?? " "
            let type = types["\(entity.name).\(property.name)"].map { " `\($0)` |" } ?? " |"
            return "| `\(property.name)` |\(isTyped ? type : "") \(property.type) |\(field)|"
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
