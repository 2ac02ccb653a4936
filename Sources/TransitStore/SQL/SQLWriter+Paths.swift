/// A column that a path leads to.
struct ResolvedColumn {
    let alias: String
    let column: ColumnDescription
    let index: Int
    let entity: EntityDescription
    /// The column's row has been joined, and may not be there.
    let isReachedThroughJoin: Bool
    /// The last reference of a path that goes through an optional one, as SQL: NULL where the whole is nil.
    var optionalReference: SQLFragment?

    /// What the property reads as when the column is NULL, if that is a value.
    var absentValue: QueryValue? {
        switch column.absence {
        case .emptyText: .text("")
        case .zero: .integer(0)
        case .never, .null, .incomparable: nil
        }
    }

    /// Whether the value may be NULL, after what is missing has been read as its property reads.
    var valueMayBeNull: Bool { mayBeNull && (absentValue == nil || optionalReference != nil) }

    /// Whether the bare column may be NULL.
    var mayBeNull: Bool { column.absence != .never || isReachedThroughJoin }
}

/// A to-many relationship that a path leads to.
struct ResolvedRelationship {
    /// The owner's key as SQL, such as `t0.id`.
    let owner: SQLFragment
    let relationship: ToManyDescription
    let target: EntityDescription
    let inverse: Int
}

extension SQLWriter {
    /// Follows a path that ends at a column; joins what it passes.
    mutating func resolve(_ variable: QueryVariable, _ path: [String]) throws -> ResolvedColumn {
        guard let last = path.last else { return try key(of: variable) }
        let row = try follow(variable, path.dropLast(), whole: path)
        // The id of what a reference names is the reference itself: nothing to join.
        if last == "id", let reference = row.reference {
            return ResolvedColumn(
                alias: reference.alias, column: reference.column, index: reference.index, entity: reference.entity,
                isReachedThroughJoin: reference.alias != row.scope.alias)
        }
        guard let index = row.entity.columnIndex(last) else {
            throw StoreError.unknownProperty(last, of: row.entity, path: path)
        }
        return ResolvedColumn(
            alias: try joined(row), column: row.entity.columns[index], index: index, entity: row.entity,
            isReachedThroughJoin: row.reference != nil,
            optionalReference: row.isOptional ? row.reference.map(Self.sql) : nil)
    }

    /// `t0.parent_station`
    private static func sql(_ reference: PathRow.Reference) -> SQLFragment {
        var sql = SQLFragment("\(reference.alias).")
        sql.append(identifier: reference.column.name)
        return sql
    }

    private func key(of variable: QueryVariable) throws -> ResolvedColumn {
        let scope = try scope(of: variable)
        let index = scope.entity.keyColumns.first ?? 0
        return ResolvedColumn(
            alias: scope.alias, column: scope.entity.columns[index], index: index, entity: scope.entity,
            isReachedThroughJoin: false)
    }

    /// Follows a path that ends at a to-many relationship.
    mutating func resolveRelationship(_ variable: QueryVariable, _ path: [String]) throws -> ResolvedRelationship {
        guard let last = path.last else { throw StoreError.untranslatable("an empty path", "it names no relationship") }
        let row = try follow(variable, path.dropLast(), whole: path)
        guard case .toMany(let position) = row.entity.property(named: last) else {
            throw row.entity.property(named: last) == nil
                ? StoreError.unknownProperty(last, of: row.entity, path: path)
                : StoreError.untranslatable(path.joined(separator: "."), "\(last) is not a to-many relationship")
        }
        let relationship = row.entity.toMany(at: position)
        guard let target = model.entity(named: relationship.table),
            let inverse = target.columnIndex(relationship.inverse)
        else { throw StoreError(.unknownEntity, "The store has no table \(relationship.table)") }
        var owner = SQLFragment()
        if let reference = row.reference {
            owner = Self.sql(reference)
        } else {
            owner.append("\(row.scope.alias).id")
        }
        return ResolvedRelationship(owner: owner, relationship: relationship, target: target, inverse: inverse)
    }

    /// A row along a path: of the variable itself, or of the entity that a reference names.
    private struct PathRow {
        let scope: SelectScope
        let entity: EntityDescription
        typealias Reference = (alias: String, column: ColumnDescription, index: Int, entity: EntityDescription)
        var reference: Reference?
        /// A reference on the way may be nil.
        var isOptional = false
    }

    private mutating func follow(
        _ variable: QueryVariable, _ path: ArraySlice<String>, whole: [String]
    ) throws -> PathRow {
        let scope = try scope(of: variable)
        var row = PathRow(scope: scope, entity: scope.entity)
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
            let alias = try joined(row)
            row = PathRow(
                scope: scope, entity: target, reference: (alias, row.entity.columns[index], index, row.entity),
                isOptional: row.isOptional || !row.entity.columns[index].isRequiredReference)
        }
        return row
    }

    /// The alias of a row, joined now if its reference has not been needed before.
    private mutating func joined(_ row: PathRow) throws -> String {
        guard let reference = row.reference else { return row.scope.alias }
        return row.scope.join(row.entity, from: reference.alias, column: reference.column.name) { nextAlias() }
    }

    /// `t0.departure_time`
    func append(_ column: ResolvedColumn, to sql: inout SQLFragment) {
        sql.append(column.alias)
        sql.append(".")
        sql.append(column.column.sqlName)
    }
}
