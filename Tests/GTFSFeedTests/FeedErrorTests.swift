import Testing

@testable import GTFSFeed

struct FeedErrorTests {
    @Test(
        "every code has a name",
        arguments: [
            (.cannotOpen, "cannotOpen"), (.notAFeed, "notAFeed"), (.damaged, "damaged"), (.unsupported, "unsupported"),
            (.severalFeeds, "severalFeeds"), (.overLimit, "overLimit"), (.readFailed, "readFailed"),
        ] as [(FeedError.Code, String)])
    func codes(code: FeedError.Code, name: String) { #expect(code.description == name) }

    @Test("an error reads as place and message")
    func description() {
        #expect(FeedError(.damaged, "is torn", at: "feed.zip").description == "feed.zip: is torn")
        #expect(FeedError(.damaged, "It is torn", at: nil).description == "It is torn")
    }

    @Test("names in an archive cannot write to a terminal or break a line")
    func hostileNames() throws {
        let name = "a\u{1b}[2J\nb\u{202e}.txt"
        let shown = #"a\u{1B}[2J\nb\u{202E}.txt"#
        let member = ZipWriter.Member(name, "x", method: 14)
        #expect(try failure(ZipWriter([member]).bytes)?.message.hasSuffix("but 1 file: " + shown) == true)
        let agency = ZipWriter.Member("agency.txt")
        let error = try failure(ZipWriter([agency, member]).bytes)
        #expect(error?.message.hasPrefix(shown + " is compressed with LZMA") == true)
        let inner = try failure(ZipWriter([member.with { $0.name += Array(".zip".utf8) }]).bytes)
        #expect(inner?.description.hasPrefix("feed.zip: " + shown + ".zip is compressed with LZMA") == true)
        try withFeed(ZipWriter([agency, .init(name), .init(name)]).bytes) { feed throws in
            #expect(feed.anomalies == ["holds more than one file of a name, and the last of each is read: " + shown])
        }
        let long = ZipWriter.Member(String(repeating: "x", count: 60_000))
        #expect(try failure(ZipWriter([long]).bytes)?.message.count == 2_001)
    }
}
