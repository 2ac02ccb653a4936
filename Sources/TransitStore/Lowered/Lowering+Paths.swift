extension Lowering {
    /// A column that a path leads to.
    struct PathColumn {
        var column: Column
        /// The last optional reference of the path: where it is NULL, the whole is nil.
        var optionalReference: Column?
    }

    /// Follows a path that ends at a column; joins what it passes.
    mutating func column(_ variable: QueryVariable, _ path: [String]) throws -> PathColumn {
        let scope = try scope(of: variable)
        guard let last = path.last else {
            let key = column(of: scope, variable, index: scope.entity.keyColumns.first ?? 0)
            return PathColumn(column: key)
        }
        let row = try follow(variable, path.dropLast(), whole: path)
        // The id of what a reference names is the reference itself: nothing to join.
        if last == "id", let reference = row.reference {
            return PathColumn(column: reference, optionalReference: row.optionalReference)
        }
        guard let index = row.entity.columnIndex(last) else {
            throw StoreError.unknownProperty(last, of: row.entity, path: path)
        }
        let column = Column(
            variable: variable, path: path.dropLast(), alias: joined(row), entity: row.entity, index: index,
            isJoined: row.reference != nil)
        return PathColumn(column: column, optionalReference: row.optionalReference)
    }

    /// A property as a value: what is missing reads as it does in Swift.
    mutating func property(
        _ variable: QueryVariable, _ path: [String], foldedFrom original: Int? = nil
    ) throws -> LoweredValue {
        let end = try self.column(variable, path)
        var column = end.column
        column.original = original
        let description = column.description
        let null: LoweredValue.Absence = description.storage == .real ? .noNumber : .absent
        var lowered = LoweredValue(column, null: description.absence == .incomparable ? null : .missing)
        let optional = description.isOptional ? column : end.optionalReference
        lowered.isNil = optional.map { Comparison(isNull: $0) }
        guard column.mayBeNull, let absent = description.absentValue else { return lowered }
        lowered.absent = absent
        let present = Coalesce(first: column, otherwise: Literal(literal: absent))
        guard let optionalReference = end.optionalReference else {
            (lowered.node, lowered.null) = (present, .never)
            return lowered
        }
        lowered.node = Choice(test: Comparison(isNull: optionalReference).opposite, yes: present)
        return lowered
    }

    /// Follows a path that ends at a to-many relationship.
    mutating func relationship(
        _ variable: QueryVariable, _ path: [String]
    ) throws -> (owner: Column, target: EntityDescription, inverse: Int) {
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
        let key = row.entity.columnIndex("id") ?? 0
        return (row.reference ?? column(of: row.scope, variable, index: key), target, inverse)
    }

    private func column(of scope: SelectScope, _ variable: QueryVariable, index: Int) -> Column {
        Column(
            variable: variable, path: [], alias: scope.alias, entity: scope.entity, index: index, isJoined: false)
    }

    /// A row along a path: of the variable itself, or of the entity that a reference names.
    private struct PathRow {
        let scope: SelectScope
        let entity: EntityDescription
        var reference: Column?
        /// The last reference on the way that may be nil.
        var optionalReference: Column?
    }

    private mutating func follow(
        _ variable: QueryVariable, _ path: [String], whole: [String]
    ) throws -> PathRow {
        let scope = try scope(of: variable)
        var row = PathRow(scope: scope, entity: scope.entity)
        for (position, name) in path.enumerated() {
            guard let property = row.entity.property(named: name) else {
                throw StoreError.unknownProperty(name, of: row.entity, path: whole)
            }
            guard case .toOne(let index) = property, let table = row.entity.columns[index].target,
                let target = model.entity(named: table)
            else {
                throw StoreError.untranslatable(
                    whole.joined(separator: "."), "\(name) of \(row.entity.name) is not a to-one relationship")
            }
            let reference = Column(
                variable: variable, path: Array(path[..<position]), alias: joined(row), entity: row.entity,
                index: index,
                isJoined: row.reference != nil)
            row = PathRow(
                scope: scope, entity: target, reference: reference,
                optionalReference: reference.description.isRequiredReference ? row.optionalReference : reference)
        }
        return row
    }

    /// The alias of a row, joined now if its reference has not been needed before.
    private mutating func joined(_ row: PathRow) -> String {
        guard let reference = row.reference else { return row.scope.alias }
        return row.scope.join(row.entity, from: reference.alias, column: reference.description.name) { nextAlias() }
    }
}

extension ColumnDescription {
    /// Whether the property is an optional.
    fileprivate var isOptional: Bool { absence == .null && !isRequiredReference }

    /// What the property reads as when the column is NULL, if that is a value.
    var absentValue: QueryValue? {
        switch absence {
        case .emptyText: .text("")
        case .zero: .integer(0)
        case .null where isRequiredReference: .integer(ObjectID.missingRow)
        case .never, .null, .incomparable: nil
        }
    }
}
