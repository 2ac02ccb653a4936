import Console
import TransitStore

/// `info --entities`: what can be fetched from a store, a row for each property and relationship.
struct EntitiesCommand {
    let store: TransitStore
    let arguments: FetchArguments

    private static let columns = ["entity", "table", "property", "type", "file", "field"].map {
        OutputColumn(name: $0, kind: .text)
    }

    /// Lists all entities, or only the one with this name.
    func run(_ name: String?, _ output: BufferedOutput) throws {
        let model = try store.model
        var rows = arguments.rows(Self.columns, output)
        for entity in try name.map({ [try model.listing(named: $0)] }) ?? model.listing {
            for property in entity.properties {
                try rows.write([
                    .text(entity.name), .text(entity.table), .text(property.name), .text(property.type),
                    property.file.map { .text($0) } ?? .null, property.field.map { .text($0) } ?? .null,
                ])
            }
            guard entity.table == "stop" else { continue }
            for kind in LocationType.knownValues {
                try rows.write([
                    .text(kind.entityName ?? kind.description), .text(entity.table), .null,
                    .text("\(entity.name) whose locationType is \(kind.rawValue)"), .null, .null,
                ])
            }
        }
        try rows.end()
    }
}
