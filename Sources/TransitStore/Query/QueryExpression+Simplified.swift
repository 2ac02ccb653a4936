extension QueryExpression {
    /// A simpler expression with the same meaning. Nested ANDs and ORs are flattened, with their cheap parts first.
    /// Counts compared with zero become tests of existence. Constants beside folded texts are folded.
    var simplified: QueryExpression {
        switch self {
        case .all(let parts): return Self.conjunctionOfSimple(parts.map(\.simplifiedCondition))
        case .any(let parts): return Self.disjunctionOfSimple(parts.map(\.simplifiedCondition))
        case .not(let inner): return Self.negation(ofSimple: inner.simplifiedCondition)
        case .comparison(let op, .property(let variable, let path), .value(let value))
        where value.isNull && path.count == 1:
            // For a property of the row itself, `latitude = NIL` and `latitude.isNaN` mean the same.
            return .comparison(op, .property(variable, path), .value(.null))
        case .comparison(_, let left, let right) where left.isLeaf && right.isLeaf && !left.isValue: return self
        case .comparison(let op, let left, let right):
            return Self.simpleComparison(op, left.simplified, right.simplified)
        case .text(let op, let options, let left, let right):
            return Self.textTest(op, options, left.simplified, right.simplified)
        case .membership(let element, let values): return Self.membershipFoldedAlike(element.simplified, values)
        case .coalesce(let value, let otherwise): return Self.choice(value, otherwise)
        case .negative(let inner): return inner.simplified.negated
        case .folded(let inner): return inner.simplified.foldedText
        case .conditional(let test, let yes, let no): return Self.conditional(on: test, yes.simplified, no.simplified)
        case .related(var rows):
            rows.condition = rows.condition.simplifiedCondition
            if case .aggregate(let function, let part) = rows.yields {
                rows.yields = .aggregate(function, part.simplified)
            }
            return .related(rows)
        case .arithmetic, .length, .aggregate, .listed: return replacingChildren(\.simplified)
        case .value, .parameter, .object, .property, .distance, .box, .inStore, .searchTerm: return self
        }
    }

    /// A comparison of two simplified values.
    private static func simpleComparison(
        _ op: ComparisonOperator, _ left: QueryExpression, _ right: QueryExpression
    ) -> QueryExpression {
        let (left, right) = foldedAlike(left, right)
        // Columns to the left, values to the right.
        if left.isValue, !right.isValue { return QueryExpression.comparison(op.flipped, right, left).simplified }
        return ofNamedRow(op, left, right) ?? existence(op, left, right) ?? overChoice(op, left, right)
            ?? .comparison(op, left, right)
    }

    /// A test of two simplified texts.
    private static func textTest(
        _ op: TextOperator, _ options: TextOptions, _ left: QueryExpression, _ right: QueryExpression
    ) -> QueryExpression {
        // Of combining marks alone, nothing is left.
        let right = options == .folded ? right.foldedConstant : right
        if op.findsPart && right == .value(.text("")) || op == .like && right == .value(.text("*")) {
            return .text(.beginsWith, [], left, .value(.text("")))
        }
        if op == .equals, options.isEmpty || options == .folded {
            return QueryExpression.comparison(
                .equal, options.isEmpty ? left : left.foldedText, options.isEmpty ? right : right.foldedText
            ).simplified
        }
        if options == .folded { return .text(op, options, left.foldedConstant, right) }
        guard options.isEmpty, op != .matches else { return .text(op, options, left, right) }
        return textFoldedAlike(op, left, right)
    }

    /// A value, or `otherwise` if it is nil: `if let p = parentStation { … } else { … }`.
    private static func choice(_ value: QueryExpression, _ otherwise: QueryExpression) -> QueryExpression {
        if case .conditional(.comparison(.notEqual, let subject, .value(.null)), let yes, .value(.null)) = value,
            case .value(.integer(0)) = otherwise, yes.needs(subject)
        {
            // `(eight..<nine).contains(departureTime)` arrives as a test for nil and two comparisons. The rules below
            // would reach the same result in four steps.
            return yes.simplified
        }
        let value = value.simplified
        guard case .conditional(let test, let yes, .value(.null)) = value, yes.isCondition else {
            return .coalesce(value, otherwise.simplified)
        }
        return QueryExpression.conditional(test, yes, otherwise).simplified
    }

    /// One of two simplified values, as the test decides.
    private static func conditional(
        on test: QueryExpression, _ yes: QueryExpression, _ no: QueryExpression
    ) -> QueryExpression {
        switch (yes, no) {
        case (let yes, .value(.integer(0))) where yes.isCondition: yes.where(test)
        case (let yes, .value(.integer(1))) where yes.isCondition: QueryExpression.any([.not(test), yes]).simplified
        case (.value(.integer(1)), .value(.integer(0))): test.simplifiedCondition
        default: .conditional(test.simplifiedCondition, yes, no)
        }
    }

    private var simplifiedCondition: QueryExpression {
        let simple = simplified
        return simple.isCondition ? simple : simple.asCondition.simplified.asCondition
    }

    /// Simplifies a comparison whose left side is nil unless a test holds: `parentStation?.stopTimes.count == 0`. The
    /// test and the comparison become separate parts, so that an index can serve one of them.
    private static func overChoice(
        _ op: ComparisonOperator, _ left: QueryExpression, _ right: QueryExpression
    ) -> QueryExpression? {
        guard case .value(let value) = right, !value.isNull else { return nil }
        if case .coalesce(let optional, .value(let otherwise)) = left, op != .notEqual,
            otherwise.isNull || !op.holds(value: otherwise.compare(value))
        {
            // `(latitude ?? 0) > 52.5` is false for a missing value with or without `??`. Without it, an index can
            // serve the comparison.
            let compared = QueryExpression.comparison(op, optional, right)
            // An empty column may read as a value for which the comparison holds. Then a test for a value must stay.
            let absent = value.absentCounterparts
            guard absent.contains(where: { op.holds(value: $0.compare(value)) }) else { return compared.simplified }
            return QueryExpression.all([.comparison(.notEqual, optional, .value(.null)), compared]).simplified
        }
        if left.isCondition, op == .equal, value == 1 || value == 0 {
            return value == 1 ? left : QueryExpression.not(left).simplified
        }
        guard case .conditional(let test, let yes, .value(.null)) = left else { return nil }
        let compared =
            yes.isCondition && op == .equal && value == 1
            ? yes
            : yes.isCondition && op == .equal && value == 0 ? .not(yes) : QueryExpression.comparison(op, yes, right)
        return op == .notEqual ? QueryExpression.any([.not(test), compared]).simplified : compared.where(test)
    }

    /// This condition and a test. `x != nil && x < 9` becomes `x < 9` only if `x < 9` is false for a missing value. It
    /// may be true, because a missing property may read as 0 or "".
    private func `where`(_ test: QueryExpression) -> QueryExpression {
        if case .comparison(.notEqual, let subject, .value(.null)) = test.simplified, simplified.needs(subject) {
            return simplified
        }
        return QueryExpression.all([test, self]).simplified
    }

    private var isValue: Bool { if case .value = self { true } else { false } }

    /// Whether there is nothing in it to simplify.
    private var isLeaf: Bool {
        switch self {
        case .value, .property, .object, .parameter: true
        default: false
        }
    }

    /// Turns `count > 0`, `count != 0` and `count >= 1` into a test whether any row exists, and `count == 0`,
    /// `count <= 0` and `count < 1` into a test whether none does.
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
