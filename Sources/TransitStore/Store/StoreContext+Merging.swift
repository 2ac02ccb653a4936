/// Fetches over several stores, and fetches that unsaved changes take part in: rows are put together in memory, with
/// the same conditions and order as SQL's.
extension StoreContext {
    /// Whether unsaved changes may alter what a request finds.
    func hasChanges<Entity>(for request: FetchRequest<Entity>) -> Bool {
        request.includesPendingChanges && !changes.isEmpty
    }

    func fetchMerged<Entity>(_ request: FetchRequest<Entity>, stores: [Int]) throws -> [StoreObject] {
        let each = try requestOfEach(request)
        return try merged(stores.flatMap { try fetchObjects(each, store: $0) }, request)
    }

    /// What each store is asked for a request over several, or with unsaved changes.
    func requestOfEach<Entity>(_ request: FetchRequest<Entity>) throws -> FetchRequest<Entity> {
        var each = request
        each.fetchOffset = 0
        // Rows that changes take away must be made up for by later ones.
        each.fetchLimit =
            hasChanges(for: request) || request.fetchLimit <= 0 ? 0 : request.lastRow
        return hasChanges(for: request) ? try reachingChanges(each) : each
    }

    /// The objects of a request out of those that each store has.
    func merged<Entity>(_ objects: [StoreObject], _ request: FetchRequest<Entity>) throws -> [StoreObject] {
        let current = hasChanges(for: request) ? try applyChanges(to: objects, request) : objects
        let rest = try sorted(current, request).dropFirst(max(request.fetchOffset, 0))
        return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
    }

    func countMerged<Entity>(_ request: FetchRequest<Entity>, stores: [Int]) throws -> Int {
        if request.countsTableRows {
            var table = request
            if table.propertiesToFetch.isEmpty { table.propertiesToFetch = table.propertiesToGroupBy }
            table.sortDescriptors = []
            return try dictionariesMerged(table, stores: stores).count
        }
        if hasChanges(for: request) { return try fetchMerged(request, stores: stores).count }
        var each = request
        (each.fetchLimit, each.fetchOffset) = (0, 0)
        var total = 0
        for store in stores { total += try countRows(each, store: store) }
        total = max(0, total - max(request.fetchOffset, 0))
        return request.fetchLimit > 0 ? min(total, request.fetchLimit) : total
    }

    /// The entity of a request in the first of its stores; other stores may have more columns.
    func entity<Entity>(of request: FetchRequest<Entity>) throws -> EntityDescription {
        guard let store = try affectedStores(request).first else { return try request.entity(in: .typed) }
        return try request.entity(in: stores[store].model(for: request.entityName))
    }

    /// The request with a condition that also finds rows which only changes of related rows may bring in.
    private func reachingChanges<Entity>(_ request: FetchRequest<Entity>) throws -> FetchRequest<Entity> {
        let condition = try request.predicate.query()
        guard condition != .always, let store = try affectedStores(request).first else { return request }
        let model = try stores[store].model(for: request.entityName)
        var request = request
        guard let reach = changes.reach(model) else {
            request.predicate = .all
            return request
        }
        let further = reach.rows(condition, of: try request.entity(in: model))
        if further != .never { request.predicate = Condition(.any([condition, further])) }
        return request
    }

    /// The objects without the deleted ones, with the changed and inserted ones, each tested with its values of now.
    private func applyChanges<Entity>(
        to objects: [StoreObject], _ request: FetchRequest<Entity>
    ) throws -> [StoreObject] {
        let entity = try entity(of: request)
        let condition = QueryExpression.conjunction([
            try request.subentityCondition(entity), try request.predicate.query(),
        ])
        let stores = Set(try affectedStores(request))
        var known = Set<ObjectID>()
        // What was inserted is in no store, and so in any.
        let others = changes.others(ofTable: entity.table).filter {
            $0.objectID.isTemporary || storePosition($0.objectID.store).map(stores.contains) ?? false
        }
        let candidates = objects + others
        return try candidates.filter { object in
            guard !changes.deleted.contains(object.objectID), known.insert(object.objectID).inserted else {
                return false
            }
            var evaluator = ExpressionEvaluator(object)
            return try evaluator.holds(condition)
        }
    }

    /// Sorted by the request's terms, then as they came.
    private func sorted<Entity>(_ objects: [StoreObject], _ request: FetchRequest<Entity>) throws -> [StoreObject] {
        let terms = try request.sortDescriptors.map { try $0.term.get() }
        guard !terms.isEmpty else { return objects }
        try prefetchPaths(of: terms.map(\.expression), for: objects)
        let order = try SortOrder(terms)
        let keyed = try objects.enumerated().map { position, object in
            var evaluator = ExpressionEvaluator(object)
            return (keys: try terms.map { try evaluator.bareValue($0.expression) }, position: position, object: object)
        }
        return keyed.sorted { one, other in
            let result = order.compare(one.keys, other.keys)
            return result == 0 ? one.position < other.position : result < 0
        }.map(\.object)
    }
}

extension FetchRequest {
    /// Whether a count is that of dictionary results, as `selectCount` has it.
    fileprivate var countsTableRows: Bool {
        guard propertiesToGroupBy.isEmpty else { return true }
        return !propertiesToFetch.isEmpty && (returnsDistinctResults || fetchLimit > 0 || fetchOffset > 0)
    }

    /// How many rows of one store may be among those wanted; 0 for all.
    fileprivate var lastRow: Int {
        let (sum, overflow) = fetchLimit.addingReportingOverflow(max(fetchOffset, 0))
        return overflow ? 0 : sum
    }
}
