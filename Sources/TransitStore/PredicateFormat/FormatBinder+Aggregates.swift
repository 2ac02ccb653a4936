import RequestGrammar

/// Subqueries, and aggregates such as `@count`.
extension FormatBinder {
    /// The rows of `SUBQUERY(stopTimes, $x, $x.departureTime > 28800)`.
    mutating func rows(of subquery: Syntax.Subquery) throws -> (rows: RelatedRows, target: EntityDescription) {
        let outer = isQuantified
        defer { isQuantified = outer }
        isQuantified = true
        let collection = try operand(subquery.collection)
        guard case .rows(let target, _) = collection.content, collection.passed.count == 1,
            var rows = collection.passed.first
        else { throw FormatProblem("expected one to-many relationship, such as stopTimes", at: collection.range) }
        isQuantified = false
        let row = FormatRow(variable: rows.variable, entity: target, range: subquery.variableRange)
        subqueries.append((subquery.variable, row))
        defer { subqueries.removeLast() }
        rows.condition = .conjunction([rows.condition, try condition(subquery.condition)])
        return (rows, target)
    }

    /// `@count`, `@min.departureTime` over related rows.
    mutating func aggregate(
        _ written: Syntax.Aggregate, over rows: RelatedRows, _ target: EntityDescription
    ) throws -> (QueryExpression, ValueKind) {
        var rows = rows
        let row = FormatRow(variable: rows.variable, entity: target, range: written.range)
        let (function, argument, kind) = try aggregate(written, of: row)
        if let argument { rows.yields = .aggregate(function, argument) } else { rows.yields = .count }
        return (.related(rows), kind)
    }

    /// `@count`, `@min.departureTime` over the rows of a group.
    mutating func groupAggregate(_ written: Syntax.Aggregate?, at range: Range<Int>) throws -> FormatOperand {
        guard allowsGroups, let written else {
            let reason =
                "an aggregate asks about a relationship, as in stopTimes.@count; alone it belongs into the "
                + "properties to fetch and the condition on groups, in code Condition(having:)"
            throw FormatProblem(reason, at: written?.range ?? range)
        }
        let row = FormatRow(variable: .root, entity: entity, range: written.range)
        let (function, argument, kind) = try aggregate(written, of: row)
        return FormatOperand(.value(.aggregate(function, argument), kind), at: range)
    }

    private mutating func aggregate(
        _ written: Syntax.Aggregate, of row: FormatRow
    ) throws -> (AggregateFunction, QueryExpression?, ValueKind) {
        let function = AggregateFunction(written.function)
        guard let argument = written.path?.path, case .path(let path) = argument.content else {
            return (function, nil, .number)
        }
        let outer = isQuantified
        defer { isQuantified = outer }
        isQuantified = false
        var row = row
        row.range = written.range.lowerBound..<argument.range.upperBound
        let operand = try operand(in: row, FormatSteps(path))
        let (expression, kind) = try operand.value()
        guard function.takes(kind) else {
            throw FormatProblem("@\(written.word) takes numbers and times, not \(kind.noun)", at: operand.range)
        }
        return (function, expression, function.kind(of: kind))
    }
}
