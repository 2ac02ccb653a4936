import SQLite
import SearchText

/// Search for stops by text as people type it: half a word, an umlaut as two letters, a wrong letter.
extension StoreContext {
    /// The stops whose names match a text, the best match first.
    ///
    ///     try context.searchStops("gorli")                // Görlitzer Bahnhof, before those that fewer trams serve
    ///     try context.searchStops("Goerlitzer bhf")       // the same: umlauts, ß and other scripts in Latin letters
    ///     try context.searchStops("Görlizter")            // the same: two letters are swapped
    ///
    /// Every word of the text must be the beginning of a word of the name, in any language in which the feed gives the
    /// name. In a script without blanks between words, such as Thai, it may also be the beginning of letters that stand
    /// together in the name.
    /// Stops whose code or id is the text come first. Next come names that match as written, then names that match in
    /// another spelling or after a full stop or an apostrophe (Hospitalet in L'Hospitalet). Names that match after one
    /// letter is corrected come last: one wrong, missing, extra or swapped letter in each word of five or more letters,
    /// or one missing in a word of four. Within each group, matches of the whole name come first, then of its
    /// beginning, then of other words. Ties are ordered by more departures (`stop_departures`), then by name, then by
    /// store and id.
    ///
    /// A station stands for all stops below it, so it appears once. If the text is the code or id of a stop and does
    /// not match its name, the result is that stop itself. Unsaved changes are included; a new stop, and one whose id,
    /// code, name or parent was changed, is found by its id, its code and its own name, not by other spellings or
    /// corrected letters.
    ///
    /// The cost is some microseconds for each stop that the words find. Wrong letters are corrected only if fewer than
    /// `limit` stops were found otherwise, or if the text is the id or code of a platform whose name does not match it.
    /// This costs at most 20,000 index lookups (some milliseconds). Throws `StoreError`: `tooComplex` for a text of
    /// more than 64 different words; `corrupt`, `readFailed` or `timedOut` if a store cannot be read.
    ///
    /// A limit below 1 finds all.
    public func searchStops(_ text: String, limit: Int = 20) throws(StoreError) -> [Stop] {
        try StoreError.only { try evaluating { try stops(named: text, limit: limit) } }
    }

    private func stops(named text: String, limit: Int) throws -> [Stop] {
        let search = SearchedText(text)
        let isChanged = changes.concern(Stop.entity.table)
        var hits: [SearchHit] = []
        for position in stores.indices {
            // Changes may put several hits below one station.
            hits += try search.hits(in: self, store: position, limit: isChanged ? 0 : limit)
        }
        if isChanged {
            let departures = try movedDepartures()
            hits = try withStations(hits + changedHits(search, departures), search, departures)
        }
        let best = limit > 0 ? hits.sorted().prefix(limit) : hits.sorted()[...]
        return best.map { object(with: $0.id) }.compactMap { $0 as? Stop }
    }

    /// The hits among new stops, and among stops whose id, code, name or parent was changed.
    private func changedHits(_ search: SearchedText, _ departures: MovedDepartures) throws -> [SearchHit] {
        try changes.stopNames(in: self).stops(mayMatch: search).compactMap { id in
            guard let stop = object(with: id) as? Stop, let rank = search.rank(of: stop) else { return nil }
            let name = SearchText.normalize(stop.name)
            return SearchHit(
                rank: rank, departures: try departures.stored(id), name: name, store: storeRank(of: id), id: id)
        }
    }

    /// The hits with each stop replaced by its station, as unsaved changes have it.
    private func withStations(
        _ hits: [SearchHit], _ search: SearchedText, _ departures: MovedDepartures
    ) throws -> [SearchHit] {
        var best: [ObjectID: SearchHit] = [:]
        for hit in hits {
            var (id, name, count) = (hit.id, hit.name, hit.departures)
            if let stop = object(with: id) as? Stop, stop.topmost != stop,
                hit.rank.manner != .identifier || search.rank(ofName: stop.name) != nil
            {
                (id, name) = (stop.topmost.objectID, stop.topmost.normalizedName)
                count = best[id] == nil ? try departures.stored(id) : 0
            }
            let known = best[id]
            best[id] = SearchHit(
                rank: min(known?.rank ?? hit.rank, hit.rank),
                departures: known?.departures ?? count &+ departures.shift(of: id), name: name,
                store: storeRank(of: id), id: id)
        }
        return Array(best.values)
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

    /// SQLite joins at most 500 SELECTs, and a word may be one letter off from any number of others.
    private static let mostSelects = 16

    /// `SELECT stop FROM search_term WHERE …`, one for each table and beginning; one for each table if there are many
    /// beginnings.
    func write(to sql: inout SQLFragment) {
        sql.append(tables, separator: " UNION ALL ") { sql, table in
            guard beginnings.count <= Self.mostSelects else { return writeList(of: table, to: &sql) }
            sql.append(beginnings, separator: " UNION ALL ") { sql, beginning in
                sql.append("SELECT stop FROM \(table.rawValue) WHERE normalized_word >= ")
                sql.bind(.text(PrefixRange.start(of: beginning, .folded)))
                guard let end = PrefixRange.end(of: beginning, .folded) else { return }
                sql.append(" AND normalized_word < ")
                sql.bind(.text(end))
            }
        }
    }

    /// Binds the ranges of all beginnings as one list.
    private func writeList(of table: Table, to sql: inout SQLFragment) {
        let ranges = beginnings.map { beginning -> [QueryValue] in
            [
                .text(PrefixRange.start(of: beginning, .folded)),
                PrefixRange.end(of: beginning, .folded).map { .text($0) } ?? .null,
            ]
        }
        let json = JSONValues(ranges.joined())
        func edge(_ place: Int) -> String { json.sql("json_extract(value, '$[\(place)]')") }
        sql.append("SELECT stop FROM json_each(")
        sql.bind(.text("[" + ranges.map(json.list).joined(separator: ",") + "]"))
        // A blob comes after all texts.
        sql.append(
            ") CROSS JOIN \(table.rawValue) WHERE normalized_word >= \(edge(0)) "
                + "AND normalized_word < coalesce(\(edge(1)), x'')")
    }
}
