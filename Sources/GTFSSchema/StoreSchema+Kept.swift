extension StoreSchema {
    /// A view of rows or values that the tables of files could not store, each with the name of its table, column or
    /// file.
    ///
    /// A feed may have a kept value in every row. So the table behind the view stores numbers instead of those names,
    /// which takes half the bytes.
    package struct KeptView: Sendable, Equatable {
        package let name: String
        /// The columns that identify a row.
        package let key: [String]
        let meaning: String
        let columns: [DerivedColumn]
        /// The view's SELECT.
        package let select: String
        /// The statement that creates the view.
        package var sql: String { definition.sql }

        var definition: Definition { Definition(.view, name, "CREATE VIEW \(name) AS \(select)") }
    }

    /// The columns of a table that have kept values, with their numbers in `numbered_value`.
    package struct KeptColumns: Sendable, Equatable {
        package let table: Int
        /// The number of each column, by the bytes of its name: a feed may have é in one code point and in two.
        private var columns: [[UInt8]: Int] = [:]

        package init(table: Int) { self.table = table }

        package mutating func add(_ name: String, number: Int) { columns[Array(name.utf8)] = number }

        /// The columns in the order of their numbers.
        package var numbered: [(name: String, number: Int)] {
            columns.sorted { $0.value < $1.value }.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
        }

        /// The number of a column; nil if it has no kept values.
        func number(of name: String) -> Int? { columns[Array(name.utf8)] }

        /// The condition that selects the kept values of one row of the table.
        package func ofRow(_ row: String, sequence: String) -> String {
            "\"table\" = \(table) AND \"row\" = \(row) AND sequence = \(sequence)"
        }

        /// The statement that reads a row's kept value for the column; nil if the column has no kept values.
        package func value(of column: String, row: String, sequence: String) -> String? {
            number(of: column).map {
                "SELECT value FROM numbered_value WHERE \(ofRow(row, sequence: sequence)) AND \"column\" = \($0)"
            }
        }

        /// The column with its kept value in place of NULL, to compare rows of a table with an `id`. A row with an
        /// unknown reference equals another one only if both have the same text.
        package func compared(_ column: String) -> String {
            let name = StoreSchema.quoted(column)
            guard let kept = value(of: column, row: "id", sequence: "0") else { return name }
            return "COALESCE(\(name), 'kept ' || (\(kept)))"
        }

        /// The numbers of columns, ascending, for `IN`.
        func numbers(of names: some Sequence<String>) -> String {
            names.compactMap(number(of:)).sorted().map(String.init).joined(separator: ", ")
        }
    }

    /// The tables behind `keptViews`.
    ///
    /// Names are UNIQUE, so that SQLite expects one row for a name. Without it, SQLite expects many, and reads all kept
    /// values into a filter for each look-up.
    static let keptTables = [keptName, keptColumn, numberedRow, numberedValue, numberedCell]

    private static let keptName = SupportingTable(
        name: "kept_name", meaning: "The names of files and reasons behind `kept_row` and `extra_cell`.",
        columns: [
            DerivedColumn("id", "INTEGER PRIMARY KEY", "The number that stands for the name."),
            DerivedColumn("name", "TEXT NOT NULL UNIQUE", "The name of a file, or the code of a notice."),
        ], hasUniqueColumns: true)

    private static let keptColumn = SupportingTable(
        name: "kept_column", meaning: "The names of tables and columns behind `kept_value`.",
        columns: [
            DerivedColumn("table", "INTEGER NOT NULL", "The number that stands for the table."),
            DerivedColumn("column", "INTEGER NOT NULL", "The number that stands for the column."),
            DerivedColumn("table_name", "TEXT NOT NULL", "The name of the table."),
            DerivedColumn("column_name", "TEXT NOT NULL", "The name of the column."),
        ], constraints: ["PRIMARY KEY(\"table\", \"column\")", "UNIQUE(table_name, column_name)"],
        hasUniqueColumns: true)

    private static let numberedRow = SupportingTable(
        name: "numbered_row", meaning: "The rows of `kept_row`, with numbers instead of names.",
        columns: [
            DerivedColumn("file", "INTEGER NOT NULL", to: "kept_name", "The file."),
            DerivedColumn("row_number", "INTEGER NOT NULL", "The row of the file; the header is row 1."),
            DerivedColumn("reason", "INTEGER NOT NULL", to: "kept_name", "The code of the notice that says why."),
            DerivedColumn("text", "TEXT NOT NULL", "The row as it was written."),
        ], constraints: ["PRIMARY KEY(file, row_number)"])

    private static let numberedValue = SupportingTable(
        name: "numbered_value", meaning: "The values of `kept_value`, with numbers instead of names.",
        columns: [
            DerivedColumn("table", "INTEGER NOT NULL", "The table, as in `kept_column`."),
            DerivedColumn("row", "INTEGER NOT NULL", "As in `kept_value`."),
            DerivedColumn("sequence", "INTEGER NOT NULL", "As in `kept_value`."),
            DerivedColumn("column", "INTEGER NOT NULL", "The column, as in `kept_column`."),
            DerivedColumn("value", "TEXT NOT NULL", "The value as it was written."),
        ], constraints: ["PRIMARY KEY(\"table\", \"row\", sequence, \"column\")"])

    private static let numberedCell = SupportingTable(
        name: "numbered_cell", meaning: "The cells of `extra_cell`, with numbers instead of names.",
        columns: [
            DerivedColumn("file", "INTEGER NOT NULL", to: "kept_name", "The file."),
            DerivedColumn("row_number", "INTEGER NOT NULL", "As in `extra_cell`."),
            DerivedColumn("position", "INTEGER NOT NULL", "As in `extra_cell`."),
            DerivedColumn("value", "TEXT NOT NULL", "The cell as it was written."),
        ], constraints: ["PRIMARY KEY(file, row_number, position)"])

    /// CROSS JOIN makes SQLite begin with the names, which are few (<https://sqlite.org/optoverview.html>, "Manual
    /// Control Of Query Plans Using CROSS JOIN"). Once the number of a name is known, an index on the numbers finds the
    /// rows.
    package static let keptViews = [
        KeptView(
            name: "kept_row", key: ["file", "row_number"],
            meaning: "Rows that could not be stored.",
            columns: [
                DerivedColumn("file", "TEXT", "The name of the file."),
                DerivedColumn("row_number", "INTEGER", "The row of the file; the header is row 1."),
                DerivedColumn("reason", "TEXT", "The code of the notice that says why."),
                DerivedColumn("text", "TEXT", "The row as it was written."),
            ],
            select: "SELECT f.name AS file, n.row_number AS row_number, r.name AS reason, "
                + "n.text AS text FROM kept_name AS f CROSS JOIN numbered_row AS n ON n.file = f.id "
                + "CROSS JOIN kept_name AS r ON r.id = n.reason"),
        KeptView(
            name: "kept_value", key: ["table", "row", "sequence", "column"],
            meaning: "Values that their columns could not store.",
            columns: [
                DerivedColumn("table", "TEXT", "The table of the value."),
                DerivedColumn(
                    "row", "INTEGER",
                    "The `id` of its row; in the two long tables the first part of the key, as `trip`."
                ),
                DerivedColumn(
                    "sequence", "INTEGER", "0; in the two long tables the second part of the key, as `stop_sequence`."),
                DerivedColumn("column", "TEXT", "The column of the value."),
                DerivedColumn("value", "TEXT", "The value as it was written."),
            ],
            select: "SELECT c.table_name AS \"table\", n.\"row\" AS \"row\", "
                + "n.sequence AS sequence, c.column_name AS \"column\", n.value AS value FROM kept_column AS c "
                + "CROSS JOIN numbered_value AS n ON n.\"table\" = c.\"table\" AND n.\"column\" = c.\"column\""),
        KeptView(
            name: "extra_cell", key: ["file", "row_number", "position"],
            meaning: "Cells beyond the header of their file.",
            columns: [
                DerivedColumn("file", "TEXT", "The name of the file."),
                DerivedColumn(
                    "row_number", "INTEGER",
                    "The row of the file; the header is row 1. For locations.geojson, the number of the feature."),
                DerivedColumn("position", "INTEGER", "The place of the cell in its row, from 1."),
                DerivedColumn("value", "TEXT", "The cell as it was written."),
            ],
            select: "SELECT f.name AS file, n.row_number AS row_number, "
                + "n.position AS position, n.value AS value FROM kept_name AS f CROSS JOIN numbered_cell AS n "
                + "ON n.file = f.id"),
    ]
}
