/// What a condition says about a row in which a value is missing.
extension QueryExpression {
    /// Whether the condition can only hold if `subject` has a value.
    func needs(_ subject: QueryExpression) -> Bool {
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
}

extension QueryValue {
    /// What a property may read as where its value is missing, if it is compared with this value.
    var absentCounterparts: [QueryValue] { text == nil ? [0, .integer(ObjectID.missingRow)] : [""] }
}
