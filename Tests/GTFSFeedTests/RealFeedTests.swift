import Foundation
import Testing

@testable import GTFSFeed

@Suite(.enabled(if: TestFeeds.folder != nil, Comment(rawValue: TestFeeds.absent)))
struct RealFeedTests {
    @Test(
        "every real feed opens, and every entry's bytes have the size and checksum of the directory",
        arguments: TestFeeds.zips(in: "real"))
    func realFeed(path: String) throws {
        if path.hasSuffix("/es-renfe-cercanias.zip") {
            let expected =
                "agency.txt is compressed with LZMA (method 14), which cannot be read; recompress the feed with deflate"
            #expect(throws: FeedError(.unsupported, expected, at: path)) { try Feed.open(path) }
            return
        }
        let feed = try Feed.open(path)
        for entry in feed.entries {
            #expect(try feed.read(entry).finalChecksum() == entry.checksum)
        }
        #expect(feed.entry(named: "agency.txt") != nil)
    }
    @Test(arguments: TestFeeds.zips(in: "faulty"))
    func faultyFeed(path: String) {
        do throws(FeedError) {
            let feed = try Feed.open(path)
            for entry in feed.entries { _ = try feed.read(entry).finalChecksum() }
            if !feed.anomalies.isEmpty || feed.rootFolder != nil { print(path, feed.anomalies, feed.rootFolder ?? "-") }
        } catch {
            print(error)
        }
    }
}
