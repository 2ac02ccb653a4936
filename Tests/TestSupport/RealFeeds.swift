import Foundation
import SQLite

/// Feeds from outside the project. They are not part of the repository, so tests that need them are skipped if they are
/// absent.
package enum RealFeeds {
    /// The folder with `real/` and `faulty/`: GTFS_FEEDS if it is set, otherwise `shared/feeds` next to the package.
    package static let folder: String? = {
        let beside = URL(filePath: CommandLineProgram.packageRoot).deletingLastPathComponent()
        let folder = ProcessInfo.processInfo.environment["GTFS_FEEDS"] ?? beside.appending(path: "shared/feeds").path
        return FileManager.default.fileExists(atPath: folder + "/real") ? folder : nil
    }()

    package static var path: String { folder ?? "" }
    package static let absent = "no feeds to test with: set GTFS_FEEDS to a folder with real/ and faulty/"

    /// The sorted paths of the zips in a sub-folder that have at most `bytes` bytes; none if the feeds are absent.
    package static func zips(in part: String, upTo bytes: Int = .max) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(part)")) ?? []
        let zips = names.filter { $0.hasSuffix(".zip") }.sorted().map { "\(path)/\(part)/\($0)" }
        return zips.filter { zip in
            let size = try? FileManager.default.attributesOfItem(atPath: zip)[.size] as? Int
            return size.map { $0 <= bytes } ?? false
        }
    }

    /// The path of one feed; nil if it is absent.
    package static func zip(_ name: String) -> String? {
        let zip = "\(path)/real/\(name)"
        return FileManager.default.fileExists(atPath: zip) ? zip : nil
    }

    /// Compares a feed's cells with the store's, using Python. Returns the differences; empty if there are none.
    package static func differences(of feed: String, from store: String) throws -> String {
        let script = CommandLineProgram.packageRoot + "/Tests/GTFSImportTests/Support/compare_cells.py"
        let result = try CommandLineProgram.run(["python3", script, feed, store], executable: "/usr/bin/env")
        return result.exitCode == 0 ? "" : result.output + result.error
    }
}
