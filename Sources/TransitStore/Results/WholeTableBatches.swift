import SQLite
import SystemFiles

/// Every row of a table in the order of its key. A batch begins after the last key of the previous batch, so a walk
/// from front to back needs no list of keys. The list is read when an access skips batches.
final class WholeTableBatches: BatchSource {
    let entity: EntityDescription
    let batchSize: Int
    let count: Int
    private let store: Int
    /// The last id of each batch that was read in sequence from the first.
    private var ends: [ObjectID] = []
    private var ids: IDList?
    private let selectAll: SelectStatement
    /// `SELECT … WHERE (t0.trip, t0.stop_sequence) > (?, ?) ORDER BY … LIMIT ?`
    private let selectAfter: String
    private let selectFirst: String

    init(_ selectAll: SelectStatement, _ batchSize: Int, store: Int, count: Int) {
        self.selectAll = selectAll
        entity = selectAll.entity
        self.batchSize = batchSize
        self.store = store
        self.count = count
        let names = entity.keyNames
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        let order = " ORDER BY " + names.joined(separator: ", ") + " LIMIT ?"
        selectFirst = selectAll.sql.text + order
        selectAfter =
            selectAll.sql.text + " WHERE \(entity.keyTuple) > \(names.count == 1 ? marks : "(\(marks))")" + order
    }

    func objectID(at index: Int, _ context: StoreContext) throws -> ObjectID {
        try list(context).id(at: index, entity, store: context.stores[store].number)
    }

    func batch(_ number: Int, _ context: StoreContext, refresh: Bool) throws -> [StoreObject] {
        let size = min(batchSize, count - number * batchSize)
        var select = selectAll
        select.sql = try self.select(number, size, context)
        let objects = try context.objects(select, store: store, refresh: refresh, isCached: false)
        if number == ends.count, objects.count == size, let last = objects.last { ends.append(last.objectID) }
        return objects
    }

    private func select(_ number: Int, _ size: Int, _ context: StoreContext) throws -> SQLFragment {
        guard number > 0 else { return SQLFragment(selectFirst, bindings: [.integer(Int64(size))]) }
        let end = try number <= ends.count ? ends[number - 1] : objectID(at: number * batchSize - 1, context)
        return SQLFragment(selectAfter, bindings: end.keyValues + [.integer(Int64(size))])
    }

    private func list(_ context: StoreContext) throws -> IDList {
        if let ids { return ids }
        let names = entity.keyNames.joined(separator: ", ")
        let sql = SQLFragment("SELECT \(names) FROM \(entity.sqlTable) AS t0 ORDER BY \(names)")
        let list = try context.ids(SelectStatement(sql: sql, entity: entity), store: store)
        guard list.count == count else {
            let path = context.stores[store].path.readablePath
            throw StoreError(
                .corrupt,
                "\(path) is damaged: \(entity.table) has \(list.count) keys for \(count) rows; import the feed again")
        }
        ids = list
        return list
    }
}
