import FoundationEssentials

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
    /// `$0.stopTimes.contains { … }`: there is a related row that meets the condition.
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        .related(try sequence.rows(where: test, variable.key, &state))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
    /// `$0.stopTimes.allSatisfy { … }`: there is no related row that fails the condition.
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        var rows = try sequence.rows(where: test, variable.key, &state, isNegated: true)
        rows.yields = .exists
        return .not(.related(rows))
    }
}

extension PredicateExpressions.Filter: TranslatableExpression {
    /// `$0.stopTimes.filter { … }`, which may be followed by `count`, `isEmpty` or `contains`.
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        .related(try sequence.rows(where: filter, variable.key, &state))
    }
}

extension PredicateExpression {
    /// The related rows that this node stands for, narrowed by a condition.
    fileprivate func rows<Condition: PredicateExpression>(
        where condition: Condition, _ key: PredicateExpressions.VariableID, _ state: inout TranslationState,
        isNegated: Bool = false
    ) throws -> RelatedRows {
        guard var rows = try query(&state).relatedRows else {
            throw StoreError.untranslatable(nodeName, "only a to-many relationship can be searched")
        }
        if rows.condition == .always, rows.variable.number < 0 {
            rows.variable = state.newVariable(for: key)
        } else {
            state.bind(key, to: .object(rows.variable))
        }
        let narrower = try condition.query(&state)
        rows.condition = .conjunction([rows.condition, isNegated ? .not(narrower) : narrower])
        return rows
    }
}

extension PredicateExpressions.SequenceContains: TranslatableExpression {
    /// `captured.contains($0.name)`
    func translated(_ state: inout TranslationState) throws -> QueryExpression {
        if let isAny = try anyRow(of: sequence, element, &state) { return isAny }
        guard let list = sequence as? any CapturedList, let values = list.capturedValues else {
            return try textContains(&state)
        }
        let element = try element.query(&state)
        // Nothing equals NaN. A nil in the list matches an optional chain that ends early, but not an empty column.
        let present = values.filter { !$0.isNull }
        if RHS.Output.self == Double.self { return .membership(element, present) }
        guard present.count < values.count, RHS.Output.self is any OptionalValue.Type else {
            return .membership(element, values)
        }
        let isNil = QueryExpression.comparison(.equal, element, .value(.null))
        return list.hasNil ? .disjunction([.membership(element, present), isNil]) : .membership(element, present)
    }

    /// `$0.name.contains("x")` with a Character.
    private func textContains(_ state: inout TranslationState) throws -> QueryExpression {
        guard LHS.Output.self == String.self || LHS.Output.self == Substring.self else {
            throw StoreError.untranslatable(nodeName, "\(LHS.Output.self) is not a captured list of values")
        }
        return .text(.contains, [], try sequence.query(&state), try element.query(&state))
    }
}

/// A list or set that the predicate has captured.
private protocol CapturedList {
    var capturedValues: [QueryValue]? { get }
    /// Whether one of the values is nil. NaN does not count, though SQLite stores both as NULL.
    var hasNil: Bool { get }
}

extension PredicateExpressions.Value: CapturedList {
    fileprivate var capturedValues: [QueryValue]? { (value as? any QueryValueList)?.queryValues }
    fileprivate var hasNil: Bool {
        switch value {
        case let list as [Double?]: list.contains(nil)
        case let list as Set<Double?>: list.contains(nil)
        default: capturedValues?.contains(.null) ?? false
        }
    }
}

extension Character: QueryValueConvertible { public var queryValue: QueryValue { .text(String(self)) } }
