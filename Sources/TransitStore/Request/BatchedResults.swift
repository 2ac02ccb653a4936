import SQLite

/// The objects of a big request as a collection that knows its count and loads objects when they are touched.
///
///     var request = FetchRequest<StopTime>()
///     request.fetchBatchSize = 50
///     for time in try context.batches(request) { … }      // 3 million rows, a few hundred objects at a time
///
/// Holds the ids of all rows (8 bytes each where the keys fit), the objects of the last few batches, and lets the oldest
/// go. A batch costs one statement. Where a statement fails, objects read as missing and `context.lastError` tells why;
/// `object(at:)` throws instead.
public final class BatchedResults<Entity: StoreObject>: RandomAccessCollection {
    private let context: StoreContext
    private let store: Int
    private let entity: EntityDescription
    private let ids: IDList
    private let batchSize: Int
    /// Whether every row of the table is in the list in the order of the key, so that a batch is a range of keys.
    private let isWholeTable: Bool
    private var batches: [Int: [Entity]] = [:]
    private var loaded: [Int] = []
    private var lastBatch: (number: Int, objects: [Entity]) = (-1, [])

    /// How many batches are kept.
    private static var mostBatches: Int { 4 }

    init(
        context: StoreContext, store: Int, entity: EntityDescription, ids: IDList, batchSize: Int, isWholeTable: Bool
    ) {
        self.context = context
        self.store = store
        self.entity = entity
        self.ids = ids
        self.batchSize = batchSize
        self.isWholeTable = isWholeTable
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { ids.count }

    /// The id of the row at an index; loads nothing.
    public func objectID(at index: Int) -> ObjectID { ids.id(at: index, entity, store: Int32(store)) }

    public subscript(index: Int) -> Entity {
        do { return try object(at: index) } catch {
            context.lastError = error as? StoreError
            return Entity(objectID: objectID(at: index), origin: context)
        }
    }

    /// The object at an index. Loads its batch unless that is one of the last few. Throws `StoreError`.
    public func object(at index: Int) throws -> Entity {
        let (number, place) = index.quotientAndRemainder(dividingBy: batchSize)
        if lastBatch.number == number { return lastBatch.objects[place] }
        let objects = try batches[number] ?? load(number)
        lastBatch = (number, objects)
        return objects[place]
    }

    private func load(_ number: Int) throws -> [Entity] {
        let positions = number * batchSize..<Swift.min((number + 1) * batchSize, ids.count)
        let wanted = positions.map { ids.id(at: $0, entity, store: Int32(store)) }
        let read = try context.objects(
            SelectStatement(sql: select(wanted), entity: entity), store: store, isCached: false)
        let objects: [Entity]
        if read.count == wanted.count, zip(read, wanted).allSatisfy({ $0.objectID == $1 }) {
            objects = read.compactMap { $0 as? Entity }
        } else {
            let byID = Dictionary(read.map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
            objects = wanted.compactMap { (byID[$0] ?? context.object(with: $0)) as? Entity }
        }
        batches[number] = objects
        loaded.append(number)
        if loaded.count > Self.mostBatches { batches[loaded.removeFirst()] = nil }
        return objects
    }

    /// A range of keys for the whole table, else the listed keys; one parameter per key column or list.
    private func select(_ wanted: [ObjectID]) -> SQLFragment {
        var sql = entity.selectColumns
        guard let first = wanted.first, let last = wanted.last else { return sql }
        let names = entity.keyColumns.map { "t0." + SQLFragment.identifier(entity.columns[$0].name) }
        let key = names.count == 1 ? names[0] : "(" + names.joined(separator: ", ") + ")"
        sql.append(" WHERE \(key) ")
        if isWholeTable {
            sql.append(">= ")
            append(first, to: &sql)
            sql.append(" AND \(key) <= ")
            append(last, to: &sql)
            sql.append(" ORDER BY " + names.joined(separator: ", "))
        } else {
            let columns = names.indices.map { names.count == 1 ? "value" : "json_extract(value, '$[\($0)]')" }
            sql.append("IN (SELECT \(columns.joined(separator: ", ")) FROM json_each(")
            sql.bind(.text(Self.json(wanted)))
            sql.append("))")
        }
        return sql
    }

    private func append(_ id: ObjectID, to sql: inout SQLFragment) {
        let values = id.keyValues
        sql.append(values.count == 1 ? "" : "(")
        sql.append(values, separator: ", ") { $0.bind($1) }
        sql.append(values.count == 1 ? "" : ")")
    }

    private static func json(_ ids: [ObjectID]) -> String {
        let items = ids.map { id in
            let parts = id.keyValues.map(\.json)
            return parts.count == 1 ? parts[0] : "[" + parts.joined(separator: ",") + "]"
        }
        return "[" + items.joined(separator: ",") + "]"
    }
}

extension StoreContext {
    /// The objects of a request in batches of its `fetchBatchSize`, 50 if that is 0.
    ///
    /// Costs one statement over the keys; batches are read as they are touched. Unsaved changes do not take part.
    /// Throws `StoreError`, also for a context of several stores unless the request names one.
    public func batches<Entity>(_ request: FetchRequest<Entity>) throws -> BatchedResults<Entity> {
        let affected = affectedStores(request)
        guard affected.count == 1 else {
            throw StoreError(.failed, "Batches are read from one store; name it in affectedStores")
        }
        let source = stores[affected[0]]
        let model = try source.model(for: request.entityName)
        let entity = try request.entity(in: model)
        var request = request
        let isWholeTable = try request.isWholeTable
        if request.sortDescriptors.isEmpty {
            request.sortDescriptors = entity.keyColumns.map { .by(.property(.root, [entity.columns[$0].name])) }
        }
        let select = try request.selectObjects(model: model, indexes: source.indexes, keysOnly: true)
        let ids = IDList(entity)
        try run(select.sql, store: affected[0]) { statement in
            while try statement.step() { ids.append(statement) }
            return ids.count
        }
        return BatchedResults(
            context: self, store: affected[0], entity: entity, ids: ids,
            batchSize: request.fetchBatchSize > 0 ? request.fetchBatchSize : 50, isWholeTable: isWholeTable)
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

extension QueryValue {
    /// The value as JSON.
    fileprivate var json: String {
        guard case .text(let text) = self else { return self == .null ? "null" : description }
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case _ where scalar.value < 32: "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}
