import SQLite

extension StoreContext {
    /// Dictionary results over several stores, or with unsaved changes. They are sorted in memory; groups and distinct
    /// rows are made of each store's groups, or of all rows. The answers are the same as SQL gives over one store that
    /// has all the rows.
    func dictionariesMerged<Entity>(_ request: FetchRequest<Entity>, stores: [Int]) throws -> [ResultRow] {
        if mustIgnoreChanges(for: request) {
            return try ignoringChanges(for: request) { try $0.dictionariesMerged(request, stores: stores) }
        }
        let merge = try mergeOfDictionaries(request)
        if let groups = merge.groups, let results = try results(of: groups, merge, stores: stores) {
            return merge.wanted(results)
        }
        return try merge.results(try fetchMerged(merge.rows, stores: stores), in: self)
    }

    /// The results of groups; nil if they cannot be put together from parts.
    private func results<Entity>(
        of groups: MergedGroups<Entity>, _ merge: DictionaryMerge<Entity>, stores: [Int]
    ) throws -> [PackedRow]? {
        do {
            return try resultsOfParts(groups, merge, stores: stores)
        } catch let error as StoreError where error.code == .overflow {
            // A part of an average has a sum, although the average itself does not overflow.
            return nil
        }
    }

    private func resultsOfParts<Entity>(
        _ groups: MergedGroups<Entity>, _ merge: DictionaryMerge<Entity>, stores: [Int]
    ) throws -> [PackedRow]? {
        let plan = try mergePlan(merge.rows, stores: stores)
        guard let certain = plan.certain, let apart = try rowsApart(merge, plan) else { return nil }
        var grouped = groups.parts
        grouped.predicate = apart == .never ? certain.predicate : certain.predicate && !Condition(apart)
        var parts: [MergedTable.Result] = []
        for store in stores {
            let select = try selectDictionaries(grouped, store: store)
            parts += try rows(select.sql, store: store, columns: select.names.count).map { row in
                MergedTable.Result(
                    values: (0..<select.names.count).map { QueryValue(row.value($0)) },
                    store: self.stores[store].number)
            }
        }
        let objects = try objects(apart, certain, merge, plan, stores: stores)
        parts += try mergeOfDictionaries(groups.parts).grouped(objects, in: self)
        return try groups.results(parts)
    }

    /// The objects that are grouped in memory.
    private func objects<Entity>(
        _ apart: QueryExpression, _ certain: FetchRequest<Entity>, _ merge: DictionaryMerge<Entity>,
        _ plan: MergePlan<Entity>, stores: [Int]
    ) throws -> [StoreObject] {
        var near = certain
        near.predicate = certain.predicate && Condition(apart)
        let certain = try apart == .never ? [] : stores.flatMap { try fetchObjects(near, store: $0) }
        let reached = try plan.reached.map { each in try stores.flatMap { try fetchObjects(each, store: $0) } }
        return try merged(certain: certain, reached: reached ?? [], merge.rows, plan)
    }

    /// A condition for the rows that a store must not group: changed ones, and those whose values lead to changed
    /// objects; nil if they are too many to list.
    private func rowsApart<Entity>(
        _ merge: DictionaryMerge<Entity>, _ plan: MergePlan<Entity>
    ) throws -> QueryExpression? {
        guard merge.rows.includesPendingChanges, !changes.isEmpty else { return .never }
        let entity = try entity(of: merge.rows)
        let reached = try changes.reached(by: .any(merge.table.expressions), entity, model(of: merge.rows))
        let taken = plan.changes?.mostTaken ?? 0
        let changed = taken > 0 ? try keyOfChanged(merge.rows) : .never
        guard let reached, let changed, changed != .always else { return nil }
        return .disjunctionOfSimple([reached, changed])
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

    /// How to make the results of groups; nil if all rows must be read.
    var groups: MergedGroups<Entity>? { MergedGroups(request, table) }

    func results(_ objects: [StoreObject], in context: StoreContext) throws -> [ResultRow] {
        try context.prefetchPaths(of: table.expressions, for: objects)
        let results = try context.keepingOwners { try table.results(objects, context.checkWanted) }
        guard !table.keepsRowsApart else { return results.map { ResultRow(shared: names, row: $0) } }
        return wanted(results)
    }

    /// The groups of objects, each with the values of the request's properties.
    fileprivate func grouped(_ objects: [StoreObject], in context: StoreContext) throws -> [MergedTable.Result] {
        try context.prefetchPaths(of: table.expressions, for: objects)
        return try context.keepingOwners { try table.evaluated(objects, context.checkWanted) }
    }

    /// The results within the request's limit and offset.
    fileprivate func wanted(_ results: [PackedRow]) -> [ResultRow] {
        let rest = results.dropFirst(max(request.fetchOffset, 0))
        let wanted = request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest
        return wanted.map { ResultRow(shared: names, row: $0) }
    }
}
