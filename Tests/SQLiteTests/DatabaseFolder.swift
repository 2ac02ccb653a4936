import Foundation
import Testing

@testable import SQLite

/// A folder for the database files of one test, removed with everything in it.
final class DatabaseFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/sqlite-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a database with a table `t(a)` of these numbers, and closes it.
    @discardableResult
    func makeDatabase(_ name: String, numbers: [Int64] = [1, 2, 3]) throws -> String {
        let connection = try Connection(path: path(name), mode: .create)
        try connection.execute("CREATE TABLE t(a INTEGER)")
        let insert = try connection.prepare("INSERT INTO t VALUES(?)")
        for number in numbers {
            insert.bind(1, number)
            try insert.run()
        }
        return path(name)
    }

    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    func bytes(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: path(name)))) }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

extension Connection {
    /// A database in memory.
    static func inMemory() throws -> Connection { try Connection(path: ":memory:", mode: .create) }

    /// Every row of a query.
    func rows(_ sql: String) throws -> [[SQLiteValue]] {
        let statement = try prepare(sql)
        var rows: [[SQLiteValue]] = []
        while try statement.step() { rows.append((0..<statement.columnCount).map(statement.value)) }
        return rows
    }
}

/// What `body` throws, nil when nothing.
func sqliteError(_ body: () throws -> Void) throws -> SQLiteError? {
    do {
        try body()
        return nil
    } catch let error as SQLiteError {
        return error
    }
}
