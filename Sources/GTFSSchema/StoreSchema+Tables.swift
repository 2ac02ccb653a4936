extension StoreSchema {
    /// A column that the importer computes, without a field in the specification.
    struct DerivedColumn: Sendable {
        let name: String
        let type: String
        /// Follows the type in the declaration; begins with a space.
        var constraint = ""
        let meaning: String

        var declaration: String { "\(name) \(type)\(constraint)" }
    }

    /// The columns that the importer adds to each table.
    static let derivedColumns: [String: [DerivedColumn]] = [
        "stop": [
            DerivedColumn(
                name: "normalized_name", type: "TEXT",
                meaning: "The name without accents and in lower case, for searching.")
        ],
        "service": [
            DerivedColumn(
                name: "in_calendar", type: "INTEGER", constraint: " NOT NULL DEFAULT 1",
                meaning: "1 for a row of calendar.txt, 0 for a service that only calendar_dates.txt knows."),
            DerivedColumn(
                name: "day_set", type: "INTEGER",
                meaning:
                    "The first service with the same calendar and exceptions; service_day has its days. Empty where it never runs."
            ),
        ],
        "route": [
            DerivedColumn(
                name: "timezone", type: "TEXT",
                meaning:
                    "The time zone of the route's trips: its agency's, the first agency's where it names none or an unknown "
                    + "one, UTC where that zone does not exist.")
        ],
        "stop_time": [
            DerivedColumn(
                name: "filled_times", type: "INTEGER",
                meaning:
                    "Which times the feed leaves blank and the importer filled: 1 the arrival (from the departure), 2 the "
                    + "departure (from the arrival), 3 both (interpolated); empty where none was.")
        ],
        "location": [
            DerivedColumn(
                name: "properties", type: "TEXT",
                meaning: "The feature's other properties as a JSON object; empty where there are none.")
        ],
    ]

    /// The names of a table's derived columns.
    public static func derivedColumnNames(of table: String) -> [String] {
        (derivedColumns[table] ?? []).map(\.name)
    }

    /// The statement that creates the table of `file`. In a clustered table, the fields that are `present` and the
    /// extra columns come before the derived columns and the fields that the feed lacks. A row can then end before the
    /// columns that it does not fill, and SQLite reads those as NULL
    /// (<https://sqlite.org/fileformat2.html#record_format>).
    public static func createTable(of file: FileDefinition, present: Set<String>, extra: [ExtraColumn]) -> String {
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
    public static func rowColumns(of file: FileDefinition, extra: [ExtraColumn]) -> [String] {
        ["id"] + file.fields.map(\.column) + (derivedColumns[file.table] ?? []).map(\.name) + extra.map(\.column)
    }

    private static func declaration(_ field: FieldDefinition, notNull: Bool = false) -> String {
        var words = [quoted(field.column), field.type.storage.rawValue]
        if notNull { words.append("NOT NULL") }
        if let table = field.referencedTable { words.append("REFERENCES \(quoted(table))(id)") }
        return words.joined(separator: " ")
    }

    /// The statement that creates the table of a file outside the specification: an id and text columns.
    public static func createTable(unknown table: String, columns: [ExtraColumn]) -> String {
        let columns = ["id INTEGER PRIMARY KEY"] + columns.map { quoted($0.column) + " TEXT" }
        return "CREATE TABLE \(quoted(table))(\(columns.joined(separator: ", ")))"
    }

    /// What every store has besides the tables of files.
    public static let supportingDefinitions = supportingTables + keptTables + keptViews.map(\.definition)

    /// The statements that create these tables and views.
    public static let supportingStatements = supportingDefinitions.map(\.sql)

    /// Tables that do not stand for one file of the feed.
    private static let supportingTables: [Definition] = [
        // Shapes have no file of their own: a shape exists because its points name it.
        .table(
            "shape",
            "id INTEGER PRIMARY KEY, shape_id TEXT", hasRowids: true),
        .table(
            "search_term",
            "normalized_word TEXT NOT NULL, stop INTEGER NOT NULL REFERENCES stop(id), "
                + "PRIMARY KEY(normalized_word, stop)"),
        .table(
            "service_day",
            "date INTEGER NOT NULL, day_set INTEGER NOT NULL REFERENCES service(id), "
                + "PRIMARY KEY(date, day_set)"),
        .table(
            "frequency_call",
            "stop INTEGER NOT NULL REFERENCES stop(id), "
                + "trip INTEGER NOT NULL REFERENCES trip(id), stop_sequence INTEGER NOT NULL, arrival INTEGER NOT NULL, "
                + "departure INTEGER NOT NULL, PRIMARY KEY(stop, trip, stop_sequence)"),
        .table(
            "search_spelling",
            "normalized_word TEXT NOT NULL, stop INTEGER NOT NULL REFERENCES stop(id), "
                + "PRIMARY KEY(normalized_word, stop)"),
        .table(
            "stop_departures",
            "stop INTEGER PRIMARY KEY REFERENCES stop(id), departures INTEGER NOT NULL", hasRowids: true),
        .table(
            "feed",
            "id INTEGER PRIMARY KEY CHECK(id = 1), content_hash TEXT NOT NULL, source TEXT NOT NULL, "
                + "options TEXT NOT NULL, start_date INTEGER, end_date INTEGER, stop_count INTEGER NOT NULL, "
                + "route_count INTEGER NOT NULL, trip_count INTEGER NOT NULL, stop_time_count INTEGER NOT NULL, "
                + "latest_time INTEGER, earliest_time INTEGER NOT NULL, longest_dwell INTEGER NOT NULL, shortest_dwell INTEGER NOT NULL, "
                + "timezone TEXT NOT NULL, notice_count INTEGER NOT NULL, tool_version TEXT NOT NULL, "
                + "schema_version INTEGER NOT NULL, specification TEXT NOT NULL, sqlite_version TEXT NOT NULL, "
                + "icu_version TEXT NOT NULL", hasRowids: true),
        .table(
            "feed_file",
            "name TEXT PRIMARY KEY, \"table\" TEXT, \"view\" TEXT, encoding TEXT, "
                + "row_count INTEGER NOT NULL, kept_row_count INTEGER NOT NULL, left_out_count INTEGER NOT NULL, "
                + "bytes INTEGER NOT NULL"),
        .table(
            "empty_column",
            "\"table\" TEXT NOT NULL, \"column\" TEXT NOT NULL, "
                + "PRIMARY KEY(\"table\", \"column\")"),
        .table(
            "notice",
            "id INTEGER PRIMARY KEY, code TEXT NOT NULL, severity TEXT NOT NULL, file TEXT, "
                + "row_number INTEGER, field TEXT, value TEXT, message TEXT NOT NULL", hasRowids: true),
        .table(
            "notice_total",
            "code TEXT PRIMARY KEY, severity TEXT NOT NULL, count INTEGER NOT NULL, "
                + "kept INTEGER NOT NULL"),
        .table(
            "extra_file",
            "name TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, "
                + "PRIMARY KEY(name, part)"),
    ]
}
