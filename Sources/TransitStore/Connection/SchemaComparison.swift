import GTFSSchema
import SQLite

/// Whether a file's schema is one that import-gtfs writes. Anything else in a schema might run as code.
///
/// Opening a store checks each row of its schema, which takes 0.03 ms. The whole comparison takes a millisecond and is
/// made only when SQLite refuses one of our statements.
struct SchemaComparison {
    /// What is wrong with a row of sqlite_schema; nil if a store may have it.
    ///
    /// Only the views of files (`gtfs_…`) and of kept values are allowed, because another view could take the place of
    /// a table. Virtual tables are refused, because they may read anything.
    static func difference(type: String, name: String, sql: () -> String?) -> String? {
        switch type {
        case "index": nil
        case "table": difference(table: name, sql: sql)
        // Compares bytes: Swift takes `_` and a combining mark after it for one character, which is not `_`.
        case "view": name.utf8.starts(with: "gtfs_".utf8) ? nil : difference(view: name, sql: sql)
        default: "\(name) is a \(type)"
        }
    }

    private static func difference(table name: String, sql: () -> String?) -> String? {
        if StoreSchema.keptViews.contains(where: { $0.name == name }) { return "\(name) is a table" }
        return sql()?.utf8.starts(with: "CREATE TABLE ".utf8) == true ? nil : "\(name) is not a plain table"
    }

    private static func difference(view name: String, sql: () -> String?) -> String? {
        guard let view = StoreSchema.keptViews.first(where: { $0.name == name }) else { return "\(name) is a view" }
        return sql() == view.sql ? nil : "\(name) is another view"
    }

    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// What is wrong with the first table, column or index that is missing or differs; nil if nothing is wrong or the
    /// schema cannot be read.
    var difference: String? {
        for file in Specification.gtfs.files {
            guard let columns = columns(of: file.table) else { return nil }
            if columns.isEmpty { return "there is no table \(file.table)" }
            if let missing = StoreSchema.columns(of: file).first(where: { !columns.contains($0) }) {
                return "\(file.table) has no column \(missing)"
            }
        }
        for sql in StoreSchema.supportingStatements where (try? has(sql)) == false {
            // CREATE TABLE name(…), CREATE VIEW name AS …
            let words = sql.split(whereSeparator: { " (".contains($0) })
            return "\(words[2]) is missing or another \(words[1].lowercased())"
        }
        let missing = StoreSchema.indexes.first { (try? has(index: $0.name)) == false }
        return missing.map { "there is no index \($0.name)" }
    }

    private func columns(of table: String) -> Set<String>? {
        guard let statement = try? connection.prepare("SELECT name FROM pragma_table_info(?)") else { return nil }
        statement.bind(1, table)
        var names: Set<String> = []
        while (try? statement.step()) == true { if let name = statement.text(0) { names.insert(name) } }
        return names
    }

    private func has(_ sql: String) throws(SQLiteError) -> Bool { try hasRow("sql = ?", sql) }
    private func has(index name: String) throws(SQLiteError) -> Bool { try hasRow("type = 'index' AND name = ?", name) }

    private func hasRow(_ condition: String, _ value: String) throws(SQLiteError) -> Bool {
        let statement = try connection.prepare("SELECT 1 FROM sqlite_schema WHERE \(condition)")
        statement.bind(1, value)
        return try statement.step()
    }
}

extension StoreError {
    static func foreignSchema(_ path: String, _ difference: String) -> StoreError {
        StoreError(.corrupt, "\(path) is damaged or not made by import-gtfs: \(difference). Import the feed again.")
    }
}
