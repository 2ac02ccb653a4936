import SQLite

/// Fetches that do not hold up the caller's task or actor. Statements run on the stores' own threads and connections;
/// over several stores or with unsaved changes, rows are also tested and sorted there. Objects are made of the rows in
/// the context's isolation. When the task is cancelled, running statements are interrupted, waiting ones never begin,
/// no more rows are tested, and `CancellationError` is thrown.
extension StoreContext {
    /// `fetch(_:)` in the background, including relationships to prefetch.
    ///
    ///     let stops = try await context.fetchInBackground(request)
    ///
    /// Each store runs one statement, or two if unsaved changes affect its rows, and at most `mostBackgroundFetches` at
    /// once. If changes arrive meanwhile, the fetch retries, then runs as `fetch(_:)`. Throws `StoreError` as
    /// `fetch(_:)` does, and `CancellationError` when the task is cancelled.
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

    /// `fetchFirst(_:)` in the background.
    ///
    ///     let stop = try await context.fetchFirstInBackground(request)
    ///
    /// Throws `StoreError` as `fetchFirst(_:)` does, and `CancellationError` when the task is cancelled.
    public func fetchFirstInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Entity? {
        var request = request
        request.fetchLimit = 1
        return try await fetchInBackground(request, isolation: isolation).first
    }

    /// `fetchIDs(_:)` in the background.
    ///
    ///     let ids = try await context.fetchIDsInBackground(request)
    ///     let stops = ids.compactMap { context.object(Stop.self, with: $0) }
    ///
    /// Throws `StoreError` as `fetchIDs(_:)` does, and `CancellationError` when the task is cancelled.
    public func fetchIDsInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [ObjectID] {
        try request.selected.requireRows()
        let affected = try affectedStores(request)
        if let store = try onlyStore(of: affected, request) {
            let (select, number) = (try select(request, .keys, store: store), stores[store].number)
            let found = try await unlessChanged(request, stores[store], isolation: isolation) { session in
                var ids: [ObjectID] = []
                try session.run(select.sql) { try $0.appendIDs(of: select.entity, store: number, to: &ids) }
                return ids
            }
            if let found { return found }
        }
        return try await mergedInBackground(request, isolation: isolation) { $1.map(\.objectID) } ?? fetchIDs(request)
    }

    /// `fetchCount(_:)` in the background.
    ///
    ///     print(try await context.fetchCountInBackground(request))
    ///
    /// Throws `StoreError` as `fetchCount(_:)` does, and `CancellationError` when the task is cancelled.
    public func fetchCountInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int {
        let affected = try affectedStores(request)
        let isTable = try request.countsTableRows
        if let store = try onlyStore(of: affected, request, isTable: isTable) {
            let select = try selectCount(request, store: store)
            let rows = try await unlessChanged(request, stores[store], isolation: isolation) {
                try $0.rows(select.sql)
            }
            if let rows { return Int(rows.first?.integer(0) ?? 0) }
        }
        if isTable { return try await fetchRowsInBackground(try request.asTable, isolation: isolation).count }
        try checkGroups(of: request)
        return try await mergedInBackground(request, isolation: isolation) { $1.count } ?? fetchCount(request)
    }

    /// `fetchRows(_:)` in the background.
    ///
    ///     for row in try await context.fetchRowsInBackground(request) { print(row["name"]) }
    ///
    /// Throws `StoreError` as `fetchRows(_:)` does, and `CancellationError` when the task is cancelled.
    public func fetchRowsInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [ResultRow] {
        let affected = try affectedStores(request)
        if let store = try onlyStore(of: affected, request, isTable: true) {
            let select = try selectDictionaries(request, store: store)
            let rows = try await unlessChanged(request, stores[store], isolation: isolation) {
                try $0.rows(select.sql, columns: select.names.count)
            }
            let names = ResultRow.Names(select.names)
            if let rows { return rows.map { ResultRow(shared: names, row: $0) } }
        }
        let merge = try mergeOfDictionaries(request)
        if merge.groups != nil {
            return try await dictionariesMergedInBackground(request, isolation: isolation) ?? fetchRows(request)
        }
        let found = try await mergedInBackground(merge.rows, isolation: isolation) { context, objects in
            try merge.results(objects, in: context)
        }
        return try found ?? fetchRows(request)
    }

    /// Runs one statement in the background; nil if changes arrived meanwhile and the request includes them.
    private func unlessChanged<Entity, Found: Sendable>(
        _ request: FetchRequest<Entity>, _ store: TransitStore, isolation: isolated (any Actor)?,
        _ read: @escaping @Sendable (StoreSession) throws -> Found
    ) async throws -> Found? {
        let version = changes.version
        statistics.statements += 1
        let found = try await store.inBackground(read)
        return changes.version == version || !request.includesPendingChanges ? found : nil
    }

    /// The objects of a request; nil if changes arrived during every attempt: up to three.
    private func objectsInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)?
    ) async throws -> [StoreObject]? {
        let affected = try affectedStores(request)
        guard let store = try onlyStore(of: affected, request) else {
            return try await mergedObjectsInBackground(request, isolation: isolation)
        }
        let version = changes.version
        let select = try select(request, .all, store: store)
        let rows = try await TransitStore.rowsInBackground([(stores[store], select.sql)])
        statistics.statements += rows.count
        guard changes.version == version || !request.includesPendingChanges else {
            return try await mergedObjectsInBackground(request, isolation: isolation)
        }
        try Task.checkCancellation()
        return take(
            rows[0], of: select.entity, store: store, areFaults: request.returnsObjectsAsFaults,
            refresh: request.shouldRefreshRefetchedObjects)
    }

    private func mergedObjectsInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)?
    ) async throws -> [StoreObject]? {
        try await mergedInBackground(request, isolation: isolation) { $1.map(FoundObject.init) }
            .map { objects($0, request) }
    }

    /// Makes objects of rows that another connection has read.
    func take(
        _ rows: [PackedRow], of entity: EntityDescription, store: Int, areFaults: Bool, refresh: Bool = false
    ) -> [StoreObject] {
        let (source, number) = (stores[store], stores[store].number)
        let keepsRows = source.rowsNeverGoStale
        let identified = rows.map { ($0.objectID(entity, store: number), $0) }
        source.rowCache.insert(identified)
        return identified.map { id, row in
            let object = object(with: id)
            object.take(row, areFaults: areFaults, refresh: refresh, keepsRow: keepsRows)
            return object
        }
    }
}
