/// The rows of a list of keys, in its order.
final class ListedBatches: BatchSource {
    let entity: EntityDescription
    let batchSize: Int
    /// The position of the store that has all rows; nil if the rows are from several stores.
    private let store: Int?
    private let ids: IDList

    init(_ entity: EntityDescription, _ batchSize: Int, store: Int?, ids: IDList) {
        self.entity = entity
        self.batchSize = batchSize
        self.store = store
        self.ids = ids
    }

    var count: Int { ids.count }

    func objectID(at index: Int, _ context: StoreContext) -> ObjectID {
        let position = store ?? ids.store(at: index)
        guard context.stores.indices.contains(position) else { return ids.id(at: index, entity, store: 0) }
        let store = context.stores[position].number
        return ids.id(at: index, context.entity(entity, store: store), store: store)
    }

    func batch(_ number: Int, _ context: StoreContext, refresh: Bool) throws -> [StoreObject] {
        let wanted = (number * batchSize..<min((number + 1) * batchSize, count)).map { objectID(at: $0, context) }
        var byID: [ObjectID: StoreObject] = [:]
        let stored = wanted.filter { !$0.isTemporary }
        for (store, ids) in try Dictionary(grouping: stored, by: { try context.storePosition(of: $0) }) {
            let read = try context.objects(
                select(ids, context.entity(entity, store: context.stores[store].number), context.stores[store]),
                store: store, refresh: refresh, isCached: false)
            for object in read { byID[object.objectID] = object }
        }
        return wanted.map { byID[$0] ?? context.object(with: $0) }
    }

    /// Passes all keys as one parameter, so that one prepared statement serves any number of keys.
    private func select(
        _ wanted: [ObjectID], _ entity: EntityDescription, _ source: TransitStore
    ) -> SelectStatement {
        var select = source.selectAll(entity)
        let names = entity.keyNames
        let keys = wanted.map(\.keyValues)
        let json = JSONValues(keys.joined())
        let columns = names.indices.map { json.sql(names.count == 1 ? "value" : "json_extract(value, '$[\($0)]')") }
        select.sql.append(" WHERE \(entity.keyTuple) IN (SELECT \(columns.joined(separator: ", ")) FROM json_each(")
        let items = keys.map { $0.count == 1 ? json.json($0[0]) : json.list($0) }
        select.sql.bind(.text("[" + items.joined(separator: ",") + "]"))
        select.sql.append("))")
        return select
    }
}

extension EntityDescription {
    /// The key's columns: `t0.trip`, `t0.stop_sequence`.
    var keyNames: [String] { keyColumns.map { "t0." + columns[$0].sqlName } }

    /// The key as one value: `t0.id`, `(t0.trip, t0.stop_sequence)`.
    var keyTuple: String {
        let names = keyNames
        return names.count == 1 ? names[0] : "(" + names.joined(separator: ", ") + ")"
    }
}
