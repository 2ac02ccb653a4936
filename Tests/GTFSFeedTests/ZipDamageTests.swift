import Foundation
import TestSupport
import Testing

@testable import GTFSFeed

/// Checks the error for each kind of damaged or hostile archive.
struct ZipDamageTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var code: FeedError.Code
        var message: String
        var bytes: [UInt8]
        var testDescription: String { name }
    }

    private static let stops = ZipWriter.Member("stops.txt", "stop_id\n1\n2\n3\n", method: 8)

    /// A case with a change in one member of the feed.
    private static func member(
        _ name: String, _ code: FeedError.Code, _ message: String, _ change: (inout ZipWriter.Member) -> Void
    ) -> Case {
        let agency = ZipWriter.Member("agency.txt", "agency_id\n1\n")
        return Case(name: name, code: code, message: message, bytes: ZipWriter([stops.with(change), agency]).bytes)
    }

    /// A case with a change in the archive as a whole.
    private static func archive(
        _ name: String, _ code: FeedError.Code, _ message: String, _ change: (inout ZipWriter) -> Void
    ) -> Case {
        var writer = ZipWriter([stops])
        change(&writer)
        return Case(name: name, code: code, message: message, bytes: writer.bytes)
    }

    private static let compressed = deflated(Array("stop_id\n1\n2\n3\n".utf8))
    private static let remedy = "which cannot be read; recompress the feed with deflate"

    static let members: [Case] = [
        member("checksum", .damaged, "stops.txt has the checksum 178fb68f, not 00000007 as the archive says") {
            $0.checksum = 7
        },
        member("too long", .damaged, "stops.txt is longer than the 5 bytes the central directory says") { $0.size = 5 },
        member("too short", .damaged, "stops.txt ends after 14 of 99 bytes") { $0.size = 99 },
        member(
            "stored sizes", .damaged,
            "stops.txt is stored without compression, but has 14 bytes in the archive and 15 unpacked"
        ) {
            $0.method = 0
            $0.size = 15
        },
        member("cut deflate", .damaged, "stops.txt is cut off: its compressed data has no end") {
            $0.packed = compressed.dropLast(3)
        },
        member("no deflate", .damaged, "stops.txt is cut off: its compressed data has no end") { $0.packed = [] },
        member("bytes after deflate", .damaged, "stops.txt has 4 bytes after the end of its compressed data") {
            $0.packed = compressed + [1, 2, 3, 4]
        },
        member("bad deflate", .damaged, "stops.txt cannot be inflated: invalid block type") {
            $0.packed = [0xff, 0xff]
        },
        member("local name", .damaged, #"stops.txt is called "stopz.txt" in its local header"#) {
            $0.localName = Array("stopz.txt".utf8)
        },
        member(
            "local method", .damaged,
            "stops.txt is compressed with Deflate (method 8) by the central directory, with LZMA (method 14) by its local header"
        ) { $0.localMethod = 14 },
        member("offset", .damaged, "stops.txt has no local header at byte 3, where the central directory says") {
            $0.offset = 3
            $0.packedSize = 2
        },
        member("beyond the end", .damaged, #""stops.txt" lies beyond the end of the archive's data"#) {
            $0.packedSize = 9_999
        },
        member("offset overflow", .damaged, #""stops.txt" lies beyond the end of the archive's data"#) {
            $0.isZip64 = true
            $0.offset = .max
        },
        member("size overflow", .damaged, #""stops.txt" lies beyond the end of the archive's data"#) {
            $0.isZip64 = true
            $0.packedSize = .max
        },
        member("overlap", .damaged, #""stops.txt" and "agency.txt" overlap"#) { $0.packedSize = 30 },
        member(
            "long local header", .damaged,
            "stops.txt is longer than the place up to the next entry or the central directory"
        ) {
            $0.localExtra = [UInt8](repeating: 0, count: 20)
            $0.packedSize = UInt64(compressed.count + 20)
        },
        member("zip64 field missing", .damaged, "entry 1 of its central directory is damaged") {
            $0.isZip64 = true
            $0.centralExtra = le(UInt16(1)) + le(UInt16(8)) + le(UInt64(14))
        },
        member("another disk", .unsupported, #""stops.txt" lies in another part of this zip; join the parts first"#) {
            $0.disk = 3
        },
        member(
            "encrypted", .unsupported,
            "stops.txt is encrypted, which cannot be read; supply the feed without a password"
        ) { $0.flags = 1 },
        member("AES", .unsupported, "stops.txt is encrypted, which cannot be read; supply the feed without a password")
        {
            $0.method = 99
        },
        member("Deflate64", .unsupported, "stops.txt is compressed with Deflate64 (method 9), \(remedy)") {
            $0.method = 9
        },
        member("BZip2", .unsupported, "stops.txt is compressed with BZip2 (method 12), \(remedy)") { $0.method = 12 },
        member("LZMA", .unsupported, "stops.txt is compressed with LZMA (method 14), \(remedy)") { $0.method = 14 },
        member("Zstandard", .unsupported, "stops.txt is compressed with Zstandard (method 93), \(remedy)") {
            $0.method = 93
        },
        member("XZ", .unsupported, "stops.txt is compressed with XZ (method 95), \(remedy)") { $0.method = 95 },
        member("PPMd", .unsupported, "stops.txt is compressed with PPMd (method 98), \(remedy)") { $0.method = 98 },
        member("unknown", .unsupported, "stops.txt is compressed with method 77, \(remedy)") { $0.method = 77 },
    ]

    static let archives: [Case] = [
        archive(
            "directory elsewhere", .damaged, "is a damaged zip: its central directory is not where its end record says"
        ) {
            $0.directoryOffset = 100_000
        },
        archive(
            "directory beyond zip64", .damaged,
            "is a damaged zip: its central directory is not where its end record says"
        ) {
            $0.hasZip64End = true
            $0.directoryOffset = .max - 1
        },
        archive(
            "several parts", .unsupported,
            "is one part of a zip in several parts, which cannot be read; join the parts first"
        ) { $0.disk = 2 },
        archive(
            "several parts, zip64", .unsupported,
            "is one part of a zip in several parts, which cannot be read; join the parts first"
        ) {
            $0.hasZip64End = true
            $0.disk = 2
        },
        archive("no entry", .notAFeed, "is empty: it holds no files") { $0.members = [] },
        archive("only folders", .notAFeed, "holds no files, only folders or hidden ones") {
            $0.members = [.init("gtfs/")]
        },
    ]

    @Test("a damaged member is an error that says what is wrong", arguments: members)
    func damagedMember(damage: Case) throws {
        let error = try failure(damage.bytes)
        #expect(error == FeedError(damage.code, damage.message, at: "feed.zip"))
    }

    @Test("a damaged archive is an error that says what is wrong", arguments: archives)
    func damagedArchive(damage: Case) throws {
        let error = try failure(damage.bytes)
        #expect(error == FeedError(damage.code, damage.message, at: "feed.zip"))
    }

    @Test("two entries that share their data, as zip bombs have them, are refused")
    func sharedData() throws {
        let second = ZipWriter.Member("trips.txt", "stop_id\n1\n2\n3\n", method: 8).with { $0.offset = 0 }
        let error = try failure(ZipWriter([Self.stops, second]).bytes)
        #expect(error?.description == #"feed.zip: "stops.txt" and "trips.txt" overlap"#)
    }

    @Test("a directory whose second entry is overwritten is refused")
    func damagedDirectory() throws {
        var bytes = ZipWriter([Self.stops, .init("agency.txt")]).bytes
        let starts = bytes.indices.dropLast(4).filter { Array(bytes[$0..<$0 + 4]) == [0x50, 0x4b, 1, 2] }
        bytes[starts[1]] = 0
        #expect(try failure(bytes)?.description == "feed.zip: entry 2 of its central directory is damaged")
    }

    @Test("an archive cut off anywhere is refused: as cut off while it begins like a zip")
    func cutOff() throws {
        let inner = ZipWriter([.init("agency.txt", "inner")]).bytes
        let bytes = ZipWriter([Self.stops, .init(name: Array("inner.zip".utf8), content: inner)]).bytes
        for length in stride(from: 0, to: bytes.count, by: 1) {
            let error = try #require(try failure(Array(bytes[..<length])), "cut after \(length) bytes")
            #expect([.damaged, .notAFeed].contains(error.code))
        }
        let message = "feed.zip: looks like a cut-off zip: it begins like one, but its end is missing (50 bytes)"
        #expect(try failure(Array(bytes[..<50]))?.description == message)
    }

    /// The directory is there, so the message must not say that it is missing.
    @Test("an archive cut off within its comment lacks its end")
    func cutComment() throws {
        var bytes = ZipWriter([Self.stops]).bytes
        bytes[bytes.count - 2] = 9
        let message =
            "feed.zip: looks like a cut-off zip: it begins like one, but its end is missing (\(bytes.count) bytes)"
        #expect(try failure(bytes)?.description == message)
    }

    /// Programs that read zips look for the end in the last 65,557 bytes only, the longest that a comment can make it.
    @Test("an archive with more bytes after it than a comment may have is not called cut off")
    func farEnd() throws {
        let bytes = ZipWriter([Self.stops]).bytes + [UInt8](repeating: 0, count: 70_000)
        let message =
            "feed.zip: begins like a zip, but the end of one is not in its last 65557 bytes: it was cut off, or more "
            + "than a comment follows it (\(bytes.count) bytes)"
        #expect(try failure(bytes)?.description == message)
    }

    @Test("an unreadable method in a file that is no table only counts when it is read")
    func unreadableExtra() throws {
        let extra = ZipWriter.Member("logo.png", "x", method: 14)
        try withFeed(ZipWriter([Self.stops, extra]).bytes) { feed throws in
            let entry = try #require(feed.entry(named: "logo.png"))
            #expect(throws: FeedError.self) { try feed.read(entry) }
            #expect(try feed.bytes(of: #require(feed.entry(named: "stops.txt"))).count == 14)
        }
    }

    @Test("a stream that failed keeps failing")
    func keepsFailing() throws {
        try withFeed(ZipWriter([Self.stops.with { $0.checksum = 7 }]).bytes) { feed throws in
            let stream = try feed.read(#require(feed.entries.first))
            for _ in 0..<2 { #expect(throws: FeedError.self) { try stream.finalChecksum() } }
        }
    }

    @Test("a file that is cut short while it is read is an error, no crash")
    func truncatedMeanwhile() throws {
        let folder = try TemporaryFolder()
        let content = [UInt8](repeating: 65, count: 100_000)
        let archive = ZipWriter([.init(name: Array("stops.txt".utf8), content: content)]).bytes
        let path = try folder.write("feed.zip", archive)
        let feed = try OpenedFeed.open(path)
        let stream = try feed.read(#require(feed.entries.first))
        #expect(truncate(path, 5_000) == 0)
        let error = #expect(throws: FeedError.self) { try stream.finalChecksum() }
        let size = archive.count
        #expect(
            error?.relative(to: folder).description
                == "feed.zip: was \(size) bytes long when it was opened and now ends after 5000; it changed while it was read"
        )
        #expect(error?.code == .readFailed)
    }
}
