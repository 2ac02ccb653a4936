import SQLite

/// Statements of your own, for questions that requests cannot express.
extension StoreContext {
    /// The rows of a SELECT.
    ///
    ///     let rows = try context.fetchRows(
    ///         sql: "SELECT short_name, count(*) AS trips FROM route JOIN trip ON trip.route = route.id "
    ///             + "WHERE route_type = ? GROUP BY 1", 3)
    ///     for row in rows { print(row["short_name"], row["trips"]) }
    ///
    /// Arguments take the place of `?`, in order. Each is a text, a number, a `ServiceTime`, a `ServiceDate` or nil.
    /// Tables and columns are those of the store's schema. The store's views are for other programs and cannot be used
    /// here. The rows do not show unsaved changes. The statement stays prepared for its next use.
    ///
    /// With a context of several stores, name the store. Throws `StoreError`: `syntax` with SQLite's words,
    /// or for a second statement; `missingVariable` for a wrong number of arguments, `readOnly` for a statement other
    /// than SELECT, `unknownStore`; `tooComplex` beyond SQLite's limits, `overflow` for a sum beyond 64 bits;
    /// `corrupt`, `readFailed` or `timedOut` if the statement fails.
    public func fetchRows(
        sql: String, _ arguments: (any QueryValueConvertible)?..., in store: TransitStore? = nil
    ) throws(StoreError) -> [ResultRow] {
        try StoreError.only {
            let refusal = StoreError(
                .readOnly, "Stores are read only: a statement must be a SELECT, not \"\(sql.prefix(40))\"")
            guard sql.isQuery else { throw refusal }
            let position = try position(of: store)
            let values = arguments.map { $0?.queryValue ?? .null }
            var rows: [ResultRow] = []
            do {
                try run(SQLFragment(sql, bindings: values), store: position) { statement in
                    guard statement.isReadOnly else { throw refusal }
                    try statement.checkAlone(in: sql)
                    try statement.check(argumentCount: values.count)
                    let names = ResultRow.Names((0..<statement.columnCount).map(statement.columnName))
                    while try statement.step() { rows.append(ResultRow(shared: names, row: statement.packedRow())) }
                    return rows.count
                }
            } catch let error as StoreError where error.code == .failed {
                // SQLite's words for a view: access to view "gtfs_stops" prohibited.
                let hint = error.message.contains("access to view ") ? "; fetchRows(sql:) reads tables, not views" : ""
                throw StoreError(.syntax, error.message + hint, at: error.place, cause: error.cause)
            }
            return rows
        }
    }

    private func position(of store: TransitStore?) throws -> Int {
        guard let store else {
            guard stores.count == 1 else {
                throw StoreError(
                    .unknownStore,
                    "The context has \(stores.count) stores: name the one that the statement is for (in:)")
            }
            return 0
        }
        guard let position = stores.firstIndex(of: store) else {
            throw StoreError(.unknownStore, "The context does not have the store \(store.path)")
        }
        return position
    }
}

extension Statement {
    /// Throws if the text has a second statement, which SQLite does not run.
    fileprivate func checkAlone(in text: String) throws {
        let rest = text.utf8.dropFirst(self.sql.utf8.count).withoutComments(andAnyOf: " \t\n\u{C}\r;")
        guard !rest.isEmpty else { return }
        throw StoreError(
            .syntax, "fetchRows(sql:) takes one statement; ask for \"\(Substring(rest).prefix(40))\" by itself")
    }

    fileprivate func check(argumentCount count: Int) throws {
        guard parameterCount != count else { return }
        let parameters = "\(parameterCount) parameter\(parameterCount == 1 ? "" : "s")"
        throw StoreError(
            .missingVariable, "The statement has \(parameters) and \(count) argument\(count == 1 ? "" : "s")")
    }
}

extension Substring.UTF8View {
    /// The rest after leading comments and the given characters. As in SQLite, a comment may lack its end.
    fileprivate func withoutComments(andAnyOf others: String) -> Substring.UTF8View {
        var rest = self
        while let first = rest.first {
            if others.utf8.contains(first) {
                rest = rest.dropFirst()
            } else if rest.starts(with: "--".utf8) {
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            } else if rest.starts(with: "/*".utf8) {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
            } else {
                break
            }
        }
        return rest
    }
}

extension String {
    /// Whether a statement is a query, by its first word.
    fileprivate var isQuery: Bool {
        let text = Substring(utf8[...].withoutComments(andAnyOf: " \t\n\u{C}\r"))
        return ["SELECT", "WITH", "VALUES"].contains(text.prefix(while: \.isLetter).uppercased())
    }
}
