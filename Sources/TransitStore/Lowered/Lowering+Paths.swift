extension Lowering {
    /// The column at the end of a path; joins the rows on the way.
    mutating func column(_ variable: QueryVariable, _ path: PropertyPath) throws -> Column {
        let row = try row(variable, path.dropLast(), of: path)
        guard let last = path.last, last != "id" || row.reference == nil else { return key(of: row) }
        guard let index = row.entity.columnIndex(last) else {
            throw StoreError.unknownProperty(last, of: row.entity, path: path)
        }
        return column(of: row, index)
    }

    /// A property as a value. A missing one reads as it does in Swift.
    mutating func property(
        _ variable: QueryVariable, _ path: PropertyPath, foldedFrom original: Int? = nil
    ) throws -> LoweredValue {
        var column = try column(variable, path)
        column.original = original
        let description = column.description
        let nilReference = description.isOptional ? column : column.row.optionalReference
        let flag = description.isFlag ? Comparison(isFlag: column) : nil
        let value = LoweredValue(
            flag ?? column, absent: column.mayBeNull ? description.absentValue : nil,
            null: .missing, isNil: nilReference.map { Comparison(isNull: $0) })
        guard !groupedNumbers.isEmpty, variable == .root,
            groupedNumbers.contains(column.row.path + [description.property])
        else { return value }
        return LoweredValue(value.node, null: .missing, isNil: value.isNil)
    }

    /// The grouped properties for which GTFS says "0 or empty".
    func groupedNumbers(_ grouping: [QueryExpression], of entity: EntityDescription) -> Set<PropertyPath> {
        grouping.reduce(into: []) { paths, part in
            guard case .property(.root, let path) = part, let last = path.last,
                let owner = entity.followed(path.dropLast(), in: model)?.entity,
                let index = owner.columnIndex(last),
                owner.columns[index].absence == .zero
                    || isInMemory && owner.columns[index].isNumberInKey
            else { return }
            paths.insert(PropertyPath(entity.propertyNames(along: Array(path))))
        }
    }

    /// Follows a path that ends at a to-many relationship.
    mutating func relationship(
        _ variable: QueryVariable, _ path: PropertyPath
    ) throws -> (owner: SelectRow, target: EntityDescription, inverse: Int) {
        guard let last = path.last else { throw StoreError.untranslatable("an empty path", "it names no relationship") }
        let row = try row(variable, path.dropLast(), of: path)
        guard case .toMany(let position) = row.entity.property(named: last) else {
            throw row.entity.property(named: last) == nil
                ? StoreError.unknownProperty(last, of: row.entity, path: path)
                : StoreError.untranslatable(path.joined(separator: "."), "\(last) is not a to-many relationship")
        }
        let relationship = row.entity.toMany(at: position)
        guard let target = try model.readEntity(named: relationship.table),
            let inverse = target.columnIndex(relationship.inverse)
        else { throw StoreError(.unknownEntity, "The store has no table \(relationship.table)") }
        return (row, target, inverse)
    }

    /// The id of a row. For a row that a reference names, it is the reference itself, so nothing is joined.
    mutating func key(of row: SelectRow) -> Column {
        row.reference ?? column(of: row, row.entity.keyColumns.first ?? 0)
    }

    /// A column of a row. The row gets its alias when its first column is named.
    mutating func column(of row: SelectRow, _ index: Int) -> Column {
        if row.alias.isEmpty { row.alias = nextAlias() }
        return Column(row: row, index: index, isInMemory: isInMemory)
    }

    /// The row that the references of a path lead to; error messages name the `whole` path.
    mutating func row(_ variable: QueryVariable, _ path: ArraySlice<String>, of whole: PropertyPath) throws -> SelectRow
    {
        let scope = try scope(of: variable)
        var row = scope.row
        for name in path {
            guard let property = row.entity.property(named: name) else {
                throw StoreError.unknownProperty(name, of: row.entity, path: whole)
            }
            guard case .toOne(let index) = property, let table = row.entity.columns[index].target,
                let target = model.entity(named: table)
            else {
                throw StoreError.untranslatable(
                    whole.joined(separator: "."), "\(name) of \(row.entity.name) is not a to-one relationship")
            }
            row = scope.row(target, behind: column(of: row, index))
        }
        return row
    }
}

extension ColumnDescription {
    /// Whether the property is an optional.
    fileprivate var isOptional: Bool { absence == .null && !isRequiredReference }

    /// What the property reads as when the column is NULL; nil if it then has no value.
    fileprivate var absentValue: QueryValue? {
        switch absence {
        case .emptyText: .text("")
        case .zero: zero
        case .never where isNumberInKey: .integer(0)
        case .never, .null: isRequiredReference ? .integer(ObjectID.missingRow) : nil
        }
    }

    /// Whether the column is part of a key and an ordinary number, as `stop_sequence` is. No row of a store lacks it,
    /// but a new object does until it is set.
    fileprivate var isNumberInKey: Bool { absence == .never && storage == .integer && target == nil }
}
