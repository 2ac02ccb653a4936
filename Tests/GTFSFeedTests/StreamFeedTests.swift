import Foundation
import TestSupport
import Testing

@testable import GTFSFeed

/// Feeds that arrive through a pipe.
struct StreamFeedTests {
    private static let archive = ZipWriter([
        .init("agency.txt", "agency_id\n1\n"),
        .init("stops.txt", String(repeating: "stop\n", count: 50_000), method: 8),
    ]).bytes

    /// Writes to a descriptor in pieces of 7,777 bytes, on a separate thread, and closes it.
    private static func feed(_ bytes: [UInt8], into open: @escaping @Sendable () -> Int32) {
        Thread.detachNewThread {
            let target = open()
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.prefix(7_777).withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
                if count <= 0 { break }
                rest = rest.dropFirst(count)
            }
            close(target)
        }
    }

    @Test("a FIFO is copied to a file without a name")
    func fifo() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/feed.zip"
        #expect(mkfifo(path, 0o600) == 0)
        Self.feed(Self.archive) { open(path, O_WRONLY) }
        let feed = try OpenedFeed.open(path, spoolFolder: folder.path)
        #expect(try feed.texts()["agency.txt"] == "agency_id\n1\n")
        #expect(try feed.texts()["stops.txt"]?.count == 250_000)
        #expect(folder.names == ["feed.zip"])
    }

    @Test("a path of an open pipe, as the shell's <(…) gives, is read")
    func processSubstitution() throws {
        let folder = try TemporaryFolder()
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        Self.feed(Self.archive) { writing }
        #expect(try OpenedFeed.open("/dev/fd/\(reading)", spoolFolder: folder.path).entries.count == 2)
    }

    @Test("a pipe longer than allowed, an endless one, and one without a feed are refused")
    func limits() throws {
        let folder = try TemporaryFolder()
        let limits = FeedLimits(maximumSpooledBytes: 1_000_000)
        let error = #expect(throws: FeedError.self) {
            try OpenedFeed.open("/dev/zero", limits: limits, spoolFolder: folder.path)
        }
        let words =
            "/dev/zero: takes 1000001 bytes or more of temporary copies, more than the limit of 1000000 (--max-spool raises it)"
        #expect(error?.description == words)
        #expect(error?.code == .overLimit)
        let empty = #expect(throws: FeedError.self) { try OpenedFeed.open("/dev/null", spoolFolder: folder.path) }
        #expect(empty?.description == "/dev/null: is empty (0 bytes)")
        let gone = folder.path + "/gone"
        let unspooled = #expect(throws: FeedError.self) { try OpenedFeed.open("/dev/null", spoolFolder: gone) }
        #expect(
            unspooled?.description
                == "/dev/null: needs a temporary file in \(gone), which cannot be made: No such file or directory")
        #expect(folder.names == [])
    }

    @Test("standard input is read as a pipe and as a file that is redirected")
    func standardInput() async {
        await #expect(processExitsWith: .success) {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0, dup2(ends[0], 0) == 0 else { exit(1) }
            let writing = ends[1]
            StreamFeedTests.feed(StreamFeedTests.archive) { writing }
            let piped = try OpenedFeed.open("-", spoolFolder: FileManager.default.temporaryDirectory.path)
            #expect(piped.place == "standard input")
            #expect(try piped.texts()["agency.txt"] == "agency_id\n1\n")

            let folder = try TemporaryFolder()
            let path = try folder.write("feed.zip", ZipWriter([.init("a/agency.txt"), .init("b/agency.txt")]).bytes)
            guard dup2(open(path, O_RDONLY), 0) == 0 else { exit(1) }
            let error = #expect(throws: FeedError.self) { try OpenedFeed.open("-", spoolFolder: "/nonexistent") }
            #expect(error?.description == "standard input: holds 2 feeds; name one of them: -#a/, -#b/")
            #expect(try OpenedFeed.open("-#a/", spoolFolder: "/nonexistent").rootFolder == "a/")
        }
    }
}
