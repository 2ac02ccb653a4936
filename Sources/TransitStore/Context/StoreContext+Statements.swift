import SQLite

/// Statements on one of the context's stores.
extension StoreContext {
    /// The statement that reads objects, or their keys.
    func select<Entity>(
        _ request: FetchRequest<Entity>, _ columns: FetchRequest<Entity>.ReadColumns, store: Int
    ) throws -> SelectStatement {
        try request.selectObjects(
            columns, model: stores[store].model(for: request.entityName), traits: traits(of: store))
    }

    func selectStopsWithWords<Entity>(_ request: FetchRequest<Entity>, store: Int) throws -> SelectStatement? {
        try request.selectStopsWithWords(
            model: stores[store].model(for: request.entityName), traits: traits(of: store))
    }

    func selectCount<Entity>(_ request: FetchRequest<Entity>, store: Int) throws -> SelectStatement {
        try request.selectCount(model: stores[store].model(for: request.entityName), traits: traits(of: store))
    }

    func selectDictionaries<Entity>(_ request: FetchRequest<Entity>, store: Int) throws -> SelectStatement {
        try request.selectDictionaries(model: stores[store].model(for: request.entityName), traits: traits(of: store))
    }

    /// The indexes and empty columns of a store, and whether it is the context's first one: ids without a store's
    /// number mean rows of that store.
    func traits(of store: Int) -> StoreTraits {
        var traits = stores[store].traits
        traits.store.isFirstOfContext = store == 0
        return traits
    }

    /// Runs a statement.
    func run(
        _ sql: SQLFragment, store: Int, prepared: PreparedStatement? = nil, _ body: (Statement) throws -> Int
    ) throws {
        try check.alone {
            statistics.statements += 1
            try session(store).run(sql, prepared: prepared, body)
        }
    }

    /// Runs a statement and keeps its rows, or the first `columns` cells of each.
    func rows(_ sql: SQLFragment, store: Int, columns: Int? = nil) throws -> [PackedRow] {
        var rows: [PackedRow] = []
        try run(sql, store: store) { try $0.appendRows(to: &rows, columns: columns) }
        return rows
    }
}
