import FoundationEssentials

/// What a translation of a `#Predicate` knows so far: which expression each of its variables stands for.
struct TranslationState {
    private var meanings: [(key: PredicateExpressions.VariableID, meaning: QueryExpression)] = []
    private var nextVariable = 1
    private var level = 0
    private(set) var deepest = 0
    /// More levels than a condition may have: `a || b || c` has a level for each `||` in a predicate, but only one in a
    /// condition.
    private static let mostNestedNodes = 1_000

    private static let tooDeep = StoreError(
        .tooComplex,
        "The predicate has more than \(mostNestedNodes) nodes inside each other; each || and && adds one. "
            + "Use contains(_:) of a list, or join conditions with Condition.any(of:)")

    mutating func bind(_ key: PredicateExpressions.VariableID, to meaning: QueryExpression) {
        meanings.append((key, meaning))
    }

    /// A variable for the rows of a subquery.
    mutating func newVariable(for key: PredicateExpressions.VariableID) -> QueryVariable {
        defer { nextVariable += 1 }
        bind(key, to: .object(QueryVariable(nextVariable)))
        return QueryVariable(nextVariable)
    }

    /// Translates a node one level deeper. Throws for a predicate that is too deep.
    fileprivate mutating func translate(_ node: any TranslatableExpression) throws -> QueryExpression {
        level += 1
        defer { level -= 1 }
        guard level <= Self.mostNestedNodes else { throw Self.tooDeep }
        deepest = max(deepest, level)
        return try node.translated(&self)
    }

    func meaning(of key: PredicateExpressions.VariableID) -> QueryExpression? {
        meanings.last { $0.key == key }?.meaning
    }
}

/// A node of a predicate's tree that can become a QueryExpression; one extension per node.
protocol TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression
}

extension PredicateExpression {
    /// Translates a child node. Throws an error that names the node if it has no translation.
    func query(_ state: inout TranslationState) throws -> QueryExpression {
        if let translatable = self as? any TranslatableExpression { return try state.translate(translatable) }
        let isPattern = nodeName == "StringContainsRegex"
        throw StoreError.untranslatable(
            nodeName,
            isPattern
                ? "conditions in words have MATCHES for patterns"
                : "SQL has nothing like it; test the fetched objects in Swift instead")
    }

    /// The node's name, such as `SequenceMaximum`.
    var nodeName: String {
        let name = String(describing: Self.self)
        return String(name.prefix { $0 != "<" })
    }
}

extension QueryExpression {
    /// Translates a predicate. Costs a few microseconds.
    ///
    /// Throws `StoreError`: `untranslatable`, naming the node and the key path, if there is no SQL for a part of it;
    /// `tooComplex` if it is too deep.
    init<Entity>(_ predicate: Predicate<Entity>) throws {
        var state = TranslationState()
        state.bind(predicate.variable.key, to: .object(.root))
        self = try predicate.expression.query(&state)
        if state.deepest > Self.mostLevels, isDeeper(than: Self.mostLevels) { throw StoreError.tooDeep }
    }
}
