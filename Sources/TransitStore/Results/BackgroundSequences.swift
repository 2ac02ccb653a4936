import SQLite

/// The rows of `fetchRows(_:)`, read in the background while a loop uses them.
///
///     for try await row in context.rowsInBackground(of: request) { print(row["name"]) }
///
/// Reads a thousand rows at a time, whenever the loop has used up the previous ones. No thread waits for the loop, and
/// three million rows need only constant memory. Each loop reads again from the start. Rows of several stores, or with
/// unsaved changes, are all fetched into memory first. A loop of a cancelled task ends with `CancellationError`.
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
        /// Further rows, if all were fetched first.
        private var fetched: ArraySlice<ResultRow> = []
        private var hasBegun = false

        fileprivate init(context: StoreContext, request: FetchRequest<Entity>) {
            self.context = context
            self.request = request
        }

        /// The next row; nil at the end. Throws `StoreError` as `fetchRows(_:)` does, and `CancellationError` when the
        /// task is cancelled.
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
            } else {
                try Task.checkCancellation()
                rows = fetched.prefix(BackgroundRows.rowsAtATime)
                fetched = fetched.dropFirst(rows.count)
            }
            return rows.popFirst()
        }

        private mutating func begin(isolation: isolated (any Actor)?) async throws {
            let affected = try context.affectedStores(request)
            guard let store = try context.onlyStore(of: affected, request, isTable: true) else {
                fetched = try await context.fetchRowsInBackground(request, isolation: isolation)[...]
                return
            }
            let select = try context.selectDictionaries(request, store: store)
            context.statistics.statements += 1
            let (source, columns) = (context.stores[store], select.names.count)
            cursor = (source, RowCursor(source, select.sql, columns: columns), ResultRow.Names(select.names))
        }
    }
}

/// The objects of a request, read in the background batch by batch.
///
///     var request = FetchRequest<StopTime>()
///     request.fetchBatchSize = 500
///     request.relationshipKeyPathsForPrefetching = [\.trip]
///     for try await times in context.batchesInBackground(request) { print(times.count) }
///
/// Runs one statement and reads its next rows when the loop asks for them, plus one statement for each batch and
/// relationship to prefetch. Each loop reads again from the start. Objects of several stores, or with unsaved changes,
/// are all fetched first.
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

        /// The next batch; nil at the end. Throws `StoreError` as `fetch(_:)` does, and `CancellationError` when the
        /// task is cancelled.
        public mutating func next(isolation: isolated (any Actor)? = #isolation) async throws -> [Entity]? {
            let size = request.batchSize
            if !hasBegun {
                hasBegun = true
                try await begin(isolation: isolation)
            }
            if let (store, cursor, entity) = cursor {
                let rows = try await context.stores[store].nextRows(of: cursor, most: size)
                let read = context.take(
                    rows, of: entity, store: store, areFaults: request.returnsObjectsAsFaults,
                    refresh: request.shouldRefreshRefetchedObjects)
                try await context.prefetchInBackground(request, for: read, isolation: isolation)
                return read.isEmpty ? nil : try context.typed(read)
            }
            try Task.checkCancellation()
            defer { objects = objects.dropFirst(size) }
            return objects.isEmpty ? nil : Array(objects.prefix(size))
        }

        private mutating func begin(isolation: isolated (any Actor)?) async throws {
            try request.selected.requireRows()
            let affected = try context.affectedStores(request)
            try context.checkPrefetching(request, store: affected.first)
            guard let store = try context.onlyStore(of: affected, request) else {
                objects = try await context.fetchInBackground(request, isolation: isolation)[...]
                return
            }
            let select = try context.select(request, .all, store: store)
            context.statistics.statements += 1
            cursor = (store, RowCursor(context.stores[store], select.sql), select.entity)
        }
    }
}

extension StoreContext {
    /// The rows of `fetchRows(_:)`, read in the background while they are looped over.
    ///
    ///     for try await row in context.rowsInBackground(of: request) where row["name"].isNull { print(row) }
    ///
    /// The loop throws `StoreError` as `fetchRows(_:)` does, and `CancellationError` when the task is cancelled.
    public func rowsInBackground<Entity>(of request: FetchRequest<Entity>) -> BackgroundRows<Entity> {
        BackgroundRows(context: self, request: request)
    }

    /// The objects of a request in batches of its `fetchBatchSize`, 50 if that is 0, read in the background while they
    /// are looped over.
    ///
    ///     for try await stops in context.batchesInBackground(request) { print(stops.map(\.name)) }
    ///
    /// The loop throws `StoreError` as `fetch(_:)` does, and `CancellationError` when the task is cancelled.
    public func batchesInBackground<Entity>(_ request: FetchRequest<Entity>) -> BackgroundBatches<Entity> {
        BackgroundBatches(context: self, request: request)
    }
}
