import SearchText

extension Condition where Entity == Stop {
    /// Stops whose whole name begins with a text, whatever its case and diacritics.
    ///
    ///     FetchRequest<Stop>(where: .name(beginsWith: "u gorli"))     // U Görlitzer Bahnhof (Berlin)
    ///     // WHERE t0.normalized_name >= 'u gorli' AND t0.normalized_name < 'u gorlj'
    ///
    /// Searches a range of the index on normalized_name, so the cost depends only on the number of matches.
    public static func name(beginsWith text: String) -> Condition {
        Condition(.text(.beginsWith, .folded, .property(.root, ["name"]), .value(.text(text))))
    }

    /// Stops where each word of a text is the beginning of some word of the name.
    ///
    ///     FetchRequest<Stop>(where: .name(hasWords: "bahn gorl"))
    ///     // WHERE t0.id IN (SELECT stop FROM search_term WHERE normalized_word >= 'bahn' AND …) AND t0.id IN (…)
    ///
    /// Searches a range of search_term's primary key for each word, so the cost depends on the number of matches of
    /// each word. A text without words finds nothing.
    public static func name(hasWords text: String) -> Condition {
        Condition(.words(text, of: .root, []))
    }

    /// Stops that are among these.
    package static func isOne(of stops: [Stop]) -> Condition {
        Condition(.membership(.property(.root, ["id"]), stops.map { .integer(Int64($0.id)) }))
    }
}

extension QueryExpression {
    /// Whether each word of a text is the beginning of some word of a stop's name; false for a text without words.
    static func words(_ text: String, of row: QueryVariable, _ path: PropertyPath) -> QueryExpression {
        let words = Set(SearchText.words(text)).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
        return words.isEmpty ? .never : .all(words.map { .searchTerm(row, path, prefix: $0) })
    }
}
