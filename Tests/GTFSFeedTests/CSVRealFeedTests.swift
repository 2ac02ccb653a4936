import Foundation
import TestSupport
import Testing

@testable import GTFSFeed

/// Compares the number of records in real files with the number that Python's csv module counted.
///
/// It reads only files of up to 200 kB, which is four in five. A debug build reads the largest ones too slowly for
/// every test run.
@Suite("CSV of real feeds")
struct CSVRealFeedTests {
    static let feeds = URL(filePath: RealFeeds.folder ?? "")
    static let counts = feeds.appending(path: "expected_rows.json")
    static let areThere = FileManager.default.isReadableFile(atPath: counts.path)

    /// Unpacks every text file that does not exceed a size limit to `folder/feed/file`.
    static let unpack = """
        import os, posixpath, sys, zipfile
        feeds, folder, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
        for name in os.listdir(feeds):
            if not name.endswith(".zip"): continue
            target = os.path.join(folder, name[:-4])
            os.makedirs(target)
            with zipfile.ZipFile(os.path.join(feeds, name)) as feed:
                for member in feed.infolist():
                    base = posixpath.basename(member.filename)
                    if "__MACOSX" in member.filename or base.startswith("._") or not base.endswith(".txt"): continue
                    if member.file_size > limit: continue
                    with open(os.path.join(target, base), "wb") as file: file.write(feed.read(member))
        """

    static func unpackFeeds(to folder: URL) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", unpack, feeds.appending(path: "real").path, folder.path, "200000"]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// The number of records after the header that hold more than white space.
    static func count(_ file: URL) throws -> Int {
        let reader = try CSVReader(source: PiecemealSource([UInt8](Data(contentsOf: file))), blockBytes: 10_000)
        var count = 0
        var used: RecordBlock?
        while let block = try reader.nextBlock(reusing: used) {
            count += (0..<block.rowCount).count { row in
                block.fields(of: row).contains { block.field($0).contains { $0 > 0x20 } }
            }
            used = block
        }
        return count
    }

    @Test(.enabled(if: areThere, "no counts to compare with: GTFS_FEEDS needs real/ and expected_rows.json"))
    func `records of real files are as many as Python counts`() throws {
        let expected = try JSONDecoder().decode([String: [String: Int?]].self, from: Data(contentsOf: Self.counts))
        let folder = FileManager.default.temporaryDirectory.appending(path: "csv-feeds-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try #require(try Self.unpackFeeds(to: folder), "python3 could not unpack the real feeds")
        var compared = 0
        for (feed, files) in expected {
            for (name, count) in files {
                let file = folder.appending(path: "\(feed)/\(name)")
                guard FileManager.default.fileExists(atPath: file.path) else { continue }
                // The expected count is null for an empty file, as it has no header.
                #expect(try Self.count(file) == count ?? 0, "\(feed)/\(name)")
                compared += 1
            }
        }
        #expect(compared > 500)
    }
}
