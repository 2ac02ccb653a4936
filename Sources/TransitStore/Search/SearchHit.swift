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
