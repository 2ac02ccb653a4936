import SQLite

extension StoreContext {
    /// Fetches without holding up the caller's task or actor: statements run on other threads and connections.
    ///
    ///     let stops = try await context.fetchInBackground(request)
    ///
    /// The rows of each store are read there, by one statement, at most `mostBackgroundFetches` at once. Here, in the
    /// context's own isolation, objects are made of them, and over several stores or with unsaved changes sorted and
    /// tested; relationships to prefetch, and those that such sorting and testing leads through, are read here too. Where
    /// the context's changes have changed meanwhile, rows are read anew, and at the third time here.
    /// When the task is cancelled, running statements are interrupted and `CancellationError` thrown.
    public func fetchInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [Entity] {
        try request.requireRows()
        let affected = try affectedStores(request)
        try checkPrefetching(request, store: affected.first)
        for _ in 0..<2 {
            let version = changes.version
            let isMerged = affected.count != 1 || hasChanges(for: request)
            let each = isMerged ? try requestOfEach(request) : request
            let selects = try affected.map { try select(each, store: $0) }
            let rows = try await TransitStore.rowsInBackground(zip(affected, selects).map { (stores[$0], $1.sql) })
            statistics.statements += rows.count
            guard changes.version == version || !request.includesPendingChanges else { continue }
            var objects: [StoreObject] = []
            for (position, store) in affected.enumerated() {
                objects += take(
                    rows[position], of: selects[position].entity, store: store,
                    areFaults: request.returnsObjectsAsFaults)
            }
            if isMerged { objects = try merged(objects, request) }
            try Task.checkCancellation()
            try prefetch(request, for: objects)
            return try typed(objects)
        }
        return try fetch(request)
    }

    private func select<Entity>(_ request: FetchRequest<Entity>, store: Int) throws -> SelectStatement {
        let source = stores[store]
        return try request.selectObjects(
            model: source.model(for: request.entityName), indexes: source.indexes, keysOnly: false)
    }

    /// Objects for rows that were read elsewhere.
    private func take(
        _ rows: [PackedRow], of entity: EntityDescription, store: Int, areFaults: Bool
    ) -> [StoreObject] {
        let number = stores[store].number
        let identified = rows.map { ($0.objectID(entity, store: number), $0) }
        stores[store].rowCache.insert(identified)
        return identified.map { id, row in
            let object = object(with: id)
            if !areFaults, object.isFault { object.row = row }
            return object
        }
    }
}

extension PackedRow {
    /// The id of a row that has all columns of an entity.
    func objectID(_ entity: EntityDescription, store: Int32) -> ObjectID {
        switch entity.key {
        case .row(let column): ObjectID(entity, .row(integer(column) ?? -1), store: store)
        case .pair(let first, let second):
            ObjectID(entity, .pair(integer(first) ?? -1, integer(second) ?? -1), store: store)
        case .values(let columns): ObjectID(entity, .values(columns.map { QueryValue(value($0)) }), store: store)
        }
    }
}
