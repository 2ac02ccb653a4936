extension StoreSchema {
    /// The view that gives `file` back: its field names, text IDs, HH:MM:SS and YYYYMMDD.
    ///
    /// With `hasKeptValues`, rows with a value that no column could take come from a second SELECT that looks them up,
    /// so that a filter on an ID column still finds its index in the first.
    public static func createView(of file: FileDefinition, extra: [ExtraColumn], hasKeptValues: Bool) -> String {
        let builder = ViewBuilder(file: file, extra: extra)
        return "CREATE VIEW \(quoted(file.view)) AS " + (hasKeptValues ? builder.bothSelects : builder.plainSelect)
    }

    /// The view of a file that the specification does not know.
    public static func createView(unknown view: String, table: String, columns: [ExtraColumn]) -> String {
        let list = columns.map { "\(quoted($0.column)) AS \(quoted($0.viewColumn))" }
        return "CREATE VIEW \(quoted(view)) AS SELECT \(list.joined(separator: ", ")) FROM \(quoted(table))"
    }
}

private struct ViewBuilder {
    let file: FileDefinition
    let extra: [StoreSchema.ExtraColumn]

    /// What tells a row apart in kept_value: its id, or the two columns of its clustered key.
    private var rowKey: (row: String, sequence: String) {
        switch file.storage {
        case .rows: ("t.id", "0")
        case .clustered: ("t." + quoted(file.keyFields[0].column), "t." + quoted(file.keyFields[1].column))
        }
    }

    var plainSelect: String { "SELECT \(columns(\.self)) FROM \(source)\(condition)" }

    var bothSelects: String {
        let (row, sequence) = rowKey
        let table = StoreSchema.literal(file.table)
        let kept = "\"table\" = \(table) AND \"row\" = \(row) AND sequence = \(sequence)"
        let whole =
            "SELECT \(columns(\.self)) FROM \(source)\(condition.isEmpty ? " WHERE" : condition + " AND") "
            + "NOT EXISTS (SELECT 1 FROM kept_value WHERE \(kept))"
        let repaired = columns { expression, field in
            "COALESCE(\(expression), (SELECT value FROM kept_value WHERE \(kept) "
                + "AND \"column\" = \(StoreSchema.literal(field.column))))"
        }
        let rows =
            "(SELECT DISTINCT \"row\" AS kept_row, sequence AS kept_sequence FROM kept_value "
            + "WHERE \"table\" = \(table)) AS k CROSS JOIN \(source)"
        let match = "k.kept_row = \(row) AND k.kept_sequence = \(sequence)"
        let both = condition.isEmpty ? " WHERE " + match : condition + " AND " + match
        return "\(whole) UNION ALL SELECT \(repaired) FROM \(rows)\(both)"
    }

    private var condition: String { file.table == "service" ? " WHERE t.in_calendar" : "" }

    private var source: String {
        let joins = file.fields.compactMap { field -> String? in
            guard let target = field.targets.first, field.type == .reference else { return nil }
            // A clustered key is never NULL, and its row is always there.
            let kind = file.storage == .clustered && field.keyPosition != nil ? "JOIN" : "LEFT JOIN"
            let alias = quoted("of_" + field.column)
            return " \(kind) \(quoted(target.table)) AS \(alias) ON \(alias).id = t.\(quoted(field.column))"
        }
        return "\(quoted(file.table)) AS t" + joins.joined()
    }

    private func columns(_ path: KeyPath<String, String>) -> String {
        columns { expression, _ in expression[keyPath: path] }
    }

    private func columns(_ transform: (String, FieldDefinition) -> String) -> String {
        let known = file.fields.map { "\(transform(expression(of: $0), $0)) AS \(quoted($0.name))" }
        let others = extra.map { "t.\(quoted($0.column)) AS \(quoted($0.viewColumn))" }
        return (known + others).joined(separator: ", ")
    }

    /// The field as the feed spells it.
    private func expression(of field: FieldDefinition) -> String {
        let column = "t.\(quoted(field.column))"
        switch field.type {
        case .reference:
            guard let target = field.targets.first else { return column }
            return "\(quoted("of_" + field.column)).\(quoted(target.column))"
        case .time, .localTime:
            return "CASE WHEN \(column) IS NOT NULL THEN "
                + "printf('%02d:%02d:%02d', \(column) / 3600, \(column) / 60 % 60, \(column) % 60) END"
        case .date: return "CAST(\(column) AS TEXT)"
        default: return column
        }
    }

    private func quoted(_ identifier: String) -> String { StoreSchema.quoted(identifier) }
}
