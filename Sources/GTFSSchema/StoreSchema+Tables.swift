extension StoreSchema {
    /// A column that the importer computes, without a field in the specification.
    struct DerivedColumn: Sendable, Equatable {
        let name: String
        /// The SQL type and constraints, such as `INTEGER NOT NULL`.
        private let typeAndConstraint: String
        /// The table whose key the column holds.
        let target: String?
        let meaning: String

        init(_ name: String, _ typeAndConstraint: String, to target: String? = nil, _ meaning: String) {
            (self.name, self.typeAndConstraint) = (name, typeAndConstraint)
            (self.target, self.meaning) = (target, meaning)
        }

        /// The SQL type alone, such as `INTEGER`.
        var type: String { String(typeAndConstraint.prefix { $0 != " " }) }

        private static let keywords: Set<String> = ["table", "view", "column", "row"]

        var declaration: String {
            let name = Self.keywords.contains(name) ? quoted(name) : name
            return "\(name) \(typeAndConstraint)" + (target.map { " REFERENCES \($0)(id)" } ?? "")
        }
    }

    /// The columns that the importer adds to each table.
    static let derivedColumns: [String: [DerivedColumn]] = [
        "stop": [
            DerivedColumn(
                "normalized_name", "TEXT",
                "The name without accents and in lower case, for searching.")
        ],
        "service": [
            DerivedColumn(
                "in_calendar", "INTEGER NOT NULL DEFAULT 1",
                "1 for a row of calendar.txt, 0 for a service that only calendar_dates.txt knows."),
            DerivedColumn(
                "day_set", "INTEGER",
                "The first service with the same calendar and exceptions; service_day has its days. Empty where it never runs."
            ),
        ],
        "route": [
            DerivedColumn(
                "timezone", "TEXT",
                "The time zone of the route's trips: its agency's, the first agency's where it names none or an unknown "
                    + "one, UTC where that zone does not exist.")
        ],
        "stop_time": [
            DerivedColumn(
                "filled_times", "INTEGER",
                "Which times the feed leaves blank and the importer filled: 1 the arrival (from the departure), 2 the "
                    + "departure (from the arrival), 3 both (interpolated); empty where none was.")
        ],
        "location": [
            DerivedColumn(
                "properties", "TEXT",
                "The feature's other properties as a JSON object; empty where there are none.")
        ],
    ]

    /// Tables with rows that are not rows of a text file of their own: services that only calendar_dates.txt names, and
    /// locations, which are features of GeoJSON.
    package static let tablesWithOtherRows: Set = ["service", "location"]

    /// A stop with this many levels of parents or more counts as its own station; for example, its parents may form a
    /// cycle. The counts of `stop_departures` go up as many levels.
    package static let mostParentLevels = 8

    /// The names of a table's derived columns.
    package static func derivedColumnNames(of table: String) -> [String] {
        (derivedColumns[table] ?? []).map(\.name)
    }

    /// The statement that creates the table of `file`. In a clustered table, the fields that are `present` and the
    /// extra columns come before the derived columns and the fields that the feed lacks. A row can then end before the
    /// columns that it does not fill, and SQLite reads those as NULL
    /// (<https://sqlite.org/fileformat2.html#record_format>).
    package static func createTable(of file: FileDefinition, present: Set<String>, extra: [ExtraColumn]) -> String {
        let name = quoted(file.table)
        let extra = extra.map { quoted($0.column) + " TEXT" }
        switch file.storage {
        case .rows:
            let columns =
                ["id INTEGER PRIMARY KEY"] + file.fields.map { declaration($0) }
                + (derivedColumns[file.table] ?? []).map(\.declaration) + extra
            return "CREATE TABLE \(name)(\(columns.joined(separator: ", ")))"
        case .clustered:
            let key = file.keyFields
            let others = file.fields.filter { $0.keyPosition == nil }
            let columns =
                key.map { declaration($0, notNull: true) }
                + others.filter { present.contains($0.name) }.map { declaration($0) } + extra
                + (derivedColumns[file.table] ?? []).map(\.declaration)
                + others.filter { !present.contains($0.name) }.map { declaration($0) }
                + ["PRIMARY KEY(\(key.map { quoted($0.column) }.joined(separator: ", ")))"]
            return "CREATE TABLE \(name)(\(columns.joined(separator: ", "))) WITHOUT ROWID"
        }
    }

    /// The columns of a table with rowids, in their order.
    package static func rowColumns(of file: FileDefinition, extra: [ExtraColumn]) -> [String] {
        columns(of: file) + extra.map(\.column)
    }

    /// The columns that every store has in the table of a file. A clustered table may have them in another order.
    package static func columns(of file: FileDefinition) -> [String] {
        (file.storage == .rows ? ["id"] : []) + file.fields.map(\.column) + derivedColumnNames(of: file.table)
    }

    private static func declaration(_ field: FieldDefinition, notNull: Bool = false) -> String {
        var words = [quoted(field.column), field.type.storage.rawValue]
        if notNull { words.append("NOT NULL") }
        if let table = field.referencedTable { words.append("REFERENCES \(quoted(table))(id)") }
        return words.joined(separator: " ")
    }

    /// The statement that creates the table of a file outside the specification: an id and text columns.
    package static func createTable(unknown table: String, columns: [ExtraColumn]) -> String {
        let columns = ["id INTEGER PRIMARY KEY"] + columns.map { quoted($0.column) + " TEXT" }
        return "CREATE TABLE \(quoted(table))(\(columns.joined(separator: ", ")))"
    }

    /// What every store has besides the tables of files.
    package static let supportingDefinitions =
        (supportingTables + keptTables).map(\.definition) + keptViews.map(\.definition)

    /// The statements that create these tables and views.
    package static let supportingStatements = supportingDefinitions.map(\.sql)
}
