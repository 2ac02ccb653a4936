import SQLite

extension Connection {
    /// A database in memory.
    package static func inMemory() throws -> Connection { try Connection(path: ":memory:", mode: .create) }

    /// All rows of a query.
    package func rows(_ sql: String) throws -> [[SQLiteValue]] {
        let statement = try prepare(sql)
        var rows: [[SQLiteValue]] = []
        while try statement.step() { rows.append((0..<statement.columnCount).map(statement.value)) }
        return rows
    }

    /// The rows of a query as lines, with columns joined by `|` and `-` for NULL.
    package func lines(_ sql: String) throws -> [String] {
        let statement = try prepare(sql)
        var lines: [String] = []
        while try statement.step() {
            lines.append((0..<statement.columnCount).map { statement.text($0) ?? "-" }.joined(separator: "|"))
        }
        return lines
    }

    /// The faults that SQLite finds in a file's structure and foreign keys; empty if there are none.
    package static func faults(of path: String) throws -> [String] {
        let connection = try Connection(path: path, mode: .readOnly)
        let structure = try connection.lines("PRAGMA integrity_check").filter { $0 != "ok" }
        return structure + (try connection.lines("SELECT * FROM pragma_foreign_key_check"))
    }
}
