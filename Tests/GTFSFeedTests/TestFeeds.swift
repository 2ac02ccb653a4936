import Foundation

/// Feeds that no one of this project made; they are not part of it, so tests that need them are skipped where they are
/// absent.
enum TestFeeds {
    /// The folder with `real/` and `faulty/`: the environment's GTFS_FEEDS, else `../shared/feeds` beside the package.
    static let folder: String? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let beside = package.deletingLastPathComponent().appending(path: "shared/feeds").path
        let folder = ProcessInfo.processInfo.environment["GTFS_FEEDS"] ?? beside
        return FileManager.default.fileExists(atPath: folder + "/real") ? folder : nil
    }()

    static let absent = "no feeds to test with: set GTFS_FEEDS to a folder with real/ and faulty/"

    /// The zips in a sub-folder, sorted; none where the feeds are absent.
    static func zips(in part: String) -> [String] {
        guard let folder else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(part)")) ?? []
        return names.filter { $0.hasSuffix(".zip") }.sorted().map { "\(folder)/\(part)/\($0)" }
    }
}
