/// Texts at random, in which everything comes up where characters, code points and bytes are not the same.
enum RandomTexts {
    /// Accents in one code point and in two, line ends of two, flags and families of many, U+0000, and letters whose
    /// other case is longer, depends on the language or on their place in the word.
    static let pieces = [
        "", "Zoo", "zoo n", "u", "U", "é", "e\u{301}", "e", "\u{301}", "É", "Ö", "o\u{308}", "\u{212B}", "Å", "\r\n",
        "\r", "\n", "👨‍👩‍👧", "👨", "\u{200D}", "🇩🇪", "\u{1F1E9}", "a\u{0}b", "\u{0}", "ß", "ẞ", "ss", "SS", "ı", "İ",
        "i", "I", "ς", "σ", "Σ", "ΟΔΟΣ", "οδος", "한", "\u{1112}\u{1161}\u{11AB}", "ﬁ", "ǅ", "\u{E000}", "\u{FFFD}",
        "\u{10FFFF}", "\u{D7FF}", "%", "_", "'",
    ]
    /// What patterns of LIKE hold besides.
    private static let wildcards = ["*", "?", "\\", "\\*", "\\?", "?\u{301}", "*\u{301}"]
    /// Regular expressions that stay such when letters lose their case and accents.
    private static let expressions = [".*", ".", "(é|ö)", "[^é]*", "(zoo|ss)?", "\\x{e9}", "e.?", "(.)\\1", ""]

    static func text(_ generator: inout SplitMix) -> String { joined(pieces, &generator) }
    static func wildcardPattern(_ generator: inout SplitMix) -> String {
        joined(pieces + wildcards + wildcards, &generator)
    }
    static func regularExpression(_ generator: inout SplitMix) -> String { joined(expressions, &generator) }

    private static func joined(_ pieces: [String], _ generator: inout SplitMix) -> String {
        (0..<Int.random(in: 0...3, using: &generator))
            .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }
}
