import Glibc
import ICU
import Testing

struct CharsetDecoderTests {
    @Test(arguments: [
        ("Shift_JIS", "新宿 3 丁目"), ("GB18030", "新宿 3 丁目"), ("UTF-16", "新宿 3 丁目"), ("UTF-16LE", "🚌𐐷a🚏"),
        ("ISO-2022-JP", "新宿 3 丁目"), ("EUC-KR", "서울역 1"), ("windows-1252", "Übergang €"), ("UTF-8", "é🚌"),
    ])
    func `the same text however the bytes are cut`(encoding: String, text: String) throws {
        let bytes = try #require(LegacyText.encode(text, as: encoding))
        for step in 1...bytes.count {
            let decoder = try #require(CharsetDecoder(encoding))
            var utf8: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: step) {
                let block = Array(bytes[start..<min(start + step, bytes.count)])
                block.withUnsafeBytes { decoder.decode($0, appendingTo: &utf8) }
            }
            decoder.finish(appendingTo: &utf8)
            #expect(String(decoding: utf8, as: UTF8.self) == text, "blocks of \(step)")
            #expect(decoder.replacements == 0)
        }
    }

    @Test(arguments: [
        ("US-ASCII", [0x41, 0xFF, 0x42], "A\u{FFFD}B", 1),
        ("Shift_JIS", [0x83], "\u{FFFD}", 1),
        ("UTF-16LE", [0x00, 0xD8, 0x41, 0x00], "\u{FFFD}A", 1),
        ("UTF-16LE", [0x41, 0x00, 0x42], "A\u{FFFD}", 1),
        ("windows-1252", [0x41, 0x00, 0x42, 0x1A], "A\u{0}B\u{1A}", 0),
        ("Shift_JIS", [0x5C, 0x7E], "\\~", 0),
    ])
    func `bytes that the encoding lacks become U+FFFD and are counted`(
        encoding: String, bytes: [UInt8], text: String, replacements: Int
    ) throws {
        let decoded = try #require(LegacyText.decode(bytes, as: encoding))
        #expect(Array(decoded.text.utf8) == Array(text.utf8))
        #expect(decoded.replacements == replacements)
    }

    @Test func `every byte of windows-1252 is something`() throws {
        let decoded = try #require(LegacyText.decode(Array(0...255), as: "windows-1252"))
        #expect(decoded.text.unicodeScalars.count == 256)
        #expect(decoded.replacements == 0)
    }

    @Test func `any bytes in any encoding give UTF-8`() throws {
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: ($0 &* 7919) >> 3) }
        for encoding in [
            "Shift_JIS", "Big5", "EUC-JP", "EUC-KR", "GB18030", "UTF-16BE", "UTF-16", "UTF-8", "ISO-2022-KR",
        ] {
            #expect(LegacyText.decode(bytes, as: encoding) != nil, "\(encoding)")
        }
    }

    @Test func `after finish a new text begins`() throws {
        let decoder = try #require(CharsetDecoder("UTF-16"))
        var utf8: [UInt8] = []
        for bytes: [UInt8] in [[0xFE, 0xFF, 0x00, 0x41], [0xFF, 0xFE, 0x42, 0x00]] {
            bytes.withUnsafeBytes { decoder.decode($0, appendingTo: &utf8) }
            decoder.finish(appendingTo: &utf8)
        }
        #expect(utf8 == Array("AB".utf8))
    }

    @Test func `a text longer than any block is read whole`() throws {
        let decoded = try #require(LegacyText.decode([UInt8](repeating: 0xE9, count: 1_000_001), as: "windows-1252"))
        #expect(decoded.text == String(repeating: "é", count: 1_000_001))
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

    /// The decoded text and how often U+FFFD stands for bytes that the encoding lacks; nil for an unknown encoding.
    static func decode(_ bytes: [UInt8], as encoding: String) -> (text: String, replacements: Int)? {
        guard let decoder = CharsetDecoder(encoding) else { return nil }
        var utf8: [UInt8] = []
        bytes.withUnsafeBytes { decoder.decode($0, appendingTo: &utf8) }
        decoder.finish(appendingTo: &utf8)
        return String(validating: utf8, as: UTF8.self).map { ($0, decoder.replacements) }
    }
}
