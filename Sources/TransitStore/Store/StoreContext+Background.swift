import SQLite
import Synchronization

extension StoreContext {
    /// Fetches without holding up the caller's task or actor: the statement runs on another thread and connection.
    ///
    ///     let stops = try await context.fetchInBackground(request)
    ///
    /// When the task is cancelled, the running statement is interrupted and `CancellationError` thrown. The objects are
    /// made here, in the context's own isolation, from rows that the statement left in the row cache.
    public func fetchInBackground<Entity>(
        _ request: FetchRequest<Entity>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [Entity] {
        let affected = try affectedStores(request)
        guard affected.count == 1, !hasChanges(for: request) else { return try fetch(request) }
        try checkPrefetching(request, store: affected[0])
        let store = stores[affected[0]]
        let select = try request.selectObjects(
            model: store.model(for: request.entityName), indexes: store.indexes, keysOnly: false)
        let rows = try await store.rowsInBackground(select.sql)
        statistics.statements += 1
        let objects = take(rows, of: select.entity, store: affected[0], areFaults: request.returnsObjectsAsFaults)
        try prefetch(request, for: objects)
        return try typed(objects)
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

extension TransitStore {
    /// Runs a statement on a connection of its own, on a thread that may wait; interrupts it when the task is cancelled.
    func rowsInBackground(_ sql: SQLFragment) async throws -> [PackedRow] {
        try Task.checkCancellation()
        let session = try borrowSession()
        defer { giveBack(session) }
        let interrupter = session.connection.interrupter
        // An interrupt reaches only what runs, so that a fetch that is about to run must be told another way.
        let isCancelled = CancellationFlag()
        return try await withTaskCancellationHandler {
            do {
                return try await Task.detached {
                    try session.rows(sql) { isCancelled.value.load(ordering: .relaxed) }
                }.value
            } catch let error as StoreError where error.code == .interrupted {
                throw CancellationError()
            }
        } onCancel: {
            isCancelled.value.store(true, ordering: .relaxed)
            interrupter.interrupt()
        }
    }
}

/// Whether somebody has lost interest in a fetch.
private final class CancellationFlag: Sendable {
    let value = Atomic(false)
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
