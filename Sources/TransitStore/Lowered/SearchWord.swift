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
        writeList(to: &sql)
    }

    /// ` IN (SELECT stop FROM search_term WHERE …)`
    private func writeList(to sql: inout SQLFragment) {
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

extension SearchWord {
    /// `SELECT DISTINCT stop FROM search_term WHERE … ORDER BY stop`: the ids of the stops that have all these words.
    ///
    /// Reads no stop, which is a third of the work of finding the ids. They come in the same order as the rows of
    /// `SELECT … FROM stop AS t0 WHERE t0.id IN (…)`, because SQLite sorts the list after IN.
    static func writeSelect(of words: [SearchWord], to sql: inout SQLFragment) {
        guard let first = words.first else { return }
        sql.append("SELECT DISTINCT stop FROM search_term WHERE ")
        first.test.write(to: &sql)
        for word in words.dropFirst() {
            sql.append(" AND stop")
            word.writeList(to: &sql)
        }
        sql.append(" ORDER BY stop")
    }
}

extension Lowering {
    /// The statement for the ids of the stops that a condition finds, if it only asks for words of the stops' names;
    /// nil for any other condition, or if the stops are sorted.
    mutating func selectStopsWithWords(_ parts: SelectParts, from scope: SelectScope) throws -> SQLFragment? {
        guard parts.order.isEmpty, parts.condition.conjuncts.allSatisfy(\.isSearchTerm) else { return nil }
        let condition = try condition(parts.condition)
        let tests = (condition as? Junction).map { $0.isConjunction ? $0.parts : [$0] } ?? [condition]
        let words = tests.compactMap { $0 as? SearchWord }.filter { $0.stop === scope.row }
        guard !words.isEmpty, words.count == tests.count else { return nil }
        var sql = SQLFragment()
        SearchWord.writeSelect(of: words, to: &sql)
        writeLimit(parts.limit, parts.offset, to: &sql)
        return sql
    }
}

extension QueryExpression {
    fileprivate var isSearchTerm: Bool { if case .searchTerm = self { true } else { false } }
}
