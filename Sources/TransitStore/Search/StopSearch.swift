import SearchText

/// Stops as people look for them: half a word, an umlaut as two letters, a letter that is wrong.
extension StoreContext {
    /// The stops whose names a text may mean, the best first.
    ///
    ///     try context.searchStops("gorli")                // Görlitzer Bahnhof, before those that fewer trams serve
    ///     try context.searchStops("Goerlitzer bhf")       // the same: umlauts, ß and other scripts in Latin letters
    ///     try context.searchStops("Görlizter")            // the same: two letters are swapped
    ///
    /// Every word of the text must be the beginning of a word of the name, in any of the languages that the feed has it
    /// in. First comes the stop whose code or id the text is. Then come names as they are written, then those that the
    /// words find by another spelling or behind a full stop or an apostrophe (Hospitalet in L'Hospitalet), last those
    /// that they find after one letter was put right: one wrong, missing, doubled or swapped letter in each word of
    /// five letters and more. Among each of these the whole name comes first, then the beginning of the name, then the
    /// beginnings of other words; among equals the stop with more departures (`stop_departures`), then the name, then
    /// the id.
    ///
    /// A station stands for all stops below it, so that it comes once. Unsaved changes take part; a changed or new stop
    /// is found by its own name as it is written.
    ///
    /// Costs what the words find: some microseconds a stop. Wrong letters are looked for only where fewer than `limit`
    /// were found without, and cost at most 20,000 looks into an index (some milliseconds). Throws `StoreError` if a
    /// store cannot be read, and `tooComplex` for a text of more than 64 words.
    public func searchStops(_ text: String, limit: Int = 20) throws(StoreError) -> [Stop] {
        try StoreError.only { try stops(named: text, limit: limit) }
    }

    private func stops(named text: String, limit: Int) throws -> [Stop] {
        let search = SearchedText(text)
        var hits: [SearchHit] = []
        for position in stores.indices { hits += try search.hits(in: self, store: position, limit: limit) }
        hits += try changedHits(search)
        let best = limit > 0 ? hits.sorted().prefix(limit) : hits.sorted()[...]
        return best.map { object(with: $0.id) }.compactMap { $0 as? Stop }
    }

    /// New stops, and those that were changed.
    private func changedHits(_ search: SearchedText) throws -> [SearchHit] {
        guard !changes.isEmpty else { return [] }
        let ids = Set(Array(changes.inserted.keys) + changes.updated.keys).subtracting(changes.deleted.keys)
        return ids.filter { $0.entity.table == Stop.entity.table }.compactMap { id in
            guard let stop = object(with: id) as? Stop, let rank = search.rank(ofName: stop.name) else { return nil }
            let name = SearchText.normalize(stop.name)
            return SearchHit(rank: rank, departures: 0, name: name, id: id)
        }
    }
}

/// How well a stop fits a searched text; less is better.
struct SearchRank: Comparable {
    /// By what a stop was found.
    enum Manner: Int { case identifier, name, otherSpelling, rightedLetters }
    /// What of the name the text is.
    enum Place: Int { case wholeName, beginning, words }

    var manner: Manner
    var place: Place

    var number: Int { manner.rawValue * 3 + place.rawValue }

    static func < (one: SearchRank, other: SearchRank) -> Bool { one.number < other.number }
}

/// A stop that a search found.
struct SearchHit: Comparable {
    var rank: SearchRank
    let departures: Int64
    /// The normalized name.
    let name: String
    let id: ObjectID

    static func < (one: SearchHit, other: SearchHit) -> Bool {
        if one.rank != other.rank { return one.rank < other.rank }
        if one.departures != other.departures { return one.departures > other.departures }
        // Names by their bytes, as SQLite orders them.
        if !one.name.hasSameBytes(as: other.name) { return one.name.utf8.lexicographicallyPrecedes(other.name.utf8) }
        return one.id.isOrderedBefore(other.id)
    }
}
