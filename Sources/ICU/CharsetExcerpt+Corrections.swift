/// Encodings that ICU's detector takes for others, and how to tell them.
extension CharsetExcerpt {
    /// Corrects the choice between similar encodings that ICU cannot tell apart: it has no statistics for Croatian,
    /// Slovene, Lithuanian and Latvian, and does not know the syllables that windows-949 has beyond EUC-KR.
    func settled(_ encoding: String) -> String {
        if encoding == "GB18030", isOfHangul(percent: 95, least: Self.leastHangul), readsAsNames("windows-949") {
            return "windows-949"
        }
        if encoding == "ISO-8859-7" {
            // ISO-8859-7 and windows-1253 differ in the capital alpha with accent: B6 is that letter in the first and a
            // pilcrow in the second.
            return count(of: [0xB6]) == 0 ? "windows-1253" : encoding
        }
        let aboveASCII = bytes.count { $0 > 0x7F }
        let (eths, thorns) = (count(of: [0xD0, 0xF0]), count(of: [0xDE, 0xFE]))
        let hasEthOrThorn = (eths + thorns) * 20 > aboveASCII
        if encoding == "ISO-8859-2" {
            // The bytes of windows-1257's š and ž are đ and ţ in ISO-8859-2. No language has both.
            return hasEthOrThorn && min(eths, thorns) > 0 ? baltic : encoding
        }
        guard encoding == "windows-1252" || encoding == "windows-1254" else { return encoding }
        if isTurkish { return "windows-1254" }
        // Š š Ž ž, which western languages hardly use.
        if count(of: [0x8A, 0x8E, 0x9A, 0x9E]) * 12 > aboveASCII { return "windows-1250" }
        // In windows-1252, the bytes of windows-1257's š and ž are eth and thorn. Languages with those also have the
        // vowels ó ö ú ý.
        let hasVowels = count(of: [0xF3, 0xF6, 0xFA, 0xFD]) * 50 > aboveASCII
        return hasEthOrThorn && !hasVowels ? baltic : encoding
    }

    /// Whether all letters are Turkish, among them ı or İ and one of ğ and ş. In windows-1252 these bytes are ý, ð and
    /// þ, but Icelandic has vowels that Turkish lacks.
    private var isTurkish: Bool {
        let letters = Set(bytes.filter { $0 >= 0xC0 })
        return letters.isSubset(of: Self.turkish) && !letters.isDisjoint(with: [0xDD, 0xFD])
            && !letters.isDisjoint(with: [0xD0, 0xDE, 0xF0, 0xFE])
    }

    private static let turkish: Set<UInt8> = [
        0xC7, 0xD0, 0xD6, 0xDC, 0xDD, 0xDE, 0xE7, 0xF0, 0xF6, 0xFC, 0xFD, 0xFE,
    ]

    /// The encoding of a Lithuanian or Latvian text. The letters are the same in both; A1 and A5 are ” and „ in
    /// ISO-8859-13, and nothing in windows-1257.
    private var baltic: String { count(of: [0xA1, 0xA5]) > 0 ? "ISO-8859-13" : "windows-1257" }

    /// The encoding itself if at most one in twenty characters is odd, that is, in a place where no name has it. Else
    /// the one of `others` with the fewest odd characters, if these are at most a third as many.
    func lessOdd(than encoding: String) -> String {
        guard !Charset.Guess.ofTwoBytes.contains(encoding) else { return encoding }
        var best = (name: encoding, odd: OddCharacters.count(in: scalars(in: encoding)))
        let aboveASCII = bytes.count { $0 > 0x7F }
        guard best.odd * 20 > aboveASCII else { return encoding }
        let most = best.odd / 3
        for other in Self.others {
            let odd = OddCharacters.count(in: scalars(in: other))
            // windows-1252 is also the answer for a text of signs only, which does not read as names.
            guard odd < best.odd, odd <= most, other == "windows-1252" || readsAsNames(other) else { continue }
            best = (other, odd)
        }
        return best.name
    }

    /// Encodings for which ICU has no statistics, and two that it takes for others if there are few names.
    private static let others = [
        "windows-1252", "ISO-8859-2", "ISO-8859-15", "macintosh", "IBM850", "windows-1257", "ISO-8859-13", "IBM852",
        "x-mac-centraleurroman", "windows-874", "IBM866",
    ]

    /// Whether the text is Korean in windows-949: of its different letters, at least `percent` % and at least `least`
    /// are Hangul. Of a Chinese or Japanese text that is read this way, two thirds are. Korean names may have
    /// ideographs in brackets.
    func isOfHangul(percent: Int, least: Int = 1) -> Bool {
        let letters = Set(scalars(in: "windows-949").filter { !$0.isASCII && $0.isLetter })
        let hangul = letters.count { (0xAC00...0xD7A3).contains($0.value) || (0x3131...0x318E).contains($0.value) }
        return hangul >= least && hangul * 100 >= letters.count * percent
    }

    private static let leastHangul = 16

    private func count(of letters: Set<UInt8>) -> Int { bytes.count(where: letters.contains) }
}
