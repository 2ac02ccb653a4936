import FoundationEssentials

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
