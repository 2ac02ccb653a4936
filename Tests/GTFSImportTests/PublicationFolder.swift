import Foundation
import Synchronization

/// A folder of its own for one test, removed with everything in it.
final class PublicationFolder {
    let path: String

    init() throws {
        let made = FileManager.default.temporaryDirectory.path + "/publication-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
        // Without symbolic links, as the publication names its files.
        path = URL(fileURLWithPath: made).resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: path(name), atomically: false, encoding: .utf8)
    }

    /// Every file with its content, hidden ones too.
    func contents() throws -> [String: String] {
        var contents: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            contents[name] = (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? "?"
        }
        return contents
    }

    func permissions(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }
}

/// Counts from any thread.
final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    var total: Int { value.load(ordering: .relaxed) }

    @discardableResult
    func add(_ number: Int) -> Int { value.add(number, ordering: .relaxed).newValue }
}
