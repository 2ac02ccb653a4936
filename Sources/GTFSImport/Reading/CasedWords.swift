// Unsafe only where the bytes of a cell are lent.

/// Finds texts in which no word has both capitals and small letters: probably not how riders should read them.
///
///     CasedWords.lackMixedCase(bytes of "MAIN STREET")    // true
///     CasedWords.lackMixedCase(bytes of "HAUPTBAHNHOF")   // false: a single word in capitals may be an abbreviation
///     CasedWords.lackMixedCase(bytes of "street")         // true
///
/// A word is a run of letters of any alphabet. Whether words have mixed case is not asked of words of one letter, or
/// without case as in Chinese; they only count as words.
///
/// This is the rule of MixedCaseValidator in the GTFS validator, with two differences. The validator takes a digit at
/// the beginning of a text for an empty word, so it notes "10ST"; and it notes texts of two words without case.
struct CasedWords {
    private var (letters, capitals, smallLetters) = (0, 0, 0)
    /// All words, and those of several letters with case.
    private var (count, casedCount) = (0, 0)
    private var haveMixedCase = false
    private var isLastSmall = false

    static func lackMixedCase(_ text: UnsafeRawBufferPointer) -> Bool {
        var words = CasedWords()
        // Most texts are ASCII, which needs no decoder.
        var place = 0
        while place < text.count, text[place] < 0x80, !words.haveMixedCase {
            words.addASCII(UInt32(text[place]))
            place += 1
        }
        var bytes = text[place...].makeIterator()
        var decoder = UTF8()
        while case .scalarValue(let scalar) = decoder.decode(&bytes), !words.haveMixedCase { words.add(scalar) }
        words.endWord()
        guard !words.haveMixedCase else { return false }
        return words.casedCount > 1 || words.count == 1 && words.isLastSmall
    }

    private mutating func add(_ scalar: Unicode.Scalar) {
        if scalar.isASCII { return addASCII(scalar.value) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter: add(capitals: 1)
        case .lowercaseLetter: add(smallLetters: 1)
        case .titlecaseLetter, .modifierLetter, .otherLetter: add()
        case .nonspacingMark: break
        default: endWord()
        }
    }

    /// Saves looking up the category of the most frequent characters.
    private mutating func addASCII(_ codePoint: UInt32) {
        guard (codePoint | 0x20) &- 0x61 < 26 else { return endWord() }
        if codePoint & 0x20 == 0 { add(capitals: 1) } else { add(smallLetters: 1) }
    }

    private mutating func add(capitals: Int = 0, smallLetters: Int = 0) {
        letters += 1
        self.capitals += capitals
        self.smallLetters += smallLetters
    }

    private mutating func endWord() {
        guard letters > 0 else { return }
        count += 1
        if letters > 1, capitals + smallLetters > 0 {
            casedCount += 1
            haveMixedCase = haveMixedCase || capitals > 0 && smallLetters > 0
        }
        isLastSmall = letters > 1 && smallLetters == letters
        (letters, capitals, smallLetters) = (0, 0, 0)
    }
}
