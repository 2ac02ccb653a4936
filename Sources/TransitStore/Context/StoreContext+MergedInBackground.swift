import SQLite

/// Fetches over several stores, and fetches with unsaved changes, in the background.
extension StoreContext {
    /// Fetches the objects of a request and makes something of them, all on threads of the stores; nil if changes
    /// arrived meanwhile at both attempts.
    ///
    /// The stores' rows are read side by side. A twin of this context then tests and sorts them and reads what else it
    /// needs: relationships that only the condition asks for. With large stores that takes long, and the tasks of a
    /// process share a thread for each processor.
    func mergedInBackground<Entity, Found: Sendable>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)?,
        _ find: @escaping @Sendable (StoreContext, [StoreObject]) throws -> Found
    ) async throws -> Found? {
        let affected = try affectedStores(request)
        for _ in 0..<2 {
            let version = changes.version
            let twin = twin(for: request)
            let merging = try BackgroundMerging(request, self, affected)
            let rows = try await TransitStore.rowsInBackground(merging.statements(of: stores))
            statistics.statements += rows.count
            guard changes.version == version || !request.includesPendingChanges else { continue }
            guard let first = affected.first.map({ stores[$0] }) else {
                return try find(self, merging.objects(of: rows, in: self))
            }
            let answer = try await twin.answer(on: first, affected) { context in
                try find(context, merging.objects(of: rows, in: context))
            }
            guard changes.version == version || !request.includesPendingChanges else { continue }
            return take(answer)
        }
        return nil
    }

    /// The rows of `dictionariesMerged`, made by a twin of this context on a thread of the first store; nil if changes
    /// arrived meanwhile at both attempts.
    func dictionariesMergedInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)?
    ) async throws -> [ResultRow]? {
        let affected = try affectedStores(request)
        guard let first = affected.first.map({ stores[$0] }) else { return nil }
        for _ in 0..<2 {
            let version = changes.version
            let answer = try await twin(for: request).answer(on: first, affected) { context in
                try context.dictionariesMerged(request, stores: affected)
            }
            if changes.version == version || !request.includesPendingChanges { return take(answer) }
        }
        return nil
    }

    /// Runs work whose statements on these stores are interrupted when the fetch is cancelled.
    fileprivate func watching<Found>(
        _ affected: ArraySlice<Int>, _ cancellation: FetchCancellation, _ work: () throws -> Found
    ) throws -> Found {
        guard let store = affected.first else { return try work() }
        return try cancellation.watching(session(store)) {
            try watching(affected.dropFirst(), cancellation, work)
        }
    }
}

extension ContextTwin {
    /// Calls `find` with a twin on a thread of a store. `affected` are the positions of all stores that it asks.
    fileprivate func answer<Found: Sendable>(
        on store: TransitStore, _ affected: [Int], _ find: @escaping @Sendable (StoreContext) throws -> Found
    ) async throws -> Answer<Found> {
        try await store.onThread { cancellation in
            try answer { context in
                context.checkCancellation = { try cancellation.check() }
                return try context.watching(affected[...], cancellation) { try find(context) }
            }
        }
    }
}

/// The statements of a request over several stores or with unsaved changes, and what to do with their rows.
private struct BackgroundMerging<Entity: StoreObject>: Sendable {
    private let request: FetchRequest<Entity>
    private let plan: MergePlan<Entity>
    /// For each store, the certain rows come before the reached ones.
    private let asked: [(store: Int, select: SelectStatement, isReached: Bool)]

    init(_ request: FetchRequest<Entity>, _ context: StoreContext, _ affected: [Int]) throws {
        let plan = try context.mergePlan(request, stores: affected)
        asked = try affected.flatMap { store in
            try [(plan.certain, false), (plan.reached, true)].compactMap { part, isReached in
                try part.map { (store, try context.select($0, .all, store: store), isReached) }
            }
        }
        (self.request, self.plan) = (request, plan)
    }

    func statements(of stores: [TransitStore]) -> [(store: TransitStore, sql: SQLFragment)] {
        asked.map { (stores[$0.store], $0.select.sql) }
    }

    /// The request's objects from the rows of the statements.
    func objects(of rows: [[PackedRow]], in context: StoreContext) throws -> [StoreObject] {
        var (certain, reached): ([StoreObject], [StoreObject]) = ([], [])
        for (part, rows) in zip(asked, rows) {
            let objects = context.take(
                rows, of: part.select.entity, store: part.store, areFaults: request.returnsObjectsAsFaults)
            if part.isReached { reached += objects } else { certain += objects }
        }
        try context.checkWanted()
        return try context.merged(certain: certain, reached: reached, request, plan)
    }
}
