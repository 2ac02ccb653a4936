// Unsafe for speed: reads the raw bytes of millions of cells.

import SystemFiles

/// Formats of text fields, byte by byte (GTFS reference, "Field Types").
///
/// They check what every valid value has, so no valid value is reported. They do not prove that a value works.
enum TextRules {
    /// Six hexadecimal digits, without `#`.
    static func isColor(_ text: UnsafeRawBufferPointer) -> Bool {
        text.count == 6 && text.allSatisfy(isHexadecimal)
    }

    /// At least two digits; letters (which may stand for digits), bytes beyond ASCII and the usual separators are
    /// allowed.
    static func isPhoneNumber(_ text: UnsafeRawBufferPointer) -> Bool {
        let digits = text.reduce(0) { $1.isDigit ? $0 + 1 : $0 }
        return digits >= 2
            && text.allSatisfy { $0.isDigit || isLetter($0) || "+-.()/ ,;:#*&'\t".utf8.contains($0) || $0 >= 0x80 }
    }

    /// The range of the text without white space around it (Unicode 15, property White_Space, and control characters).
    static func trimmed(_ text: UnsafeRawBufferPointer) -> Range<Int> {
        var (start, end) = (0, text.count)
        while start < end, case let length = spaceLength(text[start..<end]), length > 0 { start += length }
        while start < end {
            let length = (1...3).first { $0 <= end - start && spaceLength(text[(end - $0)..<end]) == $0 }
            guard let length else { break }
            end -= length
        }
        return start..<end
    }

    /// Whether a text with these bytes at its ends may have white space beyond ASCII there. In Shift_JIS the last byte
    /// of such a space is an @; in GB18030 it may be a digit.
    @inline(__always)
    static func mayBeWideSpace(_ first: UInt8, _ lastButOne: UInt8, _ last: UInt8) -> Bool {
        (first | lastButOne | last) >= 0x80
    }

    /// Blanks and line ends may be removed without being kept.
    private static func isBlank(_ byte: UInt8) -> Bool { byte.isBlank || byte.isLineEnd }

    static func isBlank(_ text: UnsafeRawBufferPointer) -> Bool {
        for byte in text where !isBlank(byte) { return false }
        return true
    }

    /// Whether white space that `trimmed` removed is more than blanks and Unicode spaces (category Zs). Other control
    /// characters, and line and paragraph separators, may mean something to the author.
    static func isMoreThanBlank(_ space: UnsafeRawBufferPointer) -> Bool {
        for index in spacesAtStart(space)..<space.count {
            let byte = space[index]
            if byte < 0x80 {
                if !isBlank(byte) { return true }
            } else if byte == 0x85, space[index - 1] == 0xC2 {
                return true
            } else if byte == 0xA8 || byte == 0xA9, index >= 2, space[index - 1] == 0x80, space[index - 2] == 0xE2 {
                return true
            }
        }
        return false
    }

    private static let eightSpaces: UInt64 = 0x2020_2020_2020_2020

    /// How many spaces the bytes begin with, in steps of eight: files of fixed width have a hundred in each row.
    private static func spacesAtStart(_ bytes: UnsafeRawBufferPointer) -> Int {
        var place = 0
        while place + 8 <= bytes.count, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) == eightSpaces {
            place += 8
        }
        return place
    }

    /// How many spaces the bytes end with, in steps of eight.
    static func spacesAtEnd(_ bytes: UnsafeRawBufferPointer) -> Int {
        var end = bytes.count
        while end >= 8, bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == eightSpaces { end -= 8 }
        return bytes.count - end
    }

    /// The length in bytes of the white space character at the start of the text; 0 if there is none.
    private static func spaceLength(_ text: Slice<UnsafeRawBufferPointer>) -> Int {
        let first = text[text.startIndex]
        if first < 0x80 { return first <= 0x20 && first != 0 ? 1 : 0 }
        guard text.count >= 2 else { return 0 }
        let second = text[text.startIndex + 1]
        if first == 0xC2 { return second == 0x85 || second == 0xA0 ? 2 : 0 }
        guard text.count >= 3 else { return 0 }
        switch (first, second, text[text.startIndex + 2]) {
        case (0xE1, 0x9A, 0x80), (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80): return 3
        case (0xE2, 0x80, let last): return last <= 0x8A || last == 0xA8 || last == 0xA9 || last == 0xAF ? 3 : 0
        default: return 0
        }
    }

    /// Only printable ASCII.
    static func isPrintableASCII(_ text: UnsafeRawBufferPointer) -> Bool {
        text.allSatisfy { $0 &- 0x20 < 0x5F }
    }

    /// Whether there is a byte beyond ASCII or a NUL, eight bytes at a time.
    static func hasUnusualBytes(_ text: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset + 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            // A byte is 0 exactly when subtracting 1 borrows into a high bit that was not set.
            let zeros = (word &- 0x0101_0101_0101_0101) & ~word
            if (word | zeros) & 0x8080_8080_8080_8080 != 0 { return true }
            offset += 8
        }
        while offset < text.count {
            if text[offset] >= 0x80 || text[offset] == 0 { return true }
            offset += 1
        }
        return false
    }

    /// Well-formed UTF-8 (Unicode 15, table 3-7).
    static func isUTF8(_ text: UnsafeRawBufferPointer) -> Bool {
        var decoder = UTF8()
        var bytes = text.makeIterator()
        while true {
            switch decoder.decode(&bytes) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }

    /// Whether there are more multi-byte characters than places with invalid UTF-8: more than `times` for each place.
    static func isMostlyUTF8(_ text: UnsafeRawBufferPointer, times: Int = 1) -> Bool {
        var decoder = UTF8()
        var bytes = text.makeIterator()
        var balance = 0
        while true {
            switch decoder.decode(&bytes) {
            case .scalarValue(let scalar): if !scalar.isASCII { balance += 1 }
            case .emptyInput: return balance > 0
            case .error: balance -= times
            }
        }
    }

    /// Whether the text contains U+FFFD, which stands for a lost character.
    static func containsReplacementCharacter(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= 3 else { return false }
        return (0..<text.count - 2).contains { text[$0] == 0xEF && text[$0 + 1] == 0xBF && text[$0 + 2] == 0xBD }
    }

    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    static func isHexadecimal(_ byte: UInt8) -> Bool { byte.isDigit || (byte | 0x20) &- UInt8(ascii: "a") < 6 }
}

/// Remembers which texts are valid, for texts that repeat, such as the language of each translation: ICU takes 1 to 6
/// µs for each check.
final class JudgedTexts {
    private let texts = IdentifierMap()
    private static let most = 1 << 12
    private static let longest = 64

    /// Whether the text is valid. Calls `judgement` only if the result is not remembered.
    func isRight(_ text: UnsafeRawBufferPointer, _ judgement: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        if let known = texts.key(of: text) { return known == 1 }
        let isRight = judgement(text)
        if texts.count < Self.most, text.count <= Self.longest { _ = texts.insert(text, key: isRight ? 1 : 0) }
        return isRight
    }
}
