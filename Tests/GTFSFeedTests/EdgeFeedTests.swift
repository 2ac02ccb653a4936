import TestSupport
import Testing

@testable import GTFSFeed

/// Rare forms of archives and texts.
struct EdgeFeedTests {
    /// APPNOTE 4.3.13: the signature follows the last entry, within the central directory.
    @Test func `a digital signature of the central directory is passed over`() throws {
        let plain = ZipWriter([.init("agency.txt", "agency_id\n1\n"), .init("stops.txt", "stop_id\n1\n")]).bytes
        let signature = le(UInt32(0x0505_4b50)) + le(UInt16(5)) + Array("12345".utf8)
        // The end record takes 22 bytes; the size of the directory stands at its byte 12.
        var end = Array(plain.suffix(22))
        let size = end[12..<16].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        end.replaceSubrange(12..<16, with: le(size + UInt32(signature.count)))
        try withFeed(plain.dropLast(22) + signature + end) { (feed: OpenedFeed) throws -> Void in
            #expect(try feed.texts() == ["agency.txt": "agency_id\n1\n", "stops.txt": "stop_id\n1\n"])
            #expect(feed.anomalies.isEmpty)
        }
    }

    @Test(arguments: TextSourceTests.encodings, ["id,name\r1,Київ\r", "a,b", "id\n"])
    func `an encoding is recognised by a line that ends with CR, and by three letters`(
        encoding: TextEncoding, text: String
    ) throws {
        let (source, read) = try TextSourceTests.readAll(TextSourceTests.encode(text, encoding))
        #expect(source.encoding == encoding && read == text)
    }

    /// No single archive is larger than the whole file.
    @Test func `archives at several places grow too much together`() throws {
        func wrapped(_ name: String, _ content: [UInt8]) -> [UInt8] {
            ZipWriter([.init(name: Array(name.utf8), content: content, method: 8)]).bytes
        }
        let notes = String(repeating: "0123456789", count: 100)
        let inner = (0..<2).map { wrapped("notes\($0).dat", Array(notes.utf8)) }
        let middle = (0..<2).map { wrapped("y\($0).zip", inner[$0]) }
        let outer = ZipWriter(
            (0..<2).map { .init(name: Array("x\($0).zip".utf8), content: middle[$0], method: 8) }
        ).bytes
        let sizes = middle.map(\.count) + inner.map(\.count)
        #expect(sizes.allSatisfy { $0 <= outer.count } && sizes.reduce(0, +) > outer.count)
        let error = try failure(outer, limits: FeedLimits(maximumRatio: 1, ratioAppliesAbove: 0))
        #expect(error?.code == .overLimit)
        #expect(error?.message.hasPrefix("with other archives in it grows from \(outer.count) to ") == true)
    }
}
