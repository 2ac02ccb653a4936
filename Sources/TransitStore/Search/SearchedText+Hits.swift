import SQLite
import SearchText

extension SearchedText {
    /// No name has more words; SQLite takes a few hundred.
    private static let mostWords = 64

    /// The best hits in one of the context's stores, in order. Tries the next manner of search only if there are too
    /// few hits, or if it may replace a hit by its station.
    ///
    /// A limit of 0 asks for all.
    func hits(in context: StoreContext, store: Int, limit: Int) throws -> [SearchHit] {
        guard !typed.isEmpty else { return [] }
        // Words that are joined by full stops may have fewer different parts: a.a, a.b, b.a and b.b. So may runs of
        // letters that a dictionary cuts.
        let count = max(words.count, parts.count, unbroken.count)
        guard count <= Self.mostWords else {
            throw StoreError(
                .tooComplex, "The text has \(count) different words; stops are searched by \(Self.mostWords) at most")
        }
        var collection = HitCollection(context: context, store: store)
        try collection.addIdentified(by: identifiers)
        guard !words.isEmpty else { return collection.best(limit) }
        let own = words.map { StopSource(beginnings: [$0], tables: [.name]) }
        try collection.add(own, .name) { place(inNormalized: $0.normalizedName) }
        let unbroken = unbroken.map { StopSource(beginnings: [$0], tables: StopSource.Table.allCases) }
        try collection.add(unbroken, .name) { place(inNormalized: $0.normalizedName) }
        func isEnough() -> Bool { limit > 0 && collection.count >= limit && !collection.mayReplace }
        if isEnough() { return collection.best(limit) }
        let spelled = parts.map { StopSource(beginnings: $0.beginnings, tables: StopSource.Table.allCases) }
        let spellings = NameSpellings()
        try collection.add(spelled, .otherSpelling) { place(inSpellingsOf: $0.name, spellings) }
        if isEnough() { return collection.best(limit) }
        try collection.add(try correctedSources(context, store), .correctedLetters) { _ in .words }
        return collection.best(limit)
    }

    /// The sources for each word with one letter corrected; empty if no correction was found.
    private func correctedSources(_ context: StoreContext, _ store: Int) throws -> [StopSource] {
        var hasCorrections = false
        let sources = try parts.map { word in
            var corrected: [String] = []
            for table in StopSource.Table.allCases {
                let vocabulary = Vocabulary(
                    context: context, store: store, table: table, mostLooks: Vocabulary.mostLooks / parts.count)
                corrected += try vocabulary.beginnings(nearTo: word.beginnings)
            }
            hasCorrections = hasCorrections || !corrected.isEmpty
            let beginnings = (word.beginnings + corrected).eachOnceInOrder
            return StopSource(beginnings: beginnings, tables: StopSource.Table.allCases)
        }
        return hasCorrections ? sources : []
    }
}

/// How well a stop fits a searched text; less is better.
struct SearchRank: Comparable {
    /// How a stop was found.
    enum Manner: Int { case identifier, name, otherSpelling, correctedLetters }
    /// Which part of the name the text matches.
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
    /// The position of the stop's store among the context's.
    let store: Int
    let id: ObjectID

    static func < (one: SearchHit, other: SearchHit) -> Bool {
        if one.rank != other.rank { return one.rank < other.rank }
        if one.departures != other.departures { return one.departures > other.departures }
        // Names by their bytes, as SQLite orders them.
        if !one.name.hasSameBytes(as: other.name) { return one.name.utf8.lexicographicallyPrecedes(other.name.utf8) }
        if one.store != other.store { return one.store < other.store }
        return one.id.isOrderedBefore(other.id)
    }
}
