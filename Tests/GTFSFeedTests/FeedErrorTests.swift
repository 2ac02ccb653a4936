import Testing

@testable import GTFSFeed

struct FeedErrorTests {
    @Test(
        "every code has a name and an exit code of sysexits.h",
        arguments: [
            (.cannotOpen, "cannotOpen", 66), (.notAFeed, "notAFeed", 65), (.damaged, "damaged", 65),
            (.unsupported, "unsupported", 65), (.severalFeeds, "severalFeeds", 65), (.overLimit, "overLimit", 65),
            (.readFailed, "readFailed", 74),
        ] as [(FeedError.Code, String, Int32)])
    func codes(code: FeedError.Code, name: String, exitCode: Int32) {
        #expect(code.description == name)
        #expect(code.exitCode == exitCode)
    }

    @Test("an error reads as place and message")
    func description() {
        #expect(FeedError(.damaged, "is torn", at: "feed.zip").description == "feed.zip: is torn")
        #expect(FeedError(.damaged, "It is torn", at: nil).description == "It is torn")
    }
}
