extension StoreSchema {
    /// One index, with the table that must be filled before it is worth building.
    public struct Index: Sendable, Equatable {
        public let name: String
        public let table: String
        public let sql: String
        /// The only column of a foreign key's partial index; nil for other indexes.
        public let foreignKey: String?
    }

    /// Every index of a store: the hand-written ones of schema/indexes.sql, one per column of own IDs, one per foreign
    /// key that no other index leads with.
    public static let indexes: [Index] = {
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

    private static let written: [Index] = {
        let text = String(decoding: PackageResources.indexes_sql, as: UTF8.self)
        return text.split(separator: "\n").filter { $0.hasPrefix("CREATE INDEX ") }.compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 4, let table = words[4].split(separator: "(").first else { return nil }
            return Index(name: String(words[2]), table: String(table), sql: String(line), foreignKey: nil)
        }
    }()

    private static func leads(_ indexes: [Index], table: String, column: String, file: FileDefinition) -> Bool {
        if file.storage == .clustered, file.keyFields.first?.column == column { return true }
        return indexes.contains {
            $0.table == table
                && ($0.sql.contains("ON \(table)(\(column),") || $0.sql.contains("ON \(table)(\(column))"))
        }
    }

    private static func idIndex(_ file: FileDefinition, _ id: FieldDefinition) -> Index {
        let name = "\(file.table)_\(id.column)"
        return Index(
            name: name, table: file.table,
            sql: "CREATE UNIQUE INDEX \(quoted(name)) ON \(quoted(file.table))(\(quoted(id.column)))",
            foreignKey: nil)
    }

    /// Partial, as most feeds leave most foreign keys empty.
    private static func foreignKeyIndex(_ file: FileDefinition, _ field: FieldDefinition) -> Index {
        let name = "\(file.table)_\(field.column)"
        let column = quoted(field.column)
        return Index(
            name: name, table: file.table,
            sql: "CREATE INDEX \(quoted(name)) ON \(quoted(file.table))(\(column)) WHERE \(column) IS NOT NULL",
            foreignKey: field.column)
    }
}
