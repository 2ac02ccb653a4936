import Glibc

/// Escapes in JSON that stand for no character of a text: NUL, at which SQLite ends a text, and half of a surrogate
/// pair, which UTF-8 cannot write (RFC 8259, section 8.2).
///
/// Costs a search for the first backslash; most features have none. JSON with escapes is copied once.
struct GeoJSONEscapes {
    /// The JSON with U+FFFD in the place of each.
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
        var bytes = Array(json.utf8)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else { index += 1; continue }
            index += repair(&bytes, at: index)
        }
        guard hasNul || halfPair != nil else { return nil }
        repaired = String(decoding: bytes, as: UTF8.self)
    }

    /// Replaces the escape if it stands for no character; returns how many bytes it has, its other half included.
    private mutating func repair(_ bytes: inout [UInt8], at index: Int) -> Int {
        guard let unit = Self.unit(bytes, at: index) else { return 2 }
        switch unit {
        case 0: hasNul = true
        case 0xD800...0xDBFF:
            let next = Self.unit(bytes, at: index + Self.length) ?? 0
            if UTF16.isTrailSurrogate(next) { return 2 * Self.length }
            fallthrough
        case 0xDC00...0xDFFF:
            halfPair = halfPair ?? String(decoding: bytes[index..<index + Self.length], as: UTF8.self)
        default: return Self.length
        }
        bytes.replaceSubrange(index + 2..<index + Self.length, with: "fffd".utf8)
        return Self.length
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
