import SQLite

/// The objects of a big request as a collection that knows its count and loads objects when they are touched.
///
///     var request = FetchRequest<StopTime>()
///     request.fetchBatchSize = 50
///     for time in try context.batches(request) { … }      // 3 million rows, a few hundred objects at a time
///
/// Holds the objects of the last few batches, and the ids of all rows (8 bytes each where the keys fit); a walk through a
/// whole table holds no ids, as each batch begins where the last one ended. A batch costs one statement. Where a statement
/// fails, objects read as missing and `context.lastError` tells why; `object(at:)` throws instead.
public final class BatchedResults<Entity: StoreObject>: RandomAccessCollection {
    private let context: StoreContext
    let source: any BatchSource
    private var batches: [Int: [StoreObject]] = [:]
    private var loaded: [Int] = []
    private var lastNumber = -1
    private var lastObjects: [StoreObject] = []

    /// How many batches are kept.
    private static var mostBatches: Int { 4 }

    init(context: StoreContext, source: any BatchSource) {
        self.context = context
        self.source = source
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { source.count }

    /// The id of the row at an index. Loads no object; of a whole table, the keys are read the first time.
    public func objectID(at index: Int) throws -> ObjectID {
        try check(index)
        return try source.objectID(at: index, context)
    }

    private func check(_ index: Int) throws {
        guard indices.contains(index) else {
            throw StoreError(.failed, "There is no row \(index) among \(count) of \(source.entity.table)")
        }
    }

    public subscript(index: Int) -> Entity {
        do { return try object(at: index) } catch {
            context.lastError = error as? StoreError
            let id = try? objectID(at: index)
            return Entity(objectID: id ?? ObjectID(source.entity, row: -1), origin: context)
        }
    }

    /// The object at an index. Loads its batch unless that is one of the last few. Throws `StoreError`.
    public func object(at index: Int) throws -> Entity {
        try check(index)
        let (number, place) = index.quotientAndRemainder(dividingBy: source.batchSize)
        if lastNumber != number {
            lastObjects = try batches[number] ?? load(number)
            lastNumber = number
        }
        guard lastObjects.indices.contains(place), let object = lastObjects[place] as? Entity else {
            throw StoreError(.corrupt, "The store has no row \(index) of \(source.count) of \(source.entity.table)")
        }
        return object
    }

    private func load(_ number: Int) throws -> [StoreObject] {
        let objects = try source.batch(number, context)
        batches[number] = objects
        loaded.append(number)
        if loaded.count > Self.mostBatches { batches[loaded.removeFirst()] = nil }
        return objects
    }
}

extension StoreContext {
    /// The objects of a request in batches of its `fetchBatchSize`, 50 if that is 0.
    ///
    /// Costs one statement over the keys, or a count for a whole table; batches are read as they are touched. While the
    /// context has unsaved changes that take part, all objects are fetched at once.
    /// Throws `StoreError`, also for a context of several stores unless the request names one.
    public func batches<Entity>(_ request: FetchRequest<Entity>) throws -> BatchedResults<Entity> {
        BatchedResults(context: self, source: try batchSource(request))
    }

    private func batchSource<Entity>(_ request: FetchRequest<Entity>) throws -> any BatchSource {
        try request.requireRows()
        let affected = try affectedStores(request)
        guard affected.count == 1 else {
            throw StoreError(.failed, "Batches are read from one store; name it in affectedStores")
        }
        let source = stores[affected[0]]
        let model = try source.model(for: request.entityName)
        let entity = try request.entity(in: model)
        let batchSize = request.fetchBatchSize > 0 ? request.fetchBatchSize : 50
        if hasChanges(for: request) {
            return FetchedBatches(entity, batchSize, try fetchMerged(request, stores: affected))
        }
        if try request.isWholeTable, !entity.keyColumns.isEmpty {
            return WholeTableBatches(
                source.selectAll(entity), batchSize, store: affected[0], count: try count(for: request))
        }
        var request = request
        if request.sortDescriptors.isEmpty {
            request.sortDescriptors = entity.keyColumns.map { .by(.property(.root, [entity.columns[$0].name])) }
        }
        let select = try request.selectObjects(model: model, indexes: source.indexes, keysOnly: true)
        return ListedBatches(entity, batchSize, store: affected[0], ids: try ids(select, store: affected[0]))
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
    /// Whether the request is for every row of its table, in no order of its own.
    fileprivate var isWholeTable: Bool {
        get throws {
            try predicate.query() == .always && sortDescriptors.isEmpty && fetchLimit == 0 && fetchOffset == 0
                && includesSubentities && StopKind(entityName: entityName) == nil
        }
    }
}
