extension StoreSchema {
    /// A table, an index or a view, and the statement that makes it.
    package struct Definition: Sendable {
        package enum Kind: String, Sendable { case table, index, view }

        package let kind: Kind
        package let name: String
        /// The table that an index belongs to; for a table or view, its own name.
        package let table: String
        package let sql: String
        /// Whether SQLite makes an index for the table because of UNIQUE columns. The index has an entry in the schema
        /// as well. Tables of files have no such columns.
        package private(set) var hasUniqueColumns = false

        package init(_ kind: Kind, _ name: String, ofTable table: String? = nil, _ sql: String) {
            (self.kind, self.name, self.table, self.sql) = (kind, name, table ?? name, sql)
        }

        static func table(
            _ name: String, _ columns: String, hasRowids: Bool = false, hasUniqueColumns: Bool = false
        ) -> Definition {
            let sql = "CREATE TABLE \(name)(\(columns))" + (hasRowids ? "" : " WITHOUT ROWID")
            var table = Definition(.table, name, sql)
            table.hasUniqueColumns = hasUniqueColumns
            return table
        }
    }
}
