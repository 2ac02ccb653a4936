import FoundationEssentials

extension PredicateExpressions.Equal: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        let (left, right) = (try lhs.query(&state), try rhs.query(&state))
        return StopKind.unknown(left, right, LHS.Output.self) ?? .comparison(.equal, left, right)
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        let (left, right) = (try lhs.query(&state), try rhs.query(&state))
        return StopKind.unknown(left, right, LHS.Output.self).map { .not($0) } ?? .comparison(.notEqual, left, right)
    }
}

extension StopKind {
    /// `$0.kind == nil` asks for a location_type that GTFS does not know; a missing one is a platform.
    fileprivate static func unknown(
        _ left: QueryExpression, _ right: QueryExpression, _ type: Any.Type
    ) -> QueryExpression? {
        guard type == StopKind?.self, right == .value(.null) else { return nil }
        return .not(.membership(left, allCases.map(\.queryValue)))
    }
}

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
    func bounds(_ state: inout TranslationState) throws -> (
        lower: QueryExpression, upper: QueryExpression, isClosed: Bool
    )
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        guard let range = range as? any TranslatableRange else {
            throw StoreError.untranslatable(nodeName, "only ranges with two bounds are understood")
        }
        let (lower, upper, isClosed) = try range.bounds(&state)
        let element = try element.query(&state)
        return .conjunction([
            .comparison(.greaterOrEqual, element, lower),
            .comparison(isClosed ? .lessOrEqual : .less, element, upper),
        ])
    }
}

extension PredicateExpressions.Range: TranslatableRange {
    fileprivate func bounds(_ state: inout TranslationState) throws -> (
        lower: QueryExpression, upper: QueryExpression, isClosed: Bool
    ) { (try lower.query(&state), try upper.query(&state), false) }
}

extension PredicateExpressions.ClosedRange: TranslatableRange {
    fileprivate func bounds(_ state: inout TranslationState) throws -> (
        lower: QueryExpression, upper: QueryExpression, isClosed: Bool
    ) { (try lower.query(&state), try upper.query(&state), true) }
}

extension PredicateExpressions.Value: TranslatableRange {
    fileprivate func bounds(_ state: inout TranslationState) throws -> (
        lower: QueryExpression, upper: QueryExpression, isClosed: Bool
    ) {
        guard let range = value as? any ValueRange, let bounds = range.valueBounds else {
            throw StoreError.untranslatable(nodeName, "\(Output.self) is no range of values that a store has")
        }
        return (.value(bounds.lower), .value(bounds.upper), bounds.isClosed)
    }
}

/// A captured range.
protocol ValueRange {
    var valueBounds: (lower: QueryValue, upper: QueryValue, isClosed: Bool)? { get }
}

extension Range: ValueRange {
    var valueBounds: (lower: QueryValue, upper: QueryValue, isClosed: Bool)? {
        guard let lower = lowerBound as? any QueryValueConvertible, let upper = upperBound as? any QueryValueConvertible
        else { return nil }
        return (lower.queryValue, upper.queryValue, false)
    }
}

extension ClosedRange: ValueRange {
    var valueBounds: (lower: QueryValue, upper: QueryValue, isClosed: Bool)? {
        guard let lower = lowerBound as? any QueryValueConvertible, let upper = upperBound as? any QueryValueConvertible
        else { return nil }
        return (lower.queryValue, upper.queryValue, true)
    }
}
