import FoundationEssentials

extension PredicateExpressions.Equal: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        try lhs.query(&state).equals(try rhs.query(&state), LHS.Output.self, state)
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        switch try lhs.query(&state).equals(try rhs.query(&state), LHS.Output.self, state) {
        case .comparison(.equal, let left, let right): .comparison(.notEqual, left, right)
        case .never: .always
        case let equal: .not(equal)
        }
    }
}

extension QueryExpression {
    /// `==` of Swift over values of a type.
    fileprivate func equals(
        _ other: QueryExpression, _ type: Any.Type, _ state: TranslationState
    ) -> QueryExpression {
        // Nothing equals NaN, not even NaN.
        if [self, other].contains(where: \.isNotANumber) { return .never }
        guard type is any OptionalType.Type else { return .comparison(.equal, self, other) }
        if case .value(let value) = other, value.isNull { return state.whenNil(self) ?? .never }
        if case .value(let value) = self, value.isNull { return state.whenNil(other) ?? .never }
        if let own = locationTypeOfKind, case .value = other { return .comparison(.equal, own, other) }
        if let own = other.locationTypeOfKind, case .value = self { return .comparison(.equal, self, own) }
        guard state.mayBeIncomparable(self) || state.mayBeIncomparable(other), let isNil = state.whenNil(self),
            let isOtherNil = state.whenNil(other)
        else { return .comparison(.equal, self, other) }
        return .disjunction([.comparison(.equal, self, other), .conjunction([isNil, isOtherNil])])
    }

    private var isNotANumber: Bool { if case .value(.double(let value)) = self { value.isNaN } else { false } }
}

/// What may be nil.
protocol OptionalType {}
extension Optional: OptionalType {}

extension PredicateExpressions.Comparison: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        let meaning: ComparisonOperator =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            }
        return .comparison(meaning, try lhs.query(&state), try rhs.query(&state))
    }
}

/// A range that is written out in the predicate, or captured.
private protocol TranslatableRange {
    func bounds(_ state: inout TranslationState) throws -> RangeBounds
}

/// The bounds of a range, of which one may be missing.
private struct RangeBounds {
    var lower: QueryExpression?
    var upper: QueryExpression?
    var isClosed = true
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        guard let range = range as? any TranslatableRange else {
            throw StoreError.untranslatable(nodeName, "only ranges of values are understood")
        }
        let bounds = try range.bounds(&state)
        let element = try element.query(&state)
        return .conjunction(
            [
                bounds.lower.map { .comparison(.greaterOrEqual, element, $0) },
                bounds.upper.map { .comparison(bounds.isClosed ? .lessOrEqual : .less, element, $0) },
            ].compactMap { $0 })
    }
}

extension PredicateExpressions.Range: TranslatableRange {
    fileprivate func bounds(_ state: inout TranslationState) throws -> RangeBounds {
        RangeBounds(lower: try lower.query(&state), upper: try upper.query(&state), isClosed: false)
    }
}

extension PredicateExpressions.ClosedRange: TranslatableRange {
    fileprivate func bounds(_ state: inout TranslationState) throws -> RangeBounds {
        RangeBounds(lower: try lower.query(&state), upper: try upper.query(&state))
    }
}

extension PredicateExpressions.Value: TranslatableRange {
    fileprivate func bounds(_ state: inout TranslationState) throws -> RangeBounds {
        guard let range = value as? any ValueRange else {
            throw StoreError.untranslatable(nodeName, "\(Output.self) is no range of values that a store has")
        }
        return range.bounds
    }
}

/// A captured range of values that a store has.
private protocol ValueRange { var bounds: RangeBounds { get } }

extension Range: ValueRange where Bound: QueryValueConvertible {
    fileprivate var bounds: RangeBounds {
        RangeBounds(lower: .value(lowerBound.queryValue), upper: .value(upperBound.queryValue), isClosed: false)
    }
}
extension ClosedRange: ValueRange where Bound: QueryValueConvertible {
    fileprivate var bounds: RangeBounds {
        RangeBounds(lower: .value(lowerBound.queryValue), upper: .value(upperBound.queryValue))
    }
}
extension PartialRangeFrom: ValueRange where Bound: QueryValueConvertible {
    fileprivate var bounds: RangeBounds { RangeBounds(lower: .value(lowerBound.queryValue)) }
}
extension PartialRangeThrough: ValueRange where Bound: QueryValueConvertible {
    fileprivate var bounds: RangeBounds { RangeBounds(upper: .value(upperBound.queryValue)) }
}
extension PartialRangeUpTo: ValueRange where Bound: QueryValueConvertible {
    fileprivate var bounds: RangeBounds { RangeBounds(upper: .value(upperBound.queryValue), isClosed: false) }
}

extension PredicateExpressions.Conjunction: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        .conjunction([try lhs.query(&state), try rhs.query(&state)])
    }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        .disjunction([try lhs.query(&state), try rhs.query(&state)])
    }
}

extension PredicateExpressions.Negation: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression { .not(try wrapped.query(&state)) }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        .conditional(try test.query(&state), try trueBranch.query(&state), try falseBranch.query(&state))
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    /// `$0.name.starts(with: prefix)`, `$0.name.folded.starts(with: prefix.folded)`
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        guard Base.Output.self == String.self, Prefix.Output.self == String.self else {
            throw StoreError.untranslatable(nodeName, "only texts start with something in a store")
        }
        return .text(.beginsWith, [], try base.query(&state), try prefix.query(&state))
    }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    /// `$0.name.contains(part)`
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        guard Base.Output.self == String.self, Other.Output.self == String.self else {
            throw StoreError.untranslatable(nodeName, "only texts contain texts in a store")
        }
        return .text(.contains, [], try base.query(&state), try other.query(&state))
    }
}
