import Foundation
import SystemFiles
import TestSupport
import Testing

@Suite struct PathTextTests {
    private static let cases: [[UInt8]] = [
        Array("stores/berlin.sqlite".utf8), Array("Fährhafen 🚋".utf8), [0x67, 0xFC, 0x2E], [0xFF], [0x80, 0xC3, 0xA4],
        [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0xAF], [],
        // Names that contain the characters that stand for bytes.
        Array("\u{10FF80}\u{10FFFF}a".utf8), Array("\u{10FF7F}".utf8),
    ]

    @Test(arguments: cases) func everyPathComesBackByteByByte(bytes: [UInt8]) {
        #expect(String(pathBytes: bytes).pathBytes == bytes)
        #expect(
            String(pathBytes: bytes).withPath { Array(UnsafeBufferPointer(start: $0, count: bytes.count + 1)) }
                == bytes.map(CChar.init(bitPattern:)) + [0])
    }

    @Test func randomPathsComeBackToo() {
        var generator = SeededGenerator(seed: 16)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<9, using: &generator)).map { _ in
                UInt8.random(in: 1...255, using: &generator)
            }
            #expect(String(pathBytes: bytes).pathBytes == bytes)
        }
    }

    @Test func utf8StaysWhatItIs() {
        for text in ["a/b", "Möwenhöft", "日本", "e\u{301}"] {
            #expect(Array(String(pathBytes: text.utf8).utf8) == Array(text.utf8))
            #expect(text.readablePath == text)
        }
    }

    @Test func otherBytesAreReadable() {
        #expect(String(pathBytes: [0x67, 0xFC, 0x2E, 0x7A]).readablePath == "g\\xFC.z")
    }

    @Test func differentPathsHaveDifferentTexts() {
        let texts = Set(Self.cases.map { Array(String(pathBytes: $0).utf8) })
        #expect(texts.count == Self.cases.count)
    }

    @Test func namesAndLinksThatAreNotUTF8AreFound() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/paths-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let name = String(pathBytes: [0xFC, 0x2E, 0xE4])
        let descriptor = SystemFile.open(folder + "/" + name, O_RDWR | O_CREAT, 0o600)
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(try SystemFile.names(in: folder).map(\.pathBytes) == [[0xFC, 0x2E, 0xE4]])
        #expect(try SystemFile.resolve(folder + "/" + name).pathBytes.suffix(3) == [0xFC, 0x2E, 0xE4])
        name.withPath { target in _ = (folder + "/link").withPath { symlink(target, $0) } }
        #expect(SystemFile.linkTarget(folder + "/link")?.pathBytes == [0xFC, 0x2E, 0xE4])
        #expect(try FileStatus.find(folder + "/link")?.size == 0)
        #expect(try FileStatus.find(folder + "/none") == nil)
    }

    @Test func aFileWithoutANameLeavesNothing() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/unnamed-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let descriptor = try UnnamedFile.make(in: folder)
        try Array("keys".utf8).withUnsafeBytes { try SystemFile.write($0, to: descriptor, at: 2) }
        #expect(try SystemFile.head(10, of: descriptor) == [0, 0] + Array("keys".utf8))
        #expect(try SystemFile.names(in: folder).isEmpty)
        close(descriptor)
        #expect(throws: SystemError(number: ENOENT)) { try UnnamedFile.make(in: folder + "/none") }
        #expect(UnnamedFile.isLeftover(".import-gtfs-0123456789abcdef"))
        for name in [
            ".import-gtfs-0123456789abcde", ".import-gtfs-0123456789abcdeF", "import-gtfs-0123456789abcdef",
            // Swift takes the dash and the accent for one character.
            ".import-gtfs-\u{301}0123456789abcdef",
        ] {
            #expect(!UnnamedFile.isLeftover(name))
        }
    }
}
