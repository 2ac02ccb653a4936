import Foundation

/// A folder for one test. It is removed with its contents when the test releases it.
///
///     let folder = try TemporaryFolder()
///     try folder.write("feed/stops.txt", "stop_id\n1\n")
package final class TemporaryFolder: Sendable {
    /// The path without symbolic links, which is how a publication names its files.
    package let path: String

    package init() throws {
        let made = FileManager.default.temporaryDirectory.appending(path: "gtfs-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        path = made.resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, creating its parent folders, and returns its path.
    @discardableResult
    package func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let url = URL(filePath: path(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }

    package func bytes(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: path(name)))) }

    package func permissions(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

    /// The sorted names of everything in it, including hidden files.
    package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    /// Every file with its content, including hidden files.
    package func contents() throws -> [String: String] {
        var contents: [String: String] = [:]
        for name in names { contents[name] = (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? "?" }
        return contents
    }
}
