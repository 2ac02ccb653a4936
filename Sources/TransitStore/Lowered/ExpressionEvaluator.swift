import SQLite

/// Evaluates expressions on objects in memory, by the tree that SQL is printed from: how unsaved changes take part in a
/// fetch, and how the results of several stores are put in order.
struct ExpressionEvaluator {
    private var rows: EvaluatedRows
    private let entity: EntityDescription
    private let context: StoreContext?

    init(_ object: StoreObject, group: [StoreObject] = []) {
        rows = EvaluatedRows(rows: [.root: object], group: group)
        (entity, context) = (object.objectID.entity, object.context)
    }

    /// For a group of rows; `row` is the one whose values stand for what is not aggregated, nil when the group is
    /// empty: then all properties are NULL.
    init(group: [StoreObject], representedBy row: StoreObject?, of entity: EntityDescription) {
        rows = EvaluatedRows(rows: row.map { [.root: $0] } ?? [:], group: group)
        (self.entity, context) = (row?.objectID.entity ?? entity, row?.context)
    }

    /// Whether a condition holds; what has no answer does not.
    mutating func holds(_ expression: QueryExpression) throws -> Bool {
        try lowered(expression).condition.holds(&rows)
    }

    /// The value of an expression as its Swift property reads; conditions are 1 and 0.
    mutating func value(_ expression: QueryExpression) throws -> QueryValue {
        try lowered(expression).value.node.value(&rows)
    }

    /// A column as it is, NULL where nothing is; all else as a value.
    mutating func bareValue(_ expression: QueryExpression) throws -> QueryValue {
        try lowered(expression).value.bare.value(&rows)
    }

    private func lowered(_ expression: QueryExpression) throws -> LoweredExpression {
        guard let context else { return try LoweredExpression(expression, of: entity, model: .typed) }
        return try context.lowered(expression, of: entity, store: rows.rows[QueryVariable.root]?.objectID.store ?? 0)
    }
}

/// An expression in both of its uses.
struct LoweredExpression {
    let condition: any LoweredNode
    let value: LoweredValue

    /// Throws `StoreError` for names that the entity does not have.
    init(_ expression: QueryExpression, of entity: EntityDescription, model: StoreModel) throws {
        let expression = expression.simplified
        var lowering = Lowering(model: model)
        _ = lowering.openScope(entity, for: QueryVariable.root)
        value = try lowering.value(expression)
        condition = try expression.isCondition ? lowering.condition(expression) : value.node
    }
}

/// The expressions that were evaluated last: they are evaluated on many objects, one after the other.
struct LoweredExpressions {
    private var known: [(expression: QueryExpression, entity: EntityDescription, lowered: LoweredExpression)] = []
    private static let most = 8

    mutating func lowered(
        _ expression: QueryExpression, _ entity: EntityDescription, model: () throws -> StoreModel
    ) throws -> LoweredExpression {
        if let found = known.first(where: { $0.entity === entity && $0.expression == expression }) {
            return found.lowered
        }
        let lowered = try LoweredExpression(expression, of: entity, model: model())
        if known.count >= Self.most { known.removeFirst() }
        known.append((expression, entity, lowered))
        return lowered
    }
}

extension StoreContext {
    fileprivate func lowered(
        _ expression: QueryExpression, of entity: EntityDescription, store number: Int32
    ) throws -> LoweredExpression {
        try loweredExpressions.lowered(expression, entity) {
            try storePosition(number).map { try stores[$0].model(for: entity.table) } ?? .typed
        }
    }
}
