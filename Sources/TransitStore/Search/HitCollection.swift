import SQLite

/// The hits of one store; a station replaces the stops below it.
struct HitCollection {
    let context: StoreContext
    let store: Int
    private var hits: [Hit] = []
    /// The index in `hits` for each row.
    private var places: [Int64: Int] = [:]
    /// Rows that were found by name already; later searches skip them.
    private var seen = Set<Int64>()
    /// Rows that were found by id or code.
    private var identified = Set<Int64>()
    /// Those of them that have a parent and were not found by name yet.
    private var unnamed = Set<Int64>()
    private var stations: [Int64: Row] = [:]

    var count: Int { hits.count }
    /// Whether a station may still replace a stop that was found by id or code, if another search finds its name.
    var mayReplace: Bool { !unnamed.isEmpty }

    /// The columns of a stop that ranking needs.
    struct Row {
        let id: Int64
        let normalizedName: String
        let parent: Int64?
        let departures: Int64
    }

    /// A row that was found: the current row of the statement.
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
    /// Sorts numbers instead of hits, because hits are ten times their size.
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
        return SearchHit(rank: rank, departures: row.departures, name: row.normalizedName, store: store, id: id)
    }

    /// Adds the stops whose id or code is one of the texts.
    mutating func addIdentified(by texts: [String]) throws {
        for column in ["stop_id", "code"] {
            var sql = SQLFragment(Self.columns + "s.\(column) IN (")
            sql.append(texts, separator: ", ") { sql, text in sql.bind(.text(text)) }
            sql.append(")")
            try forEachRow(sql) { hits, row, _ in
                hits.identified.insert(row.id)
                if row.parent != nil { hits.unnamed.insert(row.id) }
                hits.add(row, SearchRank(manner: .identifier, place: .wholeName))
            }
        }
    }

    /// Adds the stops that are in all of the sources and were not found before.
    ///
    /// An identified stop stands for itself, because a code may be that of one platform. If its name is found too, its
    /// station replaces it: otherwise the results would have both.
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
            hits.unnamed.remove(row.id)
            let station = try hits.station(above: row)
            if hits.identified.contains(row.id) { return hits.replace(row, by: station) }
            hits.add(station, SearchRank(manner: manner, place: place(found)))
        }
    }

    private mutating func replace(_ row: Row, by station: Row) {
        guard station.id != row.id, let place = places.removeValue(forKey: row.id) else { return }
        let rank = hits[place].rank
        hits.swapAt(place, hits.count - 1)
        hits.removeLast()
        if place < hits.count { places[hits[place].row.id] = place }
        add(station, rank)
    }

    private mutating func add(_ row: Row, _ rank: SearchRank) {
        if let place = places[row.id] {
            if rank < hits[place].rank { hits[place].rank = rank }
            return
        }
        places[row.id] = hits.count
        hits.append(Hit(row: row, rank: rank))
    }

    /// The topmost parent of a stop. The stop itself if one of its parents was changed: `withStations` then finds the
    /// station with the unsaved changes.
    private mutating func station(above row: Row) throws -> Row {
        var leadsToChange = false
        let top = try Stop.topmost(of: row) { place in
            guard let parent = place.parent else { return nil }
            leadsToChange = isChanged(parent)
            return leadsToChange ? nil : try stop(parent)
        }
        return leadsToChange ? row : top
    }

    private mutating func stop(_ id: Int64) throws -> Row? {
        if let known = stations[id] { return known }
        var sql = SQLFragment(Self.columns + "s.id = ")
        sql.bind(.integer(id))
        try forEachRow(sql) { hits, row, _ in hits.stations[id] = row }
        return stations[id]
    }

    /// The columns that decide whether and where a stop is found.
    static let searchedColumns = [Stop.Column.stop_id, .code, .name, .parent_station].map(\.rawValue)

    private func isChanged(_ row: Int64) -> Bool {
        let id = ObjectID(Stop.entity, .row(row), store: context.stores[store].number)
        return context.changes.haveChanged(id, in: Self.searchedColumns)
    }

    /// Calls the closure for each stop that the store has, except stops whose id, code, name or parent has unsaved
    /// changes: these are searched in memory.
    private mutating func forEachRow(
        _ sql: SQLFragment, _ body: (inout HitCollection, Row, FoundRow) throws -> Void
    ) throws {
        try context.run(sql, store: store) { statement in
            var rows = 0
            while try statement.step() {
                rows += 1
                let id = statement.integer(0)
                if isChanged(id) { continue }
                let row = Row(
                    id: id, normalizedName: statement.text(1) ?? "",
                    parent: statement.isNull(2) ? nil : statement.integer(2), departures: statement.integer(3))
                try body(&self, row, FoundRow(statement: statement))
            }
            return rows
        }
    }
}
