extension QueryExpression {
    /// The expression with every part replaced by the result of `transform`, innermost first.
    func mapped(_ transform: (QueryExpression) throws -> QueryExpression) rethrows -> QueryExpression {
        try transform(replacingChildren { try $0.mapped(transform) })
    }

    /// Calls a closure with every part, innermost first.
    func forEachPart(_ body: (QueryExpression) -> Void) {
        for child in children { child.forEachPart(body) }
        body(self)
    }

    /// The expression with its `children` replaced by others.
    func replacingChildren(_ new: (QueryExpression) throws -> QueryExpression) rethrows -> QueryExpression {
        switch self {
        case .value, .parameter, .object, .property, .distance, .box, .inStore, .searchTerm: self
        case .comparison(let op, let left, let right): .comparison(op, try new(left), try new(right))
        case .text(let op, let options, let left, let right): .text(op, options, try new(left), try new(right))
        case .membership(let element, let values): .membership(try new(element), values)
        case .listed(let element, let test, let name, let options):
            .listed(try new(element), test, in: name, options)
        case .all(let parts): .all(try parts.map(new))
        case .any(let parts): .any(try parts.map(new))
        case .not(let part): .not(try new(part))
        case .arithmetic(let op, let left, let right): .arithmetic(op, try new(left), try new(right))
        case .negative(let part): .negative(try new(part))
        case .conditional(let test, let yes, let no): .conditional(try new(test), try new(yes), try new(no))
        case .coalesce(let value, let otherwise): .coalesce(try new(value), try new(otherwise))
        case .folded(let part): .folded(try new(part))
        case .length(let part): .length(try new(part))
        case .related(let rows): .related(try rows.replacingChildren(new))
        case .aggregate(let function, let part): .aggregate(function, try part.map(new))
        }
    }

    /// The expressions that this one is made of.
    var children: [QueryExpression] {
        switch self {
        case .value, .parameter, .object, .property, .distance, .box, .inStore, .searchTerm: []
        case .comparison(_, let left, let right), .text(_, _, let left, let right), .arithmetic(_, let left, let right):
            [left, right]
        case .membership(let part, _), .listed(let part, _, _, _), .not(let part), .negative(let part),
            .folded(let part), .length(let part):
            [part]
        case .all(let parts), .any(let parts): parts
        case .conditional(let test, let yes, let no): [test, yes, no]
        case .coalesce(let value, let otherwise): [value, otherwise]
        case .related(let rows):
            if case .aggregate(_, let part) = rows.yields { [rows.condition, part] } else { [rows.condition] }
        case .aggregate(_, let part): part.map { [$0] } ?? []
        }
    }
}

extension RelatedRows {
    fileprivate func replacingChildren(
        _ new: (QueryExpression) throws -> QueryExpression
    ) rethrows -> RelatedRows {
        var rows = self
        rows.condition = try new(condition)
        if case .aggregate(let function, let part) = yields { rows.yields = .aggregate(function, try new(part)) }
        return rows
    }
}

extension QueryExpression {
    /// The expression with the variables of its subqueries numbered 1, 2, … in the order of the subqueries. Equal
    /// questions become equal expressions, however they were written.
    var renumbered: QueryExpression {
        guard hasRelated else { return self }
        var last = 0
        if isNumbered(&last) { return self }
        last = 0
        return renumbered([:], &last)
    }

    private func isNumbered(_ last: inout Int) -> Bool {
        if case .related(let rows) = self {
            last += 1
            guard rows.variable.number == last else { return false }
        }
        for child in children where child.hasRelated && !child.isNumbered(&last) { return false }
        return true
    }

    private func renumbered(_ numbers: [QueryVariable: QueryVariable], _ last: inout Int) -> QueryExpression {
        var numbers = numbers
        func new(_ variable: QueryVariable) -> QueryVariable { numbers[variable] ?? variable }
        switch self {
        case .object(let variable): return .object(new(variable))
        case .property(let variable, let path): return .property(new(variable), path)
        case .distance(let variable, let path, let place): return .distance(new(variable), path, place)
        case .box(let variable, let path, let box): return .box(new(variable), path, box)
        case .searchTerm(let variable, let path, let prefix): return .searchTerm(new(variable), path, prefix: prefix)
        case .related(var rows):
            last += 1
            rows.owner = new(rows.owner)
            numbers[rows.variable] = QueryVariable(last)
            rows.variable = QueryVariable(last)
            return QueryExpression.related(rows).replacingChildren { $0.renumbered(numbers, &last) }
        default: return replacingChildren { $0.renumbered(numbers, &last) }
        }
    }

    private var hasRelated: Bool {
        switch self {
        case .related: true
        case .all(let parts), .any(let parts): parts.contains(where: \.hasRelated)
        case .comparison(_, let left, let right), .text(_, _, let left, let right): left.hasRelated || right.hasRelated
        case .membership(let inner, _), .not(let inner): inner.hasRelated
        default: children.contains(where: \.hasRelated)
        }
    }
}
