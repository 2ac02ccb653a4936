import SQLite

/// The hits of one store, stations in the place of what is below them.
struct HitCollection {
    let context: StoreContext
    let store: Int
    private var hits: [Hit] = []
    /// Where the hit of a row is among the hits.
    private var places: [Int64: Int] = [:]
    /// Rows that were found, so that a later manner does not find them again.
    private var seen = Set<Int64>()
    private var stations: [Int64: Row] = [:]

    var count: Int { hits.count }

    /// What ranking needs of a stop.
    struct Row {
        let id: Int64
        let normalizedName: String
        let parent: Int64?
        let departures: Int64
    }

    /// A row that was found, as SQLite has it at the moment.
    struct FoundRow {
        fileprivate let statement: Statement
        var normalizedName: String { statement.text(1) ?? "" }
        var name: String { statement.text(4) ?? "" }
    }

    private struct Hit {
        let row: Row
        var rank: SearchRank
    }

    private static let columns = """
        SELECT s.id, s.normalized_name, s.parent_station, d.departures, s.name FROM stop AS s \
        LEFT JOIN stop_departures AS d ON d.stop = s.id WHERE 
        """

    init(context: StoreContext, store: Int) {
        self.context = context
        self.store = store
    }

    /// The best hits in order; a limit of 0 asks for all.
    ///
    /// Numbers are moved about, not hits, which are ten times their size.
    func best(_ limit: Int) -> [SearchHit] {
        var order = hits.indices.map { (rank: hits[$0].rank.number, departures: hits[$0].row.departures, place: $0) }
        order.sort { one, other in
            if one.rank != other.rank { return one.rank < other.rank }
            if one.departures != other.departures { return one.departures > other.departures }
            return hit(one.place) < hit(other.place)
        }
        return order.prefix(limit > 0 ? limit : order.count).map { hit($0.place) }
    }

    private func hit(_ place: Int) -> SearchHit {
        let (row, rank) = (hits[place].row, hits[place].rank)
        let id = ObjectID(Stop.entity, .row(row.id), store: context.stores[store].number)
        return SearchHit(rank: rank, departures: row.departures, name: row.normalizedName, id: id)
    }

    /// The stop that a text is the id or the code of. It stands for itself, not for its station.
    mutating func addIdentified(by text: String) throws {
        let cases = Set([text, text.uppercased(), text.lowercased()]).sorted().map { QueryValue.text($0) }
        for column in ["stop_id", "code"] {
            var sql = SQLFragment(Self.columns + "s.\(column) IN (")
            sql.append(cases, separator: ", ") { sql, value in sql.bind(value) }
            sql.append(")")
            try forEachRow(sql) { hits, row, _ in
                hits.seen.insert(row.id)
                hits.add(row, SearchRank(manner: .identifier, place: .wholeName))
            }
        }
    }

    /// The stops that all of the sources have and that were not found before.
    mutating func add(
        _ sources: [StopSource], _ manner: SearchRank.Manner, place: (FoundRow) -> SearchRank.Place
    ) throws {
        guard !sources.isEmpty else { return }
        var sql = SQLFragment(Self.columns)
        sql.append(sources, separator: " AND ") { sql, source in
            sql.append("s.id IN (")
            source.write(to: &sql)
            sql.append(")")
        }
        try forEachRow(sql) { hits, row, found in
            guard hits.seen.insert(row.id).inserted else { return }
            let rank = SearchRank(manner: manner, place: place(found))
            hits.add(try hits.station(above: row), rank)
        }
    }

    private mutating func add(_ row: Row, _ rank: SearchRank) {
        seen.insert(row.id)
        if let place = places[row.id] {
            if rank < hits[place].rank { hits[place].rank = rank }
            return
        }
        places[row.id] = hits.count
        hits.append(Hit(row: row, rank: rank))
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
        try forEachRow(sql) { hits, row, _ in hits.stations[id] = row }
        return stations[id]
    }

    /// Goes through the stops as the store has them, without those that unsaved changes alter.
    private mutating func forEachRow(
        _ sql: SQLFragment, _ body: (inout HitCollection, Row, FoundRow) throws -> Void
    ) throws {
        let (changes, number) = (context.changes, context.stores[store].number)
        try context.run(sql, store: store) { statement in
            var rows = 0
            while try statement.step() {
                rows += 1
                let id = statement.integer(0)
                if changes.haveChanged(ObjectID(Stop.entity, .row(id), store: number)) { continue }
                let row = Row(
                    id: id, normalizedName: statement.text(1) ?? "",
                    parent: statement.isNull(2) ? nil : statement.integer(2), departures: statement.integer(3))
                try body(&self, row, FoundRow(statement: statement))
            }
            return rows
        }
    }
}
