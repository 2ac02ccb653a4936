/// A way to spell a name in other letters. Normalizing removes any accents that it leaves.
enum Transliteration {
    /// Letter by letter.
    case letters(LatinLetters)
    /// Syllable by syllable: Japanese, and Korean as `hangul`.
    case kana(KanaSpelling)
    case hangul
    /// By ICU's transliteration rules.
    case rules(SpellingRules)

    /// The ways for all scripts in a text. None if it contains Chinese characters.
    static func all(for text: String) -> [Transliteration] {
        var scripts = Set<Script>()
        for scalar in text.unicodeScalars {
            if let script = Script(scalar) { scripts.insert(script) }
        }
        if scripts.contains(.han) { return [] }
        return Script.allCases.filter(scripts.contains).flatMap(\.ways)
    }

    /// Whether the rules of a language have spelled all of a text in Latin letters. Serbian rules, for example, leave
    /// letters that only Russian has.
    static func isLatin(_ text: String) -> Bool { text.unicodeScalars.allSatisfy { $0.value < 0x250 } }

    /// Scripts that are spelled by rules of their own.
    private enum Script: CaseIterable {
        case latin, cyrillic, greek, kana, hangul, han, other

        /// nil for ASCII, punctuation, and anything else that is not a letter.
        init?(_ scalar: Unicode.Scalar) {
            // A separate accent belongs to a Latin letter, or makes no difference.
            let isAccent = (0x300...0x36F).contains(scalar.value)
            guard !scalar.isASCII, scalar.properties.isAlphabetic || isAccent else { return nil }
            switch scalar.value {
            case 0xAA...0x24F, 0x300...0x36F, 0x1E00...0x1EFF: self = .latin
            case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
            case 0x400...0x52F: self = .cyrillic
            case 0x3040...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .kana
            case 0xAC00...0xD7A3: self = .hangul
            case _ where scalar.properties.isIdeographic: self = .han
            default: self = .other
            }
        }

        var ways: [Transliteration] {
            switch self {
            case .latin: [.letters(.two), .letters(.one)]
            case .cyrillic: [.rules(.ukrainian), .rules(.russian), .rules(.bulgarian), .rules(.serbian)]
            case .greek: [.rules(.greekSigns), .rules(.greekLetters)]
            case .kana: [.kana(.letters), .kana(.signs)]
            case .hangul: [.hangul]
            case .han: []
            case .other: [.rules(.anyScript)]
            }
        }
    }
}

/// Replaces Latin letters that people type as other letters. Uses no ICU rules: opening them costs more than importing
/// a small feed.
struct LatinLetters {
    /// The other spelling by lower-case letter.
    private let spellings: [Unicode.Scalar: String]

    /// Two letters for one, as in Goerlitz, Aarhus and Oersted.
    static let two = LatinLetters(["ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"])
    /// One letter for one, as in Orsted; normalizing removes accents.
    static let one = LatinLetters(["ø": "o"])

    /// Letters that are not another letter with an accent.
    private static let others: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "đ": "d", "ł": "l", "ħ": "h", "ŧ": "t", "ı": "i",
        "ŋ": "n", "ſ": "s",
    ]

    private init(_ spellings: [Unicode.Scalar: String]) {
        self.spellings = spellings.merging(Self.others) { own, _ in own }
    }

    /// The text with each of these letters replaced; nil if it has none of them. The text is in lower case and composed
    /// (NFC), so that a letter and its accent are one scalar.
    ///
    /// Looks at scalars, not at characters: of a feed with 12,800 stops, characters took a tenth of all instructions.
    func spell(_ text: String) -> String? {
        guard text.unicodeScalars.contains(where: { spelling(of: $0) != nil }) else { return nil }
        var spelled = ""
        for scalar in text.unicodeScalars {
            if let other = spelling(of: scalar) { spelled += other } else { spelled.unicodeScalars.append(scalar) }
        }
        return spelled
    }

    private func spelling(of scalar: Unicode.Scalar) -> String? { scalar.isASCII ? nil : spellings[scalar] }
}
