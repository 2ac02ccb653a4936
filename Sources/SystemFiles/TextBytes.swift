extension UInt8 {
    /// Whether the byte is one of the ASCII digits 0 to 9.
    @inlinable
    package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// Whether the byte is a space or a tab.
    @inlinable
    package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// Whether the byte is a CR or an LF.
    @inlinable
    package var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }

    /// The small form of an ASCII letter; any other byte as it is.
    @inlinable
    package var asciiLowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}

extension FixedWidthInteger {
    /// The number in small hexadecimal digits, with leading zeros if it has fewer than `count`.
    package func hexadecimal(digits count: Int) -> String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Swift.max(0, count - digits.utf8.count)) + digits
    }
}

/// Texts from arguments, lists and feeds, taken apart by their bytes.
///
///     "--routes=\u{301}x".parts(at: "=", mostSplits: 1)     // ["--routes", "\u{301}x"]
///
/// Swift's own functions go by characters, and a separator is one character with a combining mark that follows it:
/// they find no `=` in this text.
extension String {
    /// The parts between the separators, empty ones too.
    package func parts(at separator: Unicode.Scalar, mostSplits: Int = .max) -> [String] {
        unicodeScalars.split(separator: separator, maxSplits: mostSplits, omittingEmptySubsequences: false)
            .map { String($0) }
    }

    package func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    package func ends(with suffix: String) -> Bool { utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

    /// The text after a prefix; nil if the text does not begin with it.
    package func without(prefix: String) -> String? {
        begins(with: prefix) ? String(Substring(utf8.dropFirst(prefix.utf8.count))) : nil
    }

    /// The text before a suffix; nil if the text does not end with it.
    package func without(suffix: String) -> String? {
        ends(with: suffix) ? String(Substring(utf8.dropLast(suffix.utf8.count))) : nil
    }

    /// The text without spaces and tabs at both ends.
    package var trimmingBlanks: String {
        let start = utf8.drop(while: \.isBlank)
        let blanks = start.reversed().prefix(while: \.isBlank).count
        return String(Substring(start.dropLast(blanks)))
    }

    /// The text without white space at both ends. Goes by code points, because a blank and a combining mark that
    /// follows it are one character.
    package var trimmingWhitespace: String {
        let start = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
