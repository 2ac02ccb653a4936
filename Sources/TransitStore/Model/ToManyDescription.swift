import GTFSSchema

/// A to-many relationship: the rows of a table that refer to one row.
public struct ToManyDescription: Sendable {
    /// The property's name, such as `stopTimes`.
    public let name: String
    /// The table of the referring rows.
    public let table: String
    /// The column of that table that holds the reference.
    public let inverse: String
    /// The column that orders the referring rows, if they have an order.
    public let orderedBy: String?
    /// The name in snake case, such as `fare_rules`, for a relationship without a Swift property.
    let columnName: String?
    /// Both names, or the only one.
    var names: [String] { [name] + (columnName.map { [$0] } ?? []) }

    init(
        _ name: String, to table: String, inverse: String, orderedBy: String? = nil, columnName: String? = nil
    ) {
        self.name = name
        self.table = table
        self.inverse = inverse
        self.orderedBy = orderedBy
        self.columnName = columnName
    }
}

extension ToManyDescription {
    /// The relationships that follow from references in the specification and that no class declares, by the owner's
    /// table. The rows of fare_rules.txt that refer to a route are its `fareRules`, or `fare_rules`.
    ///
    /// Made when somebody first asks for a name that no class declares: reading the specification takes longer than
    /// opening a store.
    static let undeclared: [String: [ToManyDescription]] = {
        var byOwner: [String: [ToManyDescription]] = [:]
        for entity in StoreModel.typedEntities { byOwner[entity.table] = entity.declaredToMany }
        let declared = byOwner
        byOwner = [:]
        for file in Specification.gtfs.files {
            for field in file.fields {
                guard let owner = field.referencedTable else { continue }
                let isKnown = declared[owner]?.contains { $0.table == file.table && $0.inverse == field.column }
                if isKnown != true { byOwner[owner, default: []].append(ToManyDescription(file, field)) }
            }
        }
        return byOwner
    }()

    /// The relationship to the rows of `file` whose `field` refers to a row: `fareRules`. If the file refers to one
    /// table more than once, the name includes the field: `fareLegJoinRulesFrom`, `stopTimesByPickupBookingRule`.
    private init(_ file: FileDefinition, _ field: FieldDefinition) {
        let siblings = file.fields.filter { $0.referencedTable == field.referencedTable }
        let name = file.stem + (siblings.count > 1 ? Self.role(ofColumn: field.column) : "")
        self.init(
            ColumnDescription.propertyName(ofColumn: name), to: file.table, inverse: field.column, columnName: name)
    }

    private static func role(ofColumn column: String) -> String {
        if column.hasPrefix("from_") { return "_from" }
        return column.hasPrefix("to_") ? "_to" : "_by_" + column
    }
}
