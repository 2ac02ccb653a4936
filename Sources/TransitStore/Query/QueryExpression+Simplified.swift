extension QueryExpression {
    /// The parts that must all hold.
    var conjuncts: [QueryExpression] {
        if case .all(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
    }

    /// The expression with nested ANDs and ORs flattened, counts compared with zero turned into existence, and constants beside
    /// folded texts folded.
    var simplified: QueryExpression {
        switch self {
        case .all(let parts):
            return Self.conjunctionOfSimple(parts.map(\.simplified))
        case .any(let parts): return .disjunction(parts.map(\.simplified))
        case .not(let inner):
            let inner = inner.simplified
            if case .not(let twice) = inner, twice.isCondition { return twice }
            return .not(inner)
        case .comparison(_, let left, let right) where left.isLeaf && right.isLeaf: return self
        case .comparison(let op, let left, let right):
            let (left, right) = Self.foldedAlike(left.simplified, right.simplified)
            return Self.existence(op, left, right) ?? Self.existence(op.flipped, right, left)
                ?? .comparison(op, left, right)
        case .text(let op, [], let left, let right) where op != .matches:
            let (left, right) = Self.foldedAlike(left.simplified, right.simplified)
            return .text(op, [], left, right)
        case .membership(let element, let values): return Self.membershipFoldedAlike(element.simplified, values)
        case .arithmetic(let op, let left, let right): return .arithmetic(op, left.simplified, right.simplified)
        case .coalesce(let value, let otherwise): return .coalesce(value.simplified, otherwise.simplified)
        case .negative(let inner): return .negative(inner.simplified)
        case .folded(let inner): return .folded(inner.simplified)
        case .length(let inner): return .length(inner.simplified)
        case .conditional(let test, let yes, let no):
            return .conditional(test.simplified, yes.simplified, no.simplified)
        case .related(var rows):
            rows.condition = rows.condition.simplified
            if case .aggregate(let function, let part) = rows.yields {
                rows.yields = .aggregate(function, part.simplified)
            }
            return .related(rows)
        default: return self
        }
    }

    /// Whether there is nothing in it to simplify.
    private var isLeaf: Bool {
        switch self {
        case .value, .property, .object, .parameter: true
        default: false
        }
    }

    /// All of `parts`, each of which is simplified already, with what is a box only together.
    static func conjunctionOfSimple(_ parts: [QueryExpression]) -> QueryExpression {
        let flat = conjunction(parts)
        guard case .all(let conjuncts) = flat, conjuncts.count > 3 else { return flat }
        return .conjunction(recognizingBoxes(conjuncts))
    }

    /// All of `parts`, flattened; a part that never holds stays, one that always holds goes.
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

    /// `count > 0`, `count != 0`, `count >= 1` ask whether there is any; `count == 0` and its kin whether there is none.
    private static func existence(
        _ op: ComparisonOperator, _ left: QueryExpression, _ right: QueryExpression
    ) -> QueryExpression? {
        guard case .related(var rows) = left, rows.yields == .count, case .value(let value) = right else { return nil }
        rows.yields = .exists
        switch (op, value) {
        case (.greater, .integer(0)), (.notEqual, .integer(0)), (.greaterOrEqual, .integer(1)): return .related(rows)
        case (.equal, .integer(0)), (.lessOrEqual, .integer(0)), (.less, .integer(1)): return .not(.related(rows))
        default: return nil
        }
    }
}
