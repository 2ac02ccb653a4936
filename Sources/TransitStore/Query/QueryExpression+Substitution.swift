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
