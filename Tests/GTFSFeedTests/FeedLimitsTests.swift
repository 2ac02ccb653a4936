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

    @Test("entries, bytes and the directory's own size")
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

    @Test("a bomb that says it is small ends where it says, as damaged")
    func lyingBomb() throws {
        let bomb = ZipWriter.Member("stops.txt", String(repeating: "a", count: 1_000_000), method: 8).with {
            $0.size = 10
        }
        let error = try failure(ZipWriter([bomb]).bytes)
        #expect(error?.description == "feed.zip: stops.txt is longer than the 10 bytes the central directory says")
    }

    @Test("sizes whose sum is more than a number holds")
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

    @Test("an inner archive that is larger than may be kept")
    func spooled() throws {
        let inner = ZipWriter.Member(name: Array("inner.zip".utf8), content: ZipWriter(members).bytes, method: 8)
        let words =
            "feed.zip#inner.zip: takes \(inner.content.count) bytes of temporary copies, more than the limit of 100 (--max-spool raises it)"
        #expect(try message(FeedLimits(maximumSpooledBytes: 100), [inner]) == words)
    }
}
