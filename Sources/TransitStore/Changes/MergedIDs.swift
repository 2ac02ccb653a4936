import SQLite

extension StoreContext {
    /// The ids of the rows of several stores, or of one store with unsaved changes, in the order of a request. Reads
    /// the rows of all stores at the same time, each in order, and puts the changed rows between them. Holds 8 bytes
    /// for each row, 10 with several stores. If the request has a limit or an offset but no order, it fetches objects,
    /// to take the same rows as `fetch`.
    func mergedIDs<Entity>(
        _ request: FetchRequest<Entity>, _ entity: EntityDescription, stores affected: [Int]
    ) throws -> IDList {
        if mustIgnoreChanges(for: request) {
            return try ignoringChanges(for: request) { try $0.mergedIDs(request, entity, stores: affected) }
        }
        guard !request.isUnsortedPart else {
            var keys = request
            keys.includesPropertyValues = false
            let ids = IDList(entity)
            for id in try fetchMerged(keys, stores: affected).map(\.objectID) {
                ids.append(id, store: storePosition(id.store) ?? 0)
            }
            return ids
        }
        var each = request
        (each.fetchLimit, each.fetchOffset, each.returnsDistinctResults) = (0, 0, false)
        let plan = try mergePlan(each, stores: affected)
        let reached = try plan.reached.map { each in try affected.flatMap { try fetchObjects(each, store: $0) } } ?? []
        let kept = try keepingTheirPlace(each, plan, entity, stores: affected)
        let changed = try merged(certain: [], reached: reached, each, plan)
        let inPlace = kept.isEmpty ? [] : kept.intersection(changed.map(\.objectID))
        let terms = try request.selected.terms.map { try $0.get() }
        var heads: [any IDSource] = []
        defer { heads.forEach { $0.end() } }
        if let certain = plan.certain {
            for store in affected { heads.append(try StoredIDs(certain, store: store, inPlace, in: self)) }
        }
        let moved = changed.filter { !inPlace.contains($0.objectID) }
        heads.append(try keepingOwners { try ChangedIDs(moved, terms) })
        return try merge(
            heads, SortOrder(terms), entity, skipping: max(request.fetchOffset, 0), most: request.fetchLimit)
    }

    /// The changed rows of the stores that are sorted by unchanged values.
    private func keepingTheirPlace<Entity>(
        _ request: FetchRequest<Entity>, _ plan: MergePlan<Entity>, _ entity: EntityDescription, stores: [Int]
    ) throws -> Set<ObjectID> {
        guard let sortColumns = try request.sortColumns(of: entity) else { return [] }
        let ids = try changedRows(request, plan, stores: stores)
        return Set(ids.filter { !changes.haveChanged($0, in: sortColumns) })
    }

    private func merge(
        _ heads: [any IDSource], _ order: SortOrder, _ entity: EntityDescription, skipping: Int, most: Int
    ) throws -> IDList {
        let ids = IDList(entity)
        var skipped = 0
        while most <= 0 || ids.count < most {
            var first: (any IDSource)?
            for head in heads {
                guard let keys = head.keys else { continue }
                if let known = first?.keys, order.compare(keys, known) >= 0 { continue }
                first = head
            }
            guard let first, let id = first.id else { break }
            if skipped < skipping { skipped += 1 } else { ids.append(id, store: storePosition(id.store) ?? 0) }
            try first.next()
        }
        return ids
    }
}

/// Ids in order, one after the other.
private protocol IDSource: AnyObject {
    /// The current id; nil at the end.
    var id: ObjectID? { get }
    /// The values that the current row is sorted by; nil at the end.
    var keys: [QueryValue]? { get }
    func next() throws
    func end()
}

/// The ids of a store's rows that were not changed, or are sorted by unchanged values.
private final class StoredIDs: IDSource {
    private(set) var id: ObjectID?
    private(set) var keys: [QueryValue]?
    private let context: StoreContext
    private let entity: EntityDescription
    private let session: StoreSession
    private let sql: SQLFragment
    private let statement: Statement
    private let number: Int32
    private let inPlace: Set<ObjectID>
    private let termCount: Int

    init<Entity>(
        _ request: FetchRequest<Entity>, store: Int, _ inPlace: Set<ObjectID>, in context: StoreContext
    ) throws {
        let entity = try request.entity(in: context.stores[store].model(for: request.entityName))
        var columns = entity.keyColumns.enumerated().map { position, column in
            FetchedProperty<Entity>.expression(
                .property(.root, [entity.columns[column].property]), as: "key\(position)")
        }
        for (position, term) in request.selected.terms.enumerated() {
            columns.append(.expression(try term.get().expression, as: "term\(position)"))
        }
        var rows = request
        rows.propertiesToFetch = columns
        if rows.sortDescriptors.isEmpty {
            rows.sortDescriptors = entity.keyColumns.map { .by(.property(.root, [entity.columns[$0].property])) }
        }
        sql = try context.selectDictionaries(rows, store: store).sql
        (self.context, self.entity, number) = (context, entity, context.stores[store].number)
        self.inPlace = inPlace
        termCount = request.selected.terms.count
        session = try context.session(store)
        context.statistics.statements += 1
        statement = try session.begin(sql)
        try next()
    }

    func next() throws {
        let positions = entity.keyPositions
        while try session.step(statement) {
            let found = statement.objectID(entity, positions, store: number)
            if context.changes.haveChanged(found), !inPlace.contains(found) { continue }
            id = found
            keys = (0..<termCount).map { QueryValue(statement.value(positions.count + $0)) }
            return
        }
        (id, keys) = (nil, nil)
    }

    func end() { session.end(statement, of: sql) }
}

/// The ids of objects in memory, in order.
private final class ChangedIDs: IDSource {
    private let rows: [(id: ObjectID, keys: [QueryValue])]
    private var position = 0

    init(_ objects: [StoreObject], _ terms: [SortTerm]) throws {
        rows = try objects.map { object in
            var evaluator = ExpressionEvaluator(object)
            return (object.objectID, try terms.map { try evaluator.bareValue($0.expression) })
        }
    }

    var id: ObjectID? { position < rows.count ? rows[position].id : nil }
    var keys: [QueryValue]? { position < rows.count ? rows[position].keys : nil }
    func next() { position += 1 }
    func end() {}
}
