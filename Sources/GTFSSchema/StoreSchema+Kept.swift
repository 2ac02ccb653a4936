extension StoreSchema {
    /// A view of kept rows or values, which no table of a file can store, with the names of table, column and file.
    ///
    /// A feed may have a kept value in every row. So the table behind the view stores numbers instead of those names,
    /// which takes half the bytes.
    public struct KeptView: Sendable, Equatable {
        public let name: String
        /// The columns that identify a row.
        public let key: [String]
        /// The view's SELECT.
        public let select: String
        /// The statement that creates the view.
        public var sql: String { definition.sql }

        var definition: Definition { Definition(.view, name, "CREATE VIEW \(name) AS \(select)") }
    }

    /// The columns of a table that have kept values, with their numbers in `numbered_value`.
    public struct KeptColumns: Sendable, Equatable {
        public let table: Int
        /// The number of each column, by the bytes of its name: a feed may have é in one code point and in two.
        private var columns: [[UInt8]: Int] = [:]

        public init(table: Int) { self.table = table }

        public mutating func add(_ name: String, number: Int) { columns[Array(name.utf8)] = number }

        /// The columns in the order of their numbers.
        public var numbered: [(name: String, number: Int)] {
            columns.sorted { $0.value < $1.value }.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
        }

        /// The number of a column; nil if it has no kept values.
        func number(of name: String) -> Int? { columns[Array(name.utf8)] }

        /// The condition that selects the kept values of one row of the table.
        public func ofRow(_ row: String, sequence: String) -> String {
            "\"table\" = \(table) AND \"row\" = \(row) AND sequence = \(sequence)"
        }

        /// The statement that reads a row's kept value for the column; nil if the column has no kept values.
        public func value(of column: String, row: String, sequence: String) -> String? {
            number(of: column).map {
                "SELECT value FROM numbered_value WHERE \(ofRow(row, sequence: sequence)) AND \"column\" = \($0)"
            }
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
    static let keptTables: [Definition] = [
        .table("kept_name", "id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE", hasUniqueColumns: true),
        .table(
            "kept_column",
            "\"table\" INTEGER NOT NULL, \"column\" INTEGER NOT NULL, table_name TEXT NOT NULL, "
                + "column_name TEXT NOT NULL, PRIMARY KEY(\"table\", \"column\"), UNIQUE(table_name, column_name)",
            hasUniqueColumns: true),
        .table(
            "numbered_row",
            "file INTEGER NOT NULL REFERENCES kept_name(id), row_number INTEGER NOT NULL, "
                + "reason INTEGER NOT NULL REFERENCES kept_name(id), text TEXT NOT NULL, PRIMARY KEY(file, row_number)"),
        .table(
            "numbered_value",
            "\"table\" INTEGER NOT NULL, \"row\" INTEGER NOT NULL, sequence INTEGER NOT NULL, "
                + "\"column\" INTEGER NOT NULL, value TEXT NOT NULL, "
                + "PRIMARY KEY(\"table\", \"row\", sequence, \"column\")"),
        .table(
            "numbered_cell",
            "file INTEGER NOT NULL REFERENCES kept_name(id), row_number INTEGER NOT NULL, "
                + "position INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY(file, row_number, position)"),
    ]

    /// CROSS JOIN makes SQLite begin with the names, which are few (<https://sqlite.org/optoverview.html>, "Manual
    /// Control Of Query Plans Using CROSS JOIN"). Once the number of a name is known, an index on the numbers finds the
    /// rows.
    public static let keptViews = [
        KeptView(
            name: "kept_row", key: ["file", "row_number"],
            select: "SELECT f.name AS file, n.row_number AS row_number, r.name AS reason, "
                + "n.text AS text FROM kept_name AS f CROSS JOIN numbered_row AS n ON n.file = f.id "
                + "CROSS JOIN kept_name AS r ON r.id = n.reason"),
        KeptView(
            name: "kept_value", key: ["table", "row", "sequence", "column"],
            select: "SELECT c.table_name AS \"table\", n.\"row\" AS \"row\", "
                + "n.sequence AS sequence, c.column_name AS \"column\", n.value AS value FROM kept_column AS c "
                + "CROSS JOIN numbered_value AS n ON n.\"table\" = c.\"table\" AND n.\"column\" = c.\"column\""),
        KeptView(
            name: "extra_cell", key: ["file", "row_number", "position"],
            select: "SELECT f.name AS file, n.row_number AS row_number, "
                + "n.position AS position, n.value AS value FROM kept_name AS f CROSS JOIN numbered_cell AS n "
                + "ON n.file = f.id"),
    ]
}
