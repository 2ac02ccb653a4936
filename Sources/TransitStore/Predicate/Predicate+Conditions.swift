import FoundationEssentials

extension PredicateExpressions.Equal: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        if let isSame = try sameRow(lhs, rhs, &state) ?? sameRow(rhs, lhs, &state) { return isSame }
        return try lhs.query(&state).compared(.equal, try rhs.query(&state), LHS.Output.self)
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        if let isSame = try sameRow(lhs, rhs, &state) ?? sameRow(rhs, lhs, &state) { return .not(isSame) }
        return try lhs.query(&state).compared(.notEqual, try rhs.query(&state), LHS.Output.self)
    }
}

extension QueryExpression {
    /// `==` and `!=` of Swift over values of a type.
    fileprivate func compared(_ op: ComparisonOperator, _ other: QueryExpression, _ type: Any.Type) -> QueryExpression {
        // Nothing equals NaN, not even NaN.
        if type == Double.self || type == Double?.self, isNotANumber || other.isNotANumber {
            return op == .equal ? .never : .always
        }
        return .comparison(op, self, other)
    }

    private var isNotANumber: Bool { if case .value(.double(let value)) = self { value.isNaN } else { false } }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        .comparison(ComparisonOperator(op), try lhs.query(&state), try rhs.query(&state))
    }
}

extension ComparisonOperator {
    /// The query operator for `<`, `<=`, `>` or `>=` of a predicate.
    init(_ op: PredicateExpressions.ComparisonOperator) {
        self =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            }
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        guard let range = range as? any TranslatableRange else {
            throw StoreError.untranslatable(nodeName, "only ranges of values are understood")
        }
        let bounds = try range.bounds(&state)
        let element = try element.query(&state)
        return .conjunction(bounds.map { .comparison($0.key, element, $0.value) })
    }
}

/// How the elements of a range compare with its bounds.
private typealias RangeBounds = KeyValuePairs<ComparisonOperator, QueryExpression>

/// A range that is written out in the predicate, or captured.
private protocol TranslatableRange {
    func bounds(_ state: inout TranslationState) throws -> RangeBounds
}

extension PredicateExpressions.Range: TranslatableRange {
    fileprivate func bounds(_ state: inout TranslationState) throws -> RangeBounds {
        [.greaterOrEqual: try lower.query(&state), .less: try upper.query(&state)]
    }
}

extension PredicateExpressions.ClosedRange: TranslatableRange {
    fileprivate func bounds(_ state: inout TranslationState) throws -> RangeBounds {
        [.greaterOrEqual: try lower.query(&state), .lessOrEqual: try upper.query(&state)]
    }
}

extension PredicateExpressions.Value: TranslatableRange {
    fileprivate func bounds(_ state: inout TranslationState) throws -> RangeBounds {
        guard let range = value as? any ValueRange else {
            throw StoreError.untranslatable(nodeName, "\(Output.self) is not a range of values that a store has")
        }
        return range.bounds
    }
}

/// A captured range of values that a store can hold.
private protocol ValueRange { var bounds: RangeBounds { get } }

extension Range: ValueRange where Bound: QueryValueConvertible {
    fileprivate var bounds: RangeBounds {
        [.greaterOrEqual: .value(lowerBound.queryValue), .less: .value(upperBound.queryValue)]
    }
}
extension ClosedRange: ValueRange where Bound: QueryValueConvertible {
    fileprivate var bounds: RangeBounds {
        [.greaterOrEqual: .value(lowerBound.queryValue), .lessOrEqual: .value(upperBound.queryValue)]
    }
}
extension PartialRangeFrom: ValueRange where Bound: QueryValueConvertible {
    fileprivate var bounds: RangeBounds { [.greaterOrEqual: .value(lowerBound.queryValue)] }
}
extension PartialRangeThrough: ValueRange where Bound: QueryValueConvertible {
    fileprivate var bounds: RangeBounds { [.lessOrEqual: .value(upperBound.queryValue)] }
}
extension PartialRangeUpTo: ValueRange where Bound: QueryValueConvertible {
    fileprivate var bounds: RangeBounds { [.less: .value(upperBound.queryValue)] }
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
            throw StoreError.untranslatable(nodeName, "starts(with:) works on texts only")
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
