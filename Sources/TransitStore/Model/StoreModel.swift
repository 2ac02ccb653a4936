import GTFSSchema
import Synchronization

/// The entities of a store: the typed ones, and any other table by name.
public struct StoreModel: Sendable {
    /// The entities with classes of their own.
    public static let typedEntities: [EntityDescription] = [
        Agency.entity, Stop.entity, Route.entity, Trip.entity, StopTime.entity, Service.entity,
        ServiceException.entity, Frequency.entity, Transfer.entity, Shape.entity, ShapePoint.entity,
        SearchTerm.entity, Level.entity, Pathway.entity, Translation.entity, Feed.entity, FeedInfo.entity,
    ]

    /// The model of the typed entities alone.
    static let typed = StoreModel(others: [])

    /// The model of a store. Reads the store's schema when a table without a class is first asked for.
    static func typed(before store: TransitStore) -> StoreModel {
        StoreModel(byName: typed.byName, store: store)
    }

    private let byName: [ExactText: EntityDescription]
    /// The store that is asked for tables that are not in `byName`.
    private var store: TransitStore?

    /// `others` are tables without a class; a typed entity of the same table wins.
    init(others: [EntityDescription]) {
        var byName: [ExactText: EntityDescription] = [:]
        for entity in others + Self.typedEntities {
            byName[ExactText(entity.table)] = entity
            byName[ExactText(entity.name)] = entity
        }
        self.byName = byName
    }

    private init(byName: [ExactText: EntityDescription], store: TransitStore) {
        self.byName = byName
        self.store = store
    }

    /// The entity with a name (`StopTime`) or table (`stop_time`); nil if there is none.
    ///
    ///     let entity = try store.model.entity(named: "fare_attribute")
    ///     print(entity?.columns.map(\.property) ?? [])
    public func entity(named name: String) -> EntityDescription? {
        byName[ExactText(name)] ?? (try? store?.model)?.entity(named: name)
    }

    /// The entity with a name or table, like `entity(named:)`; throws if the schema cannot be read.
    func readEntity(named name: String) throws -> EntityDescription? {
        try byName[ExactText(name)] ?? store?.model.entity(named: name)
    }

    /// All entities, sorted by table.
    public var entities: [EntityDescription] {
        if let model = try? store?.model { return model.entities }
        return Array(Set(byName.values)).sorted { $0.table.utf8.lexicographicallyPrecedes($1.table.utf8) }
    }

    /// The entities that the specification declares, without the tables that only a store has. For work without a
    /// store, such as printing requests.
    static let declared = StoreModel(
        others: Specification.gtfs.files.map { file in
            let fields = file.fields.map { (name: $0.column, type: $0.type.storage.rawValue, keyPosition: 0) }
            return .ofTable(file.table, columns: [(name: "id", type: "INTEGER", keyPosition: 1)] + fields)
        })
}

extension EntityDescription {
    /// The description of a table that has no class of its own, from its columns in the store.
    ///
    /// References come from the GTFS specification. All properties outside the key are optional.
    static func ofTable(_ table: String, columns: [(name: String, type: String, keyPosition: Int)]) -> EntityDescription
    {
        // Descriptions are never freed, because ids hold their entity unowned. There is one for each layout of a table,
        // however often stores are opened.
        let layout = "\(table) " + columns.map { "\($0.name) \($0.type) \($0.keyPosition)" }.joined(separator: ", ")
        return layouts.withLock { layouts in
            if let known = layouts[ExactText(layout)] { return known }
            let entity = made(ofTable: table, columns: columns)
            layouts[ExactText(layout)] = entity
            return entity
        }
    }

    private static let layouts = Mutex<[ExactText: EntityDescription]>([:])

    /// The Swift names of a table's columns. The Swift name of one column may be how another is spelled: `note_` and
    /// `note`, `fare_id` and `fareID`. A column whose Swift name is taken keeps its own name. Columns of the
    /// specification choose first.
    private static func propertyNames(of columns: [String], areDeclared: [Bool]) -> [String] {
        var taken = Set(columns.map { ExactText($0) })
        var names = columns
        let declared = columns.indices.filter { areDeclared[$0] }
        for index in declared + columns.indices.filter({ !areDeclared[$0] }) {
            let name = ColumnDescription.propertyName(ofColumn: columns[index])
            if taken.insert(ExactText(name)).inserted { names[index] = name }
        }
        return names
    }

    private static func made(
        ofTable table: String, columns: [(name: String, type: String, keyPosition: Int)]
    ) -> EntityDescription {
        let file = Specification.gtfs.file(ofTable: table)
        let fields = columns.map { column in file?.fields.first { $0.column.hasSameBytes(as: column.name) } }
        let properties = propertyNames(of: columns.map(\.name), areDeclared: fields.map { $0 != nil })
        let descriptions = columns.indices.map { index in
            let column = columns[index]
            let storage: ColumnDescription.Storage =
                switch StorageType(rawValue: column.type) {
                case .integer: .integer
                case .real: .real
                case .text, nil: .text
                }
            return ColumnDescription(
                column.name, property: properties[index], storage: storage,
                absence: column.keyPosition > 0 ? .never : .null, target: fields[index]?.referencedTable)
        }
        let own = Set(columns.indices.filter { fields[$0] == nil && columns[$0].keyPosition == 0 })
        let key = columns.indices.filter { columns[$0].keyPosition > 0 }
            .sorted { columns[$0].keyPosition < columns[$1].keyPosition }
        return EntityDescription(
            StoredRow.self, name: table, table: table,
            key: key.count == 1 && columns[key[0]].type == "INTEGER" ? .row(key[0]) : .values(key),
            columns: descriptions, ownColumns: own,
            source: StoreSchema.keptViews.first { $0.name == table }.map { "(\($0.select))" })
    }
}
