extension SQLWriter {
    /// Writes a question about the rows of a to-many relationship as a correlated subquery, over its inverse's index.
    ///
    ///     EXISTS (SELECT 1 FROM stop_time AS t1 WHERE t1.stop = t0.id AND t1.departure_time >= ?)
    mutating func writeRelated(_ rows: RelatedRows, to sql: inout SQLFragment) throws {
        let resolved = try resolveRelationship(rows.owner, rows.path)
        let scope = openScope(resolved.target, for: rows.variable)
        var condition = SQLFragment(" WHERE \(scope.alias).")
        condition.append(identifier: resolved.target.columns[resolved.inverse].name)
        condition.append(" = ")
        condition.append(resolved.owner)
        let parts = rows.condition.orderedByCost.conjuncts
        for part in parts {
            condition.append(" AND ")
            try writeOperand(part, to: &condition)
        }
        var head = SQLFragment("(SELECT ")
        switch rows.yields {
        case .exists: head = SQLFragment("EXISTS (SELECT 1")
        case .count: head.append("count(*)")
        case .aggregate(let function, let expression): try writeAggregate(function, expression, to: &head)
        }
        sql.append(head)
        sql.append(scope.from)
        sql.append(condition)
        sql.append(")")
        closeScope(of: rows.variable)
    }
}
