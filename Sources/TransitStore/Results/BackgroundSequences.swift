import SQLite

/// The rows of `fetchRows(_:)` as they are read in the background.
///
///     for try await row in context.rowsInBackground(of: request) { print(row["name"]) }
///
/// A thousand rows are read at a time, each time the last ones are used up, so that no thread waits for the loop and
/// three million rows pass in constant memory. Each loop reads anew. Rows of several stores, or with unsaved changes,
/// are put together in memory first. A loop of a cancelled task ends with `CancellationError`.
public struct BackgroundRows<Entity: StoreObject>: AsyncSequence {
    fileprivate let context: StoreContext
    fileprivate let request: FetchRequest<Entity>
    fileprivate static var rowsAtATime: Int { 1_000 }

    public func makeAsyncIterator() -> Iterator { Iterator(context: context, request: request) }

    public struct Iterator: AsyncIteratorProtocol {
        private let context: StoreContext
        private let request: FetchRequest<Entity>
        private var cursor: (store: TransitStore, cursor: RowCursor, names: ResultRow.Names)?
        private var rows: ArraySlice<ResultRow> = []
        private var hasBegun = false

        fileprivate init(context: StoreContext, request: FetchRequest<Entity>) {
            self.context = context
            self.request = request
        }

        public mutating func next(isolation: isolated (any Actor)? = #isolation) async throws -> ResultRow? {
            if let row = rows.popFirst() { return row }
            if !hasBegun {
                hasBegun = true
                try await begin(isolation: isolation)
            }
            if let (store, cursor, names) = cursor {
                rows = try await store.nextRows(of: cursor, most: BackgroundRows.rowsAtATime).map {
                    ResultRow(shared: names, row: $0)
                }[...]
            }
            return rows.popFirst()
        }

        private mutating func begin(isolation: isolated (any Actor)?) async throws {
            let affected = try context.affectedStores(request)
            guard affected.count == 1, try !context.hasChanges(forDictionaries: request) else {
                rows = try await context.fetchRowsInBackground(request, isolation: isolation)[...]
                return
            }
            let (store, select) = try context.selectDictionaries(request, store: affected[0])
            context.statistics.statements += 1
            cursor = (store, RowCursor(store, select.sql), ResultRow.Names(select.names))
        }
    }
}

/// The objects of a request, batch after batch, as they are read in the background.
///
///     var request = FetchRequest<StopTime>()
///     request.fetchBatchSize = 500
///     request.relationshipKeyPathsForPrefetching = [\.trip]
///     for try await times in context.batchesInBackground(request) { print(times.count) }
///
/// One statement, whose next rows are read when the loop asks for them, and one for each batch and relationship to
/// prefetch. Each loop reads anew. Objects of several stores, or with unsaved changes, are all fetched first.
public struct BackgroundBatches<Entity: StoreObject>: AsyncSequence {
    fileprivate let context: StoreContext
    fileprivate let request: FetchRequest<Entity>

    public func makeAsyncIterator() -> Iterator { Iterator(context: context, request: request) }

    public struct Iterator: AsyncIteratorProtocol {
        private let context: StoreContext
        private let request: FetchRequest<Entity>
        private var cursor: (store: Int, cursor: RowCursor, entity: EntityDescription)?
        private var objects: ArraySlice<Entity> = []
        private var hasBegun = false

        fileprivate init(context: StoreContext, request: FetchRequest<Entity>) {
            self.context = context
            self.request = request
        }

        public mutating func next(isolation: isolated (any Actor)? = #isolation) async throws -> [Entity]? {
            let size = request.fetchBatchSize > 0 ? request.fetchBatchSize : 50
            if !hasBegun {
                hasBegun = true
                try await begin(isolation: isolation)
            }
            if let (store, cursor, entity) = cursor {
                let rows = try await context.stores[store].nextRows(of: cursor, most: size)
                let read = context.take(rows, of: entity, store: store, areFaults: request.returnsObjectsAsFaults)
                try await context.prefetchInBackground(request, for: read, isolation: isolation)
                return read.isEmpty ? nil : try context.typed(read)
            }
            defer { objects = objects.dropFirst(size) }
            return objects.isEmpty ? nil : Array(objects.prefix(size))
        }

        private mutating func begin(isolation: isolated (any Actor)?) async throws {
            try request.selected.requireRows()
            let affected = try context.affectedStores(request)
            try context.checkPrefetching(request, store: affected.first)
            guard affected.count == 1, try !context.hasChanges(for: request) else {
                objects = try await context.fetchInBackground(request, isolation: isolation)[...]
                return
            }
            let select = try context.select(request, store: affected[0])
            context.statistics.statements += 1
            cursor = (affected[0], RowCursor(context.stores[affected[0]], select.sql), select.entity)
        }
    }
}

extension StoreContext {
    /// The rows of `fetchRows(_:)`, read in the background while they are looped over.
    public func rowsInBackground<Entity>(of request: FetchRequest<Entity>) -> BackgroundRows<Entity> {
        BackgroundRows(context: self, request: request)
    }

    /// The objects of a request in batches of its `fetchBatchSize`, 50 if that is 0, read in the background while they
    /// are looped over.
    public func batchesInBackground<Entity>(_ request: FetchRequest<Entity>) -> BackgroundBatches<Entity> {
        BackgroundBatches(context: self, request: request)
    }
}
