import SQLite

/// Properties along paths.
extension ExpressionEvaluator {
    func row(_ variable: QueryVariable) throws -> StoreObject {
        guard let row = rows[variable] else {
            throw StoreError.untranslatable("variable \(variable.number)", "it stands for no row here")
        }
        return row
    }

    /// A column as it is, NULL where nothing is; all else as a value.
    mutating func bareValue(_ expression: QueryExpression) throws -> QueryValue {
        switch expression {
        case .property(let variable, let path): return try column(variable, path)?.bare ?? .null
        case .folded(let inner): return try bareValue(inner).text.map { .text($0.folded) } ?? .null
        default: return try operand(expression)
        }
    }

    func property(_ variable: QueryVariable, _ path: [String]) throws -> QueryValue {
        guard let (bare, absence) = try column(variable, path) else { return .null }
        guard bare.isNull else { return bare }
        switch absence {
        case .emptyText: return .text("")
        case .zero: return .integer(0)
        case .never, .null, .incomparable: return .null
        }
    }

    func column(
        _ variable: QueryVariable, _ path: [String]
    ) throws -> (bare: QueryValue, absence: ColumnDescription.Absence)? {
        if hasNoRow { return nil }
        let (owner, last) = try follow(variable, path)
        let entity = owner?.objectID.entity
        guard let owner, let entity else {
            // The last property of a row that is not there reads as it does in an empty row.
            guard let (target, isOptional) = try target(variable, path), let index = target.columnIndex(last)
            else { return nil }
            return (.null, isOptional ? .null : target.columns[index].absence)
        }
        guard let index = entity.columnIndex(last) else {
            throw StoreError.unknownProperty(last, of: entity, path: path)
        }
        if case .row(let row) = owner.objectID.key, entity.key == .row(index) { return (.integer(row), .never) }
        return (owner.value(ofColumn: index), entity.columns[index].absence)
    }

    /// The entity that the last name of a path belongs to, and whether a reference on the way is optional.
    func target(
        _ variable: QueryVariable, _ path: [String]
    ) throws -> (entity: EntityDescription, isOptional: Bool)? {
        let start = try row(variable)
        var entity = start.objectID.entity
        var isOptional = false
        for name in path.dropLast() {
            guard let index = entity.columnIndex(name), let table = entity.columns[index].target,
                let next = start.context?.entity(named: table, store: start.objectID.store)
            else { return nil }
            isOptional = isOptional || !entity.columns[index].isRequiredReference
            entity = next
        }
        return (entity, isOptional)
    }

    func isOptional(_ expression: QueryExpression) throws -> Bool {
        switch expression {
        case .property where hasNoRow: false
        case .property(let variable, let path): try target(variable, path)?.isOptional ?? false
        case .folded(let inner): try isOptional(inner)
        default: false
        }
    }

    /// The row that the last name of a path is a property of; nil when a reference on the way is empty, or to what was
    /// deleted.
    func follow(_ variable: QueryVariable, _ path: [String]) throws -> (StoreObject?, String) {
        var object: StoreObject? = try row(variable)
        for name in path.dropLast() {
            guard let current = object else { break }
            guard let index = current.objectID.entity.columnIndex(name) else {
                throw StoreError.unknownProperty(name, of: current.objectID.entity, path: path)
            }
            object = current.origin.object(of: current, reference: index, type: StoreObject.self)
        }
        return (object, path.last ?? "")
    }
}
