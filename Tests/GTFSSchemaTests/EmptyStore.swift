import SQLite
import Testing

@testable import GTFSSchema

/// A store in memory with all tables, indexes and views, but without rows.
struct EmptyStore {
    let connection: Connection

    /// With `keptValues`, every column that is not text is registered as one with kept values.
    /// `present` picks the fields that the feed has. In a clustered table, the other fields come last.
    init(
        keptValues: Bool = false, extra: [StoreSchema.ExtraColumn] = [],
        present: (FileDefinition) -> Set<String> = { Set($0.fields.map(\.name)) }
    ) throws {
        connection = try Connection(path: ":memory:", mode: .create)
        for statement in StoreSchema.supportingStatements { try connection.execute(statement) }
        for file in Specification.gtfs.files {
            let names = present(file)
            try connection.execute(StoreSchema.createTable(of: file, present: names, extra: extra))
        }
        for index in StoreSchema.indexes { try connection.execute(index.sql) }
        for file in Specification.gtfs.files {
            let kept = keptValues ? try numberColumns(of: file) : nil
            try connection.execute(StoreSchema.createView(of: file, extra: extra, kept: kept))
        }
    }

    /// Registers the columns that are not text as columns with kept values.
    private func numberColumns(of file: FileDefinition) throws -> StoreSchema.KeptColumns {
        let table = Int(try connection.integer("SELECT count(DISTINCT \"table\") FROM kept_column") ?? 0)
        var kept = StoreSchema.KeptColumns(table: table)
        for (number, field) in file.fields.enumerated() where field.type.storage != .text {
            kept.add(field.column, number: number)
            try connection.execute(
                "INSERT INTO kept_column VALUES(\(table), \(number), '\(file.table)', '\(field.column)')")
        }
        return kept
    }

    /// Stores kept values as an import does.
    func keep(_ values: [(table: String, row: Int, sequence: Int, column: String, value: String)]) throws {
        for kept in values {
            try connection.execute(
                "INSERT INTO numbered_value SELECT \"table\", \(kept.row), \(kept.sequence), \"column\", "
                    + "'\(kept.value)' FROM kept_column "
                    + "WHERE table_name = '\(kept.table)' AND column_name = '\(kept.column)'")
        }
    }

    /// The columns of a table or view, in order.
    func columns(of name: String) throws -> [String] {
        let statement = try connection.prepare("SELECT name FROM pragma_table_info(?) ORDER BY cid")
        statement.bind(1, name)
        return try texts(statement)
    }

    /// The lines of SQLite's query plan (<https://sqlite.org/eqp.html>).
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

/// The definition of a file that the specification must have.
func file(_ name: String) throws -> FileDefinition { try #require(Specification.gtfs.file(named: name)) }
