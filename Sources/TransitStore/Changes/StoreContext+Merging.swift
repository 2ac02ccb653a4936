/// The requests to each store that answer one request over several stores, or with unsaved changes.
struct MergePlan<Entity: StoreObject>: Sendable {
    /// Finds the rows that changes of other objects do not affect; nil when all rows are tested.
    let certain: FetchRequest<Entity>?
    /// Finds the rows that such changes may add or remove; each is tested in memory. nil when there are none.
    let reached: FetchRequest<Entity>?
    /// Nil if no change alters the result.
    let changes: RequestChanges?
    /// Whether the certain rows come in the request's order.
    var areSorted: Bool
}

/// Fetches over several stores, and fetches with unsaved changes. They combine rows in memory, with the same conditions
/// and order as SQL's.
extension StoreContext {
    /// What unsaved changes do to the rows of a request; nil when they do nothing.
    func changes<Entity>(of request: FetchRequest<Entity>) throws -> RequestChanges? {
        guard request.includesPendingChanges, !changes.isEmpty else { return nil }
        let model = try model(of: request)
        let entity = try request.entity(in: model)
        let terms = try request.selected.terms.map { try $0.get().expression }
        let required = try requiredRows(request, entity, model)
        let found = changes.changes(of: try request.predicate.query(), terms, entity, model, required)
        return found.isEmpty ? nil : found
    }

    /// The store whose statement alone answers a request; nil if there are several stores, or if unsaved changes may
    /// alter the result. `isTable` asks about dictionary results. Inlined, so that the runtime does not have to look up
    /// the request's type once more.
    @inline(__always)
    func onlyStore<Entity>(
        of affected: [Int], _ request: FetchRequest<Entity>, isTable: Bool = false
    ) throws -> Int? {
        guard affected.count == 1,
            try !(isTable ? hasChanges(forDictionaries: request) : hasChanges(for: request))
        else { return nil }
        return affected[0]
    }

    /// Whether unsaved changes may alter which rows a request finds, or their order. Runs no statement, since
    /// background fetches ask on the context's own thread.
    func hasChanges<Entity>(for request: FetchRequest<Entity>) throws -> Bool {
        guard request.includesPendingChanges, !changes.isEmpty else { return false }
        let model = try model(of: request)
        let terms = try request.selected.terms.map { try $0.get().expression }
        return changes.mayChange(try request.predicate.query(), terms, try request.entity(in: model), model)
    }

    /// Whether unsaved changes may alter a request's dictionary results.
    func hasChanges<Entity>(forDictionaries request: FetchRequest<Entity>) throws -> Bool {
        guard request.includesPendingChanges, !changes.isEmpty else { return false }
        let model = try model(of: request)
        let entity = try request.entity(in: model)
        var parts = try (request.selected.columns + request.selected.grouping).map { try $0.expression.get() }
        if request.selected.columns.isEmpty { parts += entity.columns.map { .property(.root, [$0.name]) } }
        parts.append(try request.selected.having.get())
        return try changes.reaches(.any(parts), entity, model) || hasChanges(for: request)
    }

    func fetchMerged<Entity>(_ request: FetchRequest<Entity>, stores: [Int]) throws -> [StoreObject] {
        if mustIgnoreChanges(for: request) {
            let found = try ignoringChanges(for: request) {
                try $0.fetchMerged(request, stores: stores).map(FoundObject.init)
            }
            return objects(found, request)
        }
        let plan = try mergePlan(request, stores: stores)
        let certain = try plan.certain.map { each in try stores.flatMap { try fetchObjects(each, store: $0) } }
        let reached = try plan.reached.map { each in try stores.flatMap { try fetchObjects(each, store: $0) } }
        return try merged(certain: certain ?? [], reached: reached ?? [], request, plan)
    }

    /// Plans the requests to each store for a request over several stores, or with unsaved changes.
    func mergePlan<Entity>(_ request: FetchRequest<Entity>, stores: [Int]) throws -> MergePlan<Entity> {
        var each = request
        (each.fetchLimit, each.fetchOffset) = (request.lastRow, 0)
        guard let changes = try changes(of: request) else {
            return MergePlan(certain: each, reached: nil, changes: nil, areSorted: stores.count == 1)
        }
        var reached = each
        // With any limit, keys come in the same order as whole rows (`isUnsortedPart`).
        (reached.fetchLimit, reached.sortDescriptors) = (request.isUnsortedPart ? .max : 0, [])
        if changes.testsAllRows {
            reached.predicate = Condition(changes.unchanged)
            return MergePlan(certain: nil, reached: reached, changes: changes, areSorted: false)
        }
        // Reads more rows, to make up for those that changes remove.
        if each.fetchLimit > 0 { each.fetchLimit = each.fetchLimit.addingClamped(changes.mostTaken) }
        guard changes.reached != .never else {
            return MergePlan(certain: each, reached: nil, changes: changes, areSorted: stores.count == 1)
        }
        let isReached = Condition<Entity>(changes.reached)
        reached.predicate = isReached && Condition(changes.unchanged)
        each.predicate = each.predicate && !isReached
        return MergePlan(certain: each, reached: reached, changes: changes, areSorted: stores.count == 1)
    }

    /// The objects of a request, from the objects that each store returned.
    func merged<Entity>(
        certain: [StoreObject], reached: [StoreObject], _ request: FetchRequest<Entity>, _ plan: MergePlan<Entity>
    ) throws -> [StoreObject] {
        var (objects, areSorted) = (certain, plan.areSorted)
        try keepingOwners {
            if let changes = plan.changes {
                (objects, areSorted) = try apply(changes, certain, reached, request, areSorted: areSorted)
            }
            if !areSorted { objects = try sorted(objects, request) }
        }
        let rest = objects.dropFirst(max(request.fetchOffset, 0))
        return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
    }

    func countMerged<Entity>(_ request: FetchRequest<Entity>, stores: [Int]) throws -> Int {
        try checkGroups(of: request)
        if try request.countsTableRows {
            return try dictionariesMerged(request.asTable, stores: stores).count
        }
        var each = request
        (each.fetchLimit, each.fetchOffset) = (0, 0)
        let plan = try mergePlan(each, stores: stores)
        var total = 0
        if let certain = plan.certain {
            for store in stores { total += try countRows(certain, store: store) }
        }
        if plan.changes != nil { total += try countChanged(each, plan, stores: stores) }
        total = max(0, total - max(request.fetchOffset, 0))
        return request.fetchLimit > 0 ? min(total, request.fetchLimit) : total
    }

    /// How many rows the changes add to the stores' count of certain rows; negative if they remove more.
    private func countChanged<Entity>(
        _ request: FetchRequest<Entity>, _ plan: MergePlan<Entity>, stores: [Int]
    ) throws -> Int {
        guard let changes = plan.changes else { return 0 }
        let taken = try changedRows(request, plan, stores: stores).count
        let reached = try plan.reached.map { each in try stores.flatMap { try fetchObjects(each, store: $0) } }
        return try keepingOwners {
            try apply(changes, [], reached ?? [], request, areSorted: true).objects.count - taken
        }
    }

    /// The rows that were changed or deleted among the certain ones.
    func changedRows<Entity>(
        _ request: FetchRequest<Entity>, _ plan: MergePlan<Entity>, stores: [Int]
    ) throws -> [ObjectID] {
        guard let mostTaken = plan.changes?.mostTaken, mostTaken > 0, var changed = plan.certain,
            let key = try keyOfChanged(request)
        else { return [] }
        changed.predicate = Condition(key) && changed.predicate
        (changed.sortDescriptors, changed.includesPropertyValues) = ([], false)
        let found = try stores.flatMap { try fetchObjects(changed, store: $0) }
        return found.map(\.objectID).filter { changes.haveChanged($0) }
    }

    /// A condition that every changed or deleted row meets; other rows may meet it too.
    func keyOfChanged<Entity>(_ request: FetchRequest<Entity>) throws -> QueryExpression? {
        let entity = try entity(of: request)
        guard let first = entity.keyColumns.first else { return nil }
        let values = changes.tables[ExactText(entity.table)]?.keys ?? []
        let property = QueryExpression.property(.root, [entity.columns[first].property])
        return .membership(property, Array(values))
    }

    /// The model of the first of a request's stores; in other stores, tables may have more columns.
    func model<Entity>(of request: FetchRequest<Entity>) throws -> StoreModel {
        try affectedStores(request).first.map { try stores[$0].model(for: request.entityName) } ?? .typed
    }

    /// The entity of a request in the first of its stores.
    func entity<Entity>(of request: FetchRequest<Entity>) throws -> EntityDescription {
        try request.entity(in: model(of: request))
    }

    /// The objects without the deleted ones and with the changed and inserted ones, each tested with its current
    /// values.
    private func apply<Entity>(
        _ changes: RequestChanges, _ certain: [StoreObject], _ reached: [StoreObject],
        _ request: FetchRequest<Entity>, areSorted: Bool
    ) throws -> (objects: [StoreObject], areSorted: Bool) {
        let entity = try entity(of: request)
        let condition = QueryExpression.conjunction([
            try request.subentityCondition(entity), try request.predicate.query(),
        ])
        let pending = self.changes
        var known = Set<ObjectID>()
        func isFound(_ object: StoreObject) throws -> Bool {
            guard !pending.deleted.contains(object.objectID), known.insert(object.objectID).inserted else {
                return false
            }
            try checkWanted()
            var evaluator = ExpressionEvaluator(object)
            return try evaluator.holds(condition)
        }
        var areSorted = areSorted
        let sortColumns = try request.sortColumns(of: entity)
        var found = try certain.filter { object in
            guard pending.updated.contains(object.objectID) || pending.deleted.contains(object.objectID) else {
                return true
            }
            // Rows that are sorted by changed values come after those that equal them, as candidates. Here, a limit
            // would decide whether they are among the rows, and pages would overlap.
            if let sortColumns { return try !pending.haveChanged(object.objectID, in: sortColumns) && isFound(object) }
            areSorted = false
            return try isFound(object)
        }
        let asked = Set(try affectedStores(request))
        // An inserted object counts for any store, until one of its references leads into a store.
        let candidates = changes.candidates.filter { id in
            id.isTemporary && pending.givenStore(of: id) == nil
                || asked.contains { pending.mayBelong(id, to: stores[$0].number) }
        }
        let others = try (reached + candidates.map { self.object(with: $0) }).filter(isFound)
        found += others
        return (found, areSorted && others.isEmpty)
    }

    /// The objects sorted by the request's terms; equal ones keep their order.
    private func sorted<Entity>(_ objects: [StoreObject], _ request: FetchRequest<Entity>) throws -> [StoreObject] {
        let terms = try request.selected.terms.map { try $0.get() }
        guard !terms.isEmpty else { return objects }
        try prefetchPaths(of: terms.map(\.expression), for: objects)
        let order = try SortOrder(terms)
        let keyed = try objects.map { object in
            try checkWanted()
            var evaluator = ExpressionEvaluator(object)
            return (keys: try terms.map { try evaluator.bareValue($0.expression) }, object: object)
        }
        return order.sorted(keyed) { $0.keys }.map(\.object)
    }
}

extension FetchRequest {
    /// The columns of a row that decide its place; nil for a request without an order.
    func sortColumns(of entity: EntityDescription) throws -> [Int]? {
        guard !selected.terms.isEmpty else { return nil }
        let columns = try selected.terms.reduce(into: Set<Int>()) { columns, term in
            columns.formUnion(try term.get().expression.columns(of: entity))
        }
        return Array(columns)
    }

    /// The request whose dictionaries are counted.
    var asTable: FetchRequest {
        get throws {
            var table = self
            if try !isGrouped { table.sortDescriptors = [] }
            return table
        }
    }

    /// The most rows of one store that the result may need; 0 for all, or `.max` for all of an unsorted part.
    fileprivate var lastRow: Int {
        let all = isUnsortedPart ? Int.max : 0
        guard fetchLimit > 0 else { return all }
        let (sum, overflow) = fetchLimit.addingReportingOverflow(max(fetchOffset, 0))
        return overflow ? all : sum
    }
}
