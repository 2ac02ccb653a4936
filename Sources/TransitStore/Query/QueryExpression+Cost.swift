extension QueryExpression {
    /// Roughly what evaluating it for one row costs, in comparisons of a column with a value.
    var cost: Int {
        switch self {
        case .value, .object, .parameter, .inStore: 0
        case .property(_, let path): path.count > 1 ? 10 : 0
        case .comparison(_, let left, let right), .arithmetic(_, let left, let right): 1 + left.cost + right.cost
        case .membership(let element, _), .listed(let element, _, _, _): 2 + element.cost
        case .box: 4
        case .text(let op, _, let left, let right): (op == .beginsWith ? 2 : 20) + left.cost + right.cost
        case .folded(let inner): 1 + inner.cost
        case .not(let inner), .negative(let inner), .length(let inner): inner.cost
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.cost }
        case .conditional(let test, let yes, let no): test.cost + yes.cost + no.cost
        case .coalesce(let value, let otherwise): value.cost + otherwise.cost
        case .distance: 50
        case .searchTerm: 60
        case .related(let rows): 100 + (rows.yields == .exists ? 0 : 50) + rows.condition.cost
        case .aggregate(_, let inner): 1 + (inner?.cost ?? 0)
        }
    }
}

extension [QueryExpression] {
    /// From cheap to expensive. Parts of equal cost keep their order.
    var orderedByCost: [QueryExpression] {
        let costs = map(\.cost)
        guard zip(costs, costs.dropFirst()).contains(where: >) else { return self }
        return indices.sorted { (costs[$0], $0) < (costs[$1], $1) }.map { self[$0] }
    }
}
