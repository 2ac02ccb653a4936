import Foundation
import TestSupport
import Testing

@testable import GTFSFeed

/// Checks where in a container the feed is found, and the error when it is not found.
struct FeedSearchTests {
    private static func zip(_ names: [String]) -> [UInt8] {
        ZipWriter(names.map { ZipWriter.Member($0, "content of \($0)") }).bytes
    }

    private static func member(_ name: String, _ archive: [UInt8], method: UInt16 = 0) -> ZipWriter.Member {
        ZipWriter.Member(name: Array(name.utf8), content: archive, method: method)
    }

    @Test(
        "the folder with GTFS files is the root; one above others counts for them",
        arguments: [
            (["stops.txt"], .folder("")), (["x.csv", "gtfs/stops.txt"], .folder("gtfs/")),
            (["a/b/STOPS.TXT", "a/b/x", "a/c/x"], .folder("a/b/")), (["stops.txt", "old/stops.txt"], .folder("")),
            (["a/stops.txt", "a/old/stops.txt"], .folder("a/")), (["a/locations.geojson"], .folder("a/")),
            (["b/stops.txt", "a/trips.txt"], .several(["a/", "b/"])),
            (["a/stops.txt", "ab/stops.txt"], .several(["a/", "ab/"])),
            (["\u{E9}/stops.txt", "e\u{301}/stops.txt"], .several(["e\u{301}/", "\u{E9}/"])),
            (["readme.txt"], .none), ([], .none),
        ] as [([String], FeedRoot)])
    func roots(paths: [String], root: FeedRoot) { #expect(FeedRoot.find(in: paths) == root) }

    @Test func `a name may begin with the separator`() {
        let argument = FeedArgument("#x#y", exists: { _ in false })
        #expect(argument.path == "#x#y" && argument.parts.isEmpty)
    }

    @Test("a separator counts before a combining mark")
    func combiningMarks() throws {
        #expect(FeedArgument("a.zip#\u{301}b.zip", exists: { _ in false }).parts == ["\u{301}b.zip"])
        let names = ["stops.txt", "\u{301}.txt", "x\u{600}.txt", "a/\u{301}b.txt", "c.TXT", "d.txt\u{301}"]
        try withFeed(Self.zip(names)) { feed throws in
            #expect(
                feed.entries.filter(\.isTable).map(\.name) == ["c.TXT", "stops.txt", "x\u{600}.txt", "\u{301}.txt"])
        }
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "outer.zip", ZipWriter([Self.member("\u{301}b.zip", Self.zip(["stops.txt"]))]).bytes)
        let feed = try OpenedFeed.open(path + "#\u{301}b.zip", spoolFolder: folder.path)
        #expect(feed.entries.map(\.name) == ["stops.txt"])
    }

    @Test("folders without end are no reason to wait")
    func deepFolders() {
        let deep = String(repeating: "a/", count: 30_000)
        let paths = (0..<500).map { "\($0)/\(deep)stops.txt" }
        #expect(FeedRoot.find(in: paths + ["stops.txt"]) == .folder(""))
    }

    @Test("the known names are those of the declaration in schema/gtfs.tsv")
    func knownNames() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let table = try String(contentsOf: package.appending(path: "schema/gtfs.tsv"), encoding: .utf8)
        let names = table.split(separator: "\n").dropFirst().filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: "\t").first.map(String.init) }
        #expect(Set(names) == FeedRoot.fileNames)
    }

    @Test("a feed in a sub-folder is found; what lies outside is left out, and said")
    func subFolder() throws {
        try withFeed(Self.zip(["readme.md", "gtfs/agency.txt", "gtfs/extra/a.csv"])) { feed throws in
            #expect(feed.rootFolder == "gtfs/")
            #expect(feed.entries.map(\.name) == ["agency.txt", "extra/a.csv"])
            #expect(feed.entries.map(\.path) == ["gtfs/agency.txt", "gtfs/extra/a.csv"])
            #expect(feed.anomalies == ["leaves out what lies outside of gtfs/: readme.md"])
        }
    }

    @Test("several feeds are listed, and each can be named")
    func severalFolders() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("feed.zip", Self.zip(["b/agency.txt", "a/agency.txt", "a/x.txt"]))
        let error = #expect(throws: FeedError.self) { try OpenedFeed.open(path) }
        let message = "holds 2 feeds; name one of them: feed.zip#a/, feed.zip#b/"
        #expect(error?.relative(to: folder) == FeedError(.severalFeeds, message, at: "feed.zip"))
        for part in ["#a/", "#a"] {
            let feed = try OpenedFeed.open(path + part)
            #expect(feed.rootFolder == "a/")
            #expect(try feed.texts() == ["agency.txt": "content of a/agency.txt", "x.txt": "content of a/x.txt"])
            #expect(feed.place == path)
        }
    }

    @Test("an inner archive, stored or compressed, is found or named", arguments: [0, 8] as [UInt16])
    func innerArchive(method: UInt16) throws {
        let inner = Self.zip(["gtfs/agency.txt"])
        let outer = ZipWriter([.init("readme.md"), Self.member("data/inner.zip", inner, method: method)]).bytes
        let folder = try TemporaryFolder()
        let path = try folder.write("outer.zip", outer)
        for part in ["", "#data/inner.zip", "#data/", "#data/inner.zip#gtfs/", "#data/#inner.zip"] {
            let feed = try OpenedFeed.open(path + part, spoolFolder: folder.path)
            #expect(feed.place == path + "#data/inner.zip")
            #expect(try feed.texts() == ["agency.txt": "content of gtfs/agency.txt"])
        }
        #expect(folder.names == ["outer.zip"])
    }

    @Test("several inner feeds are listed, inner archives without a feed are not")
    func severalInner() throws {
        let feed = Self.zip(["agency.txt"])
        let outer = ZipWriter([
            Self.member("north.zip", feed), Self.member("south.zip", feed, method: 8),
            Self.member("maps.zip", Self.zip(["a.shp"])),
            Self.member("torn.zip", Array(feed.dropLast(30))),
        ])
        #expect(
            try failure(outer.bytes)?.description
                == "feed.zip: holds 2 feeds; name one of them: feed.zip#north.zip, feed.zip#south.zip")
        #expect(try failure(outer.bytes, part: "#south.zip") == nil)
        var one = outer
        one.members.remove(at: 0)
        try withFeed(one.bytes) { feed throws in
            #expect(feed.place.hasSuffix("/feed.zip#south.zip"))
            #expect(feed.anomalies.count == 2)
            #expect(feed.anomalies.last == "lies beside files that are left out: maps.zip")
            #expect(feed.anomalies.first?.hasPrefix("lies beside an archive that is left out: ") == true)
            #expect(feed.anomalies.first?.contains("/feed.zip#torn.zip: looks like a cut-off zip") == true)
        }
    }

    @Test("the names in a message can be given as they stand, even with the separator in them")
    func separatorInNames() throws {
        let outer = Self.zip(["x#y/agency.txt", "z/agency.txt", "x#y#z/stops.txt"])
        let names = "feed.zip#x#y#z/, feed.zip#x#y/, feed.zip#z/"
        #expect(try failure(outer)?.description == "feed.zip: holds 3 feeds; name one of them: \(names)")
        for part in ["#x#y/", "#z/", "#x#y#z/", "#x#y"] { #expect(try failure(outer, part: part) == nil, "\(part)") }
        let inner = ZipWriter([Self.member("a#b/c#d.zip", outer), Self.member("a/x.zip", outer)]).bytes
        #expect(try failure(inner, part: "#a#b/c#d.zip#x#y/") == nil)
        #expect(try failure(inner, part: "#a#b/#c#d.zip#z/") == nil)
        #expect(try failure(outer, part: "#x/")?.code == .cannotOpen)
    }

    @Test("what is wrong with the only inner archive is said of it")
    func onlyInner() throws {
        let torn = ZipWriter([Self.member("inner.zip", Array(Self.zip(["agency.txt"]).prefix(40)))]).bytes
        let words = "looks like a cut-off zip: it begins like one, but its end is missing (40 bytes)"
        #expect(try failure(torn)?.description == "feed.zip#inner.zip: " + words)
        let other = ZipWriter([Self.member("inner.zip", Self.zip(["a.shp"]))]).bytes
        let none = "holds no GTFS file (agency.txt, stops.txt, routes.txt, …) but 1 file: a.shp"
        #expect(try failure(other)?.description == "feed.zip#inner.zip: " + none)
    }

    @Test("unpacking an inner archive can be cancelled")
    func cancelledUnpacking() throws {
        let folder = try TemporaryFolder()
        let outer = ZipWriter([Self.member("inner.zip", Self.zip(["agency.txt"]), method: 8)])
        let path = try folder.write("outer.zip", outer.bytes)
        let error = #expect(throws: FeedError.self) {
            try OpenedFeed.open(path, spoolFolder: folder.path, isCancelled: { true })
        }
        #expect(error?.code == .readFailed && error?.message == "reading was cancelled")
    }

    @Test("archives nested too deep are refused")
    func nesting() throws {
        var archive = Self.zip(["agency.txt"])
        for _ in 0..<3 { archive = ZipWriter([Self.member("a.zip", archive)]).bytes }
        #expect(try failure(archive) == nil)
        archive = ZipWriter([Self.member("a.zip", archive)]).bytes
        #expect(
            try failure(archive)?.description
                == "feed.zip#a.zip#a.zip#a.zip#a.zip: lies in 4 archives, more than the limit of 3 (--max-depth raises it)"
        )
    }

    @Test("an archive of archives of archives is searched no further than its limits")
    func manyArchives() throws {
        var archive = Self.zip(["a.csv"])
        for _ in 0..<2 { archive = ZipWriter((0..<50).map { Self.member("\($0).zip", archive) }).bytes }
        let words = "is one of more than 1000 archives within archives; name the one to read behind #"
        #expect(try failure(archive) == FeedError(.overLimit, words, at: "feed.zip#19.zip#29.zip"))
        let many = ZipWriter((0..<65).map { ZipWriter.Member("\($0).zip") })
        #expect(
            try failure(many.bytes)?.message.hasPrefix(
                "holds 65 archives, too many to look for the feed; name one of them: feed.zip#0.zip, ") == true)
        let most = ZipWriter(
            (0..<63).map { ZipWriter.Member("\($0).zip") } + [Self.member("feed.zip", Self.zip(["agency.txt"]))])
        #expect(try failure(most.bytes) == nil)
    }

    @Test("a part that names nothing is refused")
    func unknownPart() throws {
        let archive = Self.zip(["agency.txt", "stops.txt"])
        let error = try failure(archive, part: "#inner.zip")
        #expect(error?.description == #"feed.zip: holds no "inner.zip"; it holds agency.txt, stops.txt"#)
        #expect(error?.code == .cannotOpen)
        let noZip = try failure(archive, part: "#agency.txt")
        #expect(
            noZip?.description == #"feed.zip#agency.txt: is not a zip archive: it starts with "content of agency.txt""#)
    }

    @Test("without any feed, the message names what is there")
    func noFeed() throws {
        let names = (1...7).map { "\($0).csv" }
        let words = "holds no GTFS file (agency.txt, stops.txt, routes.txt, …) but 7 files: "
        #expect(
            try failure(Self.zip(names))
                == FeedError(.notAFeed, words + "1.csv, 2.csv, 3.csv, 4.csv, 5.csv and 2 more", at: "feed.zip"))
    }

    @Test("a single file that was packed once more takes its place")
    func packedSingle() throws {
        let inner = Self.zip(["export/stop_times.txt", "README"])
        let members = [
            ZipWriter.Member("agency.txt", "a"), Self.member("stop_times.zip", inner, method: 8),
            Self.member("other.zip", inner),
        ]
        try withFeed(ZipWriter(members).bytes) { feed throws in
            #expect(feed.entries.map(\.name) == ["agency.txt", "other.zip", "stop_times.txt"])
            #expect(feed.entries.map(\.path) == ["agency.txt", "other.zip", "stop_times.zip#export/stop_times.txt"])
            let entry = try #require(feed.entry(named: "stop_times.txt"))
            #expect(String(decoding: try feed.bytes(of: entry), as: UTF8.self) == "content of export/stop_times.txt")
            #expect(feed.anomalies == ["stop_times.txt is read out of stop_times.zip, without README"])
        }
        try withFeed(ZipWriter(members + [.init("stop_times.txt")]).bytes) { feed throws in
            #expect(feed.entry(named: "stop_times.zip") != nil)
            #expect(feed.anomalies == [])
        }
        try withFeed(ZipWriter([members[0], .init("shapes.zip", "no zip")]).bytes) { feed throws in
            #expect(feed.entry(named: "shapes.zip") != nil)
        }
    }

    /// A store has one table for each name.
    @Test("of two archives that hold one file, only the first is unpacked")
    func packedTwice() throws {
        let inner = Self.zip(["stop_times.txt"])
        let members = [
            ZipWriter.Member("agency.txt", "a"), Self.member("stop_times.zip", inner),
            Self.member("Stop_Times.zip", inner),
        ]
        try withFeed(ZipWriter(members).bytes) { feed throws in
            #expect(feed.entries.map(\.name).sorted() == ["Stop_Times.zip", "agency.txt", "stop_times.txt"])
        }
    }

    @Test(
        "arguments are split at #, unless the path exists as it stands",
        arguments: [
            ("feed.zip", "feed.zip", []), ("a.zip#b.zip", "a.zip", ["b.zip"]), ("a#b.zip", "a#b.zip", []),
            ("a#b.zip#c/", "a#b.zip", ["c/"]), ("a.zip#b.zip#c/", "a.zip", ["b.zip", "c/"]),
            ("-#b.zip", "-", ["b.zip"]),
            ("no.zip#x", "no.zip", ["x"]), ("a.zip#", "a.zip", []), ("", "", []),
        ] as [(String, String, [String])])
    func arguments(argument: String, path: String, parts: [String]) {
        let found = FeedArgument(argument) { ["a.zip", "a#b.zip", "feed.zip"].contains($0) }
        #expect(found.path == path)
        #expect(found.parts == parts)
    }
}
