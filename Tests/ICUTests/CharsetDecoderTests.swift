import Glibc
import ICU
import Testing

struct CharsetDecoderTests {
    @Test(arguments: [
        ("Shift_JIS", "新宿 3 丁目"), ("GB18030", "新宿 3 丁目"), ("UTF-16", "新宿 3 丁目"), ("UTF-16LE", "🚌𐐷a🚏"),
        ("ISO-2022-JP", "新宿 3 丁目"), ("EUC-KR", "서울역 1"), ("windows-1252", "Übergang €"), ("UTF-8", "é🚌"),
    ])
    func `a text comes back from its encoding`(encoding: String, text: String) throws {
        let bytes = try #require(LegacyText.encode(text, as: encoding))
        #expect(LegacyText.decode(bytes, as: encoding) == text)
    }

    @Test(arguments: [
        ("US-ASCII", [0x41, 0xFF, 0x42], "A\u{FFFD}B"),
        ("Shift_JIS", [0x83], "\u{FFFD}"),
        ("UTF-16LE", [0x00, 0xD8, 0x41, 0x00], "\u{FFFD}A"),
        ("UTF-16LE", [0x41, 0x00, 0x42], "A\u{FFFD}"),
        ("windows-1252", [0x41, 0x00, 0x42, 0x1A], "A\u{0}B\u{1A}"),
        ("Shift_JIS", [0x5C, 0x7E], "\\~"),
    ])
    func `bytes that the encoding lacks become U+FFFD`(encoding: String, bytes: [UInt8], text: String) throws {
        let decoded = try #require(LegacyText.decode(bytes, as: encoding))
        #expect(Array(decoded.utf8) == Array(text.utf8))
    }

    @Test func `every byte of windows-1252 is something`() throws {
        let decoded = try #require(LegacyText.decode(Array(0...255), as: "windows-1252"))
        #expect(decoded.unicodeScalars.count == 256)
        #expect(!decoded.unicodeScalars.contains("\u{FFFD}"))
    }

    @Test func `any bytes in any encoding give UTF-8`() throws {
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: ($0 &* 7919) >> 3) }
        for encoding in [
            "Shift_JIS", "Big5", "EUC-JP", "EUC-KR", "GB18030", "UTF-16BE", "UTF-16", "UTF-8", "ISO-2022-KR",
        ] {
            #expect(LegacyText.decode(bytes, as: encoding) != nil, "\(encoding)")
        }
    }

    @Test func `one decoder converts one text after another`() throws {
        let decoder = try #require(CharsetDecoder("UTF-16"))
        var utf8: [UInt8] = []
        for bytes: [UInt8] in [[0xFE, 0xFF, 0x00, 0x41], [0xFF, 0xFE, 0x42, 0x00]] {
            bytes.withUnsafeBytes { decoder.decodeWhole($0, appendingTo: &utf8) }
        }
        #expect(utf8 == Array("AB".utf8))
    }

    @Test func `a text longer than any block is read whole`() throws {
        let decoded = try #require(LegacyText.decode([UInt8](repeating: 0xE9, count: 1_000_001), as: "windows-1252"))
        #expect(decoded == String(repeating: "é", count: 1_000_001))
    }

    @Test(arguments: ["", "no-such-encoding", "../../etc/passwd", "a\u{0}b", String(repeating: "x", count: 500), "é"])
    func `a name that is no encoding opens no decoder`(name: String) {
        #expect(CharsetDecoder(name) == nil)
    }
}

/// Texts in legacy encodings. The C library's iconv writes them, so that ICU does not check itself, and the decoder
/// under test reads them.
enum LegacyText {
    /// The bytes of a text in an encoding; nil if the encoding cannot represent it.
    static func encode(_ text: String, as encoding: String) -> [UInt8]? {
        let names = [
            "windows-949": "CP949", "windows-874": "CP874", "x-mac-centraleurroman": "MAC-CENTRALEUROPE",
            "x-mac-cyrillic": "MAC-CYRILLIC",
        ]
        let name = names[encoding] ?? encoding
        guard let converter = iconv_open(name, "UTF-8"), converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var source = Array(text.utf8CString.dropLast())
        var target = [CChar](repeating: 0, count: source.count * 4 + 16)
        var sourceLeft = source.count
        var targetLeft = target.count
        source.withUnsafeMutableBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
                var from = source.baseAddress
                var to = target.baseAddress
                iconv(converter, &from, &sourceLeft, &to, &targetLeft)
                iconv(converter, nil, nil, &to, &targetLeft)
            }
        }
        return sourceLeft == 0 ? target.dropLast(targetLeft).map { UInt8(bitPattern: $0) } : nil
    }

    /// The decoded text; nil for an unknown encoding.
    static func decode(_ bytes: [UInt8], as encoding: String) -> String? {
        guard let decoder = CharsetDecoder(encoding) else { return nil }
        var utf8: [UInt8] = []
        bytes.withUnsafeBytes { decoder.decodeWhole($0, appendingTo: &utf8) }
        return String(validating: utf8, as: UTF8.self)
    }
}
