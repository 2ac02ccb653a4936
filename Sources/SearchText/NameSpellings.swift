import ICU

/// How else people may type the words of a name: umlauts as two letters, letters that no accent makes, other scripts in
/// Latin letters.
///
///     NameSpellings().words(of: "Görlitzer Straße")      // goerlitzer, strasse
///     NameSpellings().words(of: "Київ")                  // kyiv, kiiv
///
/// The words are normalized, and none of them is a word of the normalized name itself. A name in ASCII has none and
/// costs a look at its bytes; another costs 2 to 20 µs, and up to 2 ms once for each script. Chinese characters have no
/// other spelling: their sound depends on the language. Not for two threads at once.
public final class NameSpellings {
    private let normalizer = NameNormalizer()
    private let splitter = WordSplitter()
    private var transforms: [String: Transform?] = [:]
    /// Spellings by the part of a name, as names share most of their words.
    private var known: [String: [String]] = [:]

    private static let mostKnown = 1 << 14
    /// A longer part of a name without a space is no word that somebody types.
    private static let longestPart = 256

    /// Compiles nothing yet.
    public init() {}

    /// Each further spelling once, in the order of the name's words.
    public func words(of name: String) -> [String] {
        guard !Self.isASCII(name) else { return [] }
        var own: Set<String>?
        var words: [String] = []
        for part in name.split(whereSeparator: \.isWhitespace) where !Self.isASCII(part) {
            for word in spellings(of: String(part)) where !words.contains(word) {
                let ownWords = own ?? Set(splitter.words(in: normalizer.normalize(name)))
                own = ownWords
                if !ownWords.contains(word) { words.append(word) }
            }
        }
        return words
    }

    /// The whole name in its other spellings, normalized.
    ///
    ///     NameSpellings().names(of: "Düsseldorf Hbf")     // duesseldorf hbf, dusseldorf hbf
    public func names(of name: String) -> [String] {
        guard !Self.isASCII(name), name.utf8.count <= Self.longestPart else { return [] }
        var names: [String] = []
        for rules in SpellingRules.all(for: name) {
            guard let spelled = transform(rules)?.apply(name) else { continue }
            let normalized = normalizer.normalize(spelled)
            if !names.contains(normalized), SpellingRules.isLatin(normalized) { names.append(normalized) }
        }
        return names
    }

    private static func isASCII(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    private func spellings(of part: String) -> [String] {
        if let words = known[part] { return words }
        if known.count >= Self.mostKnown { known.removeAll() }
        let words = newSpellings(of: part)
        known[part] = words
        return words
    }

    private func newSpellings(of part: String) -> [String] {
        guard part.utf8.count <= Self.longestPart else { return [] }
        var words: [String] = []
        for rules in SpellingRules.all(for: part) {
            guard let spelled = transform(rules)?.apply(part) else { continue }
            for word in splitter.words(in: normalizer.normalize(spelled))
            where !words.contains(word) && SpellingRules.isLatin(word) { words.append(word) }
        }
        return words
    }

    private func transform(_ rules: String) -> Transform? {
        if let known = transforms[rules] { return known }
        let transform = Transform(rules: rules)
        transforms[rules] = transform
        return transform
    }
}

/// Rules of ICU by script; what they leave of accents, normalizing takes away.
enum SpellingRules {
    /// The rules for the scripts that a text has letters of.
    static func all(for text: String) -> [String] {
        var scripts = Set<Script>()
        for scalar in text.unicodeScalars {
            if let script = Script(scalar) { scripts.insert(script) }
        }
        if scripts.contains(.han) { return [] }
        return Script.allCases.filter(scripts.contains).flatMap(\.rules)
    }

    /// Whether rules of one language have spelled all of a text: those of Serbian leave letters that only Russian has.
    static func isLatin(_ text: String) -> Bool { text.unicodeScalars.allSatisfy { $0.value < 0x250 } }

    /// Scripts that are spelled by rules of their own.
    enum Script: CaseIterable {
        case latin, cyrillic, greek, kana, han, other

        /// nil for ASCII, punctuation, and whatever is no letter.
        init?(_ scalar: Unicode.Scalar) {
            // An accent of its own stands on a Latin letter, or makes no difference.
            let isAccent = (0x300...0x36F).contains(scalar.value)
            guard !scalar.isASCII, scalar.properties.isAlphabetic || isAccent else { return nil }
            switch scalar.value {
            case 0xAA...0x24F, 0x300...0x36F, 0x1E00...0x1EFF: self = .latin
            case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
            case 0x400...0x52F: self = .cyrillic
            case 0x3040...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .kana
            case _ where scalar.properties.isIdeographic: self = .han
            default: self = .other
            }
        }

        var rules: [String] {
            switch self {
            case .latin: [SpellingRules.twoLetters, SpellingRules.oneLetter]
            case .cyrillic:
                [SpellingRules.ukrainian]
                    + ["Russian-Latin/BGN", "Bulgarian-Latin/BGN", "Serbian-Latin/BGN"].map(SpellingRules.named)
            case .greek: ["Greek-Latin/UNGEGN", "Greek-Latin"].map(SpellingRules.named)
            case .kana:
                [SpellingRules.named("Any-Latin"), SpellingRules.named("Any-Latin") + SpellingRules.shortVowels]
            case .han: []
            case .other: [SpellingRules.named("Any-Latin")]
            }
        }
    }

    /// One of ICU's own, without the signs by which it keeps soft and hard signs, glottal stops and aspiration apart.
    private static func named(_ name: String) -> String { ":: \(name); :: NFD; :: [:Mn:] Remove; :: Lower; " + noSigns }

    private static let noSigns = "[ʹʺʻʼʽʾʿ‘’\\u0027] > ; "

    /// Two letters for one, as in Goerlitz, Aarhus and Oersted.
    private static let twoLetters = ":: NFC; :: Lower; ä > ae; ö > oe; ü > ue; å > aa; ø > oe; " + letters

    /// One letter for one, as in Orsted; accents go by normalizing.
    private static let oneLetter = ":: NFC; :: Lower; ø > o; " + letters

    /// Letters that are no other letter with an accent.
    private static let letters =
        "ß > ss; æ > ae; œ > oe; þ > th; ð > d; đ > d; ł > l; ħ > h; ŧ > t; ı > i; ŋ > n; ſ > s; ə > e;"

    /// Long vowels as on Japanese signs: Tokyo for toukyou, and Shimbashi for shinbashi.
    private static let shortVowels = "ou > o; oo > o; uu > u; n } [bmp] > m;"

    /// The table that Ukraine decreed for passports and signs (Cabinet of Ministers, resolution 55 of 2010).
    private static let ukrainian = """
        :: NFC; :: Lower; $edge = [[:^L:]$]; \
        $edge { є > ye; $edge { ї > yi; $edge { й > y; $edge { ю > yu; $edge { я > ya; зг > zgh; щ > shch; \
        а > a; б > b; в > v; г > h; ґ > g; д > d; е > e; є > ie; ж > zh; з > z; и > y; і > i; ї > i; й > i; к > k; \
        л > l; м > m; н > n; о > o; п > p; р > r; с > s; т > t; у > u; ф > f; х > kh; ц > ts; ч > ch; ш > sh; \
        ю > iu; я > ia; ь > ; ъ > ; \(noSigns):: Russian-Latin/BGN;
        """
}
