import SQLite
import SearchText

extension SearchedText {
    /// The best hits of one of a context's stores: all of a manner, and those of further manners while they are too
    /// few.
    ///
    /// A limit of 0 asks for all.
    func hits(in context: StoreContext, store: Int, limit: Int) throws -> [SearchHit] {
        guard !typed.isEmpty else { return [] }
        var collection = HitCollection(context: context, store: store)
        try collection.addIdentified(by: typed)
        guard !words.isEmpty else { return collection.hits }
        let own = words.map { StopSource(beginnings: [$0.written], tables: [.name]) }
        try collection.add(own, .name) { name, _ in place(inNormalized: name) }
        func isEnough() -> Bool { limit > 0 && collection.count >= limit }
        if isEnough() { return collection.hits }
        let spelled = words.map { StopSource(beginnings: $0.beginnings, tables: [.name, .spelling]) }
        let spellings = NameSpellings()
        try collection.add(spelled, .otherSpelling) { _, name in place(inSpellingsOf: name, spellings) }
        if isEnough() { return collection.hits }
        try collection.add(try rightedSources(context, store), .rightedLetters) { _, _ in .words }
        return collection.hits
    }

    /// Where each word is looked for with one letter put right; none when there is nothing to put right.
    private func rightedSources(_ context: StoreContext, _ store: Int) throws -> [StopSource] {
        var hasRighted = false
        let sources = try words.map { word in
            var righted: [String] = []
            for table in StopSource.Table.allCases {
                var vocabulary = Vocabulary(context: context, store: store, table: table)
                for beginning in word.beginnings { righted += try vocabulary.beginnings(nearTo: beginning) }
            }
            hasRighted = hasRighted || !righted.isEmpty
            let beginnings = Array(Set(word.beginnings + righted)).sorted()
            return StopSource(beginnings: beginnings, tables: StopSource.Table.allCases)
        }
        return hasRighted ? sources : []
    }
}

/// The stops that one word of a text finds, as SQL.
struct StopSource {
    /// A table of words and their stops.
    enum Table: String, CaseIterable {
        case name = "search_term"
        case spelling = "search_spelling"
    }

    let beginnings: [String]
    let tables: [Table]

    /// `SELECT stop FROM search_term WHERE …`, one for each table, with all beginnings.
    func write(to sql: inout SQLFragment) {
        sql.append(tables, separator: " UNION ALL ") { sql, table in
            sql.append(beginnings, separator: " UNION ALL ") { sql, beginning in
                sql.append("SELECT stop FROM \(table.rawValue) WHERE normalized_word >= ")
                sql.bind(.text(PrefixRange.start(of: beginning, .folded)))
                guard let end = PrefixRange.end(of: beginning, .folded) else { return }
                sql.append(" AND normalized_word < ")
                sql.bind(.text(end))
            }
        }
    }
}

/// The hits of one store, stations in the place of what is below them.
private struct HitCollection {
    let context: StoreContext
    let store: Int
    private var best: [Int64: SearchHit] = [:]
    /// Rows that were found, so that a later manner does not find them again.
    private var seen = Set<Int64>()
    private var stations: [Int64: Row] = [:]

    var hits: [SearchHit] { Array(best.values) }
    var count: Int { best.count }

    /// What ranking needs of a stop.
    private struct Row {
        let id: Int64
        let normalizedName: String
        let name: String
        let parent: Int64?
        let departures: Int64
    }

    private static let columns = """
        SELECT s.id, s.normalized_name, s.name, s.parent_station, d.departures FROM stop AS s \
        LEFT JOIN stop_departures AS d ON d.stop = s.id WHERE 
        """

    init(context: StoreContext, store: Int) {
        self.context = context
        self.store = store
    }

    /// The stop that a text is the id or the code of. It stands for itself, not for its station.
    mutating func addIdentified(by text: String) throws {
        let cases = Set([text, text.uppercased(), text.lowercased()]).sorted().map { QueryValue.text($0) }
        for column in ["stop_id", "code"] {
            var sql = SQLFragment(Self.columns + "s.\(column) IN (")
            sql.append(cases, separator: ", ") { sql, value in sql.bind(value) }
            sql.append(")")
            for row in try rows(sql) {
                add(row, SearchRank(manner: .identifier, place: .wholeName))
            }
        }
    }

    /// The stops that all of the sources have and that were not found before.
    mutating func add(
        _ sources: [StopSource], _ manner: SearchRank.Manner,
        place: (_ normalizedName: String, _ name: String) -> SearchRank.Place
    ) throws {
        guard !sources.isEmpty else { return }
        var sql = SQLFragment(Self.columns)
        sql.append(sources, separator: " AND ") { sql, source in
            sql.append("s.id IN (")
            source.write(to: &sql)
            sql.append(")")
        }
        for row in try rows(sql) where seen.insert(row.id).inserted {
            let rank = SearchRank(manner: manner, place: place(row.normalizedName, row.name))
            add(try station(above: row), rank)
        }
    }

    private mutating func add(_ row: Row, _ rank: SearchRank) {
        seen.insert(row.id)
        if let known = best[row.id], known.rank <= rank { return }
        let id = ObjectID(Stop.entity, .row(row.id), store: context.stores[store].number)
        best[row.id] = SearchHit(rank: rank, departures: row.departures, name: row.normalizedName, id: id)
    }

    /// The stop at the top of a row's parents. A feed whose parents go round in a circle has none: then the row itself.
    private mutating func station(above row: Row) throws -> Row {
        var top = row
        for _ in 0..<8 {
            guard let parent = top.parent else { return top }
            guard let next = try stop(parent) else { return top }
            top = next
        }
        return row
    }

    private mutating func stop(_ id: Int64) throws -> Row? {
        if let known = stations[id] { return known }
        var sql = SQLFragment(Self.columns + "s.id = ")
        sql.bind(.integer(id))
        let row = try rows(sql).first
        stations[id] = row
        return row
    }

    /// Stops as the store has them, without those that unsaved changes alter.
    private func rows(_ sql: SQLFragment) throws -> [Row] {
        let (changes, number) = (context.changes, context.stores[store].number)
        var rows: [Row] = []
        try context.run(sql, store: store) { statement in
            while try statement.step() {
                let id = statement.integer(0)
                if !changes.isEmpty {
                    let object = ObjectID(Stop.entity, .row(id), store: number)
                    if changes.updated.contains(object) || changes.deleted.contains(object) { continue }
                }
                rows.append(
                    Row(
                        id: id, normalizedName: statement.text(1) ?? "", name: statement.text(2) ?? "",
                        parent: statement.isNull(3) ? nil : statement.integer(3), departures: statement.integer(4)))
            }
            return rows.count
        }
        return rows
    }
}
