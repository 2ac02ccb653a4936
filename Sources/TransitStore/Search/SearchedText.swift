import SearchText
import SystemFiles

/// A search text, split into words with their other spellings.
struct SearchedText {
    /// A word, and the beginnings of words that it may match.
    struct Word {
        /// As it is written, normalized.
        let written: String
        /// In other spellings: "goerlitz" for "Görlitz".
        let otherSpellings: [String]

        var beginnings: [String] { [written] + otherSpellings }
    }

    /// As it was typed, without blanks at both ends.
    let typed: String
    let normalized: String
    /// The longest words first, because they find the fewest stops.
    let words: [String]
    /// The words with their other spellings, also split at full stops and apostrophes.
    let parts: [Word]
    /// The runs of Thai, Japanese and similar letters as they are, and the words of the rest; empty without such a run.
    let unbroken: [String]
    /// The whole text, normalized, in all spellings.
    private let wholes: [String]

    init(_ text: String) {
        typed = text.trimmingWhitespace
        normalized = SearchText.normalize(typed)
        let spellings = NameSpellings()
        var parts: [Word] = []
        for part in typed.split(whereSeparator: \.isWhitespace).flatMap({ WordParts.parts(of: String($0)) }) {
            let written = SearchText.words(part)
            let asTyped = written.count == 1 ? [ExactText(written[0]): part] : Self.typedWords(of: part)
            parts += written.map { word in
                Word(written: word, otherSpellings: asTyped[ExactText(word)].map(spellings.words) ?? [])
            }
        }
        words = Self.longestFirst(SearchText.words(typed), \.self)
        self.parts = Self.longestFirst(parts, \.written)
        let unbroken = UnbrokenText(normalized)
        self.unbroken =
            unbroken.runs.isEmpty
            ? [] : Self.longestFirst(unbroken.runs + SearchText.words(unbroken.rest), \.self)
        wholes = [normalized] + spellings.names(of: typed)
    }

    /// The words of a text as they are typed, by how they are written in names: Straße and Süd of "Straße-Süd" by
    /// straße and sud. Words that are split otherwise than in the normalized text have no other spellings.
    private static func typedWords(of part: String) -> [ExactText: String] {
        guard part.utf8.contains(where: { $0 >= 0x80 }) else { return [:] }
        var typed: [ExactText: String] = [:]
        for word in WordSplitter().words(in: part, distinct: true) {
            let written = SearchText.words(word)
            if written.count == 1, typed[ExactText(written[0])] == nil { typed[ExactText(written[0])] = word }
        }
        return typed
    }

    /// The forms of the text that are compared with ids and codes, in order.
    var identifiers: [String] { [typed, typed.uppercased(), typed.lowercased()].eachOnceInOrder }

    /// Whether the text is the id or the code of a stop.
    func identifies(_ stop: Stop) -> Bool {
        identifiers.contains { $0.hasSameBytes(as: stop.stopID) || $0.hasSameBytes(as: stop.code ?? "") }
    }

    /// Each word once, the longest first.
    private static func longestFirst<Element>(_ words: [Element], _ text: (Element) -> String) -> [Element] {
        var known = Set<ExactText>()
        return words.filter { known.insert(ExactText(text($0))).inserted }.sorted {
            let (one, other) = (text($0).utf8, text($1).utf8)
            return one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count > other.count
        }
    }

    /// Which part of a normalized name the text matches, as it is written.
    func place(inNormalized name: String) -> SearchRank.Place {
        if name.hasSameBytes(as: normalized) { return .wholeName }
        return PrefixRange.contains(name, foldedPrefix: normalized) ? .beginning : .words
    }

    /// Which part of a name the text matches, in any spelling of both.
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

    /// The rank of a new or changed stop; nil if neither its id, its code nor its name matches.
    func rank(of stop: Stop) -> SearchRank? {
        guard !typed.isEmpty else { return nil }
        return identifies(stop) ? SearchRank(manner: .identifier, place: .wholeName) : rank(ofName: stop.name)
    }

    /// The rank of the name of a new or changed stop; nil if the name does not match.
    func rank(ofName name: String) -> SearchRank? {
        let normalized = SearchText.normalize(name)
        let names = SearchText.words(name)
        func fit(_ words: [String], _ names: [String]) -> Bool {
            words.allSatisfy { word in names.contains { PrefixRange.contains($0, foldedPrefix: word) } }
        }
        guard !words.isEmpty else { return nil }
        let place = place(inNormalized: normalized)
        let isWritten =
            fit(words, names) || !unbroken.isEmpty && fit(unbroken, names + UnbrokenText(normalized).runs)
        guard isWritten || !parts.isEmpty && fit(parts.map(\.written), names + names.flatMap(WordParts.parts)) else {
            return nil
        }
        return SearchRank(manner: isWritten ? .name : .otherSpelling, place: place)
    }
}
