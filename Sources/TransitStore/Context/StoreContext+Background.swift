import SQLite

/// Fetches that do not hold up the caller's task or actor. Statements run on the stores' own threads and connections.
/// Objects are made of the rows in the context's isolation; over several stores or with unsaved changes, they are also
/// tested and sorted there. When the task is cancelled, running statements are interrupted, waiting ones never begin,
/// no more objects are tested, and `CancellationError` is thrown.
extension StoreContext {
    /// `fetch(_:)` in the background, including relationships to prefetch.
    ///
    ///     let stops = try await context.fetchInBackground(request)
    ///
    /// Each store runs one statement, or two if unsaved changes affect its rows, and at most `mostBackgroundFetches` at
    /// once. If changes arrive meanwhile, the fetch retries once, then runs as `fetch(_:)`. Throws `StoreError`, and
    /// `CancellationError` when the task is cancelled.
    public func fetchInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [Entity] {
        try request.selected.requireRows()
        try checkPrefetching(request, store: try affectedStores(request).first)
        guard let objects = try await objectsInBackground(request, isolation: isolation) else {
            return try fetch(request)
        }
        try await prefetchInBackground(request, for: objects, isolation: isolation)
        return try typed(objects)
    }

    /// `fetchFirst(_:)` in the background. Throws `StoreError`, and `CancellationError` when the task is cancelled.
    public func fetchFirstInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Entity? {
        var request = request
        request.fetchLimit = 1
        return try await fetchInBackground(request, isolation: isolation).first
    }

    /// `fetchIDs(_:)` in the background. Throws `StoreError`, and `CancellationError` when the task is cancelled.
    public func fetchIDsInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [ObjectID] {
        try request.selected.requireRows()
        let affected = try affectedStores(request)
        guard affected.count == 1, try !hasChanges(for: request) else {
            return try await objectsInBackground(request, isolation: isolation)?.map(\.objectID) ?? fetchIDs(request)
        }
        let store = stores[affected[0]]
        let select = try request.selectObjects(
            .keys, model: store.model(for: request.entityName), indexes: indexes(of: affected[0]))
        statistics.statements += 1
        return try await store.inBackground { session in
            let positions = select.entity.keyPositions
            var ids: [ObjectID] = []
            try session.run(select.sql) { statement in
                while try statement.step() {
                    ids.append(statement.objectID(select.entity, positions, store: store.number))
                }
                return ids.count
            }
            return ids
        }
    }

    /// `fetchCount(_:)` in the background. Throws `StoreError`, and `CancellationError` when the task is cancelled.
    public func fetchCountInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int {
        let affected = try affectedStores(request)
        let isTable = try request.countsTableRows
        let hasChanges = try isTable ? hasChanges(forDictionaries: request) : hasChanges(for: request)
        guard affected.count == 1, !hasChanges else {
            guard !isTable else {
                return try await fetchRowsInBackground(try request.asTable, isolation: isolation).count
            }
            try checkGroups(of: request, affected)
            return try await objectsInBackground(request, isolation: isolation)?.count ?? fetchCount(request)
        }
        let source = stores[affected[0]]
        let select = try request.selectCount(
            model: source.model(for: request.entityName), indexes: indexes(of: affected[0]))
        statistics.statements += 1
        let rows = try await source.inBackground { try $0.rows(select.sql) }
        return Int(rows.first?.integer(0) ?? 0)
    }

    /// `fetchRows(_:)` in the background. Throws `StoreError`, and `CancellationError` when the task is cancelled.
    public func fetchRowsInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [ResultRow] {
        let affected = try affectedStores(request)
        guard affected.count == 1, try !hasChanges(forDictionaries: request) else {
            let merge = try mergeOfDictionaries(request, stores: affected)
            guard let objects = try await objectsInBackground(merge.rows, isolation: isolation) else {
                return try fetchRows(request)
            }
            return try merge.results(objects, in: self)
        }
        let (source, select) = try selectDictionaries(request, store: affected[0])
        statistics.statements += 1
        let rows = try await source.inBackground { try $0.rows(select.sql) }
        let names = ResultRow.Names(select.names)
        return rows.map { ResultRow(shared: names, row: $0) }
    }

    func selectDictionaries<Entity>(
        _ request: FetchRequest<Entity>, store: Int
    ) throws -> (TransitStore, SelectStatement) {
        let source = stores[store]
        return (
            source,
            try request.selectDictionaries(
                model: source.model(for: request.entityName), indexes: indexes(of: store))
        )
    }

    /// The objects of a request; nil if changes arrived meanwhile at both attempts.
    private func objectsInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)?
    ) async throws -> [StoreObject]? {
        let affected = try affectedStores(request)
        for _ in 0..<2 {
            let version = changes.version
            let plan = try mergePlan(request, stores: affected)
            let asked = try affected.flatMap { store in
                try [plan.certain, plan.reached].compactMap { $0 }.map { try (store, select($0, store: store)) }
            }
            let rows = try await TransitStore.rowsInBackground(asked.map { (stores[$0.0], $0.1.sql) })
            statistics.statements += rows.count
            guard changes.version == version || !request.includesPendingChanges else { continue }
            var found: [[StoreObject]] = [[], []]
            for (position, (store, select)) in asked.enumerated() {
                // For each store, the certain rows come before the reached ones.
                let isReached = plan.certain == nil || plan.reached != nil && position % 2 == 1
                found[isReached ? 1 : 0] += take(
                    rows[position], of: select.entity, store: store, areFaults: request.returnsObjectsAsFaults)
            }
            try Task.checkCancellation()
            return try merged(
                certain: found[0], reached: found[1], request, plan, check: { try Task.checkCancellation() })
        }
        return nil
    }

    func select<Entity>(_ request: FetchRequest<Entity>, store: Int) throws -> SelectStatement {
        let source = stores[store]
        return try request.selectObjects(
            .all, model: source.model(for: request.entityName), indexes: indexes(of: store))
    }

    /// Makes objects of rows that another connection has read.
    func take(
        _ rows: [PackedRow], of entity: EntityDescription, store: Int, areFaults: Bool
    ) -> [StoreObject] {
        let (source, number) = (stores[store], stores[store].number)
        let keepsRows = source.configuration.stalenessInterval == nil
        let identified = rows.map { ($0.objectID(entity, store: number), $0) }
        source.rowCache.insert(identified)
        return identified.map { id, row in
            let object = object(with: id)
            if object.isFault { object.take(row, isFault: areFaults, keepsRow: keepsRows) }
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
