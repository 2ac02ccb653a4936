import Foundation
import TestSupport
import Testing

@testable import SQLite

extension TemporaryFolder {
    /// Makes a database with a table `t(a)` of these numbers, closes it and returns its path.
    @discardableResult
    func makeDatabase(_ name: String, numbers: [Int64] = [1, 2, 3]) throws -> String {
        let connection = try Connection(path: path(name), mode: .create)
        try connection.execute("CREATE TABLE t(a INTEGER)")
        try connection.execute("BEGIN")
        let insert = try connection.prepare("INSERT INTO t VALUES(?)")
        for number in numbers {
            insert.bind(1, number)
            try insert.run()
        }
        try connection.execute("COMMIT")
        return path(name)
    }
}

/// The error that `body` throws; nil if it throws none.
func sqliteError(_ body: () throws -> Void) throws -> SQLiteError? {
    do {
        try body()
        return nil
    } catch let error as SQLiteError {
        return error
    }
}
