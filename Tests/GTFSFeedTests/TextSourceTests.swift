import Testing

@testable import GTFSFeed

@Suite("Text encodings of files")
struct TextSourceTests {
    static let encodings: [TextEncoding] = [
        .utf8, .utf8WithByteOrderMark, .utf16LittleEndian, .utf16LittleEndianWithByteOrderMark, .utf16BigEndian,
        .utf16BigEndianWithByteOrderMark, .utf32LittleEndian, .utf32LittleEndianWithByteOrderMark, .utf32BigEndian,
        .utf32BigEndianWithByteOrderMark,
    ]

    /// Encodes text in the plainest way.
    static func encode(_ text: String, _ encoding: TextEncoding) -> [UInt8] {
        let text = (encoding.hasByteOrderMark ? "\u{FEFF}" : "") + text
        func bytes(_ unit: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: encoding.isBigEndian ? unit.bigEndian : unit.littleEndian) { Array($0) }
        }
        return switch encoding.unitBytes {
        case 1: Array(text.utf8)
        case 2: text.utf16.flatMap { bytes($0) }
        default: text.unicodeScalars.flatMap { bytes($0.value) }
        }
    }

    static func readAll(_ bytes: [UInt8], sizes: [Int] = [.max], into room: Int = 100) throws -> (TextSource, String) {
        let source = try TextSource(PiecemealSource(bytes, sizes: sizes))
        var text: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { buffer.deallocate() }
        while case let count = try source.read(into: buffer), count > 0 { text += buffer[..<count] }
        return (source, String(decoding: text, as: UTF8.self))
    }

    @Test(arguments: encodings)
    func `every encoding is recognised and read, however its bytes arrive`(encoding: TextEncoding) throws {
        let text = "stop_id,stop_name\r\n1,Gedenkstätte Київ 東京 🚋\r\n"
        let bytes = Self.encode(text, encoding)
        for size in [1, 2, 3, 5, 1_000] {
            for room in [1, 3, 1_000] {
                let (source, read) = try Self.readAll(bytes, sizes: [size], into: room)
                #expect(source.encoding == encoding)
                #expect(read == text)
            }
        }
    }

    @Test(arguments: encodings)
    func `text longer than any buffer comes whole`(encoding: TextEncoding) throws {
        let text = "stop_id,stop_name\n" + String(repeating: "1,🚋 Süd\n", count: 20_000)
        let (_, read) = try Self.readAll(Self.encode(text, encoding), sizes: [777], into: 4_001)
        #expect(read == text)
    }

    @Test(arguments: encodings)
    func `a reader finds the rows of every encoding`(encoding: TextEncoding) throws {
        let text = "stop_id,stop_name\r\n1,\"Київ, \"\"🚋\"\"\"\r\n"
        let source = PiecemealSource(Self.encode(text, encoding), sizes: [7])
        let reader = try CSVReader(source: source, blockBytes: 16)
        #expect(reader.encoding == encoding)
        #expect(reader.header.problems == (encoding.hasByteOrderMark ? [.byteOrderMark] : []))
        let block = try #require(try reader.nextBlock())
        #expect(block.fields(of: 0).map { String(decoding: block.field($0), as: UTF8.self) } == ["1", "Київ, \"🚋\""])
    }

    @Test func `half surrogates and half units become replacement characters`() throws {
        let units: [(bytes: [UInt8], text: String)] = [
            ([0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0x62, 0], "a\u{FFFD}b"),
            ([0xFF, 0xFE, 0x61, 0, 0x3D, 0xDC, 0x62, 0], "a\u{FFFD}b"),
            ([0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8], "a\u{FFFD}"),
            ([0xFF, 0xFE, 0x61, 0, 0x62], "a\u{FFFD}"),
            ([0xFE, 0xFF, 0xD8, 0x3D, 0xD8, 0x3D, 0xDE, 0x8B], "\u{FFFD}\u{1F68B}"),
            ([0, 0, 0xFE, 0xFF, 0, 0x11, 0, 0, 0, 0, 0, 0x61], "\u{FFFD}a"),
            ([0, 0, 0xFE, 0xFF, 0, 0, 0xD8, 0, 0, 0], "\u{FFFD}\u{FFFD}"),
        ]
        for (bytes, text) in units {
            for size in 1...4 {
                let (_, read) = try Self.readAll(bytes, sizes: [size])
                #expect(read == text)
            }
        }
    }

    @Test func `a few NULs do not make a file UTF-16`() throws {
        let texts = ["a\0", "a\0b", "a,b\n1,\0\n", "\0\0\0\0", "\0a\0", "id\0\n", "", "a", "ab\0c\0d\0"]
        for text in texts {
            let (source, read) = try Self.readAll(Array(text.utf8))
            #expect(source.encoding == .utf8)
            #expect(read == text)
        }
    }

    @Test func `a legacy 8-bit file passes untouched`() throws {
        let bytes: [UInt8] = [0x61, 0x2C, 0x62, 0x0A, 0xE9, 0x2C, 0xFC, 0x0A]
        let reader = try CSVReader(source: PiecemealSource(bytes))
        let block = try #require(try reader.nextBlock())
        #expect(reader.encoding == .utf8)
        #expect(block.fields(of: 0).map { Array(block.field($0)) } == [[0xE9], [0xFC]])
        #expect(block.containsNonASCII)
    }
}
