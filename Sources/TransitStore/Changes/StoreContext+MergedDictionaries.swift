import SQLite

extension StoreContext {
    /// Dictionary results over several stores, or with unsaved changes. They are grouped, aggregated, sorted and made
    /// distinct in memory. The answers are the same as SQL gives over one store that has all the rows.
    func dictionariesMerged<Entity>(_ request: FetchRequest<Entity>, stores: [Int]) throws -> [ResultRow] {
        if mustIgnoreChanges(for: request) {
            return try ignoringChanges(for: request) { try $0.dictionariesMerged(request, stores: stores) }
        }
        let merge = try mergeOfDictionaries(request)
        return try merge.results(try fetchMerged(merge.rows, stores: stores), in: self)
    }

    /// The rows to fetch for dictionary results, and how to make the results of them.
    func mergeOfDictionaries<Entity>(_ request: FetchRequest<Entity>) throws -> DictionaryMerge<Entity> {
        try checkGroups(of: request)
        let columns = try resultColumns(request)
        let model = try model(of: request)
        let table = try MergedTable(request, columns.map(\.expression), request.entity(in: model), model)
        var rows = request
        if !table.keepsRowsApart {
            // Limit and order apply to the groups, so all rows are fetched first.
            (rows.fetchLimit, rows.fetchOffset) = (0, 0)
            if table.isGrouped { rows.sortDescriptors = [] }
        }
        return DictionaryMerge(request: request, rows: rows, names: ResultRow.Names(columns.map(\.name)), table: table)
    }

    /// Throws `StoreError.ungrouped` if a request with groups asks for a value that the rows of a group do not share,
    /// also if the groups are only counted.
    func checkGroups<Entity>(of request: FetchRequest<Entity>) throws {
        let model = try model(of: request)
        try GroupedColumns.check(request, request.entity(in: model), model)
    }

    private func resultColumns<Entity>(
        _ request: FetchRequest<Entity>
    ) throws -> [(name: String, expression: QueryExpression)] {
        guard request.selected.columns.isEmpty else {
            return try request.selected.columns.map { ($0.name, try $0.expression.get()) }
        }
        return try entity(of: request).columns.map { ($0.property, .property(.root, [$0.name])) }
    }
}

/// Makes dictionary results of objects.
struct DictionaryMerge<Entity: StoreObject>: Sendable {
    fileprivate let request: FetchRequest<Entity>
    /// The request for the objects.
    let rows: FetchRequest<Entity>
    fileprivate let names: ResultRow.Names
    fileprivate let table: MergedTable

    func results(_ objects: [StoreObject], in context: StoreContext) throws -> [ResultRow] {
        try context.prefetchPaths(of: table.expressions, for: objects)
        let results = try context.keepingOwners { try table.results(objects, context.checkWanted) }
        guard !table.keepsRowsApart else { return results.map { ResultRow(shared: names, row: $0) } }
        let rest = results.dropFirst(max(request.fetchOffset, 0))
        let wanted = request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest
        return wanted.map { ResultRow(shared: names, row: $0) }
    }
}

/// Makes the rows of dictionary results from objects in memory.
fileprivate struct MergedTable: Sendable {
    private let entity: EntityDescription
    private let model: StoreModel
    private let columns: [QueryExpression]
    private let grouping: [QueryExpression]
    private let having: QueryExpression
    private let terms: [SortTerm]
    private let isDistinct: Bool
    let isGrouped: Bool
    /// The positions of columns whose numbers name rows.
    private let rowColumns: [Int]
    /// The positions of grouping expressions whose numbers name rows.
    private let rowGrouping: [Int]

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
    private typealias Result = (values: [QueryValue], keys: [QueryValue], row: StoreObject?)

    /// The results in order; `rows` are sorted already when they are not grouped. Calls `check` before it looks at a
    /// row.
    func results(_ rows: [StoreObject], _ check: () throws -> Void) throws -> [PackedRow] {
        var results: [Result] = []
        for group in isGrouped ? try groups(of: rows, check) : rows.map({ [$0] }) {
            try check()
            var evaluator = ExpressionEvaluator(
                group: group, representedBy: group.first, of: entity, by: grouping, in: model)
            guard try having == .always || evaluator.holds(having) else { continue }
            let values = try columns.map { try evaluator.bareValue($0) }
            let keys = isGrouped ? try terms.map { try evaluator.bareValue($0.expression) } : []
            results.append((values, keys, group.first))
        }
        if isGrouped, !terms.isEmpty { results = try SortOrder(terms).sorted(results) { $0.keys } }
        // Of equal results, the first one stays: the order may depend on values that the results leave out.
        if isDistinct { results = firstOfEqual(results) }
        return results.map { PackedRow($0.values.map(\.sqliteValue)) }
    }

    private func firstOfEqual(_ results: [Result]) -> [Result] {
        var seen = Set<ComparedValues>()
        return results.filter { seen.insert(ComparedValues($0.values, naming: rowColumns, of: $0.row)).inserted }
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
            let key = ComparedValues(values, naming: rowGrouping, of: row)
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
private struct ComparedValues: Hashable {
    private let values: [QueryValue]
    /// The store whose rows the values name; nil if they name none, or only inserted ones.
    private let store: Int32?

    init(_ values: [QueryValue], naming positions: [Int], of row: StoreObject?) {
        self.values = values.map(\.comparable)
        let namesRow = positions.contains { (values[$0].integer ?? ObjectID.missingRow) >= 0 }
        store = namesRow ? row.map { $0.context?.changes.home(of: $0.objectID) ?? $0.objectID.store } : nil
    }
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

extension QueryValue {
    /// One value for all that SQLite treats as equal: 1 for 1.0.
    fileprivate var comparable: QueryValue {
        if case .double(let value) = self, let integer = Int64(exactly: value) { .integer(integer) } else { self }
    }
}
