import Foundation
import TestSupport
import Testing

@testable import GTFSFeed

/// Folders, pipes and paths that cannot be opened.
struct FolderFeedTests {
    private func message(of argument: String, in folder: TemporaryFolder) -> String? {
        let error = #expect(throws: FeedError.self) { try OpenedFeed.open(argument, spoolFolder: folder.path) }
        return error.map { "\($0.code) \($0.relative(to: folder))" }
    }

    @Test("a folder is read like an archive of the same files")
    func folder() throws {
        let folder = try TemporaryFolder()
        for name in ["agency.txt", "stops.txt", "extra/notes.txt", ".git/config", "__MACOSX/a.txt"] {
            try folder.write("feed/" + name, "content of " + name)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/feed/trips.txt", withDestinationPath: folder.path + "/feed/stops.txt")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/feed/circle", withDestinationPath: folder.path + "/feed")
        #expect(mkfifo(folder.path + "/feed/pipe", 0o600) == 0)
        for argument in ["/feed", "/feed/"] {
            let feed = try OpenedFeed.open(folder.path + argument)
            #expect(feed.entries.map(\.name) == ["agency.txt", "extra/notes.txt", "stops.txt", "trips.txt"])
            #expect(try feed.texts()["trips.txt"] == "content of stops.txt")
            #expect(feed.entries.allSatisfy { $0.checksum == nil })
            let expected = #"leaves out entries that are not readable files: "#
            #expect(feed.anomalies.count == 1 && feed.anomalies[0].hasPrefix(expected))
        }
    }

    @Test("a folder is searched for sub-folders and archives with a feed; several are listed")
    func below() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/b/agency.txt", "x")
        #expect(try OpenedFeed.open(folder.path).rootFolder == "a/b/")
        try folder.write("a/c/agency.txt", "x")
        #expect(message(of: folder.path, in: folder)?.hasSuffix("holds 2 feeds; name one of them: a/b/, a/c/") == true)
        #expect(try OpenedFeed.open(folder.path + "#a/c/").rootFolder == "a/c/")
        let other = try TemporaryFolder()
        try other.write("x/inner.zip", ZipWriter([.init("agency.txt")]).bytes)
        #expect(try OpenedFeed.open(other.path).place == other.path + "/x/inner.zip")
    }

    @Test func `folders are read 32 levels deep`() throws {
        let folder = try TemporaryFolder()
        let deep = String(repeating: "d/", count: 32)
        for name in ["agency.txt", deep + "notes.txt", deep + "e/notes.txt"] { try folder.write("feed/" + name, "x") }
        let feed = try OpenedFeed.open(folder.path("feed"))
        #expect(feed.entries.map(\.name) == ["agency.txt", deep + "notes.txt"])
        #expect(feed.anomalies.count == 1)
        #expect(feed.anomalies.first?.hasPrefix(#"leaves out entries that are not readable files: "d/d/"#) == true)
    }

    @Test func `a link that leads to itself or nowhere is left out`() throws {
        let folder = try TemporaryFolder()
        try folder.write("feed/agency.txt", "x")
        for (name, target) in [("loop.txt", "loop.txt"), ("lost.txt", "nowhere.txt")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("feed/" + name), withDestinationPath: target)
        }
        let feed = try OpenedFeed.open(folder.path("feed"))
        #expect(feed.entries.map(\.name) == ["agency.txt"])
        let words = try #require(feed.anomalies.first)
        #expect(words.hasPrefix("leaves out entries that are not readable files: "))
        #expect(words.contains(#""loop.txt""#) && words.contains(#""lost.txt""#), "\(words)")
    }

    @Test("a sub-folder that may not be read is left out")
    func closedSubfolder() throws {
        let folder = try TemporaryFolder()
        try folder.write("feed/agency.txt", "x")
        try folder.write("feed/closed/notes.txt", "x")
        #expect(chmod(folder.path("feed/closed"), 0) == 0)
        defer { chmod(folder.path("feed/closed"), 0o700) }
        // Root may read every folder, so the test runs as an ordinary user.
        let feed = try asAnotherUser { try OpenedFeed.open(folder.path("feed")) }
        #expect(feed.entries.map(\.name) == ["agency.txt"])
        #expect(feed.anomalies == [#"leaves out entries that are not readable files: "closed""#])
    }

    @Test("a folder has as many files as the limit says")
    func limits() throws {
        let folder = try TemporaryFolder()
        for name in ["agency.txt", "stops.txt", "extra/trips.txt"] { try folder.write("feed/\(name)", "x") }
        #expect(try OpenedFeed.open(folder.path("feed"), limits: FeedLimits(maximumFiles: 3)).entries.count == 3)
        let error = #expect(throws: FeedError.self) {
            try OpenedFeed.open(folder.path("feed"), limits: FeedLimits(maximumFiles: 2))
        }
        #expect(error?.message == "holds 3 files or more, more than the limit of 2 (--max-files raises it)")
    }

    @Test("a path that cannot be opened is refused with the reason")
    func cannotOpen() throws {
        let folder = try TemporaryFolder()
        let missing = folder.path + "/missing.zip"
        let words = "cannotOpen missing.zip: cannot be opened: No such file or directory"
        #expect(message(of: missing, in: folder) == words)
        #expect(message(of: missing + "#inner.zip", in: folder) == words)
        let empty = folder.path + "/empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        #expect(message(of: empty, in: folder) == "notAFeed empty: is empty: it holds no files")
        let file = try folder.write("closed.zip", ZipWriter([.init("agency.txt")]).bytes)
        #expect(chmod(file, 0) == 0)
        asAnotherUser {
            #expect(message(of: file, in: folder) == "cannotOpen closed.zip: cannot be opened: Permission denied")
        }
        #expect(message(of: "", in: folder) == "cannotOpen : cannot be opened: No such file or directory")
    }

    @Test("a path may contain #")
    func hashInPath() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a#b/feed#1.zip", ZipWriter([.init("x/agency.txt"), .init("y/agency.txt")]).bytes)
        #expect(try OpenedFeed.open(path + "#y/").rootFolder == "y/")
    }

    @Test("a file in a folder that changes between listing and reading is an error")
    func changed() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("agency.txt", "agency_id\n1\n")
        let feed = try OpenedFeed.open(folder.path)
        try folder.write("agency.txt", "agency_id\n1\n2\n")
        let entry = try #require(feed.entries.first)
        let error = #expect(throws: FeedError.self) { try feed.read(entry).finalChecksum() }
        #expect(error?.code == .readFailed)
        #expect(error?.message == "agency.txt has changed since the folder was listed; import it once it is complete")
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: FeedError.self) { try feed.read(entry) }
    }

    /// The content hash would be that of the old file.
    @Test("a file in a folder that is replaced by one of the same size, after its checksum was taken, is an error")
    func replaced() throws {
        let folder = try TemporaryFolder()
        try folder.write("agency.txt", "agency_id\n1\n")
        let feed = try OpenedFeed.open(folder.path).withChecksums()
        let entry = try #require(feed.entries.first)
        let hash = try feed.contentHash()
        #expect(try feed.read(entry).finalChecksum() > 0)
        try folder.write("agency.txt", "agency_id\n2\n")
        let error = #expect(throws: FeedError.self) { try feed.read(entry).finalChecksum() }
        #expect(error?.code == .readFailed)
        #expect(try feed.contentHash() == hash)
    }

    @Test("a file in a folder that is written to while it is read is an error")
    func changedMeanwhile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("agency.txt", "agency_id\n1\n")
        let feed = try OpenedFeed.open(folder.path)
        let stream = try feed.read(#require(feed.entries.first))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("2\n".utf8))
        try handle.close()
        #expect(throws: FeedError.self) { try stream.finalChecksum() }
    }
}
