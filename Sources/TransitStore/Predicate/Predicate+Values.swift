import FoundationEssentials

extension PredicateExpressions.Value: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        guard let value = value as? any QueryValueConvertible else {
            throw StoreError.untranslatable(nodeName, "a captured \(Output.self) cannot be bound")
        }
        let query = value.queryValue
        guard query.isNull else { return .value(query) }
        // SQLite stores NaN as NULL, but a predicate tells NaN from nil.
        if let optional = value as? any OptionalValue, optional.content == nil { return .value(.null) }
        return .value(.double(.nan))
    }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression { .value(.null) }
}

extension PredicateExpressions.Variable: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        guard let meaning = state.meaning(of: key) else {
            throw StoreError.untranslatable(nodeName, "it is not a variable of this predicate")
        }
        return meaning
    }
}

extension PredicateExpressions.Arithmetic: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        let meaning: ArithmeticOperator =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            }
        return .arithmetic(meaning, try lhs.query(&state), try rhs.query(&state))
    }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        .arithmetic(.divide, try lhs.query(&state), try rhs.query(&state))
    }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        if let quotient = beyondInt64(lhs, rhs, { $0.dividedReportingOverflow(by: $1).partialValue }) {
            return .value(quotient)
        }
        return .arithmetic(.divide, try lhs.query(&state), try rhs.query(&state))
    }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        if let rest = beyondInt64(lhs, rhs, { $0.remainderReportingOverflow(dividingBy: $1).partialValue }) {
            return .value(rest)
        }
        return .arithmetic(.remainder, try lhs.query(&state), try rhs.query(&state))
    }
}

/// The result for two captured numbers if one of them is beyond Int64. SQLite would calculate with doubles: the
/// quotient would have a fraction, and the remainder would be wrong. Nil for other operands, and for a division by 0.
private func beyondInt64(
    _ left: Any, _ right: Any, _ result: (Int128, Int128) -> Int128
) -> QueryValue? {
    guard let left = (left as? any CapturedValue)?.wholeNumber, let right = (right as? any CapturedValue)?.wholeNumber,
        right != 0, Int64(exactly: left) == nil || Int64(exactly: right) == nil
    else { return nil }
    let result = result(left, right)
    return Int64(exactly: result).map { .integer($0) } ?? .double(Double(result))
}

/// A value that a predicate has captured.
private protocol CapturedValue {
    var wholeNumber: Int128? { get }
}

extension PredicateExpressions.Value: CapturedValue {
    fileprivate var wholeNumber: Int128? { (value as? any BinaryInteger).flatMap { Int128(exactly: $0) } }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression { .negative(try wrapped.query(&state)) }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        .coalesce(try lhs.query(&state), try rhs.query(&state))
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
    /// In SQL a missing value stays missing: a comparison with it is false instead of an error.
    func translated(_ state: inout TranslationState) throws -> QueryExpression { try inner.query(&state) }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
    /// `$0.parentStation?.name`: nil if the beginning of the chain is nil, otherwise the value of the rest.
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        let wrapped = try wrapped.query(&state)
        state.bind(variable.key, to: wrapped)
        let result = try transform.query(&state)
        // A constant is nil for every row or for none. If it is not nil, the result is the rest of the chain,
        // in which an empty column has its property's default.
        if case .value(let value) = wrapped {
            if case .value = result { return value == .null ? wrapped : result }
            return value == .null ? wrapped : .conditional(.always, result, .value(.null))
        }
        if result.isNil(with: wrapped) { return result }
        return .conditional(.comparison(.notEqual, wrapped, .value(.null)), result, .value(.null))
    }
}

extension QueryExpression {
    /// Whether this value is nil whenever `wrapped` is nil, without a test.
    fileprivate func isNil(with wrapped: QueryExpression) -> Bool {
        switch self {
        case wrapped: true
        case .property(let variable, let path):
            if case .property(variable, let start) = wrapped { path.starts(with: start) } else { false }
        case .folded(let inner), .length(let inner), .negative(let inner), .conditional(_, let inner, .value(.null)):
            inner.isNil(with: wrapped)
        default: false
        }
    }
}
