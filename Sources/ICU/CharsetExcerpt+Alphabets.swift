/// Alphabets that ICU's detector recognizes only in texts of some dozen names: a text that reads without a fault in one
/// of them is in that encoding.
extension CharsetExcerpt {
    /// The encoding of a text in Greek, Thai or Cyrillic; nil for any other text. `match` is ICU's answer.
    func ofAnotherAlphabet(unless match: String?) -> String? { greek ?? thai ?? cyrillic(unless: match) }

    /// Names of another alphabet have hardly any ASCII letters.
    private var hasHardlyASCIILetters: Bool {
        let asciiLetters = bytes.count { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        return evidence > 4 * asciiLetters
    }

    /// The words of the text in an encoding: letters beyond ASCII that stand side by side.
    private func words(in encoding: String) -> [[Unicode.Scalar]] {
        scalars(in: encoding).split { $0.isASCII || !$0.isLetterOrMark }.map(Array.init)
    }

    /// Whether nothing stands where no name has it, and all letters and marks are of one alphabet.
    private func isFaultless(_ encoding: String, of alphabet: ClosedRange<UInt32>) -> Bool {
        let scalars = scalars(in: encoding)
        return OddCharacters.count(in: scalars) == 0 && readsAsNames(encoding)
            && scalars.allSatisfy { $0.isASCII || !$0.isLetterOrMark || alphabet.contains($0.value) }
    }

    // MARK: Greek

    /// A Greek encoding in which the whole text reads as Greek.
    ///
    /// A Greek word has at most one accent, most words of four letters and more have one, and sigma has another form at
    /// the end of a word and only there. Words of other alphabets that are read as Greek are not like that.
    private var greek: String? {
        guard hasHardlyASCIILetters, ["windows-1253", "ISO-8859-7"].contains(where: isFaultlessGreek) else {
            return nil
        }
        return settled("ISO-8859-7")
    }

    private func isFaultlessGreek(_ encoding: String) -> Bool {
        let words = words(in: encoding).filter { $0.contains { $0.properties.isLowercase } }
        let isSpelled = words.allSatisfy { word in
            let hasMisplacedSigma = word.dropLast().contains("ς") || word.count > 1 && word.last == "σ"
            return !hasMisplacedSigma && word.count(where: Self.accented.contains) <= 1
        }
        let long = words.filter { $0.count >= 4 }
        let accented = long.count { $0.contains(where: Self.accented.contains) }
        return isSpelled && accented >= 2 && accented * 10 >= long.count * 7 && isFaultless(encoding, of: 0x370...0x3FF)
    }

    /// Without ΐ and ΰ, which are rare: the byte of ΰ is а in windows-1251.
    private static let accented = Set("άέήίόύώΆΈΉΊΌΎΏ".unicodeScalars)

    // MARK: Thai

    /// The encoding of Thai if the whole text reads as Thai. ICU takes it for the half-width kana of Shift_JIS.
    ///
    /// A vowel that is written above or below a consonant never follows another one, and one that is written before its
    /// consonant has one behind it. Kana that are read as Thai have bytes that are no characters. Cyrillic capitals of
    /// ISO-8859-5 are all consonants, and in the encodings of East Asia all letters have two bytes.
    private var thai: String? {
        let encoding = "windows-874"
        guard hasHardlyASCIILetters, !hasPairsOnly, isFaultless(encoding, of: 0xE01...0xE4E) else { return nil }
        let words = words(in: encoding)
        let isSpelled = words.allSatisfy { word in
            zip(word, word.dropFirst() + ["\n"]).allSatisfy { scalar, next in
                !(scalar.isThaiVowelMark && next.isThaiVowelMark)
                    && (!scalar.isThaiLeadingVowel || next.isThaiConsonant)
            }
        }
        let letters = words.joined()
        let consonants = letters.count(where: \.isThaiConsonant)
        let vowels = letters.count { $0.value >= 0xE30 }
        return isSpelled && consonants >= Self.leastThai && consonants * 2 >= letters.count
            && vowels * 10 >= letters.count ? encoding : nil
    }

    /// Whether bytes above 0xA0 always stand in pairs, as in the EUC encodings, in at least six places.
    private var hasPairsOnly: Bool {
        let runs = bytes.split { $0 < 0x80 }
        return runs.count >= 6 && runs.allSatisfy { $0.count.isMultiple(of: 2) && $0.allSatisfy { $0 > 0xA0 } }
    }

    private static let leastThai = 8

    // MARK: Cyrillic

    /// A Cyrillic encoding in which the whole text reads as names; nil if there is none. ICU needs more text than a few
    /// names to recognize Cyrillic.
    ///
    /// Cyrillic names have hardly any ASCII letters, and capitals only at the beginnings of words. Chinese that is read
    /// as Cyrillic has capitals and signs everywhere. Greek and Hebrew that are read as Cyrillic may look sound, so
    /// ICU's answer counts if it is one of their encodings.
    func cyrillic(unless match: String?) -> String? {
        if let match, Self.mayPassForCyrillic.contains(match) { return nil }
        guard hasHardlyASCIILetters else { return nil }
        let fitting = Self.cyrillic.filter(isFaultlessCyrillic)
        let signs = fitting.map { scalars(in: $0).count { !$0.isASCII && !$0.isLetter } }
        let best = zip(fitting, signs).filter { $1 == signs.min() }.map(\.0)
        return best.first { $0 == match } ?? best.first
    }

    private func isFaultlessCyrillic(_ encoding: String) -> Bool {
        let words = words(in: encoding)
        let hasBothCases = words.contains { word in
            zip(word, word.dropFirst()).contains { $0.properties.isUppercase && $1.properties.isLowercase }
        }
        return hasBothCases && words.joined().count >= Self.leastCyrillic && isFaultless(encoding, of: 0x400...0x4FF)
    }

    private static let leastCyrillic = 5
    private static let cyrillic = ["windows-1251", "KOI8-U", "ISO-8859-5", "IBM866", "x-mac-cyrillic"]
    private static let mayPassForCyrillic: Set = ["windows-1253", "ISO-8859-7", "windows-1255"]
}

extension Unicode.Scalar {
    fileprivate var isThaiConsonant: Bool { (0xE01...0xE2E).contains(value) }
    fileprivate var isThaiLeadingVowel: Bool { (0xE40...0xE44).contains(value) }
    fileprivate var isThaiVowelMark: Bool { value == 0xE31 || (0xE34...0xE39).contains(value) }
}
