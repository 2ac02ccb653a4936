import SearchText

/// `t0.id IN (SELECT stop FROM search_term WHERE …)`: SQLite searches the words first, then reads their stops.
struct SearchWord: LoweredNode {
    let stop: SelectRow
    let key: Column
    /// The test that a word must pass.
    let test: any LoweredNode

    /// The word that is being tested.
    struct Word: LoweredNode {
        func write(to sql: inout SQLFragment) { sql.append("normalized_word") }
        func value(_ rows: inout EvaluatedRows) -> QueryValue { .text(rows.word) }
    }

    func write(to sql: inout SQLFragment) {
        key.write(to: &sql)
        sql.append(" IN (SELECT stop FROM search_term WHERE ")
        test.write(to: &sql)
        sql.append(")")
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        guard let object = try rows.object(stop) else { return .null }
        for word in words(of: object) {
            rows.word = word
            if try test.holds(&rows) { return true }
        }
        return false
    }

    /// The words of a stop: those that the store has, also from translations. For a new stop, or one with a new name,
    /// only the words of that name.
    private func words(of object: StoreObject) -> [String] {
        if let stop = object as? Stop, let changes = stop.context?.changes, !stop.isInserted,
            !changes.haveChanged(stop.objectID, in: [Stop.Column.name.rawValue])
        {
            return stop.searchTerms.map(\.normalizedWord)
        }
        return object.value(of: "name")?.text.map { SearchText.words($0) } ?? []
    }

    var operands: [any LoweredNode] { [key] }
}
