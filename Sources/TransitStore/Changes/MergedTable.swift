import SQLite

/// Makes the rows of dictionary results from objects in memory.
struct MergedTable: Sendable {
    private let entity: EntityDescription
    private let model: StoreModel
    let columns: [QueryExpression]
    let grouping: [QueryExpression]
    let having: QueryExpression
    let terms: [SortTerm]
    private let isDistinct: Bool
    let isGrouped: Bool
    /// The positions of columns whose numbers name rows.
    let rowColumns: [Int]
    /// The positions of grouping expressions whose numbers name rows.
    let rowGrouping: [Int]

    init<Entity>(
        _ request: FetchRequest<Entity>, _ columns: [QueryExpression], _ entity: EntityDescription, _ model: StoreModel
    ) throws {
        (self.entity, self.model) = (entity, model)
        self.columns = columns
        grouping = try request.selected.grouping.map { try $0.expression.get() }
        having = try request.selected.having.get()
        terms = try request.selected.terms.map { try $0.get() }
        isDistinct = request.returnsDistinctResults
        let asked = columns + [having] + terms.map(\.expression)
        isGrouped = !grouping.isEmpty || asked.contains(where: \.hasAggregate)
        rowColumns = columns.indices.filter { columns[$0].namesRows(of: entity, model) }
        rowGrouping = grouping.indices.filter { [grouping] in grouping[$0].namesRows(of: entity, model) }
    }

    /// All expressions that are evaluated on rows.
    var expressions: [QueryExpression] { columns + grouping + [having] + terms.map(\.expression) }
    /// Whether every row is a result of its own.
    var keepsRowsApart: Bool { !isGrouped && !isDistinct }

    /// A result with the values that it is sorted by.
    struct Result {
        var values: [QueryValue]
        var keys: [QueryValue] = []
        /// The store of the rows that the values name.
        let store: Int32?
    }

    /// The results in order; `rows` are sorted already when they are not grouped. Calls `check` before it looks at a
    /// row.
    func results(_ rows: [StoreObject], _ check: () throws -> Void) throws -> [PackedRow] {
        try packed(evaluated(rows, check), areSorted: !isGrouped)
    }

    /// The results in the order of their first rows.
    func evaluated(_ rows: [StoreObject], _ check: () throws -> Void) throws -> [Result] {
        var results: [Result] = []
        for group in isGrouped ? try groups(of: rows, check) : rows.map({ [$0] }) {
            try check()
            var evaluator = ExpressionEvaluator(
                group: group, representedBy: group.first, of: entity, by: grouping, in: model)
            guard try having == .always || evaluator.holds(having) else { continue }
            let values = try columns.map { try evaluator.bareValue($0) }
            let keys = isGrouped ? try terms.map { try evaluator.bareValue($0.expression) } : []
            results.append(Result(values: values, keys: keys, store: group.first?.home))
        }
        return results
    }

    /// The results of groups whose shared values and aggregates are known.
    func results(of groups: [(known: [QueryExpression: QueryValue], store: Int32?)]) throws -> [PackedRow] {
        var results: [Result] = []
        for (known, store) in groups {
            var evaluator = ExpressionEvaluator(aggregates: known, of: entity, by: grouping, in: model)
            func value(_ expression: QueryExpression) throws -> QueryValue {
                try known[expression] ?? evaluator.bareValue(expression)
            }
            guard try having == .always || evaluator.holds(having) else { continue }
            results.append(
                Result(values: try columns.map(value), keys: try terms.map { try value($0.expression) }, store: store))
        }
        return try packed(results, areSorted: false)
    }

    /// The results as rows: sorted, and each once if they are to be distinct.
    private func packed(_ results: [Result], areSorted: Bool) throws -> [PackedRow] {
        var results = results
        if !areSorted, !terms.isEmpty { results = try SortOrder(terms).sorted(results) { $0.keys } }
        // Of equal results, the first one stays: the order may depend on values that the results leave out.
        if isDistinct { results = firstOfEqual(results) }
        return results.map { PackedRow($0.values.map(\.sqliteValue)) }
    }

    private func firstOfEqual(_ results: [Result]) -> [Result] {
        var seen = Set<ComparedValues>()
        return results.filter { seen.insert(ComparedValues($0.values, naming: rowColumns, store: $0.store)).inserted }
    }

    /// The rows in groups of equal grouping values, in the order in which the groups first appear. Without grouping
    /// there is one group of all rows, even if it is empty.
    private func groups(of rows: [StoreObject], _ check: () throws -> Void) throws -> [[StoreObject]] {
        if grouping.isEmpty { return [rows] }
        var positions: [ComparedValues: Int] = [:]
        var groups: [[StoreObject]] = []
        for row in rows {
            try check()
            var evaluator = ExpressionEvaluator(group: [], representedBy: row, of: entity, by: grouping, in: model)
            let values = try grouping.map { try evaluator.bareValue($0) }
            let key = ComparedValues(values, naming: rowGrouping, store: row.home)
            if let position = positions[key] {
                groups[position].append(row)
            } else {
                positions[key] = groups.count
                groups.append([row])
            }
        }
        return groups
    }
}

/// Values that are compared to find equal rows and groups, with the store if they are row numbers: each store has other
/// rows under the same numbers.
struct ComparedValues: Hashable {
    private let values: [QueryValue]
    /// The store whose rows the values name; nil if they name none, or only inserted ones.
    private let store: Int32?

    init(_ values: [QueryValue], naming positions: [Int], store: Int32?) {
        let values = values.map(\.comparable)
        self.values = values
        let namesRow = positions.contains { (values[$0].integer ?? ObjectID.missingRow) >= 0 }
        self.store = namesRow ? store : nil
    }
}

extension StoreObject {
    /// The store of the rows that the object's references name.
    fileprivate var home: Int32 { context?.changes.home(of: objectID) ?? objectID.store }
}

extension QueryExpression {
    /// Whether the expression's numbers name rows: a relationship, or a key.
    func namesRows(of entity: EntityDescription, _ model: StoreModel) -> Bool {
        switch self {
        case .object: true
        case .property(.root, let path):
            if let last = path.last, let owner = entity.followed(path.dropLast(), in: model)?.entity,
                let column = owner.columnIndex(last)
            {
                owner.columns[column].target != nil || owner.key == .row(column)
            } else {
                false
            }
        case .conditional(_, let one, let other), .coalesce(let one, let other):
            one.namesRows(of: entity, model) || other.namesRows(of: entity, model)
        default: false
        }
    }
}
