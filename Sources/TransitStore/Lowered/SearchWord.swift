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
    /// the words of that name and those that were set in memory.
    private func words(of object: StoreObject) -> [String] {
        guard let stop = object as? Stop, let changes = stop.context?.changes else { return Self.words(ofName: object) }
        guard stop.isInserted || changes.haveChanged(stop.objectID, in: [Stop.Column.name.rawValue]) else {
            return stop.searchTerms.map(\.normalizedWord)
        }
        guard changes.concern(SearchTerm.entity.table) else { return Self.words(ofName: stop) }
        return Self.words(ofName: stop)
            + stop.searchTerms.filter { $0.isInserted || $0.isUpdated }.map(\.normalizedWord)
    }

    private static func words(ofName object: StoreObject) -> [String] {
        object.value(of: "name")?.text.map { SearchText.words($0) } ?? []
    }

    var operands: [any LoweredNode] { [key] }
}
