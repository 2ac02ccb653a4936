import SearchText

/// A text that somebody looks for, as words and their other spellings.
struct SearchedText {
    /// A word, and the beginnings that it may stand for.
    struct Word {
        /// As it is written, normalized.
        let written: String
        /// In other spellings: "goerlitz" for "Görlitz".
        let otherSpellings: [String]

        var beginnings: [String] { [written] + otherSpellings }
    }

    /// As it was typed, without blanks around it.
    let typed: String
    let normalized: String
    /// Those with the most letters first, as they find the fewest stops.
    let words: [Word]
    /// The whole text, normalized, in all spellings.
    private let wholes: [String]

    init(_ text: String) {
        typed = text.trimmed
        normalized = SearchText.normalize(typed)
        let spellings = NameSpellings()
        var words: [Word] = []
        for part in typed.split(whereSeparator: \.isWhitespace) {
            let written = SearchText.words(String(part))
            let others = written.count == 1 ? spellings.words(of: String(part)) : []
            words += written.map { Word(written: $0, otherSpellings: others) }
        }
        var known = Set<String>()
        self.words = words.filter { known.insert($0.written).inserted }
            .sorted { ($1.written.utf8.count, $0.written) < ($0.written.utf8.count, $1.written) }
        wholes = [normalized] + spellings.names(of: typed)
    }

    /// What of a normalized name the text is, as it is written.
    func place(inNormalized name: String) -> SearchRank.Place {
        if name.hasSameBytes(as: normalized) { return .wholeName }
        return PrefixRange.contains(name, foldedPrefix: normalized) ? .beginning : .words
    }

    /// What of a name the text is, if both may be spelled otherwise.
    func place(inSpellingsOf name: String, _ spellings: NameSpellings) -> SearchRank.Place {
        let names = [SearchText.normalize(name)] + spellings.names(of: name)
        var best = SearchRank.Place.words
        for name in names {
            for whole in wholes where PrefixRange.contains(name, foldedPrefix: whole) {
                if name.hasSameBytes(as: whole) { return .wholeName }
                best = .beginning
            }
        }
        return best
    }

    /// How well a name fits that is not in the store; nil where it does not.
    func rank(ofName name: String) -> SearchRank? {
        let names = SearchText.words(name)
        let fits = words.allSatisfy { word in
            names.contains { PrefixRange.contains($0, foldedPrefix: word.written) }
        }
        guard fits, !words.isEmpty else { return nil }
        return SearchRank(manner: .name, place: place(inNormalized: SearchText.normalize(name)))
    }
}

extension String {
    /// The text without blanks at both ends.
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
