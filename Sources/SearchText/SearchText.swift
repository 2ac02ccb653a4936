// Searchable text for those who have a string now and then; the importer keeps a NameNormalizer and a WordSplitter.

/// Names as they are stored and searched: the importer and a search use the same functions, so that both agree.
public enum SearchText {
    /// The normalized name as it is stored in `normalized_name`: "Köln Hbf" gives "koln hbf". Costs a few microseconds,
    /// as buffers are made for the one call. Any thread may call it.
    public static func normalize(_ name: String) -> String {
        NameNormalizer().normalize(name)
    }

    /// The different words of the normalized name in order of first appearance, as they are stored in `search_term`.
    ///
    ///     SearchText.words("Gedenkstätte Dt. Widerstand (Berlin)")  // gedenkstatte, dt, widerstand, berlin
    ///
    /// Costs about 10 µs, as the word rules are opened for the one call. Any thread may call it.
    public static func words(_ name: String) -> [String] {
        WordSplitter().words(in: normalize(name), distinct: true)
    }
}
