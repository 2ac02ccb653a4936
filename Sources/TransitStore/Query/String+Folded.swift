import SearchText

extension String {
    /// The text without case and diacritics: what `[cd]` compares.
    ///
    ///     #Predicate<Stop> { $0.name.folded.starts(with: "U Görli") }
    ///     // t0.normalized_name >= 'u gorli' AND t0.normalized_name < 'u gorlj'
    ///
    /// In a request, a constant beside a folded property is folded too. Swift itself, and so `Predicate.evaluate`, compares
    /// what is written: there the constant needs a `folded` of its own.
    public var folded: String { SearchText.normalize(self) }

    /// The text without diacritics but with its capitals: what `[d]` compares.
    var withoutDiacritics: String {
        reduce(into: "") { result, character in
            if character.isASCII { return result.append(character) }
            let folded = String(character).folded
            guard character.isUppercase else { return result += folded }
            // The capital of ß is written SS, which is another text.
            let capital = folded.uppercased()
            result += capital.folded.hasSameBytes(as: folded) ? capital : String(character)
        }
    }
}
