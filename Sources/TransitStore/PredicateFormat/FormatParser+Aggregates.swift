/// Subqueries, and `@count` and its kin.
extension FormatParser {
    /// `SUBQUERY(stopTimes, $x, $x.departureTime > 28800)`
    mutating func subquery() throws -> FormatOperand {
        let start = take().range
        try expect(symbol: "(", "after SUBQUERY")
        let outer = isQuantified
        defer { isQuantified = outer }
        isQuantified = true
        let collection = try nested { try $0.sum() }
        guard case .rows(let target, _) = collection.content, collection.passed.count == 1,
            var rows = collection.passed.first
        else { throw FormatProblem("expected one to-many relationship, such as stopTimes", at: collection.range) }
        isQuantified = false
        try expect(symbol: ",", "after the relationship")
        guard case .variable(let name) = current.kind else {
            throw FormatProblem("expected a variable for the related rows, such as $x", at: current.range)
        }
        let row = FormatRow(variable: rows.variable, entity: target, start: take().range)
        try expect(symbol: ",", "after the variable")
        subqueries.append((name, row))
        defer { subqueries.removeLast() }
        let condition = try nested { try $0.condition($0.disjunction()) }
        try expect(symbol: ")", "to end SUBQUERY")
        rows.condition = .conjunction([rows.condition, condition])
        isQuantified = outer
        return try path(after: rows, of: target, called: "SUBQUERY", .root(of: entity, at: start))
    }

    /// `@count`, `@min.departureTime` over related rows.
    mutating func aggregate(
        over rows: RelatedRows, _ target: EntityDescription
    ) throws -> (QueryExpression, ValueKind) {
        var rows = rows
        let row = FormatRow(variable: rows.variable, entity: target, start: current.range)
        let (function, argument, kind) = try aggregate(of: row)
        if let argument { rows.yields = .aggregate(function, argument) } else { rows.yields = .count }
        return (.related(rows), kind)
    }

    /// `@count`, `@min.departureTime` over the rows of a group.
    mutating func groupAggregate() throws -> FormatOperand {
        let start = current.range
        guard allowsGroups else {
            let reason =
                "an aggregate asks about a relationship, as in stopTimes.@count; alone it belongs into the "
                + "properties to fetch and the condition on groups, in code Condition(having:)"
            throw FormatProblem(reason, at: start)
        }
        let (function, argument, kind) = try aggregate(of: .root(of: entity, at: start))
        return FormatOperand(.value(.aggregate(function, argument), kind), at: range(from: start))
    }

    private mutating func aggregate(
        of row: FormatRow
    ) throws -> (AggregateFunction, QueryExpression?, ValueKind) {
        let token = take()
        guard case .aggregate(let name) = token.kind, let function = AggregateFunction(formatName: name) else {
            throw FormatProblem("expected @count, @min, @max, @avg or @sum", at: token.range)
        }
        if function == .count, !current.isSymbol(".") { return (function, nil, .number) }
        try expect(symbol: ".", "and a property after @\(name), as in @\(name).departureTime")
        let outer = isQuantified
        defer { isQuantified = outer }
        isQuantified = false
        let operand = try path(in: row)
        let (expression, kind) = try operand.value()
        if function == .sum || function == .average, kind == .text || kind == .date {
            throw FormatProblem("@\(name) takes numbers and times, not \(kind.noun)", at: operand.range)
        }
        return (function, expression, function == .sum || function == .count ? .number : kind)
    }
}

extension AggregateFunction {
    fileprivate init?(formatName name: String) {
        switch name.lowercased() {
        case "count": self = .count
        case "min": self = .min
        case "max": self = .max
        case "avg", "average": self = .average
        case "sum": self = .sum
        default: return nil
        }
    }
}
