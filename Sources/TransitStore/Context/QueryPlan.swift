import SQLite

/// How SQLite will run a request (<https://sqlite.org/eqp.html>), and what is slow about it.
///
///     print(try context.explain(request))
///     // SELECT … FROM stop AS t0 WHERE t0.longitude >= ? …
///     //   SEARCH t0 USING INDEX stop_cell_latitude (<expr>=? AND latitude>? AND latitude<?)
public struct QueryPlan: Sendable, Hashable {
    /// The statement.
    public let sql: SQLFragment
    /// SQLite's steps, indented by nesting.
    public let steps: [String]
    /// Full scans of big tables.
    public let warnings: [String]
}

extension QueryPlan: CustomStringConvertible {
    public var description: String {
        ([sql.description] + steps.map { "  " + $0 } + warnings.map { "  warning: " + $0 }).joined(separator: "\n")
    }
}

extension StoreContext {
    /// The plan of a request's statement on the first of its stores. `type` chooses the results that the statement is
    /// for; without it, they are those that `sql(for:)` assumes. Costs a count of each table that the statement would
    /// scan.
    ///
    ///     for warning in try context.explain(request, bigTable: 1_000).warnings { print(warning) }
    ///
    /// Warns about each step that goes through every row of a table with `bigTable` rows or more. Throws `StoreError`
    /// as the fetch does, and `unknownStore` for a context without stores.
    public func explain<Entity>(
        _ request: FetchRequest<Entity>, for type: FetchRequest<Entity>.ResultType? = nil, bigTable: Int = 10_000
    ) throws(StoreError) -> QueryPlan {
        try StoreError.only {
            guard let store = try affectedStores(request).first ?? stores.indices.first else {
                throw StoreError(.unknownStore, "There is no store to explain the request for")
            }
            let source = stores[store]
            let select = try request.select(
                for: type ?? request.meantResultType, model: source.model(for: request.entityName),
                traits: traits(of: store))
            return try plan(of: select.sql, bigTable: bigTable, store: store)
        }
    }

    /// The plan of a statement that knows the tables behind its aliases.
    func plan(of sql: SQLFragment, bigTable: Int, store: Int) throws -> QueryPlan {
        try plan(of: sql, tables: sql.tables, bigTable: bigTable, store: store)
    }

    /// The plan of any statement. `tables` are its tables, as SQL, by their aliases.
    func plan(of sql: SQLFragment, tables: [String: String], bigTable: Int, store: Int) throws -> QueryPlan {
        var explain = SQLFragment("EXPLAIN QUERY PLAN ")
        explain.append(sql)
        var depths: [Int64: Int] = [0: -1]
        var steps: [String] = []
        var warnings: [String] = []
        for row in try rows(explain, store: store) {
            let depth = (depths[row.integer(1) ?? 0] ?? -1) + 1
            depths[row.integer(0) ?? 0] = depth
            let detail = row.text(3) ?? ""
            steps.append(String(repeating: "  ", count: depth) + detail)
            if let table = Self.scannedAlias(of: detail).flatMap({ tables[$0] }),
                let warning = try warning(for: detail, table: table, bigTable: bigTable, store: store)
            {
                warnings.append(warning)
            }
        }
        return QueryPlan(sql: sql, steps: steps, warnings: warnings)
    }

    /// `t0` of `SCAN t0 USING INDEX …`; nil for steps that do not scan a table.
    private static func scannedAlias(of step: String) -> String? {
        let words = step.split(separator: " ")
        return words.count > 1 && words[0] == "SCAN" ? String(words[1]) : nil
    }

    private func warning(for step: String, table: String, bigTable: Int, store: Int) throws -> String? {
        let count = try rows(SQLFragment("SELECT count(*) FROM " + table), store: store).first?.integer(0) ?? 0
        return count >= Int64(bigTable) ? "\(step) goes through all \(count) rows of \(table)" : nil
    }
}
