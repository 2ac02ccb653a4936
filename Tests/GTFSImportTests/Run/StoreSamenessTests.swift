import Foundation
import SQLite
import TestSupport
import Testing

/// The same feed gives the same bytes wherever it is imported, and the same rows in whatever form.
@Suite struct StoreSamenessTests {
    private static let sample = CommandLineProgram.packageRoot + "/pipelines/sample-feed"

    private static func importStore(
        _ feed: String, _ store: String, in folder: String, environment: [String: String]
    ) throws -> Data {
        let process = CommandLineProgram.process([feed, store])
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let result = CommandLineProgram.finish(process)
        #expect(result.exitCode == 0, "\(result.error)")
        return try Data(contentsOf: URL(filePath: folder).appending(path: store))
    }

    @Test func timeZoneLocaleAndFolderChangeNothing() throws {
        let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
        let plain = try Self.importStore(
            Self.sample, "a.sqlite", in: here.path, environment: ["TZ": "UTC", "LC_ALL": "C"])
        for (zone, locale) in [("Asia/Tokyo", "tr_TR.UTF-8"), ("America/St_Johns", "de_DE.UTF-8"), ("", "az_AZ")] {
            let other = try Self.importStore(
                Self.sample, "b-\(locale).sqlite", in: there.path,
                environment: ["TZ": zone, "LC_ALL": locale, "LANG": locale])
            #expect(other == plain, "\(zone) \(locale)")
        }
    }

    @Test func thePathOfTheFeedChangesNothing() throws {
        let folder = try TemporaryFolder()
        let absolute = try Self.importStore(Self.sample, "a.sqlite", in: folder.path, environment: [:])
        try FileManager.default.copyItem(atPath: Self.sample, toPath: folder.path("sample-feed"))
        let relative = try Self.importStore("sample-feed/", "b.sqlite", in: folder.path, environment: [:])
        #expect(absolute == relative)
    }

    @Test func theSampleFeedComesBackCellByCell() throws {
        let folder = try TemporaryFolder()
        _ = try Self.importStore(Self.sample, "a.sqlite", in: folder.path, environment: [:])
        #expect(try RealFeeds.differences(of: Self.sample, from: folder.path("a.sqlite")) == "")
        #expect(try Connection.faults(of: folder.path("a.sqlite")) == [])
    }

    /// A zip with its files in another order gives the same rows as the folder, both from disk and through a pipe.
    @Test func folderZipAndPipeGiveTheSameRows() throws {
        let folder = try TemporaryFolder()
        let zip = folder.path("feed.zip")
        let script = "cd '\(Self.sample)' && python3 -m zipfile -c '\(zip)' $(ls -r)"
        #expect(try CommandLineProgram.run(["-c", script], executable: "/bin/sh").exitCode == 0)
        let program = CommandLineProgram.path
        for (feed, store) in [("'\(Self.sample)'", "folder"), ("feed.zip", "zip"), ("- < feed.zip", "pipe")] {
            let words = feed.hasPrefix("-") ? "- \(store).sqlite < feed.zip" : "\(feed) \(store).sqlite"
            let command = "cd '\(folder.path)' && '\(program)' \(words)"
            let result = try CommandLineProgram.run(["-c", command], executable: "/bin/sh")
            #expect(result.exitCode == 0, "\(result.error)")
            #expect(try RealFeeds.differences(of: Self.sample, from: folder.path("\(store).sqlite")) == "")
        }
    }
}
