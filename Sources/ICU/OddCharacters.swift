/// How many characters of a text stand where no name has them: a sign within a word, a dash between small letters, a
/// capital after a small letter, a letter beside one of another script.
///
///     OddCharacters.count(in: "Hôtel de Ville")       // 0
///     OddCharacters.count(in: "H™tel de Ville")       // 1: the bytes of an old Mac, read as windows-1252
///
/// A text that was decoded in a wrong encoding is full of these, whatever its language. So they reveal encodings that
/// ICU has no statistics for: those of DOS, of old Macs, and of Thai.
struct OddCharacters {
    private let scalar: Unicode.Scalar
    private let before: Neighbour
    private let after: Neighbour

    /// Counts only characters beyond ASCII.
    static func count(in text: some BidirectionalCollection<Unicode.Scalar>) -> Int {
        let text = ["\n"] + Array(text) + ["\n"]
        return text.indices.dropFirst().dropLast().count { place in
            !text[place].isASCII
                && OddCharacters(
                    scalar: text[place], before: Neighbour(text[place - 1]), after: Neighbour(text[place + 1])
                ).isOdd
        }
    }

    /// What stands beside a character.
    private struct Neighbour {
        let isCapital: Bool
        let isSmall: Bool
        /// Letters, and marks on letters.
        let isLetter: Bool
        let isLatin: Bool

        init(_ scalar: Unicode.Scalar) {
            let category = scalar.properties.generalCategory
            isCapital = category == .uppercaseLetter
            isSmall = category == .lowercaseLetter
            isLetter = scalar.isLetterOrMark
            isLatin = isLetter && CCharset.isLatin(scalar)
        }
    }

    private var isOdd: Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter: mixesScripts || before.isSmall || before.isLetter && after.isSmall
        case .lowercaseLetter:
            mixesScripts || scalar != "ß" && after.isCapital && (before.isCapital || !before.isLetter)
        case .titlecaseLetter, .otherLetter, .modifierLetter: mixesScripts || before.isSmall && after.isSmall
        case .nonspacingMark, .spacingMark: mixesScripts || !before.isLetter
        // The dashes of windows-1252 are ó and ñ of old Macs.
        case .dashPunctuation: before.isSmall && after.isSmall
        case .spaceSeparator, .format: false
        case .initialPunctuation, .finalPunctuation, .openPunctuation, .closePunctuation, .otherPunctuation:
            !Self.joiners.contains(scalar) && before.isLetter && after.isLetter
        case .control, .unassigned, .privateUse: true
        default:
            scalar == "\u{FFFD}"
                || !Self.joiners.contains(scalar)
                    && (after.isLetter || before.isSmall && !Self.endings.contains(scalar))
        }
    }

    /// What joins words: apostrophes, the accents that are typed for them, the middle dot of Catalan, a bullet.
    private static let joiners = Set("’‘´`ʼ·•".unicodeScalars)
    /// The signs that stand at the end of words.
    private static let endings = Set("®™©°¹²³".unicodeScalars)

    /// Whether the letter stands beside one of another script. Only Latin is told from the others.
    private var mixesScripts: Bool {
        let isLatin = CCharset.isLatin(scalar)
        return before.isLetter && before.isLatin != isLatin || after.isLetter && after.isLatin != isLatin
    }
}

extension Unicode.Scalar {
    var isLetter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    /// Also the vowels and tones of Thai, which are marks on letters.
    var isLetterOrMark: Bool {
        isLetter || [.nonspacingMark, .spacingMark].contains(properties.generalCategory)
    }
}
