import SQLite

/// Evaluates expressions on objects in memory, using the tree that SQL is printed from. Fetches use it to apply unsaved
/// changes and to sort the results of several stores.
struct ExpressionEvaluator {
    private var rows: EvaluatedRows
    private let entity: EntityDescription
    private let grouping: [QueryExpression]
    private let context: StoreContext?
    /// What the entity's relationships lead to; only used without a context.
    private let model: StoreModel

    init(_ object: StoreObject) {
        self.init(group: [], representedBy: object, of: object.objectID.entity, by: [], in: .typed)
    }

    /// For a group of rows that share the values of `grouping`. `row` gives the values that are not aggregated. It is
    /// nil if the group is empty; then all properties are NULL, and `model` has the entities along their paths.
    init(
        group: [StoreObject], representedBy row: StoreObject?, of entity: EntityDescription,
        by grouping: [QueryExpression], in model: StoreModel
    ) {
        rows = EvaluatedRows(rows: row.map { [.root: $0] } ?? [:], group: group)
        (self.entity, self.grouping, context) = (row?.objectID.entity ?? entity, grouping, row?.context)
        self.model = model
    }

    /// For a group of which only aggregates are known.
    init(
        aggregates: [QueryExpression: QueryValue], of entity: EntityDescription, by grouping: [QueryExpression],
        in model: StoreModel
    ) {
        self.init(group: [], representedBy: nil, of: entity, by: grouping, in: model)
        rows.aggregates = aggregates
    }

    /// Whether a condition holds; a condition that is NULL does not.
    mutating func holds(_ expression: QueryExpression) throws -> Bool {
        try lowered(expression).condition.holds(&rows)
    }

    /// The value of an expression as its Swift property reads; conditions are 1 and 0.
    mutating func value(_ expression: QueryExpression) throws -> QueryValue {
        try lowered(expression).value.node.value(&rows)
    }

    /// The value as SQL reads it: an empty column is NULL, without the default that its Swift property has.
    mutating func bareValue(_ expression: QueryExpression) throws -> QueryValue {
        try lowered(expression).value.bare.value(&rows)
    }

    private func lowered(_ expression: QueryExpression) throws -> LoweredExpression {
        guard let context else { return try LoweredExpression(expression, of: entity, by: grouping, model: model) }
        return try context.lowered(
            expression, of: entity, by: grouping, store: rows.rows[QueryVariable.root]?.objectID.store ?? 0)
    }
}

/// An expression lowered in both ways: as a condition and as a value.
struct LoweredExpression {
    private let expression: QueryExpression
    private let entity: EntityDescription
    private let grouping: [QueryExpression]
    let condition: any LoweredNode
    let value: LoweredValue

    /// Throws `StoreError` for names that the entity does not have.
    init(
        _ expression: QueryExpression, of entity: EntityDescription, by grouping: [QueryExpression], model: StoreModel
    ) throws {
        (self.expression, self.entity, self.grouping) = (expression, entity, grouping)
        let expression = expression.simplified
        var lowering = Lowering(model: model, isInMemory: true)
        lowering.groupedNumbers = lowering.groupedNumbers(grouping, of: entity)
        _ = lowering.openScope(entity, for: QueryVariable.root)
        value = try lowering.value(expression)
        condition = try expression.isCondition ? lowering.condition(expression) : value.node
    }

    func isOf(_ expression: QueryExpression, _ entity: EntityDescription, by grouping: [QueryExpression]) -> Bool {
        self.entity === entity && self.expression == expression && self.grouping == grouping
    }
}

extension StoreContext {
    private static let mostLoweredExpressions = 8

    /// Keeps the expressions that were lowered last, because each is evaluated on many objects in turn.
    fileprivate func lowered(
        _ expression: QueryExpression, of entity: EntityDescription, by grouping: [QueryExpression], store number: Int32
    ) throws -> LoweredExpression {
        if let known = loweredExpressions.first(where: { $0.isOf(expression, entity, by: grouping) }) { return known }
        let model = try storePosition(number).map { try stores[$0].model(for: entity.table) } ?? .typed
        let lowered = try LoweredExpression(expression, of: entity, by: grouping, model: model)
        if loweredExpressions.count >= Self.mostLoweredExpressions { loweredExpressions.removeFirst() }
        loweredExpressions.append(lowered)
        return lowered
    }
}
