import SQLite

/// Evaluates expressions on objects in memory, by the tree that SQL is printed from: how unsaved changes take part in a
/// fetch, and how the results of several stores are put in order.
struct ExpressionEvaluator {
    private var rows: EvaluatedRows
    private let entity: EntityDescription
    private let context: StoreContext?

    init(_ object: StoreObject, group: [StoreObject] = []) {
        self.init(group: group, representedBy: object, of: object.objectID.entity)
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

/// An expression of an entity in both of its uses.
struct LoweredExpression {
    private let expression: QueryExpression
    private let entity: EntityDescription
    let condition: any LoweredNode
    let value: LoweredValue

    /// Throws `StoreError` for names that the entity does not have.
    init(_ expression: QueryExpression, of entity: EntityDescription, model: StoreModel) throws {
        (self.expression, self.entity) = (expression, entity)
        let expression = expression.simplified
        var lowering = Lowering(model: model, isInMemory: true)
        _ = lowering.openScope(entity, for: QueryVariable.root)
        value = try lowering.value(expression)
        condition = try expression.isCondition ? lowering.condition(expression) : value.node
    }

    func isOf(_ expression: QueryExpression, _ entity: EntityDescription) -> Bool {
        self.entity === entity && self.expression == expression
    }
}

extension StoreContext {
    private static let mostLoweredExpressions = 8

    /// Expressions are evaluated on many objects, one after the other: those that were lowered last are kept.
    fileprivate func lowered(
        _ expression: QueryExpression, of entity: EntityDescription, store number: Int32
    ) throws -> LoweredExpression {
        if let known = loweredExpressions.first(where: { $0.isOf(expression, entity) }) { return known }
        let model = try storePosition(number).map { try stores[$0].model(for: entity.table) } ?? .typed
        let lowered = try LoweredExpression(expression, of: entity, model: model)
        if loweredExpressions.count >= Self.mostLoweredExpressions { loweredExpressions.removeFirst() }
        loweredExpressions.append(lowered)
        return lowered
    }
}
