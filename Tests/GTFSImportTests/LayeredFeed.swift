import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// The small valid feed with a layer of other files over it, imported in this process.
final class LayeredFeed {
    let folder: TemporaryFolder
    var options: ImportOptions

    /// A file of the layer replaces the file of that name or is added; nil removes the file.
    init(_ layer: [String: String?] = [:]) throws {
        folder = try TemporaryFolder()
        options = ImportOptions(feed: folder.path("feed"), store: folder.path("store.sqlite"))
        try FileManager.default.createDirectory(atPath: folder.path("feed"), withIntermediateDirectories: true)
        for (name, text) in SmallFeed.files.mapValues(Optional.some).merging(layer, uniquingKeysWith: { $1 }) {
            if let text { try write(name, Array(text.utf8)) }
        }
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let url = URL(filePath: folder.path("feed/\(name)"))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    @discardableResult
    func run() -> (report: ImportReport, error: ImportError?) { Importer(options).run() }

    /// Imports the feed and opens its store.
    func imported() throws -> AskedStore {
        let (_, error) = run()
        #expect(error == nil)
        return try AskedStore(options.store)
    }
}

/// A published store, for queries in tests.
struct AskedStore {
    let connection: Connection

    init(_ path: String) throws { connection = try Connection(path: path, mode: .readOnly) }

    /// Each row with its columns joined by `|`; NULL shows as `-`.
    func rows(_ sql: String) throws -> [String] {
        let rows = try connection.prepare(sql)
        var lines: [String] = []
        while try rows.step() {
            lines.append((0..<rows.columnCount).map { rows.text($0) ?? "-" }.joined(separator: "|"))
        }
        return lines
    }

    /// The messages of all notices but those about what no trip uses.
    var messages: [String] {
        get throws { try rows("SELECT message FROM notice WHERE \(SmallFeed.withoutUnused) ORDER BY id") }
    }

    /// Expects SQLite's integrity check and foreign key check to find no fault.
    func expectSound() throws {
        #expect(try rows("PRAGMA integrity_check") == ["ok"])
        #expect(try rows("SELECT * FROM pragma_foreign_key_check").isEmpty)
    }
}
