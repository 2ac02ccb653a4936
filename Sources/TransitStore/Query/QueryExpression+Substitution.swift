extension QueryExpression {
    /// The expression with every part replaced by what `transform` makes of it, innermost first.
    func mapped(_ transform: (QueryExpression) throws -> QueryExpression) rethrows -> QueryExpression {
        let inner: QueryExpression
        switch self {
        case .value, .parameter, .object, .property, .distance, .box, .searchTerm: inner = self
        case .comparison(let op, let left, let right):
            inner = .comparison(op, try left.mapped(transform), try right.mapped(transform))
        case .text(let op, let options, let left, let right):
            inner = .text(op, options, try left.mapped(transform), try right.mapped(transform))
        case .membership(let element, let values): inner = .membership(try element.mapped(transform), values)
        case .listed(let element, let name, let options):
            inner = .listed(try element.mapped(transform), in: name, options)
        case .all(let parts): inner = .all(try parts.map { try $0.mapped(transform) })
        case .any(let parts): inner = .any(try parts.map { try $0.mapped(transform) })
        case .not(let part): inner = .not(try part.mapped(transform))
        case .arithmetic(let op, let left, let right):
            inner = .arithmetic(op, try left.mapped(transform), try right.mapped(transform))
        case .negative(let part): inner = .negative(try part.mapped(transform))
        case .conditional(let test, let yes, let no):
            inner = .conditional(try test.mapped(transform), try yes.mapped(transform), try no.mapped(transform))
        case .coalesce(let value, let otherwise):
            inner = .coalesce(try value.mapped(transform), try otherwise.mapped(transform))
        case .folded(let part): inner = .folded(try part.mapped(transform))
        case .length(let part): inner = .length(try part.mapped(transform))
        case .related(var rows):
            rows.condition = try rows.condition.mapped(transform)
            if case .aggregate(let function, let part) = rows.yields {
                rows.yields = .aggregate(function, try part.mapped(transform))
            }
            inner = .related(rows)
        case .aggregate(let function, let part): inner = .aggregate(function, try part?.mapped(transform))
        }
        return try transform(inner)
    }
}

extension QueryExpression {
    /// The expression with the variables of its subqueries numbered in the order in which they stand: equal questions are
    /// equal expressions, however they were written.
    var renumbered: QueryExpression {
        guard hasRelated else { return self }
        var numbers: [QueryVariable: QueryVariable] = [:]
        collectVariables(&numbers)
        guard numbers.contains(where: { $0 != $1 }) else { return self }
        return mapped { $0.withVariables { numbers[$0] ?? $0 } }
    }

    private var hasRelated: Bool {
        switch self {
        case .related: true
        case .all(let parts), .any(let parts): parts.contains(where: \.hasRelated)
        case .comparison(_, let left, let right): left.hasRelated || right.hasRelated
        default: children.contains(where: \.hasRelated)
        }
    }

    private func collectVariables(_ numbers: inout [QueryVariable: QueryVariable]) {
        if case .related(let rows) = self, numbers[rows.variable] == nil {
            numbers[rows.variable] = QueryVariable(numbers.count + 1)
        }
        for child in children { child.collectVariables(&numbers) }
    }

    private func withVariables(_ number: (QueryVariable) -> QueryVariable) -> QueryExpression {
        switch self {
        case .object(let variable): .object(number(variable))
        case .property(let variable, let path): .property(number(variable), path)
        case .distance(let variable, let path, let place): .distance(number(variable), path, place)
        case .box(let variable, let path, let box): .box(number(variable), path, box)
        case .searchTerm(let variable, let path, let prefix): .searchTerm(number(variable), path, prefix: prefix)
        case .related(let rows):
            .related(
                RelatedRows(
                    of: number(rows.owner), path: rows.path, variable: number(rows.variable), condition: rows.condition,
                    yields: rows.yields))
        default: self
        }
    }

    /// The expressions that this one is made of.
    var children: [QueryExpression] {
        switch self {
        case .value, .parameter, .object, .property, .distance, .box, .searchTerm: []
        case .comparison(_, let one, let other), .text(_, _, let one, let other), .arithmetic(_, let one, let other),
            .coalesce(let one, let other):
            [one, other]
        case .membership(let inner, _), .listed(let inner, _, _), .not(let inner), .negative(let inner),
            .folded(let inner), .length(let inner):
            [inner]
        case .all(let parts), .any(let parts): parts
        case .conditional(let test, let yes, let no): [test, yes, no]
        case .related(let rows):
            if case .aggregate(_, let part) = rows.yields { [rows.condition, part] } else { [rows.condition] }
        case .aggregate(_, let inner): inner.map { [$0] } ?? []
        }
    }

    /// The expression where a condition stands: a flag is one when it is greater than 0.
    var asCondition: QueryExpression {
        switch self {
        case .value(let value): value.isTrue ? .always : .never
        case .conditional, .coalesce: .comparison(.equal, self, .value(1))
        default: isCondition ? self : .comparison(.greater, self, .value(0))
        }
    }
}
