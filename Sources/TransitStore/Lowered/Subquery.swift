/// A question about the rows of a to-many relationship, as a correlated subquery that uses the index of the inverse.
///
///     EXISTS (SELECT 1 FROM stop_time AS t1 WHERE t1.stop = t0.id AND t1.departure_time >= ?)
struct Subquery: LoweredNode {
    /// The row that owns the relationship, and its key.
    let owner: SelectRow
    let key: Column
    /// The to-many relationship.
    let name: String
    let scope: SelectScope
    /// The column of the related rows that refers to the owner.
    let inverse: Column
    let conditions: [any LoweredNode]
    /// What is computed over the rows; nil if the question is whether there are any.
    let aggregate: Aggregate?

    func write(to sql: inout SQLFragment) {
        sql.append(aggregate == nil ? "EXISTS (SELECT 1" : "(SELECT ")
        aggregate?.write(to: &sql)
        var tail = SQLFragment()
        for condition in conditions {
            tail.append(" AND ")
            condition.writePart(to: &tail)
        }
        scope.writeFrom(to: &sql)
        sql.append(" WHERE ")
        Comparison(op: .plain(.equal), left: inverse, right: key).write(to: &sql)
        sql.append(tail)
        sql.append(")")
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        let related = try related(&rows)
        defer { rows.rows[scope.row.variable] = nil }
        guard let aggregate else { return QueryValue(try related.contains { try holds($0, &rows) }) }
        return try aggregate.value(
            over: conditions.isEmpty ? related : related.filter { try holds($0, &rows) }, &rows)
    }

    private func holds(_ object: StoreObject, _ rows: inout EvaluatedRows) throws -> Bool {
        try object.context?.checkWanted()
        rows.rows[scope.row.variable] = object
        for condition in conditions where try !condition.holds(&rows) { return false }
        return true
    }

    private func related(_ rows: inout EvaluatedRows) throws -> [StoreObject] {
        guard let owner = try rows.object(owner) else { return [] }
        guard case .toMany(let position) = owner.objectID.entity.property(named: name) else {
            throw StoreError.unknownProperty(name, of: owner.objectID.entity, path: self.owner.path + [name])
        }
        return owner.origin.objects(of: owner, toMany: position)
    }

    var mayBeNull: Bool { aggregate?.mayBeNull ?? false }
    var falseWithout: Set<String> { aggregate == nil ? key.nullWithout : [] }
}

/// `count(*)`, `min(t0.departure_time)`: over the rows of a group, or of a subquery.
struct Aggregate: LoweredNode {
    let function: AggregateFunction
    let part: (any LoweredNode)?
    /// The variable that stands for one of the rows.
    let variable: QueryVariable
    /// The aggregate as the request has it; nil for one over the rows of a subquery.
    var expression: QueryExpression?

    func write(to sql: inout SQLFragment) {
        sql.append("\(function.rawValue)(")
        if let part { part.writeOperand(to: &sql) } else { sql.append("*") }
        sql.append(")")
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        if let expression, let known = rows.aggregates[expression] { return known }
        return try value(over: rows.group, &rows)
    }

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
        let conditions = try conditions(on: rows)
        for condition in conditions { scope.requireRows(condition.falseWithout) }
        let aggregate: Aggregate? =
            switch rows.yields {
            case .exists: nil
            case .count: Aggregate(function: .count, part: nil, variable: rows.variable)
            case .aggregate(let function, let part):
                Aggregate(function: function, part: try value(part).bare, variable: rows.variable)
            }
        return Subquery(
            owner: owner, key: key(of: owner), name: rows.path.last ?? "", scope: scope,
            inverse: column(of: scope.row, inverse), conditions: conditions, aggregate: aggregate)
    }

    /// SQLite refuses most aggregates of the group in a subquery, so none is allowed there.
    private mutating func conditions(on rows: RelatedRows) throws -> [any LoweredNode] {
        let outer = aggregateUse
        defer { aggregateUse = outer }
        if case .everywhere = outer {
            aggregateUse = .nowhere("a condition on related rows cannot ask about the group")
        }
        return try tests(rows.condition.conjuncts).map { try condition($0) }
    }

    mutating func aggregate(_ function: AggregateFunction, _ part: QueryExpression?) throws -> Aggregate {
        if case .nowhere(let reason) = aggregateUse {
            throw StoreError(.ungrouped, "\(QueryExpression.aggregate(function, part)) stands alone: \(reason)")
        }
        aggregateUse = .nowhere("an aggregate cannot be aggregated")
        let grouped = groupedNumbers
        groupedNumbers = []
        defer { (aggregateUse, groupedNumbers) = (.everywhere, grouped) }
        return Aggregate(
            function: function, part: try part.map { try value($0).bare }, variable: .root,
            expression: .aggregate(function, part))
    }
}
