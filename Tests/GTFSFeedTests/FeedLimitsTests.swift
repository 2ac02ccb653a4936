import TestSupport
import Testing

@testable import GTFSFeed

/// Feeds that are larger than allowed, zip bombs among them.
struct FeedLimitsTests {
    private let members = [
        ZipWriter.Member("agency.txt", "agency_id\n1\n", method: 8), ZipWriter.Member("stops.txt", "stop_id\n1\n"),
    ]

    private func message(_ limits: FeedLimits, _ members: [ZipWriter.Member]? = nil) throws -> String? {
        let error = try failure(ZipWriter(members ?? self.members).bytes, limits: limits)
        if let error { #expect(error.code == .overLimit) }
        return error?.description
    }

    @Test("files, bytes and the directory's own size are accepted up to their limit")
    func sizes() throws {
        #expect(try message(FeedLimits(maximumFiles: 2)) == nil)
        #expect(
            try message(FeedLimits(maximumFiles: 1))
                == "feed.zip: holds 2 files or more, more than the limit of 1 (--max-files raises it)")
        #expect(try message(FeedLimits(maximumFeedBytes: 22)) == nil)
        #expect(
            try message(FeedLimits(maximumFeedBytes: 21))
                == "feed.zip: holds 22 bytes when unpacked, more than the limit of 21 (--max-size raises it)")
        #expect(try message(FeedLimits(maximumFileBytes: 12)) == nil)
        #expect(
            try message(FeedLimits(maximumFileBytes: 11))
                == "feed.zip: agency.txt has 12 bytes when unpacked, more than the limit of 11 (--max-file-size raises it)"
        )
        let words = "feed.zip: has a central directory of 111 bytes; at most 110 are read"
        #expect(try message(FeedLimits(maximumDirectoryBytes: 110)) == words)
    }

    @Test("an entry that grows too much is refused before a byte is inflated")
    func ratio() throws {
        let bomb = members[0].with { $0.size = 70 << 20 }
        let words = "grows from 14 to 73400320 bytes when unpacked, 5242880-fold, more than the limit of 200 "
        #expect(try message(FeedLimits(), [bomb]) == "feed.zip: agency.txt \(words)(--max-ratio raises it)")
    }

    @Test("the ratio counts for more than 64 MiB, and 200 times is allowed")
    func ratioAtItsLimits() throws {
        func check(_ packed: UInt64, _ size: UInt64) throws(FeedError) {
            try FeedLimits().checkRatio(from: packed, to: size, of: "", at: "feed.zip")
        }
        try check(1, 64 << 20)
        #expect(throws: FeedError.self) { try check(1, (64 << 20) + 1) }
        try check(1 << 20, 200 << 20)
        #expect(throws: FeedError.self) { try check(1 << 20, (200 << 20) + 1) }
    }

    @Test("many entries that grow too much only together are refused before a byte is inflated")
    func ratioOfAll() throws {
        let parts = (0..<4).map { number in
            members[0].with {
                $0.size = 20 << 20
                $0.name = Array("x\(number).txt".utf8)
            }
        }
        let words = "feed.zip: grows from 66 to 83886090 bytes when unpacked, 1271001-fold, more than the limit of 200 "
        #expect(try message(FeedLimits(), parts + [members[1]]) == words + "(--max-ratio raises it)")
    }

    @Test("inner archives that grow too much are refused before they are copied")
    func ratioOfInner() throws {
        let bombs = (0..<5).map { number in
            ZipWriter.Member("x\(number).zip", "PK", method: 8).with { $0.size = 20 << 20 }
        }
        let limits = FeedLimits(maximumRatio: 10, ratioAppliesAbove: 64 << 20)
        let words = try #require(try message(limits, bombs))
        #expect(words.hasPrefix("feed.zip: grows from 20 to 104857600 bytes when unpacked, 5242880-fold"))
        let large = [
            ZipWriter.Member("x.zip", "PK", method: 8).with {
                $0.isZip64 = true
                $0.size = 5_000_000_000
            }
        ]
        let room = FeedLimits(maximumRatio: 1 << 40)
        #expect(
            try message(room, large)
                == "feed.zip#x.zip: takes 5000000000 bytes of temporary copies, more than the limit of 4294967296 "
                + "(--max-spool raises it)")
    }

    /// A member `stop_times.zip` or `trips.zip`, whose one file has 90,000 equal bytes.
    private func single(_ name: String) -> ZipWriter.Member {
        let text = String(repeating: "0", count: 90_000)
        let table = ZipWriter.Member("\(name).txt", text, method: 8).with { $0.packed = Self.shortDeflated }
        return ZipWriter.Member(name: Array("\(name).zip".utf8), content: ZipWriter([table]).bytes, method: 8)
    }

    /// 90,000 times "0" as zlib packs them.
    private static let shortDeflated: [UInt8] =
        [0xED, 0xC1, 0x01, 0x0D, 0x00, 0x00, 0x00, 0xC2, 0xA0, 0x4A, 0xEF, 0x9F, 0xCE, 0x1E, 0x0E, 0x28]
        + [UInt8](repeating: 0, count: 86) + [0x80, 0x4F, 0x03]

    @Test("archives beside each other in a folder: the limits hold for all together")
    func allInAFolder() throws {
        let folder = try TemporaryFolder()
        try folder.write("feed/stops.txt", "stop_id\n1\n")
        for name in ["trips", "stop_times"] { try folder.write("feed/\(name).zip", single(name).content) }
        func words(_ limits: FeedLimits) -> String? {
            do throws(FeedError) {
                _ = try OpenedFeed.open(folder.path("feed"), limits: limits, spoolFolder: folder.path)
                return nil
            } catch {
                return error.relative(to: folder).description
            }
        }
        #expect(words(FeedLimits(maximumFeedBytes: 180_010)) == nil)
        let sum = "feed: holds 180010 bytes when unpacked, more than the limit of 180009 (--max-size raises it)"
        #expect(words(FeedLimits(maximumFeedBytes: 180_009)) == sum)
        // Each archive is so small that its growth does not matter.
        let packed = 10 + single("trips").content.count + single("stop_times").content.count
        let growth = "feed: with the archives in it grows from \(packed) to 180010 bytes when unpacked, 389-fold"
        #expect(
            words(FeedLimits(ratioAppliesAbove: 100_000))
                == growth + ", more than the limit of 200 (--max-ratio raises it)")
        #expect(words(FeedLimits(ratioAppliesAbove: 200_000)) == nil)
    }

    @Test("archives beside each other in an archive: the limits hold for all together")
    func allInAnArchive() throws {
        let parts = [members[1]] + ["trips", "stop_times"].map(single)
        let words = try #require(try message(FeedLimits(ratioAppliesAbove: 100_000), parts))
        #expect(
            words.hasPrefix(
                "feed.zip: with the archives in it grows from \(ZipWriter(parts).bytes.count) to 180010 bytes"))
        #expect(
            try message(FeedLimits(maximumFeedBytes: 180_009), parts)?.hasPrefix("feed.zip: holds 180010 bytes") == true
        )
        #expect(try message(FeedLimits(), parts) == nil)
        // Both are copied, as they are packed.
        let copied = parts.dropFirst().reduce(0) { $0 + UInt64($1.content.count) }
        #expect(try message(FeedLimits(maximumSpooledBytes: copied), parts) == nil)
        #expect(
            try message(FeedLimits(maximumSpooledBytes: copied - 1), parts)?.contains(
                "takes \(copied) bytes of temporary copies") == true)
    }

    @Test("a bomb that says it is small ends where it says, as damaged")
    func lyingBomb() throws {
        let bomb = ZipWriter.Member("stops.txt", String(repeating: "a", count: 1_000_000), method: 8).with {
            $0.size = 10
        }
        let error = try failure(ZipWriter([bomb]).bytes)
        #expect(error?.description == "feed.zip: stops.txt is longer than the 10 bytes the central directory says")
    }

    @Test("sizes whose sum is more than a number holds are refused")
    func sumOverflow() throws {
        let large = members.map {
            $0.with { member in
                member.isZip64 = true
                member.size = .max - 5
            }
        }
        let limits = FeedLimits(maximumFeedBytes: .max, maximumFileBytes: .max, maximumRatio: .max)
        let words =
            "feed.zip: holds \(UInt64.max) bytes when unpacked, more than the limit of \(UInt64.max) (--max-size raises it)"
        #expect(try message(limits, large) == words)
    }

    @Test("an inner archive that is larger than may be kept is refused")
    func spooled() throws {
        let inner = ZipWriter.Member(name: Array("inner.zip".utf8), content: ZipWriter(members).bytes, method: 8)
        let words =
            "feed.zip#inner.zip: takes \(inner.content.count) bytes of temporary copies, more than the limit of 100 (--max-spool raises it)"
        #expect(try message(FeedLimits(maximumSpooledBytes: 100), [inner]) == words)
    }
}
