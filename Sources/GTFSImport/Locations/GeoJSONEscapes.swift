import Glibc

/// Escapes in JSON that cannot stay as they are spelled.
///
/// Some stand for no character of a text: NUL, at which SQLite ends a text, and half of a surrogate pair, which UTF-8
/// cannot write (RFC 8259, section 8.2). Others stand for a letter, a digit or an underscore: `"\u0069d"` is the member
/// `id`, but SQLite removes members by their spelling and would remove another one.
///
/// Costs a search for the first backslash; most features have none. JSON with escapes is copied once.
struct GeoJSONEscapes {
    /// The JSON with U+FFFD in place of NUL and half pairs, and with letters, digits and underscores as themselves.
    private(set) var repaired: String
    private(set) var hasNul = false
    /// The first half of a surrogate pair, as spelled: `\ud800`.
    private(set) var halfPair: String?

    private static let length = 6

    /// Nil if the JSON has no such escape.
    init?(_ json: String) {
        var json = json
        let hasEscape = json.withUTF8 { bytes in
            bytes.baseAddress.map { memchr($0, Int32(UInt8(ascii: "\\")), bytes.count) != nil } ?? false
        }
        guard hasEscape else { return nil }
        repaired = json
        let bytes = Array(json.utf8)
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        // A backslash elsewhere is no JSON, and must not become JSON.
        var isInString = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { isInString.toggle() }
            let count = isInString && byte == UInt8(ascii: "\\") ? appendEscape(bytes, at: index, to: &copy) : 0
            if count == 0 { copy.append(byte) }
            index += max(count, 1)
        }
        guard hasNul || halfPair != nil || copy.count < bytes.count else { return nil }
        repaired = String(decoding: copy, as: UTF8.self)
    }

    /// Appends the escape as it must be spelled; returns how many bytes it has, its other half included.
    private mutating func appendEscape(_ bytes: [UInt8], at index: Int, to copy: inout [UInt8]) -> Int {
        guard let unit = Self.unit(bytes, at: index) else {
            copy += bytes[index..<min(index + 2, bytes.count)]
            return 2
        }
        let spelled = bytes[index..<index + Self.length]
        if let character = Self.wordCharacter(unit) {
            copy.append(character)
        } else if UTF16.isLeadSurrogate(unit), UTF16.isTrailSurrogate(Self.unit(bytes, at: spelled.endIndex) ?? 0) {
            copy += bytes[index..<index + 2 * Self.length]
            return 2 * Self.length
        } else if unit == 0 || 0xD800...0xDFFF ~= unit {
            if unit == 0 { hasNul = true } else { halfPair = halfPair ?? String(decoding: spelled, as: UTF8.self) }
            copy += "\\ufffd".utf8
        } else {
            copy += spelled
        }
        return Self.length
    }

    /// The ASCII letter, digit or underscore that a code unit stands for; nil for any other unit.
    private static func wordCharacter(_ unit: UInt16) -> UInt8? {
        switch unit {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: UInt8(truncatingIfNeeded: unit)
        default: nil
        }
    }

    /// The code unit that `\uXXXX` at a place stands for; nil if it is another escape or none.
    private static func unit(_ bytes: [UInt8], at index: Int) -> UInt16? {
        guard index + length <= bytes.count, bytes[index...].starts(with: "\\u".utf8) else { return nil }
        var unit: UInt16 = 0
        for digit in bytes[index + 2..<index + length] {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(value)
        }
        return unit
    }
}
