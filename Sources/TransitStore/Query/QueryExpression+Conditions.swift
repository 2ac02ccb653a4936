/// Conditions, and their combinations with AND and OR.
extension QueryExpression {
    /// Whether the expression is a condition: its value is 1, 0, or NULL if there is no answer.
    var isCondition: Bool {
        switch self {
        case .comparison, .text, .membership, .listed, .all, .any, .not, .box, .inStore, .searchTerm: true
        case .related(let rows): rows.yields == .exists
        default: false
        }
    }

    /// The expression as a condition. A property that stands alone is a flag: it holds if it is 1, as Swift reads it.
    /// Any other number holds if it is greater than 0.
    var asCondition: QueryExpression {
        switch self {
        case .value(let value): value.isTrue ? .always : .never
        case .property, .conditional, .coalesce: .comparison(.equal, self, .value(1))
        default: isCondition ? self : .comparison(.greater, self, .value(0))
        }
    }

    /// The parts that must all hold.
    var conjuncts: [QueryExpression] {
        if case .all(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
    }

    /// The conjunction of parts that are already simplified, cheap ones first. Parts that bound a box are combined.
    static func conjunctionOfSimple(_ parts: [QueryExpression]) -> QueryExpression {
        let whole = conjunction(parts)
        guard case .all(let flat) = whole else { return whole }
        let conjuncts = flat.count > 3 ? recognizingBoxes(flat) : flat
        return conjuncts.count == 1 ? conjuncts[0] : .all(conjuncts.orderedByCost)
    }

    /// The disjunction of parts that are already simplified, cheap ones first.
    static func disjunctionOfSimple(_ parts: [QueryExpression]) -> QueryExpression {
        let whole = disjunction(parts)
        if case .any(let flat) = whole { return .any(flat.orderedByCost) }
        return whole
    }

    /// The negation of a condition that is already simplified.
    static func negation(ofSimple inner: QueryExpression) -> QueryExpression {
        if case .not(let twice) = inner, twice.isCondition { return twice }
        return .not(inner)
    }

    /// All of `parts`, flattened. A part that always holds is dropped; a part that never holds stays.
    static func conjunction(_ parts: [QueryExpression]) -> QueryExpression {
        var flat: [QueryExpression] = []
        flat.reserveCapacity(parts.count + 4)
        for part in parts { part.appendConjuncts(to: &flat) }
        return flat.count == 1 ? flat[0] : .all(flat)
    }

    private func appendConjuncts(to flat: inout [QueryExpression]) {
        switch self {
        case .all(let parts): for part in parts { part.appendConjuncts(to: &flat) }
        case .value(.integer(1)): break
        default: flat.append(self)
        }
    }

    /// Any of `parts`, flattened.
    static func disjunction(_ parts: [QueryExpression]) -> QueryExpression {
        let flat = parts.flatMap { part -> [QueryExpression] in
            if case .any(let inner) = part { inner } else { [part] }
        }
        return flat.count == 1 ? flat[0] : .any(flat)
    }
}
