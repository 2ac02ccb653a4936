import SearchText

extension String {
    /// The text without case and diacritics: what `[cd]` compares.
    ///
    ///     #Predicate<Stop> { $0.name.folded.starts(with: "U Görli".folded) }
    ///     // t0.normalized_name >= 'u gorli' AND t0.normalized_name < 'u gorlj'
    public var folded: String { SearchText.normalize(self) }
}
