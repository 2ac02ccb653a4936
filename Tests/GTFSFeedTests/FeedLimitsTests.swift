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
        #expect(try message(FeedLimits(maximumEntries: 2)) == nil)
        #expect(try message(FeedLimits(maximumEntries: 1)) == "feed.zip: holds more than 1 entries")
        #expect(try message(FeedLimits(maximumTotalBytes: 22)) == nil)
        #expect(try message(FeedLimits(maximumTotalBytes: 21)) == "feed.zip: holds more than 21 bytes when unpacked")
        let words = "feed.zip: has a central directory of 111 bytes; at most 110 are read"
        #expect(try message(FeedLimits(maximumDirectoryBytes: 110)) == words)
    }

    @Test("an entry that grows too much is refused before a byte is inflated")
    func ratio() throws {
        let bomb = members[0].with { $0.size = 70 << 20 }
        let words = "feed.zip: agency.txt is to grow from 14 to 73400320 bytes, more than 1000-fold"
        #expect(try message(FeedLimits(), [bomb]) == words)
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
        let limits = FeedLimits(maximumTotalBytes: .max)
        #expect(try message(limits, large) == "feed.zip: holds more than \(UInt64.max) bytes when unpacked")
    }

    @Test("an inner archive that is larger than may be kept")
    func spooled() throws {
        let inner = ZipWriter.Member(name: Array("inner.zip".utf8), content: ZipWriter(members).bytes, method: 8)
        let words = "feed.zip#inner.zip: is longer than 100 bytes, the most that may be kept in temporary files"
        #expect(try message(FeedLimits(maximumSpooledBytes: 100), [inner]) == words)
    }
}
