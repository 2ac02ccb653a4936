import SQLite

/// Where the batches of a collection come from.
protocol BatchSource: AnyObject {
    var entity: EntityDescription { get }
    var batchSize: Int { get }
    var count: Int { get }
    func objectID(at index: Int, _ context: StoreContext) throws -> ObjectID
    func batch(_ number: Int, _ context: StoreContext, refresh: Bool) throws -> [StoreObject]
}

/// The objects of a big request as a collection that knows its count and loads objects on access.
///
///     var request = FetchRequest<StopTime>()
///     request.fetchBatchSize = 50
///     // 3 million rows, a few hundred objects at a time.
///     for time in try context.fetchBatches(request) { print(time.departureTime) }
///
/// Holds the objects of the last few batches and the ids of all rows (8 bytes each if the keys fit). A walk through a
/// whole table holds no ids, because each batch begins where the previous one ended. A batch costs one statement, and
/// one for each relationship to prefetch; a batch from several stores costs these for each store. If a statement fails,
/// objects read as missing and `context.lastError` holds the error; `object(at:)` throws instead.
public final class BatchedResults<Entity: StoreObject>: RandomAccessCollection {
    private let context: StoreContext
    let source: any BatchSource
    private let request: FetchRequest<Entity>
    private var batches: [Int: [StoreObject]] = [:]
    private var loaded: [Int] = []
    private var lastNumber = -1
    private var lastObjects: [StoreObject] = []

    /// The batch size if the request does not set one.
    static var usualSize: Int { 50 }
    /// How many batches are kept.
    private static var mostBatches: Int { 4 }

    init(context: StoreContext, source: any BatchSource, request: FetchRequest<Entity>) {
        self.context = context
        self.source = source
        self.request = request
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { source.count }

    /// The id of the row at an index. Loads no object; for a whole table, the first call reads all keys. Throws
    /// `StoreError`: `failed` for an index out of range; `corrupt`, `readFailed` or `timedOut` if the keys cannot be
    /// read.
    public func objectID(at index: Int) throws(StoreError) -> ObjectID {
        try StoreError.only {
            try check(index)
            return try source.objectID(at: index, context)
        }
    }

    private func check(_ index: Int) throws {
        guard indices.contains(index) else {
            throw StoreError(
                .failed,
                "There is no row \(index): the results have \(count) rows of \(source.entity.table), the first with the "
                    + "index 0")
        }
    }

    /// The object at an index, which must be in range, as in an array.
    public subscript(index: Int) -> Entity {
        precondition(
            indices.contains(index), "Index \(index) is out of range 0..<\(count) of \(source.entity.name)")
        do { return try object(at: index) } catch {
            context.lastError = error
            let id = try? objectID(at: index)
            return Entity(objectID: id ?? ObjectID(source.entity, row: -1), origin: context)
        }
    }

    /// The object at an index. Loads its batch unless that is one of the last few.
    ///
    ///     let batches = try context.fetchBatches(request)
    ///     if !batches.isEmpty { print(try batches.object(at: 0).name) }
    ///
    /// Throws `StoreError`: `failed` for an index out of range, otherwise as `fetch(_:)` does.
    public func object(at index: Int) throws(StoreError) -> Entity {
        try StoreError.only {
            try check(index)
            let (number, place) = index.quotientAndRemainder(dividingBy: source.batchSize)
            if lastNumber != number {
                lastObjects = try batches[number] ?? load(number)
                lastNumber = number
            }
            guard lastObjects.indices.contains(place), let object = lastObjects[place] as? Entity else {
                throw StoreError(
                    .corrupt,
                    "The store has no row \(index) of \(source.count) of \(source.entity.table): it is damaged; import "
                        + "the feed again")
            }
            return object
        }
    }

    /// The same objects in another order.
    func reordered(_ rows: [Int]) throws -> BatchedResults {
        let ids = IDList(source.entity)
        for row in rows {
            let id = try objectID(at: row)
            ids.append(id, store: try context.storePosition(of: id))
        }
        let listed = ListedBatches(source.entity, source.batchSize, store: nil, ids: ids)
        return BatchedResults(context: context, source: listed, request: request)
    }

    private func load(_ number: Int) throws -> [StoreObject] {
        let objects = try source.batch(number, context, refresh: request.shouldRefreshRefetchedObjects)
        try context.prefetch(request, for: objects)
        batches[number] = objects
        loaded.append(number)
        if loaded.count > Self.mostBatches { batches[loaded.removeFirst()] = nil }
        return objects
    }
}

extension StoreContext {
    /// The objects of a request in batches of its `fetchBatchSize`, 50 if that is 0.
    ///
    ///     let stops = try context.fetchBatches(request)
    ///     for stop in stops.prefix(100) { print(stop.name) }
    ///
    /// Costs one statement over the keys, or a count for a whole table; batches are read on access. With several
    /// stores, or with unsaved changes to include, the sort values are read together with the keys, and the keys are
    /// merged in memory. Throws `StoreError` as `fetch(_:)` does; a batch that cannot be read later sets `lastError`.
    public func fetchBatches<Entity>(_ request: FetchRequest<Entity>) throws(StoreError) -> BatchedResults<Entity> {
        try StoreError.only {
            try request.selected.requireRows()
            try checkPrefetching(request, store: try affectedStores(request).first)
            return BatchedResults(context: self, source: try batchSource(request), request: request)
        }
    }

    private func batchSource<Entity>(_ request: FetchRequest<Entity>) throws -> any BatchSource {
        let affected = try affectedStores(request)
        let entity = try entity(of: request)
        let batchSize = request.batchSize
        guard let store = try onlyStore(of: affected, request) else {
            return ListedBatches(
                entity, batchSize, store: nil, ids: try mergedIDs(request, entity, stores: affected))
        }
        if try request.isWholeTable, !entity.keyColumns.isEmpty {
            return WholeTableBatches(
                stores[store].selectAll(entity), batchSize, store: store, count: try fetchCount(request))
        }
        var request = request
        if request.sortDescriptors.isEmpty, !request.isUnsortedPart {
            request.sortDescriptors = entity.keyColumns.map { .by(.property(.root, [entity.columns[$0].name])) }
        }
        let select = try select(request, .keys, store: store)
        return ListedBatches(entity, batchSize, store: store, ids: try ids(select, store: store))
    }

    /// The keys of a statement's rows.
    func ids(_ select: SelectStatement, store: Int) throws -> IDList {
        let ids = IDList(select.entity)
        try run(select.sql, store: store) { statement in
            while try statement.step() { ids.append(statement) }
            return ids.count
        }
        return ids
    }
}

extension FetchRequest {
    /// Whether the request is for every row of its table, without a sort order.
    fileprivate var isWholeTable: Bool {
        get throws {
            try predicate.query() == .always && sortDescriptors.isEmpty && fetchLimit <= 0 && fetchOffset <= 0
                && includesSubentities && LocationType(entityName: entityName) == nil
        }
    }
}
