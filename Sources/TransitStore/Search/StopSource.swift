/// The stops that one word of a text finds, as SQL.
struct StopSource {
    /// A table of words and their stops.
    enum Table: String {
        case name = "search_term"
        case spelling = "search_spelling"
        /// Of whole names.
        case wholeName = "stop"

        static let ofWords = [Table.name, .spelling]
        var stop: String { self == .wholeName ? "id" : "stop" }
        var text: String { self == .wholeName ? "normalized_name" : "normalized_word" }
    }

    let beginnings: [String]
    let tables: [Table]

    /// `SELECT stop FROM search_term WHERE …`, one for each table and beginning.
    func write(to sql: inout SQLFragment) {
        sql.append(tables, separator: " UNION ALL ") { sql, table in
            sql.append(beginnings, separator: " UNION ALL ") { sql, beginning in
                sql.append("SELECT \(table.stop) FROM \(table.rawValue) WHERE \(table.text) >= ")
                sql.bind(.text(PrefixRange.start(of: beginning, .folded)))
                guard let end = PrefixRange.end(of: beginning, .folded) else { return }
                sql.append(" AND \(table.text) < ")
                sql.bind(.text(end))
            }
        }
    }
}
