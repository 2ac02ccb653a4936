import SQLite

extension StoreContext {
    /// Dictionary results over several stores: grouped, aggregated, sorted and made distinct in memory.
    func dictionariesMerged<Entity>(_ request: FetchRequest<Entity>, stores: [Int]) throws -> [ResultRow] {
        var plain = request
        (plain.fetchLimit, plain.fetchOffset, plain.propertiesToGroupBy) = (0, 0, [])
        let objects = try fetchMerged(plain, stores: stores)
        let columns = try resultColumns(request)
        let names = ResultRow.Names(columns.map(\.name))
        var results: [ResultRow] = []
        var seen = Set<[QueryValue]>()
        for group in try groups(of: objects, request) {
            guard let first = group.first else { continue }
            var evaluator = ExpressionEvaluator(first, group: group)
            guard try request.havingPredicate.query() == .always || evaluator.holds(request.havingPredicate.query())
            else { continue }
            let values = try columns.map { try evaluator.bareValue($0.expression) }
            if request.returnsDistinctResults, !seen.insert(values).inserted { continue }
            results.append(ResultRow(shared: names, row: PackedRow(values.map(\.sqliteValue))))
        }
        let rest = results.dropFirst(max(request.fetchOffset, 0))
        return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
    }

    private func resultColumns<Entity>(
        _ request: FetchRequest<Entity>
    ) throws -> [(name: String, expression: QueryExpression)] {
        guard request.propertiesToFetch.isEmpty else {
            return try request.propertiesToFetch.map { ($0.name, try $0.expression.get()) }
        }
        return try entity(of: request).columns.map { ($0.property, .property(.root, [$0.property])) }
    }

    /// The objects by equal values of what they are grouped by, in the order in which the groups are met.
    private func groups<Entity>(
        of objects: [StoreObject], _ request: FetchRequest<Entity>
    ) throws -> [[StoreObject]] {
        let grouping = try request.propertiesToGroupBy.map { try $0.expression.get() }
        if grouping.isEmpty {
            let isAggregated = try request.propertiesToFetch.contains { try $0.expression.get().isAggregate }
            return isAggregated ? [objects] : objects.map { [$0] }
        }
        var positions: [[QueryValue]: Int] = [:]
        var groups: [[StoreObject]] = []
        for object in objects {
            var evaluator = ExpressionEvaluator(object)
            let key = try grouping.map { try evaluator.bareValue($0) }
            if let position = positions[key] {
                groups[position].append(object)
            } else {
                positions[key] = groups.count
                groups.append([object])
            }
        }
        return groups
    }
}

extension QueryExpression {
    fileprivate var isAggregate: Bool { if case .aggregate = self { true } else { false } }
}
