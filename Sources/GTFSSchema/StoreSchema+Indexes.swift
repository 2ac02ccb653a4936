extension StoreSchema {
    /// One index of a store.
    package struct Index: Sendable, Equatable {
        package let name: String
        package let table: String
        package let sql: String
        /// The names of the columns, as split out of the SQL; wrong if one of them is an expression.
        package let columns: [String]
        package let leadingColumn: String
        /// Whether it leaves out the rows that have NULL in the leading column.
        package let leavesOutNull: Bool

        package var definition: Definition { Definition(.index, name, ofTable: table, sql) }
    }

    /// The index of schema/indexes.sql that the importer writes itself and that departures are read by.
    package static let departureIndexName = "stop_time_stop_departure_time"

    /// Every index of a store: the hand-written ones of schema/indexes.sql, one per column of own IDs, and one per
    /// foreign key that is not the first column of another index or of a clustered key.
    package static let indexes: [Index] = {
        var indexes = written
        for file in Specification.gtfs.files {
            if let id = file.idField { indexes.append(idIndex(file, id)) }
            for field in file.fields where field.type == .reference || field.type == .group {
                guard !leads(indexes, table: file.table, column: field.column, file: file) else { continue }
                indexes.append(foreignKeyIndex(file, field))
            }
        }
        return indexes
    }()

    /// The indexes of schema/indexes.sql. Each stands in a line `CREATE INDEX name ON table(column, …) …`.
    private static let written: [Index] = {
        let lines = String(decoding: PackageResources.indexes_sql, as: UTF8.self).utf8.split(
            separator: UInt8(ascii: "\n"))
        return lines.map { Substring($0) }.filter { $0.hasPrefix("CREATE INDEX ") }.compactMap { line in
            let words = line.utf8.split(whereSeparator: { " (,)".utf8.contains($0) }).map { String(Substring($0)) }
            guard words.count > 5 else { return nil }
            return Index(
                name: words[2], table: words[4], sql: String(line),
                columns: Array(words[5...].prefix { $0 != "WHERE" }), leadingColumn: words[5],
                leavesOutNull: words.dropFirst(6).elementsEqual(["WHERE", words[5], "IS", "NOT", "NULL"]))
        }
    }()

    private static func leads(_ indexes: [Index], table: String, column: String, file: FileDefinition) -> Bool {
        if file.storage == .clustered, file.keyFields.first?.column == column { return true }
        return indexes.contains { $0.table == table && $0.leadingColumn == column }
    }

    private static func idIndex(_ file: FileDefinition, _ id: FieldDefinition) -> Index {
        let name = "\(file.table)_\(id.column)"
        return Index(
            name: name, table: file.table,
            sql: "CREATE UNIQUE INDEX \(quoted(name)) ON \(quoted(file.table))(\(quoted(id.column)))",
            columns: [id.column], leadingColumn: id.column, leavesOutNull: false)
    }

    /// A partial index, because most feeds leave most foreign keys empty.
    private static func foreignKeyIndex(_ file: FileDefinition, _ field: FieldDefinition) -> Index {
        let name = "\(file.table)_\(field.column)"
        let column = quoted(field.column)
        return Index(
            name: name, table: file.table,
            sql: "CREATE INDEX \(quoted(name)) ON \(quoted(file.table))(\(column)) WHERE \(column) IS NOT NULL",
            columns: [field.column], leadingColumn: field.column, leavesOutNull: true)
    }
}
