import SQLite
import Testing

@testable import GTFSSchema

/// A store without rows, in memory: all tables, indexes and views.
struct EmptyStore {
    let connection: Connection

    /// With `keptValues`, every column that is not text has some that it could not take.
    /// `present` picks the fields that a clustered table is made with; the others come last.
    init(
        keptValues: Bool = false, extra: [StoreSchema.ExtraColumn] = [],
        present: (FileDefinition) -> Set<String> = { Set($0.fields.map(\.name)) }
    ) throws {
        connection = try Connection(path: ":memory:", mode: .create)
        for table in StoreSchema.supportingTables { try connection.execute(table) }
        for file in Specification.gtfs.files {
            let names = present(file)
            try connection.execute(StoreSchema.createTable(of: file, present: names, extra: extra))
        }
        for index in StoreSchema.indexes { try connection.execute(index.sql) }
        for file in Specification.gtfs.files {
            let kept = keptValues ? Set(file.fields.filter { $0.type.storage != .text }.map(\.column)) : []
            try connection.execute(StoreSchema.createView(of: file, extra: extra, keptColumns: kept))
        }
    }

    /// The columns of a table or view, in order.
    func columns(of name: String) throws -> [String] {
        let statement = try connection.prepare("SELECT name FROM pragma_table_info(?) ORDER BY cid")
        statement.bind(1, name)
        return try texts(statement)
    }

    /// The lines of the plan that SQLite makes (<https://sqlite.org/eqp.html>).
    func plan(_ sql: String) throws -> [String] {
        let statement = try connection.prepare("EXPLAIN QUERY PLAN " + sql)
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(3) ?? "") }
        return lines
    }

    func texts(_ sql: String) throws -> [String] { try texts(connection.prepare(sql)) }

    private func texts(_ statement: Statement) throws -> [String] {
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(0) ?? "NULL") }
        return texts
    }
}

/// The definition of a file that is surely there.
func file(_ name: String) throws -> FileDefinition { try #require(Specification.gtfs.file(named: name)) }
