// Unsafe only where the bytes of a cell are lent.

import ICU

/// Finds values whose bytes are UTF-8 only by chance: 泰山路 in GB18030 has the bytes of "̩ɽ·", and RÓŻANA in
/// windows-1250 has those of "RӯANA".
///
/// In an encoding with two bytes for a letter, this happens only if the two bytes of each letter are also a letter of
/// two bytes in UTF-8, one below U+0800. A value is converted only if it reads as no word in UTF-8, and as letters
/// alone in the file's encoding. So rows that really are UTF-8 stay as they are. None of the 35,727 different values
/// beyond ASCII in 206 feeds would be changed. Of values that have two to four frequent characters and whose bytes are
/// UTF-8, it finds 57 to 87 % in Chinese (GB18030) and a third to a half in Japanese (EUC-JP). It finds none in Korean
/// (windows-949): as UTF-8, these have letters of one alphabet only, as real words do.
enum ChanceUTF8 {
    /// Whether text that is UTF-8 reads as no word: it has letters of two alphabets side by side, an accent on nothing,
    /// or a control character. False for text without two characters of two bytes side by side, or with longer ones.
    static func isNoWord(_ text: UnsafeRawBufferPointer) -> Bool {
        guard hasOnlyPairs(text) else { return false }
        var (before, first) = (Kind.sign, UInt32(0))
        for byte in text {
            guard byte < 0xC0 else {
                first = UInt32(byte & 0x1F) << 6
                continue
            }
            let kind = Kind(byte < 0x80 ? UInt32(byte) : first | UInt32(byte & 0x3F))
            switch kind {
            case .control: return true
            case .accent:
                guard before.takesAccents else { return true }
                continue
            case .letter: if case .letter = before, kind != before { return true }
            case .sign, .asciiLetter: break
            }
            before = kind
        }
        return false
    }

    /// Whether text that is UTF-8 has one character beyond ASCII, and that is a control character, or one of a script
    /// other than Latin beside a letter of ASCII. Of longer characters, only those count whose bytes are two small
    /// letters of windows-1250 or ISO-8859-2: "íšť" in windows-1250 has the bytes of "횝". No name in UTF-8 of 74 real
    /// feeds is like that.
    static func hasLoneStranger(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.firstIndex(where: { $0 >= 0x80 }), text[start] >= 0xC2,
            let last = text.lastIndex(where: { $0 >= 0x80 }), !isAccent(text, at: start)
        else { return false }
        switch (text[start], last - start) {
        case (..<0xE0, 1): guard text[start] > 0xC9 || text[start] == 0xC2 && text[last] < 0xA0 else { return false }
        case (0xE0..<0xF0, 2): guard text[start + 1...last].allSatisfy(smallLetters.contains) else { return false }
        default: return false
        }
        return start > 0 && TextRules.isLetter(text[start - 1])
            || last + 1 < text.count && TextRules.isLetter(text[last + 1])
    }

    /// Whether there is an accent that makes one letter with the ASCII letter before it: text may be decomposed.
    private static func isAccent(_ text: UnsafeRawBufferPointer, at start: Int) -> Bool {
        guard start > 0, text[start] == 0xCC || text[start] == 0xCD, start + 1 < text.count else { return false }
        return accented.contains(String(decoding: text[start - 1...start + 1], as: UTF8.self))
    }

    /// Swift takes a decomposed letter for equal to a composed one.
    private static let accented = Set(
        [0xC0...0x24F, 0x1E00...0x1EFF].joined().compactMap { Unicode.Scalar(UInt32($0)) }.map { String($0) })

    /// Below C0, in windows-1250 and ISO-8859-2.
    private static let smallLetters: Set<UInt8> = [
        0x9A, 0x9C, 0x9D, 0x9E, 0x9F, 0xB1, 0xB3, 0xB5, 0xB6, 0xB9, 0xBA, 0xBB, 0xBC, 0xBE, 0xBF,
    ]

    /// Whether all characters beyond ASCII are letters where names have them.
    static func isOfWords(_ text: [UInt8]) -> Bool {
        String(decoding: text, as: UTF8.self).unicodeScalars.allSatisfy { $0.isASCII || $0.properties.isAlphabetic }
            && !text.withUnsafeBytes(Charset.hasOddCharacters)
    }

    /// Whether text that is UTF-8 may end in a no-break space (A0) of an encoding of one byte, and be UTF-8 only by
    /// chance: CITÉ and such a space in windows-1252 have the bytes of "CITɠ". An ASCII letter stands before the last
    /// character. False if the last character is à or the no-break space of UTF-8: many values end with these, and
    /// looking for another encoding made the import of a feed of 1.2 MB a fifth slower.
    static func mayEndInSpace(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.last == 0xA0, let start = text.lastIndex(where: { $0 >= 0xC0 }), start > 0, text[start] > 0xC3
        else { return false }
        return (text[start - 1] | 0x20) &- 0x61 < 26
    }

    /// Whether all characters beyond ASCII are letters, none of them beside a letter of ASCII.
    static func isOfLetters(_ text: [UInt8]) -> Bool {
        var before: Unicode.Scalar = " "
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            guard scalar.isASCII || scalar.properties.isAlphabetic else { return false }
            if scalar.isASCII != before.isASCII, scalar.properties.isAlphabetic, before.properties.isAlphabetic {
                return false
            }
            before = scalar
        }
        return true
    }

    /// Whether two characters of two bytes stand side by side, and none has more bytes.
    private static func hasOnlyPairs(_ text: UnsafeRawBufferPointer) -> Bool {
        var (before, hasNeighbours): (UInt8, Bool) = (0, false)
        for byte in text {
            guard byte < 0xE0 else { return false }
            if byte >= 0xC0, before >= 0x80 { hasNeighbours = true }
            before = byte
        }
        return hasNeighbours
    }

    private enum Kind: Equatable {
        case sign, asciiLetter, control, accent
        /// A letter of the alphabet that begins at this code point.
        case letter(UInt32)

        /// The blocks up to U+07FF (Unicode 15, Blocks.txt), alphabet by alphabet.
        init(_ codePoint: UInt32) {
            switch codePoint {
            case ..<0x80: self = (codePoint | 0x20) &- 0x61 < 26 ? .asciiLetter : .sign
            case ..<0xA0: self = .control
            case ..<0xC0, 0xD7, 0xF7, 0x2B0..<0x300: self = .sign
            case ..<0x2B0: self = .letter(0xC0)
            case ..<0x370: self = .accent
            case ..<0x400: self = .letter(0x370)
            case ..<0x530: self = .letter(0x400)
            case ..<0x590: self = .letter(0x530)
            case ..<0x600: self = .letter(0x590)
            case ..<0x700, 0x750..<0x780: self = .letter(0x600)
            case ..<0x750: self = .letter(0x700)
            case ..<0x7C0: self = .letter(0x780)
            default: self = .letter(0x7C0)
            }
        }

        /// Latin, Greek and Cyrillic letters take the accents of U+0300 to U+036F.
        var takesAccents: Bool {
            switch self {
            case .asciiLetter: true
            case .letter(let alphabet): alphabet <= 0x400
            default: false
            }
        }
    }
}
