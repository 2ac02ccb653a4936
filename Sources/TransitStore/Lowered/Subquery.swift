/// A question about the rows of a to-many relationship, as a correlated subquery over its inverse's index.
///
///     EXISTS (SELECT 1 FROM stop_time AS t1 WHERE t1.stop = t0.id AND t1.departure_time >= ?)
struct Subquery: LoweredNode {
    enum Yield {
        case exists
        case aggregate(Aggregate)
    }

    /// The key of the row that owns the relationship.
    let owner: Column
    /// To-one relationships, then the to-many one.
    let path: [String]
    let variable: QueryVariable
    let scope: SelectScope
    /// The column of the related rows that refers to the owner, as SQL.
    let inverse: String
    let conditions: [any LoweredNode]
    let yield: Yield

    func write(to sql: inout SQLFragment) {
        switch yield {
        case .exists: sql.append("EXISTS (SELECT 1")
        case .aggregate(let aggregate):
            sql.append("(SELECT ")
            aggregate.write(to: &sql)
        }
        scope.writeFrom(to: &sql)
        sql.append(" WHERE \(scope.alias).\(inverse) = ")
        owner.write(to: &sql)
        for condition in conditions {
            sql.append(" AND ")
            condition.writePart(to: &sql)
        }
        sql.append(")")
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        let related = try related(&rows)
        guard case .aggregate(let aggregate) = yield else { return QueryValue(!related.isEmpty) }
        return try aggregate.value(over: related, &rows)
    }

    private func related(_ rows: inout EvaluatedRows) throws -> [StoreObject] {
        guard let owner = try rows.row(owner.variable, path.dropLast()), let name = path.last else { return [] }
        guard case .toMany(let position) = owner.objectID.entity.property(named: name) else {
            throw StoreError.unknownProperty(name, of: owner.objectID.entity, path: path)
        }
        defer { rows.rows[variable] = nil }
        return try owner.origin.objects(of: owner, toMany: position).filter { object in
            rows.rows[variable] = object
            for condition in conditions where try !condition.holds(&rows) { return false }
            return true
        }
    }

    var mayBeNull: Bool {
        switch yield {
        case .exists: false
        case .aggregate(let aggregate): aggregate.mayBeNull
        }
    }

    var falseWithout: Set<String> { if case .exists = yield { owner.nullWithout } else { [] } }
}

/// `count(*)`, `min(t0.departure_time)`: over the rows of a group, or of a subquery.
struct Aggregate: LoweredNode {
    let function: AggregateFunction
    let part: (any LoweredNode)?
    /// What stands for one of the rows.
    let variable: QueryVariable

    func write(to sql: inout SQLFragment) {
        sql.append("\(function.rawValue)(")
        if let part { part.writeOperand(to: &sql) } else { sql.append("*") }
        sql.append(")")
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue { try value(over: rows.group, &rows) }

    func value(over objects: [StoreObject], _ rows: inout EvaluatedRows) throws -> QueryValue {
        guard let part else { return .integer(Int64(objects.count)) }
        let before = rows.rows[variable]
        defer { rows.rows[variable] = before }
        var values: [QueryValue] = []
        for object in objects {
            rows.rows[variable] = object
            let value = try part.value(&rows)
            if !value.isNull { values.append(value) }
        }
        return try function.apply(values)
    }

    var mayBeNull: Bool { function != .count }
}

extension Lowering {
    mutating func subquery(_ rows: RelatedRows) throws -> Subquery {
        let (owner, target, inverse) = try relationship(rows.owner, rows.path)
        let scope = openScope(target, for: rows.variable)
        defer { closeScope(of: rows.variable) }
        let conditions = try rows.condition.conjuncts.map { try condition($0) }
        for condition in conditions { scope.requireRows(condition.falseWithout) }
        var yield = Subquery.Yield.exists
        switch rows.yields {
        case .exists: break
        case .count: yield = .aggregate(Aggregate(function: .count, part: nil, variable: rows.variable))
        case .aggregate(let function, let part):
            let part = try value(part).bare
            yield = .aggregate(Aggregate(function: function, part: part, variable: rows.variable))
        }
        return Subquery(
            owner: owner, path: rows.path, variable: rows.variable, scope: scope,
            inverse: target.columns[inverse].sqlName, conditions: conditions, yield: yield)
    }

    mutating func aggregate(_ function: AggregateFunction, _ part: QueryExpression?) throws -> Aggregate {
        if case .nowhere(let reason) = aggregatesStand {
            throw StoreError(.ungrouped, "\(QueryExpression.aggregate(function, part)) stands alone: \(reason)")
        }
        aggregatesStand = .nowhere("an aggregate cannot be aggregated")
        defer { aggregatesStand = .everywhere }
        return Aggregate(function: function, part: try part.map { try value($0).bare }, variable: .root)
    }
}
