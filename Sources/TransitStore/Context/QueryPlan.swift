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
    /// The plan of a request's statement on the first of its stores: that of the method which gives results of `type`,
    /// or which `sql(for:)` takes the request to mean. Reads no row of the request.
    ///
    /// A step that goes through every row of a table of `bigTable` rows or more is marked as a warning.
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
                indexes: source.indexes)
            return try plan(of: select.sql, bigTable: bigTable, store: store)
        }
    }

    /// The plan of any statement.
    func plan(of sql: SQLFragment, bigTable: Int, store: Int) throws -> QueryPlan {
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
            if let warning = try warning(for: detail, sql: sql.text, bigTable: bigTable, store: store) {
                warnings.append(warning)
            }
        }
        return QueryPlan(sql: sql, steps: steps, warnings: warnings)
    }

    private func warning(for step: String, sql: String, bigTable: Int, store: Int) throws -> String? {
        let words = step.split(separator: " ")
        guard words.count > 1, words[0] == "SCAN" else { return nil }
        let name = String(words[1])
        guard let table = Self.table(ofAlias: name, in: sql) else { return nil }
        let count = try rows(SQLFragment("SELECT count(*) FROM " + table), store: store).first?.integer(0) ?? 0
        return count >= Int64(bigTable) ? "\(step) goes through all \(count) rows of \(table)" : nil
    }

    /// Where a piece of SQL begins that is no part of a name in quotes.
    private static func place(of part: String, in sql: String) -> String.Index? {
        var found = sql.rangeOfBytes(part)
        while let range = found, !sql[..<range.lowerBound].count(where: { $0 == "\"" }).isMultiple(of: 2) {
            found = sql.rangeOfBytes(part, from: sql.index(after: range.lowerBound))
        }
        return found?.lowerBound
    }

    /// The table that an alias stands for, as SQL: the name before ` AS t0`, in quotes or not. Statements may come from
    /// anywhere, so they are read here.
    private static func table(ofAlias alias: String, in sql: String) -> String? {
        let places = ["\(alias) ", "\(alias))", alias].lazy.compactMap { place(of: " AS " + $0, in: sql) }
        guard let place = places.first else {
            return sql.split(separator: " ").contains { $0.filter { !"(),\"".contains($0) } == alias }
                ? SQLFragment.identifier(alias) : nil
        }
        let before = sql[..<place]
        if before.last == "\"" {
            // From the quote that is not one of a pair.
            let parts = before.dropLast().components(parting: "\"\"")
            guard let position = parts.lastIndex(where: { $0.contains("\"") }) else { return nil }
            let name = [String(parts[position].split(separator: "\"", omittingEmptySubsequences: false).last ?? "")]
            return "\"" + (name + parts[(position + 1)...]).joined(separator: "\"\"") + "\""
        }
        // Rows of values have an alias too.
        guard let word = before.split(separator: " ").last, word.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else { return nil }
        return String(word)
    }
}

extension Substring {
    /// The parts between a separator of two bytes.
    fileprivate func components(parting separator: String) -> [String] {
        var (parts, rest) = ([String](), String(self))
        while let range = rest.rangeOfBytes(separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = String(rest[range.upperBound...])
        }
        return parts + [rest]
    }
}
