import Synchronization

/// What an entity is made of: its table, columns, key and relationships.
///
///     Stop.entity.columns.map(\.name)             // ["id", "stop_id", "code", "name", …]
///     Stop.entity.property(named: "stopTimes")    // .toMany(…)
///
/// A typed entity has one description per process. Any other table has one for each layout in which it occurs.
public final class EntityDescription: Sendable {
    /// The columns that identify a row, by position.
    enum Key: Sendable, Hashable {
        /// One integer column.
        case row(Int)
        /// Two integer columns: a sequence under a parent.
        case pair(Int, Int)
        /// Any columns.
        case values([Int])
    }

    /// What a name stands for.
    public enum Property: Sendable {
        /// The column at a position.
        case attribute(Int)
        /// The reference at a position.
        case toOne(Int)
        /// The to-many relationship at a position.
        case toMany(Int)
    }

    /// The entity's name, such as `StopTime`.
    public let name: String
    /// The table, such as `stop_time`.
    public let table: String
    /// The columns of the table, in its order.
    public let columns: [ColumnDescription]
    /// The relationships that the class declares.
    let declaredToMany: [ToManyDescription]
    let objectType: StoreObject.Type
    let key: Key
    /// Whether the key is one integer column.
    let hasRowKey: Bool
    /// The number of the description, which no other one of the process has.
    let number: UInt32
    private static let made = Atomic<UInt32>(0)
    private let properties: [ExactText: Property]
    /// The relationships that have the name of one of the feed's own columns; `property(named:)` looks here first.
    private let relationshipsBeforeColumns: [ExactText: Property]
    /// The positions of the key's columns.
    let keyColumns: [Int]
    /// The positions of these columns in a SELECT of the key alone: 0, 1, …
    let keyPositions: [Int]
    /// The table as written in SQL. For a view it is the view's SELECT, because reading connections disable views.
    let sqlTable: String
    /// `t0.id, t0.stop_id, …`, built only once because it is the longest part of most statements.
    let allColumns: SQLFragment

    init(
        _ objectType: StoreObject.Type, name: String, table: String, key: Key = .row(0), columns: [ColumnDescription],
        toMany: [ToManyDescription] = [], ownColumns: Set<Int> = [], source: String? = nil
    ) {
        self.name = name
        self.table = table
        self.objectType = objectType
        self.key = key
        hasRowKey = if case .row = key { true } else { false }
        number = Self.made.add(1, ordering: .relaxed).newValue
        declaredToMany = toMany
        let keyColumns =
            switch key {
            case .row(let column): [column]
            case .pair(let first, let second): [first, second]
            case .values(let columns): columns
            }
        self.keyColumns = keyColumns
        self.columns = columns.enumerated().map { keyColumns.contains($0) ? $1.neverMissing : $1 }
        keyPositions = Array(keyColumns.indices)
        sqlTable = source ?? SQLFragment.identifier(table)
        allColumns = SQLFragment(columns.map { "t0." + $0.sqlName }.joined(separator: ", "))
        var properties: [ExactText: Property] = [:]
        for (position, relationship) in toMany.enumerated() {
            properties[ExactText(relationship.name)] = .toMany(position)
        }
        for (position, column) in columns.enumerated() {
            let property = column.target == nil ? Property.attribute(position) : .toOne(position)
            properties[ExactText(column.property)] = property
            properties[ExactText(column.name)] = property
        }
        self.properties = properties
        relationshipsBeforeColumns = Self.relationships(
            of: table, calledLike: ownColumns, properties, declared: toMany.count)
    }

    /// The relationships that no class declares and that have the name of one of these columns.
    private static func relationships(
        of table: String, calledLike ownColumns: Set<Int>, _ properties: [ExactText: Property], declared: Int
    ) -> [ExactText: Property] {
        // The entities of classes have no such columns: they are made before relationships can be looked up.
        guard !ownColumns.isEmpty else { return [:] }
        var relationships: [ExactText: Property] = [:]
        for (position, relationship) in (ToManyDescription.undeclared[table] ?? []).enumerated() {
            for name in relationship.names.map({ ExactText($0) }) {
                guard case .attribute(let column) = properties[name], ownColumns.contains(column) else { continue }
                relationships[name] = .toMany(declared + position)
            }
        }
        return relationships
    }

    /// What a property's or column's name stands for; nil when the entity has no such name. A relationship takes
    /// precedence over a column of the feed's own.
    public func property(named name: String) -> Property? {
        let exact = ExactText(name)
        if let property = relationshipsBeforeColumns[exact] ?? properties[exact] { return property }
        return undeclaredToMany.firstIndex { $0.names.contains { $0.hasSameBytes(as: name) } }
            .map { .toMany(declaredToMany.count + $0) }
    }

    /// Whether a column is the integer key that alone identifies a row.
    func isRowKey(_ column: Int) -> Bool {
        if case .row(let key) = key { key == column } else { false }
    }

    /// Columns that the import computes from other columns or rows. A program may not set them: the value could
    /// contradict those other columns or rows.
    private static let computedColumns: [String: String] = [
        "stop": "normalized_name", "route": "timezone", "service": "day_set", "stop_time": "filled_times",
    ]

    /// Why a program may not set a column, as the end of a sentence about it; nil if it may.
    func reasonAgainstSetting(_ column: Int) -> String? {
        if isRowKey(column) { return "is the row's key" }
        return Self.computedColumns[table] == columns[column].name ? "is a value that the import computes" : nil
    }

    /// The to-many relationships: first those that the class declares, then those that follow from the references in
    /// the specification.
    public var toMany: [ToManyDescription] { declaredToMany + undeclaredToMany }

    /// The to-many relationship at a position.
    func toMany(at position: Int) -> ToManyDescription {
        let declared = declaredToMany.count
        return position < declared ? declaredToMany[position] : undeclaredToMany[position - declared]
    }

    private var undeclaredToMany: [ToManyDescription] { ToManyDescription.undeclared[table] ?? [] }

    /// The position of the column that a property's or column's name stands for, even if a relationship has the name.
    func columnIndex(_ name: String) -> Int? {
        switch properties[ExactText(name)] {
        case .attribute(let position), .toOne(let position): position
        case .toMany, nil: nil
        }
    }

    /// The column that holds a column's text without case and diacritics, if there is one. Only tables with a class
    /// have such columns; in other tables, `normalized_…` may be the name of a feed's own column.
    func normalizedColumn(of column: Int) -> Int? {
        guard objectType != StoredRow.self else { return nil }
        if columns[column].name.hasPrefix("normalized_") { return column }
        return columnIndex("normalized_" + columns[column].name)
    }

    /// The names that may follow in a path, for messages.
    var propertyNames: [String] { columns.map(\.property) + toMany.map(\.name) }

    /// The relationships' names, to-one first.
    package var relationshipNames: [String] {
        columns.filter { $0.target != nil }.map(\.property) + toMany.map(\.name)
    }

    /// The entity at the end of a path of to-one relationships, and the path up to its last optional relationship.
    func followed(
        _ path: some Collection<String>, in model: StoreModel = .typed
    ) -> (entity: EntityDescription, optional: PropertyPath?)? {
        var (entity, optional): (EntityDescription, PropertyPath?) = (self, nil)
        for (position, name) in path.enumerated() {
            guard let index = entity.columnIndex(name), let table = entity.columns[index].target,
                let next = model.entity(named: table)
            else { return nil }
            if !entity.columns[index].isRequiredReference { optional = PropertyPath(path.prefix(position + 1)) }
            entity = next
        }
        return (entity, optional)
    }

    /// The path with property names: `parentStation` for `parent_station`. Unknown names stay as they are.
    func propertyNames(along path: [String]) -> [String] {
        var entity: EntityDescription? = self
        return path.map { name in
            let owner = entity
            entity = owner?.relatedTable(name).flatMap(StoreModel.typed.entity(named:))
            switch owner?.property(named: name) {
            case .attribute(let index), .toOne(let index): return owner?.columns[index].property ?? name
            case .toMany(let position): return owner?.toMany(at: position).name ?? name
            case nil: return name
            }
        }
    }

    /// The table that a relationship leads to; nil if the name is not a relationship.
    func relatedTable(_ name: String) -> String? {
        switch property(named: name) {
        case .toOne(let index): columns[index].target
        case .toMany(let position): toMany(at: position).table
        case .attribute, nil: nil
        }
    }
}

extension EntityDescription: Hashable {
    public static func == (one: EntityDescription, other: EntityDescription) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
