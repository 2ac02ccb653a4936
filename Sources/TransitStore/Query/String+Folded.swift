import SearchText

extension String {
    /// The text without case and diacritics: what `[cd]` compares.
    ///
    ///     #Predicate<Stop> { $0.name.folded.starts(with: "U Görli".folded) }
    ///     // t0.normalized_name >= 'u gorli' AND t0.normalized_name < 'u gorlj'
    public var folded: String { SearchText.normalize(self) }

    /// The text without diacritics but with its capitals: what `[d]` compares.
    var withoutDiacritics: String {
        reduce(into: "") { result, character in
            let folded = String(character).folded
            result += character.isUppercase ? folded.uppercased() : folded
        }
    }
}
