extension QueryExpression {
    /// The parts that must all hold.
    var conjuncts: [QueryExpression] {
        if case .all(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
    }

    /// A simpler expression with the same meaning. Nested ANDs and ORs are flattened, with their cheap parts first.
    /// Counts compared with zero become tests of existence. Constants beside folded texts are folded.
    var simplified: QueryExpression {
        switch self {
        case .all(let parts):
            return Self.conjunctionOfSimple(parts.map(\.simplifiedCondition))
        case .any(let parts): return Self.disjunctionOfSimple(parts.map(\.simplifiedCondition))
        case .not(let inner): return Self.negation(ofSimple: inner.simplifiedCondition)
        case .comparison(let op, .property(let variable, let path), .value(let value))
        where value.isNull && path.count == 1:
            // For a property of the row itself, `latitude = NIL` and `latitude.isNaN` mean the same.
            return .comparison(op, .property(variable, path), .value(.null))
        case .comparison(_, let left, let right) where left.isLeaf && right.isLeaf && !left.isValue: return self
        case .comparison(let op, let left, let right):
            let (left, right) = Self.foldedAlike(left.simplified, right.simplified)
            // Columns to the left, values to the right.
            if left.isValue, !right.isValue { return QueryExpression.comparison(op.flipped, right, left).simplified }
            return Self.ofNamedRow(op, left, right) ?? Self.existence(op, left, right)
                ?? Self.overChoice(op, left, right) ?? .comparison(op, left, right)
        case .text(let op, let options, let left, let right):
            return Self.textTest(op, options, left.simplified, right.simplified)
        case .membership(let element, let values): return Self.membershipFoldedAlike(element.simplified, values)
        case .coalesce(
            .conditional(.comparison(.notEqual, let subject, .value(.null)), let yes, .value(.null)),
            .value(.integer(0)))
        where yes.needs(subject):
            // `(eight..<nine).contains(departureTime)` arrives as a test for nil and two comparisons. The rules below
            // would reach the same result in four steps.
            return yes.simplified
        case .coalesce(let value, let otherwise): return Self.choice(value.simplified, otherwise)
        case .negative(let inner): return inner.simplified.negated
        case .folded(let inner): return inner.simplified.foldedText
        case .conditional(let test, let yes, let no):
            return Self.conditional(on: test, yes.simplified, no.simplified)
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

    /// A test of two simplified texts.
    private static func textTest(
        _ op: TextOperator, _ options: TextOptions, _ left: QueryExpression, _ right: QueryExpression
    ) -> QueryExpression {
        if op.findsPart && right == .value(.text("")) || op == .like && right == .value(.text("*")) {
            return .text(.beginsWith, [], left, .value(.text("")))
        }
        if op == .equals, options.isEmpty || options == .folded {
            return QueryExpression.comparison(
                .equal, options.isEmpty ? left : left.foldedText, options.isEmpty ? right : right.foldedText
            ).simplified
        }
        if options == .folded { return .text(op, options, left.foldedConstant, right.foldedConstant) }
        guard options.isEmpty, op != .matches else { return .text(op, options, left, right) }
        return textFoldedAlike(op, left, right)
    }

    /// A simplified value, or `otherwise` if it is nil: `if let p = parentStation { … } else { … }`.
    private static func choice(_ value: QueryExpression, _ otherwise: QueryExpression) -> QueryExpression {
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

    /// Whether the condition can only hold if `subject` has a value.
    private func needs(_ subject: QueryExpression) -> Bool {
        switch self {
        case .all(let parts): parts.contains { $0.needs(subject) }
        case .comparison(.less, let left, let right), .comparison(.lessOrEqual, let left, let right),
            .comparison(.greater, let left, let right), .comparison(.greaterOrEqual, let left, let right):
            (left.isMissing(with: subject) || right.isMissing(with: subject)) && !holdsForAbsent(subject)
        default: false
        }
    }

    /// Whether this comparison may hold for a missing `subject`, which may read as 0, -1 or "". Computes it for a
    /// comparison of `subject`, or of arithmetic with it, with a constant. True for any other comparison.
    private func holdsForAbsent(_ subject: QueryExpression) -> Bool {
        guard case .comparison(let op, let left, .value(let value)) = self else { return true }
        return value.absentCounterparts.contains { absent in
            left.value(where: subject, is: absent).map { op.holds(value: $0.compare(value)) } ?? true
        }
    }

    /// The value of this expression if `subject` has the value `known`; nil if it depends on anything else.
    private func value(where subject: QueryExpression, is known: QueryValue) -> QueryValue? {
        switch self {
        case subject: return known
        case .value(let value): return value
        case .negative(let inner):
            return inner.value(where: subject, is: known).map { ArithmeticOperator.subtract.apply(0, $0) }
        case .arithmetic(let op, let left, let right):
            guard let one = left.value(where: subject, is: known), let other = right.value(where: subject, is: known)
            else { return nil }
            return op.apply(one, other)
        default: return nil
        }
    }

    /// Whether this value is missing wherever `subject` is missing.
    private func isMissing(with subject: QueryExpression) -> Bool {
        switch self {
        case subject: true
        case .arithmetic(_, let left, let right): left.isMissing(with: subject) || right.isMissing(with: subject)
        case .negative(let inner): inner.isMissing(with: subject)
        default: false
        }
    }

    /// Whether the expression is a condition: its value is 1, 0, or NULL if there is no answer.
    var isCondition: Bool {
        switch self {
        case .comparison, .text, .membership, .listed, .all, .any, .not, .box, .inStore, .searchTerm: true
        case .related(let rows): rows.yields == .exists
        default: false
        }
    }

    private var isValue: Bool { if case .value = self { true } else { false } }

    /// Whether there is nothing in it to simplify.
    private var isLeaf: Bool {
        switch self {
        case .value, .property, .object, .parameter: true
        default: false
        }
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

/// A folded text never equals a constant that has case or diacritics. So a constant beside a folded text is folded too:
/// `$0.name.folded == "Fährhafen"` means the same as `$0.name.folded == "fahrhafen"`.
extension QueryExpression {
    /// Both sides of a comparison. A constant is folded if the other side is.
    static func foldedAlike(
        _ left: QueryExpression, _ right: QueryExpression
    ) -> (QueryExpression, QueryExpression) {
        if left.isFolded { return (left, right.foldedConstant) }
        return (right.isFolded ? left.foldedConstant : left, right)
    }

    /// A comparison of texts. If both sides are folded, it becomes a comparison with [cd]: there, a sigma at the end of
    /// a constant also matches one inside a word.
    static func textFoldedAlike(
        _ op: TextOperator, _ left: QueryExpression, _ right: QueryExpression
    ) -> QueryExpression {
        let (one, other) = foldedAlike(left, right)
        switch (one, other) {
        case (.folded(let subject), .value(.text)): return .text(op, .folded, subject, other)
        case (.folded(let subject), .folded(let pattern)): return .text(op, .folded, subject, pattern)
        default: return .text(op, [], one, other)
        }
    }

    /// A test for one of the values, which are folded if the element is.
    static func membershipFoldedAlike(_ element: QueryExpression, _ values: [QueryValue]) -> QueryExpression {
        guard element.isFolded else { return .membership(element, values) }
        return .membership(element, values.map { value in value.text.map { .text($0.folded) } ?? value })
    }

    /// Whether the text, if there is one, never has case or diacritics.
    private var isFolded: Bool {
        switch self {
        case .folded: true
        case .coalesce(let value, let otherwise): value.isFolded && otherwise.staysFolded
        case .conditional(_, let yes, let no): yes.isFolded && no.isFolded
        default: false
        }
    }

    /// Whether it is folded, or a constant that folding leaves as it is.
    private var staysFolded: Bool {
        if case .value(let value) = self { value.text.map { $0.folded.hasSameBytes(as: $0) } ?? true } else { isFolded }
    }

    var foldedConstant: QueryExpression {
        if case .value(.text(let text)) = self { .value(.text(text.folded)) } else { self }
    }
}

extension QueryValue {
    /// What a property may read as where its value is missing, if it is compared with this value.
    fileprivate var absentCounterparts: [QueryValue] { text == nil ? [0, .integer(ObjectID.missingRow)] : [""] }
}

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

extension QueryExpression {
    /// The text without case and diacritics; a constant is folded now, not by SQL.
    var foldedText: QueryExpression {
        if case .value(.text(let text)) = self { .value(.text(text.folded)) } else { .folded(self) }
    }
}
