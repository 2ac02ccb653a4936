import Foundation
import TestSupport
import Testing

@testable import GTFSFeed

/// Reads feeds of agencies, and faulty feeds from other projects.
@Suite(.enabled(if: RealFeeds.folder != nil, Comment(rawValue: RealFeeds.absent)))
struct RealFeedTests {
    @Test(
        "every real feed opens, and every entry's bytes have the size and checksum of the directory",
        arguments: RealFeeds.zips(in: "real"))
    func real(path: String) throws {
        if path.hasSuffix("/es-renfe-cercanias.zip") {
            let words =
                "agency.txt is compressed with LZMA (method 14), which cannot be read; recompress the feed with deflate"
            #expect(throws: FeedError(.unsupported, words, at: path)) { try OpenedFeed.open(path) }
            return
        }
        let feed = try OpenedFeed.open(path)
        for entry in feed.entries { #expect(try feed.read(entry).finalChecksum() == entry.checksum) }
        #expect(feed.entry(named: "agency.txt") != nil)
        #expect(feed.place == path)
    }

    private static let words = [
        "empty-metrolink": "holds no files, only folders or hidden ones",
        "html-octranspo": #"is not a zip archive: it starts with "<!DOCTYPE html>""#,
        "ntd-mtc-fares-only":
            "holds no GTFS file (agency.txt, stops.txt, routes.txt, …) but 5 files: debug_settings.csv, fares_per_route.csv, "
            + "fares_per_transfer.csv, fares_per_type.csv, global_settings.csv",
        "otp-umlaut-utf8-no-efs": "holds no GTFS file (agency.txt, stops.txt, routes.txt, …) but 1 file: ümläüt.txt",
        "tf-unknown-format": #"is not a zip archive: it starts with "not a real zip file""#,
        "tl-example-nested-dir-ambiguous":
            "holds 2 feeds; name one of them: PATH#example-nested-dir/example-duplicate/, PATH#example-nested-dir/example/",
        "tl-example-nested-two-feeds": "holds 2 feeds; name one of them: PATH#example1/, PATH#example2/",
        "tl-invalid": #"is not a zip archive: it starts with "not a zip file""#,
        "wild-kyiv-rgtfs-resources":
            "holds no GTFS file (agency.txt, stops.txt, routes.txt, …) but 22 files: structure_rozklad-rukhu-miskoho-"
            + "elektrychnoho-ta-avtomobilnoho-transportu-dep-transport_2026-07-03.json, passport_rozklad-rukhu-miskoho-"
            + "elektrychnoho-ta-avtomobilnoho-transportu-dep-transport_2026-07-03.csv, schemas/schema_routes(in).csv, "
            + "schemas/schema_agency(in).csv, resources/GTFSStatic.txt and 17 more",
        "wild-vietnam-feed-icons":
            "holds no GTFS file (agency.txt, stops.txt, routes.txt, …) but 33 files: feed/chrome.png, feed/chromium.png, "
            + "feed/directx.png, feed/discord.png, feed/edge.png and 28 more",
    ]

    @Test("a faulty feed opens and can be read, or a sentence says why not", arguments: RealFeeds.zips(in: "faulty"))
    func faulty(path: String) throws {
        let name = String(path.split(separator: "/").last?.dropLast(4) ?? "")
        do throws(FeedError) {
            let feed = try OpenedFeed.open(path)
            for entry in feed.entries { #expect(try feed.read(entry).finalChecksum() == entry.checksum) }
            #expect(Self.words[name] == nil)
        } catch {
            #expect(error.message.replacingOccurrences(of: path, with: "PATH") == Self.words[name])
            #expect(![.cannotOpen, .readFailed].contains(error.code))
        }
    }
}
