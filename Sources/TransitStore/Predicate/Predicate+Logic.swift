import FoundationEssentials

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
