import SQLite
import Testing

@testable import TransitStore

/// Reads every row of every entity of imported stores by typed properties and by plain SQL. Both give the same values.
@Suite struct TypedValueTests {
    @Test func propertiesHaveTheValuesOfTheSampleFeed() throws { try expectSameValues(in: ImportedStore.sample.get()) }

    @Test(.enabled(if: !RealFeeds.paths.isEmpty, RealFeeds.absent), arguments: RealFeeds.paths)
    func propertiesHaveTheValuesOfRealFeeds(_ feed: String) throws {
        try expectSameValues(in: ImportedStore(feed: feed))
    }

    @Test func everyColumnHasAProperty() throws {
        #expect(
            Set(typedEntities.map { ObjectIdentifier($0) })
                == Set(StoreModel.typedEntities.map { ObjectIdentifier($0.objectType) }))
        for type in typedEntities { try expectAllColumns(type) }
    }

    @Test(
        arguments: [
            (0, 0), (12, 12), (13, nil), (100, 2), (209, 3), (400, 1), (404, 1), (405, 12), (715, 3), (800, 11),
            (906, 0),
            (1_000, 4), (1_100, nil), (1_200, 4), (1_307, 6), (1_400, 7), (1_500, nil), (1_702, nil),
        ] as [(Int, Int?)]) func `extended types of lines are of a kind of GTFS`(type: Int, basic: Int?)
    {
        #expect(RouteType(rawValue: type).basic?.rawValue == basic)
    }

    private func expectAllColumns<Entity: TypedProperties>(_ type: Entity.Type) throws {
        let names = try Entity.typedProperties.map {
            try #require(PathRecorder.path(of: $0, entity: Entity.entity)).names
        }
        #expect(names.flatMap { $0 } == Entity.entity.columns.map(\.property))
    }

    private func expectSameValues(in imported: ImportedStore) throws {
        let store = try imported.open()
        try expectSameCounts(store)
        let context = store.makeContext()
        let connection = try Connection(path: imported.path, mode: .immutable)
        for type in typedEntities { try expectSameRows(of: type, context, connection) }
        #expect(context.lastError == nil)
    }

    private func expectSameCounts(_ store: TransitStore) throws {
        let connection = try Connection(path: store.path, mode: .immutable)
        let context = store.makeContext()
        let entities = try store.model.entities
        #expect(entities.count > StoreModel.typedEntities.count)
        for entity in entities {
            let count = try connection.integer("SELECT count(*) FROM \(entity.sqlTable)")
            let request = FetchRequest<StoreObject>(entity: entity.table)
            #expect(try context.fetchCount(request) == count.map { Int($0) }, "\(entity.table)")
            #expect(try context.fetchIDs(request).count == count.map { Int($0) }, "\(entity.table)")
        }
    }

    private func expectSameRows<Entity: TypedProperties>(
        of type: Entity.Type, _ context: StoreContext, _ connection: Connection
    ) throws {
        let entity = Entity.entity
        let key = entity.keyColumns.map { entity.columns[$0].name }
        var request = FetchRequest<Entity>()
        request.returnsObjectsAsFaults = false
        request.sortDescriptors = key.map { .by(.property(.root, [$0])) }
        let objects = try context.fetch(request)
        let names = entity.columns.map(\.sqlName).joined(separator: ", ")
        let statement = try connection.prepare(
            "SELECT \(names) FROM \(entity.sqlTable) ORDER BY \(key.joined(separator: ", "))")
        var row = 0
        while try statement.step() {
            guard row < objects.count else { break }
            for (position, property) in Entity.typedProperties.enumerated() {
                let expected = Self.reading(QueryValue(statement.value(position)), of: entity.columns[position])
                let found = Self.value(objects[row][keyPath: property])
                if found != expected {
                    Issue.record(
                        "\(objects[row].objectID) \(entity.columns[position].property): \(found), not \(expected)")
                    return
                }
            }
            row += 1
        }
        #expect(row == objects.count)
        #expect(try connection.integer("SELECT count(*) FROM \(entity.sqlTable)") == Int64(row))
    }

    /// The value that a typed property gives for a column's stored value.
    private static func reading(_ value: QueryValue, of column: ColumnDescription) -> QueryValue {
        guard value.isNull else { return value }
        return switch column.absence {
        case .emptyText: ""
        case .zero: column.storage == .real ? .double(0) : 0
        case .never, .null: .null
        }
    }

    /// The value that the store would keep for what a typed property has returned.
    private static func value(_ any: Any) -> QueryValue {
        if let object = any as? StoreObject {
            return object.objectID.isTemporary ? .null : object.objectID.keyValues[0]
        }
        if let value = any as? any QueryValueConvertible { return value.queryValue }
        return .null
    }
}
