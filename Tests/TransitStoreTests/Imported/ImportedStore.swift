import Foundation
import GTFSImport
import SQLite
import Testing
import TransitStore

/// A store in its own folder, which the importer made from a feed. The folder is removed with the object.
final class ImportedStore: Sendable {
    let folder: String
    let path: String

    /// Imports a feed in this process.
    init(feed: String) throws {
        var template = Array((FileManager.default.temporaryDirectory.path + "/transit-store-XXXXXX").utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
        path = folder + "/store.sqlite"
        let (report, error) = Importer(ImportOptions(feed: feed, store: path)).run()
        try #require(error == nil, "\(feed): \(report.message)")
        try #require(report.status == .published)
    }

    /// Imports a feed of these files, beside or in place of those of another feed.
    convenience init(files: [String: String], over feed: String? = nil) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if let feed {
            try FileManager.default.copyItem(atPath: feed, toPath: folder)
        } else {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }
        for (name, text) in files {
            try (text + "\n").write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        }
        try self.init(feed: folder)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The sample feed of the project; imported once for all tests that only read.
    static let sample = Result { try ImportedStore(feed: packageRoot + "/pipelines/sample-feed") }

    /// The folder that Package.swift is in.
    static let packageRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// Opens the store. Passes its statements to `write`, if there is one.
    func open(_ write: (@Sendable (String) -> Void)? = nil) throws -> TransitStore {
        var configuration = TransitStore.Configuration()
        configuration.sqlDebug = write.map { SQLDebug(level: 1, write: $0) } ?? .off
        return try TransitStore(path: path, configuration: configuration)
    }

    /// Deletes the counts of rows, so that SQLite plans as for big tables. Only for a store that no other test uses.
    func pretendToBeBig() throws {
        let connection = try Connection(path: path, mode: .create)
        try connection.execute("PRAGMA journal_mode = OFF")
        // Small stores have no statistics anyway.
        guard try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'") == 1 else {
            return
        }
        try connection.execute("DELETE FROM sqlite_stat1")
    }

    func context() throws -> StoreContext { try open().makeContext() }
}

/// Small feeds of real publishers. Tests that need them are skipped if the feeds are absent.
enum RealFeeds {
    /// The environment's GTFS_FEEDS, else `../shared/feeds` beside the package; nil if it has no folder `real`.
    private static let folder: String? = {
        let beside = URL(filePath: ImportedStore.packageRoot).deletingLastPathComponent()
        let folder = ProcessInfo.processInfo.environment["GTFS_FEEDS"] ?? beside.appending(path: "shared/feeds").path
        return FileManager.default.fileExists(atPath: folder + "/real") ? folder : nil
    }()

    static let absent: Comment = "none of the small feeds is there: set GTFS_FEEDS to a folder with real/ and faulty/"

    /// Chosen for what they have: platforms and levels, pathways, Japanese names, flexible services, few files.
    static let small = [
        "ca-bcferries", "fo-faroe", "jp-portliner", "us-brown-flex", "de-ber", "jp-chiibus", "us-bart-new",
    ]

    static var paths: [String] {
        guard let folder else { return [] }
        return small.map { "\(folder)/real/\($0).zip" }.filter { FileManager.default.fileExists(atPath: $0) }
    }
}
