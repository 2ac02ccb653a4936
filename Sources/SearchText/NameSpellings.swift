import ICU

/// Other ways to type the words of a name: umlauts as two letters, replacements for special letters such as ß, plain
/// characters for wide and joined ones, other scripts in Latin letters.
///
///     NameSpellings().words(of: "Görlitzer Straße")      // goerlitzer, strasse
///     NameSpellings().words(of: "ＪＲ高岡駅")            // jr
///     NameSpellings().words(of: "Київ")                  // kyiv
///
/// The words are normalized. The parts of a name end at spaces, and each part is spelled by itself. A spelling that
/// equals a word of its own part is left out, but not one that equals a word of another part: "Grosse Große" gives
/// grosse. A name in ASCII has no other spelling and costs only one look at its bytes; any
/// other name costs 2 to 20 µs. The first name in Cyrillic takes 0.8 ms, the first in any other script but Latin, kana
/// and Hangul 10 to 20 ms. Chinese characters have no other spelling: their sound depends on the language. Not for two
/// threads at once.
package final class NameSpellings {
    private let normalizer = NameNormalizer()
    private let splitter = WordSplitter()
    private var transforms: [SpellingRules: Transform?] = [:]
    /// Spellings of parts of names, kept because names share most of their words. Keyed by bytes: a key of type String
    /// would also match a part in another Unicode normalization, which may have other spellings.
    private var known: [[UInt8]: [String]] = [:]

    private static let mostKnown = 1 << 14
    private static let mostCompared = 16
    /// In bytes. Nobody types a longer word.
    private static let longestPart = 256

    /// Compiles nothing yet.
    package init() {}

    /// Each other spelling once, in the order of the name's words; none for a word of more than 256 bytes.
    package func words(of name: String) -> [String] {
        guard !Self.isASCII(name) else { return [] }
        var words: [String] = []
        var many: Set<String> = []
        for part in name.utf8.split(separator: UInt8(ascii: " ")) where part.contains(where: { $0 >= 0x80 }) {
            for word in spellings(of: Array(part)) where Self.isNew(word, among: words, &many) { words.append(word) }
        }
        return words
    }

    /// Whether the word is new. A few words are compared one by one; more go into a set, because a hostile name may
    /// have a hundred thousand.
    private static func isNew(_ word: String, among few: [String], _ many: inout Set<String>) -> Bool {
        if few.count < mostCompared { return !few.contains(word) }
        if many.isEmpty { many = Set(few) }
        return many.insert(word).inserted
    }

    /// The whole name in its other spellings, normalized; none for a name of more than 256 bytes.
    ///
    ///     NameSpellings().names(of: "Düsseldorf Hbf")     // duesseldorf hbf
    ///
    /// The normalized name itself may be among them.
    package func names(of name: String) -> [String] {
        guard !Self.isASCII(name), name.utf8.count <= Self.longestPart else { return [] }
        var names: [String] = []
        let plain = normalizer.compatible(name) ?? name
        if !plain.utf8.elementsEqual(name.utf8) { names.append(normalizer.normalize(plain)) }
        for way in Transliteration.all(for: plain) {
            guard let spelled = spell(plain, way) else { continue }
            let normalized = normalizer.normalize(spelled)
            if !names.contains(normalized), Transliteration.isLatin(normalized) { names.append(normalized) }
        }
        return names
    }

    private static func isASCII(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    private func spellings(of part: [UInt8]) -> [String] {
        guard part.count <= Self.longestPart else { return [] }
        if let words = known[part] { return words }
        if known.count >= Self.mostKnown { known.removeAll() }
        let words = newSpellings(of: String(decoding: part, as: UTF8.self))
        known[part] = words
        return words
    }

    private func newSpellings(of part: String) -> [String] {
        let own = splitter.words(in: normalizer.normalize(part))
        let plain = normalizer.compatible(part) ?? part
        var words =
            plain.utf8.elementsEqual(part.utf8)
            ? [] : splitter.words(in: normalizer.normalize(plain)).filter { !own.contains($0) }
        for way in Transliteration.all(for: plain) {
            guard let spelled = spell(plain, way) else { continue }
            for word in splitter.words(in: normalizer.normalize(spelled))
            where !own.contains(word) && !words.contains(word) && Transliteration.isLatin(word) { words.append(word) }
        }
        return words
    }

    private func spell(_ text: String, _ way: Transliteration) -> String? {
        switch way {
        case .letters(let letters): normalizer.composedLowercase(text).flatMap(letters.spell)
        case .hangul: normalizer.composedLowercase(text).map(HangulSpelling.spell)
        case .kana(let spelling): normalizer.composedLowercase(text).map(spelling.spell)
        case .rules(let rules):
            rules.needLowercase
                ? normalizer.composedLowercase(text).flatMap { transform(rules)?.apply($0) }
                : transform(rules)?.apply(text)
        }
    }

    private func transform(_ rules: SpellingRules) -> Transform? {
        if let known = transforms[rules] { return known }
        let transform = Transform(rules: rules.text)
        transforms[rules] = transform
        return transform
    }
}
