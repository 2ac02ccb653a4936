import SQLite

extension StoreContext {
    /// Hands the rows of `dictionaries(_:)` to `body` as they are read, keeping none: 3 million rows in constant
    /// memory.
    ///
    ///     try context.forEachRow(of: request) { row in print(row["name"]) }
    ///
    /// Rows of several stores, or with unsaved changes, are put together in memory. Throws `StoreError`, and what
    /// `body` throws, which ends the reading.
    public func forEachRow<Entity>(
        of request: FetchRequest<Entity>, _ body: (ResultRow) throws -> Void
    ) throws {
        let affected = try affectedStores(request)
        guard affected.count == 1, try !hasChanges(forDictionaries: request) else {
            return try dictionariesMerged(request, stores: affected).forEach(body)
        }
        let (_, select) = try selectDictionaries(request, store: affected[0])
        let names = ResultRow.Names(select.names)
        try run(select.sql, store: affected[0]) { statement in
            var count = 0
            while try statement.step() {
                try body(ResultRow(shared: names, row: statement.packedRow()))
                count += 1
            }
            return count
        }
    }
}
