import FoundationEssentials

/// What a translation of a `#Predicate` knows so far: which expression each of its variables stands for, and of which
/// entity the rows are.
struct TranslationState {
    private var meanings: [(key: PredicateExpressions.VariableID, meaning: QueryExpression)] = []
    private var entities: [QueryVariable: EntityDescription]
    private var nextVariable = 1

    init(_ entity: EntityDescription?) { entities = entity.map { [.root: $0] } ?? [:] }

    mutating func bind(_ key: PredicateExpressions.VariableID, to meaning: QueryExpression) {
        meanings.append((key, meaning))
    }

    /// A variable for the rows of a subquery.
    mutating func newVariable(for key: PredicateExpressions.VariableID, rows: RelatedRows) -> QueryVariable {
        let variable = QueryVariable(nextVariable)
        nextVariable += 1
        bind(key, to: .object(variable))
        if let name = rows.path.last, let owner = entities[rows.owner]?.followed(rows.path.dropLast())?.entity {
            entities[variable] = owner.relatedTable(name).flatMap(StoreModel.typed.entity(named:))
        }
        return variable
    }

    func meaning(of key: PredicateExpressions.VariableID) -> QueryExpression? {
        meanings.last { $0.key == key }?.meaning
    }
}

/// What is nil: in Swift an optional chain is when the row is not there, whatever its column would read as.
extension TranslationState {
    /// When an expression is nil; nil if it never is.
    func whenNil(_ expression: QueryExpression) -> QueryExpression? {
        switch expression {
        case .value(let value): return value.isNull ? .always : nil
        case .property(let variable, let path):
            guard let column = column(variable, path) else { return .comparison(.equal, expression, .value(.null)) }
            if column.description.isOptional { return .comparison(.equal, expression, .value(.null)) }
            return column.optional.map { .comparison(.equal, .property(variable, $0), .value(.null)) }
        case .conditional(let test, let yes, .value(.null)):
            return .disjunction([test.opposite, whenNil(yes)].compactMap { $0 })
        case .conditional(let test, let yes, let no):
            guard whenNil(yes) != nil || whenNil(no) != nil else { return nil }
            return .conditional(test, whenNil(yes) ?? .never, whenNil(no) ?? .never)
        case .coalesce(let first, let otherwise):
            guard let first = whenNil(first), let otherwise = whenNil(otherwise) else { return nil }
            return .conjunction([first, otherwise])
        case .folded(let inner), .length(let inner), .negative(let inner): return whenNil(inner)
        default: return nil
        }
    }

    /// Whether a value may be NULL in SQL and something in Swift: NaN, an absent time, a result without a number.
    func mayBeIncomparable(_ expression: QueryExpression) -> Bool {
        switch expression {
        case .property(let variable, let path): column(variable, path)?.description.absence == .incomparable
        case .conditional(_, let yes, let no): mayBeIncomparable(yes) || mayBeIncomparable(no)
        case .coalesce(let first, let otherwise): mayBeIncomparable(first) || mayBeIncomparable(otherwise)
        case .arithmetic, .distance: true
        case .negative(let inner): mayBeIncomparable(inner)
        default: false
        }
    }

    /// The column that a path leads to, and the part of the path up to its last optional reference.
    private func column(
        _ variable: QueryVariable, _ path: [String]
    ) -> (description: ColumnDescription, optional: [String]?)? {
        guard let last = path.last, let row = entities[variable]?.followed(path.dropLast()),
            let index = row.entity.columnIndex(last)
        else { return nil }
        return (row.entity.columns[index], row.optional)
    }
}

extension EntityDescription {
    /// The entity at the end of to-one relationships, and the part of the path up to the last optional one.
    func followed(_ path: [String], in model: StoreModel = .typed) -> (entity: EntityDescription, optional: [String]?)?
    {
        var (entity, optional): (EntityDescription, [String]?) = (self, nil)
        for (position, name) in path.enumerated() {
            guard let index = entity.columnIndex(name), let table = entity.columns[index].target,
                let next = model.entity(named: table)
            else { return nil }
            if !entity.columns[index].isRequiredReference { optional = Array(path[...position]) }
            entity = next
        }
        return (entity, optional)
    }
}

extension ColumnDescription {
    /// Whether the property is an optional.
    fileprivate var isOptional: Bool { absence == .null && !isRequiredReference }
}

/// A node of a predicate's tree that can become a QueryExpression; one extension per node.
protocol TranslatableExpression {
    func translated(_ state: inout TranslationState) throws -> QueryExpression
}

extension PredicateExpression {
    /// Translates a child node; refuses it by name if it has no translation.
    func query(_ state: inout TranslationState) throws -> QueryExpression {
        if let translatable = self as? any TranslatableExpression { return try translatable.translated(&state) }
        throw StoreError.untranslatable(nodeName, "there is no such thing for a column of a store")
    }

    /// The node's name, such as `SequenceMaximum`.
    var nodeName: String {
        let name = String(describing: Self.self)
        return String(name.prefix { $0 != "<" })
    }
}

extension QueryExpression {
    /// What a predicate asks. Costs a few microseconds.
    ///
    /// Throws StoreError.untranslatable, naming the node and the key path, when there is no SQL for a part of it.
    init<Entity>(_ predicate: Predicate<Entity>) throws {
        var state = TranslationState((Entity.self as? any StoreEntity.Type)?.entity)
        state.bind(predicate.variable.key, to: .object(.root))
        self = try predicate.expression.query(&state)
    }

    /// The condition that holds when this one does not; `= NIL` becomes `!= NIL`.
    var opposite: QueryExpression {
        switch self {
        case .comparison(.equal, let left, .value(.null)): .comparison(.notEqual, left, .value(.null))
        case .comparison(.notEqual, let left, .value(.null)): .comparison(.equal, left, .value(.null))
        case .not(let inner): inner
        default: .not(self)
        }
    }
}
