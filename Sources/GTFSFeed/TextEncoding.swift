import SystemFiles

/// How the text of a file is encoded.
public enum TextEncoding: Sendable, Equatable, CustomStringConvertible {
    /// UTF-8 without a byte-order mark, or an 8-bit encoding that contains ASCII. Each value is examined later to tell
    /// which.
    case utf8
    case utf8WithByteOrderMark
    case utf16LittleEndian
    case utf16LittleEndianWithByteOrderMark
    case utf16BigEndian
    case utf16BigEndianWithByteOrderMark
    case utf32LittleEndian
    case utf32LittleEndianWithByteOrderMark
    case utf32BigEndian
    case utf32BigEndianWithByteOrderMark

    /// The encoding's name as IANA registers it, such as "UTF-16LE"; the same as ``name``.
    public var description: String { name }

    /// Whether the file begins with U+FEFF (Unicode Standard, section 23.8).
    public var hasByteOrderMark: Bool { byteOrderMark > 0 }

    /// The encoding's name as IANA registers it, such as "UTF-16LE".
    public var name: String { unitBytes == 1 ? "UTF-8" : "UTF-\(unitBytes * 8)\(isBigEndian ? "BE" : "LE")" }

    /// Bytes per code unit: 1, 2 or 4.
    var unitBytes: Int {
        switch self {
        case .utf8, .utf8WithByteOrderMark: 1
        case .utf16LittleEndian, .utf16LittleEndianWithByteOrderMark: 2
        case .utf16BigEndian, .utf16BigEndianWithByteOrderMark: 2
        default: 4
        }
    }

    var isBigEndian: Bool {
        switch self {
        case .utf16BigEndian, .utf16BigEndianWithByteOrderMark, .utf32BigEndian, .utf32BigEndianWithByteOrderMark: true
        default: false
        }
    }

    /// The length of the mark in bytes.
    var byteOrderMark: Int {
        switch self {
        case .utf8WithByteOrderMark: 3
        case .utf16LittleEndianWithByteOrderMark, .utf16BigEndianWithByteOrderMark: 2
        case .utf32LittleEndianWithByteOrderMark, .utf32BigEndianWithByteOrderMark: 4
        default: 0
        }
    }

    /// Detects the encoding from a file's first bytes: by its byte-order mark, or by the NULs in an ASCII header line.
    static func detect(_ bytes: [UInt8]) -> TextEncoding {
        // The mark of UTF-32 little-endian begins like that of UTF-16, so it is looked for first.
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return .utf32LittleEndianWithByteOrderMark }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return .utf32BigEndianWithByteOrderMark }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8WithByteOrderMark }
        if bytes.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndianWithByteOrderMark }
        if bytes.starts(with: [0xFE, 0xFF]) { return .utf16BigEndianWithByteOrderMark }
        let wide: [TextEncoding] = [.utf32LittleEndian, .utf32BigEndian, .utf16LittleEndian, .utf16BigEndian]
        return wide.first { startsWithASCII(bytes, $0) } ?? .utf8
    }

    /// Whether the first line, or all of the sample, is ASCII in units of this encoding. Requires at least three units,
    /// because column names are longer and a lone NUL proves nothing.
    private static func startsWithASCII(_ bytes: [UInt8], _ encoding: TextEncoding) -> Bool {
        let width = encoding.unitBytes
        let value = encoding.isBigEndian ? width - 1 : 0
        var units = 0
        for start in stride(from: 0, through: bytes.count - width, by: width) {
            for offset in 0..<width where (bytes[start + offset] == 0) == (offset == value) { return false }
            let unit = bytes[start + value]
            if unit >= 0x80 { return false }
            if unit.isLineEnd && units >= 3 { return true }
            units += 1
        }
        return units >= 3
    }
}
