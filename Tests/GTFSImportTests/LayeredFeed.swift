import Foundation
import SQLite
import TestSupport
import Testing

@testable import GTFSImport

/// The small right feed with a layer of other files over it, imported in this process.
final class LayeredFeed {
    let folder: TemporaryFolder
    var options: ImportOptions

    /// Files of the layer replace those of the same name or stand beside them; nil takes one away.
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

    /// The store that the feed becomes.
    func imported() throws -> AskedStore {
        let (_, error) = run()
        #expect(error == nil)
        return try AskedStore(options.store)
    }
}

/// A published store, asked by tests.
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

    var messages: [String] { get throws { try rows("SELECT message FROM notice ORDER BY id") } }

    /// Neither SQLite nor a foreign key, nor a kept value without its row, is found wanting.
    func expectSound() throws {
        #expect(try rows("PRAGMA integrity_check") == ["ok"])
        #expect(try rows("SELECT * FROM pragma_foreign_key_check").isEmpty)
    }
}
