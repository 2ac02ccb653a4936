// Unsafe for speed: reads the raw bytes of many cells.

import SystemFiles

/// Web and email addresses, byte by byte.
///
/// Bytes beyond ASCII pass everywhere: `http://bücher.example/straße` (RFC 3987) and `ü@bücher.example` (RFC 6531) can
/// be used as they are.
extension TextRules {
    private typealias Part = Slice<UnsafeRawBufferPointer>

    // MARK: Web addresses

    /// http or https, a host that can exist, and only characters that need no escape (RFC 3986).
    static func isURL(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = endOfScheme(text) else { return false }
        let rest = text[start...]
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        guard isAuthority(authority) else { return false }
        let path = rest[authority.endIndex...].prefix { $0 != UInt8(ascii: "#") }
        // A fragment must not contain another `#`.
        return isEscaped(path, allowing: "/?:@") && isEscaped(rest[path.endIndex...].dropFirst(), allowing: "/?:@")
    }

    /// Where the part after `http://` or `https://` begins; nil if the text begins with neither.
    static func endOfScheme(_ text: UnsafeRawBufferPointer) -> Int? {
        if hasPrefix(text, "https://") { return 8 }
        return hasPrefix(text, "http://") ? 7 : nil
    }

    private static func isAuthority(_ authority: Part) -> Bool {
        let user = authority.lastIndex(of: UInt8(ascii: "@"))
        if let user, !isEscaped(authority[..<user], allowing: ":") { return false }
        let place = authority[(user.map { $0 + 1 } ?? authority.startIndex)...]
        let isLiteral = place.first == UInt8(ascii: "[")
        let mark = UInt8(ascii: isLiteral ? "]" : ":")
        let end = place.firstIndex(of: mark) ?? place.endIndex
        guard isLiteral else { return isPublicHost(place[..<end]) && isPort(place[end...]) }
        return end < place.endIndex && isAddress(place[..<end].dropFirst()) && isPort(place[(end + 1)...])
    }

    /// Nothing, or a colon and a number of at most 65,535.
    private static func isPort(_ port: Part) -> Bool {
        (port.isEmpty || port.first == UInt8(ascii: ":")) && isNumber(port.dropFirst(), upTo: 65_535)
    }

    /// An address of IPv6, without further checks.
    private static func isAddress(_ address: Part) -> Bool {
        address.contains(UInt8(ascii: ":")) && address.allSatisfy { isHexadecimal($0) || ":.".utf8.contains($0) }
    }

    /// A name in a domain, or an address of IPv4. No rider reaches `localhost`; `https` is the host of
    /// `http://https://example.com`.
    private static func isPublicHost(_ host: Part) -> Bool {
        let dot = UInt8(ascii: ".")
        let names = host.last == dot ? host.dropLast() : host
        guard isHost(host), let last = names.lastIndex(of: dot) else { return false }
        let top = names[(last + 1)...]
        guard isNumber(top) else { return top.count > 1 }
        let numbers = names.split(separator: dot)
        return numbers.count == 4 && numbers.allSatisfy { isNumber($0, upTo: 255) }
    }

    /// Names between dots, which neither begin nor end with a hyphen (RFC 1123, section 2.1); a dot may follow the last
    /// one. Underscores pass, as some hosts have them.
    private static func isHost(_ host: Part) -> Bool {
        let host = host.last == UInt8(ascii: ".") ? host.dropLast() : host
        let hyphen = UInt8(ascii: "-")
        var previous = UInt8(ascii: ".")
        for byte in host {
            if byte == UInt8(ascii: ".") {
                if previous == byte || previous == hyphen { return false }
            } else if byte == hyphen {
                if previous == UInt8(ascii: ".") { return false }
            } else if !isLetter(byte), !byte.isDigit, byte != UInt8(ascii: "_"), byte < 0x80 {
                return false
            }
            previous = byte
        }
        return previous != UInt8(ascii: ".") && previous != hyphen
    }

    /// Letters, digits, marks that need no escape, those in `further`, and `%` with two hexadecimal digits (RFC 3986,
    /// section 2).
    private static func isEscaped(_ text: Part, allowing further: StaticString) -> Bool {
        let marks = UnsafeBufferPointer(start: further.utf8Start, count: further.utf8CodeUnitCount)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < text.endIndex, isHexadecimal(text[index + 1]), isHexadecimal(text[index + 2]) else {
                    return false
                }
            } else if !isLetter(byte), !byte.isDigit, byte < 0x80, !"-._~!$&'()*+,;=".utf8.contains(byte),
                !marks.contains(byte)
            {
                return false
            }
            index += 1
        }
        return true
    }

    // MARK: Email addresses

    /// Text, `@`, and a domain with a dot (RFC 5322, section 3.4.1); without comments and line breaks.
    static func isEmail(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let at = text.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let (user, domain) = (text[..<at], text[(at + 1)...])
        guard isDotted(user) || isQuoted(user) else { return false }
        if domain.first == UInt8(ascii: "["), domain.last == UInt8(ascii: "]") {
            return domain.count > 2 && domain.dropFirst().dropLast().allSatisfy { isLetter($0) || isInAddress($0) }
        }
        return isPublicHost(domain) && domain.last != UInt8(ascii: ".")
    }

    /// Atoms between single dots.
    private static func isDotted(_ user: Part) -> Bool {
        var previous = UInt8(ascii: ".")
        for byte in user {
            if byte == UInt8(ascii: ".") {
                if previous == byte { return false }
            } else if !isLetter(byte), !byte.isDigit, byte < 0x80, !"!#$%&'*+-/=?^_`{|}~".utf8.contains(byte) {
                return false
            }
            previous = byte
        }
        return previous != UInt8(ascii: ".")
    }

    /// Any printable text within quotes, in which a backslash stands before each further quote and backslash.
    private static func isQuoted(_ user: Part) -> Bool {
        let quote = UInt8(ascii: "\"")
        guard user.count >= 2, user.first == quote, user.last == quote else { return false }
        var isAfterBackslash = false
        for byte in user.dropFirst().dropLast() {
            if byte < 0x20 || byte == 0x7F || (byte == quote && !isAfterBackslash) { return false }
            isAfterBackslash = byte == UInt8(ascii: "\\") && !isAfterBackslash
        }
        return !isAfterBackslash
    }

    // MARK: Bytes

    /// Digits only, or nothing.
    private static func isNumber(_ text: Part, upTo most: Int = .max) -> Bool {
        text.allSatisfy(\.isDigit) && text.reduce(0) { min($0 * 10 + Int($1 &- 0x30), 1 << 20) } <= most
    }

    private static func isInAddress(_ byte: UInt8) -> Bool { byte.isDigit || ":.-".utf8.contains(byte) }

    /// `prefix` is in small letters; capitals in their place count as well.
    private static func hasPrefix(_ text: UnsafeRawBufferPointer, _ prefix: StaticString) -> Bool {
        guard text.count >= prefix.utf8CodeUnitCount else { return false }
        return (0..<prefix.utf8CodeUnitCount).allSatisfy { index in
            let wanted = prefix.utf8Start[index]
            return text[index] == wanted || wanted >= UInt8(ascii: "a") && text[index] | 0x20 == wanted
        }
    }
}
