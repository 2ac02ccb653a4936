extension StoreSchema {
    /// The view that shows `file` as the feed wrote it: with its field names, text IDs, HH:MM:SS and YYYYMMDD.
    ///
    /// Rows with kept values come from further SELECTs, one for each field among the `kept` columns. So a filter on an
    /// ID column can use an index in each SELECT: the ID's own, or the one of kept values. The feed's extra columns
    /// have no index; they look for a kept value in each row.
    package static func createView(of file: FileDefinition, extra: [ExtraColumn], kept: KeptColumns?) -> String {
        let numbers = kept ?? KeptColumns(table: 0)
        let kept = file.fields.map(\.column).filter { numbers.number(of: $0) != nil }
        let builder = ViewBuilder(file: file, extra: extra, kept: numbers, keptColumns: kept)
        let selects = kept.isEmpty ? [builder.plainSelect] : [builder.wholeSelect] + kept.map(builder.select(keeping:))
        return "CREATE VIEW \(quoted(file.view)) AS " + selects.joined(separator: " UNION ALL ")
    }

    /// The view of a file that the specification does not know.
    package static func createView(
        unknown view: String, table: String, columns: [ExtraColumn], kept: KeptColumns? = nil
    ) -> String {
        let list = columns.map { "\(written($0, kept, row: ("t.id", "0"))) AS \(quoted($0.viewColumn))" }
        return "CREATE VIEW \(quoted(view)) AS SELECT \(list.joined(separator: ", ")) FROM \(quoted(table)) AS t"
    }

    /// A value as the feed wrote it: the kept value if the importer trimmed more than blanks from it, otherwise the
    /// stored one.
    fileprivate static func written(
        _ column: ExtraColumn, _ kept: KeptColumns?, row: (row: String, sequence: String)
    ) -> String {
        let stored = "t." + quoted(column.column)
        guard let value = kept?.value(of: column.column, row: row.row, sequence: row.sequence) else { return stored }
        return "COALESCE((\(value)), \(stored))"
    }
}

private struct ViewBuilder {
    let file: FileDefinition
    let extra: [StoreSchema.ExtraColumn]
    /// The columns of the table that numbered_value has values for.
    let kept: StoreSchema.KeptColumns
    /// The columns of fields with kept values, in the order of the fields.
    let keptColumns: [String]

    /// What identifies a row in numbered_value: its id, or the two columns of its clustered key.
    private var rowKey: (row: String, sequence: String) {
        switch file.storage {
        case .rows: ("t.id", "0")
        case .clustered: ("t." + quoted(file.keyFields[0].column), "t." + quoted(file.keyFields[1].column))
        }
    }

    var plainSelect: String { "SELECT \(columns(\.self)) FROM \(source)\(condition)" }

    /// Rows in which no field has a kept value.
    var wholeSelect: String {
        let (row, sequence) = rowKey
        let kept = "SELECT 1 FROM numbered_value WHERE \(kept.ofRow(row, sequence: sequence))" + exceptExtra
        return "\(plainSelect)\(condition.isEmpty ? " WHERE" : " AND") NOT EXISTS (\(kept))"
    }

    /// Kept values of the feed's extra columns do not exclude a row from the first SELECT.
    private var exceptExtra: String {
        let others = kept.numbered.map(\.name).filter { !keptColumns.contains($0) }
        return others.isEmpty ? "" : " AND \"column\" NOT IN (\(kept.numbers(of: others)))"
    }

    /// Rows with a kept value for `column` and none for the columns before it, so that every row appears once.
    func select(keeping column: String) -> String {
        let (row, sequence) = rowKey
        let before = keptColumns.prefix { $0 != column }
        let after = keptColumns.drop { $0 != column }.dropFirst()
        let list = columns { expression, field in
            if field.column == column { return inOneAffinity("k.value", field) }
            guard after.contains(field.column),
                let kept = kept.value(of: field.column, row: "k.\"row\"", sequence: "k.sequence")
            else { return expression }
            // A value may be both stored and kept, when more than blanks was trimmed from it.
            let either = "COALESCE((\(kept)), \(expression))"
            return hasTextAffinity(field) ? "CAST(\(either) AS TEXT)" : either
        }
        var conditions = [
            "k.\"table\" = \(kept.table)", "k.\"column\" = \(kept.numbers(of: [column]))", "k.\"row\" = \(row)",
            "k.sequence = \(sequence)",
        ]
        if file.table == "service" { conditions.append("t.in_calendar") }
        if !before.isEmpty {
            conditions.append(
                "NOT EXISTS (SELECT 1 FROM numbered_value WHERE \(kept.ofRow("k.\"row\"", sequence: "k.sequence")) "
                    + "AND \"column\" IN (\(kept.numbers(of: before))))")
        }
        return "SELECT \(list) FROM numbered_value AS k JOIN \(source) WHERE \(conditions.joined(separator: " AND "))"
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

    /// SQLite uses the indexes behind a view of several SELECTs only if each column has the same affinity in all of
    /// them (<https://sqlite.org/optoverview.html>, "Subquery flattening"). A plus sign removes the affinity.
    private func inOneAffinity(_ expression: String, _ field: FieldDefinition) -> String {
        hasTextAffinity(field) ? expression : "+" + expression
    }

    private func hasTextAffinity(_ field: FieldDefinition) -> Bool { field.type == .reference || field.type == .date }

    private func columns(_ path: KeyPath<String, String>) -> String {
        columns { expression, _ in expression[keyPath: path] }
    }

    private func columns(_ transform: (String, FieldDefinition) -> String) -> String {
        let known = file.fields.map { field in
            let plain = expression(of: field)
            let expression = keptColumns.contains(field.column) ? inOneAffinity(plain, field) : plain
            return "\(transform(expression, field)) AS \(quoted(field.name))"
        }
        let others = extra.map { column in
            "\(StoreSchema.written(column, kept, row: rowKey)) AS \(quoted(column.viewColumn))"
        }
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
            return "CASE WHEN \(column) IS NOT NULL\(unlessFilled(field)) THEN "
                + "printf('%02d:%02d:%02d', \(column) / 3600, \(column) / 60 % 60, \(column) % 60) END"
        case .date: return "CAST(substr('0000000' || \(column), -8) AS TEXT)"
        default: return column
        }
    }

    /// A time that the importer filled is blank in the feed.
    private func unlessFilled(_ field: FieldDefinition) -> String {
        let bit: Int64
        switch (file.table, field.column) {
        case ("stop_time", "arrival_time"): bit = FilledTimes.arrival
        case ("stop_time", "departure_time"): bit = FilledTimes.departure
        default: return ""
        }
        return " AND (t.filled_times & \(bit)) IS NOT \(bit)"
    }

    private func quoted(_ identifier: String) -> String { StoreSchema.quoted(identifier) }
}
