@testable import GTFSSchema

/// The page schema/tables.md: every table, column and view of a store, made from the declarations.
///
/// A test compares the page with this text and, with `UPDATE_SCHEMA_PAGE=1` in the environment, rewrites it.
enum SchemaDocumentation {
    /// The whole page, in Markdown.
    static var page: String {
        let head = """
            # Tables and columns

            Made from [gtfs.tsv](gtfs.tsv); see [README.md](README.md) for what is common to all. Every table but `stop_time` and
            `shape_point` also has `id`, the number of the row in its file minus 1 (the header is row 1). The `id` of a `location` is its
            feature's place in the file, from 1; that of a `service` with `in_calendar` 0 is a number beyond those of `calendar.txt`.

            After the tables of files come those that the import makes, from [shape](#shape) on. A column with an arrow holds the `id` of
            a row of that table.

            """
        let supporting = (StoreSchema.supportingTables + StoreSchema.keptTables).map {
            section("table", $0.name, $0.meaning, $0.columns)
        }
        let views = StoreSchema.keptViews.map { section("view", $0.name, $0.meaning, $0.columns) }
        return ([head] + Specification.gtfs.files.map(section) + supporting + views).joined(separator: "\n")
    }

    /// The section of a table or view that does not stand for one file.
    private static func section(
        _ kind: String, _ name: String, _ meaning: String, _ columns: [StoreSchema.DerivedColumn]
    ) -> String {
        var lines = ["## \(name)", "", (kind == "view" ? "A view. " : "") + meaning, ""]
        lines += ["| column | type | meaning |", "|---|---|---|"]
        lines += columns.map { column in
            "| `\(column.name)` | \(column.target.map { "→ `\($0)`" } ?? column.type) | \(column.meaning) |"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ file: FileDefinition) -> String {
        let key = file.keyFields.map { "`\($0.column)`" }.joined(separator: ", ")
        var lines = ["## \(file.table)", "", "\(file.meaning) From `\(file.name)`, given back by `\(file.view)`."]
        if file.storage == .clustered { lines.append("Ordered by \(key), without `id`.") }
        lines += ["", "| column | type | field | presence | meaning |", "|---|---|---|---|---|"]
        lines += file.fields.map { field in
            "| `\(field.column)` | \(type(field)) | `\(field.name)` | \(requirements(of: field)) | \(field.meaning) |"
        }
        lines += (StoreSchema.derivedColumns[file.table] ?? []).map { column in
            "| `\(column.name)` | \(column.type) | | made when importing | \(column.meaning) |"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func type(_ field: FieldDefinition) -> String {
        if let table = field.referencedTable { return "→ `\(table)`" }
        switch field.type {
        case .enumeration(let values): return "INTEGER, one of " + values.all.map(String.init).joined(separator: " ")
        case .integer(let range) where range != .any: return "INTEGER \(range.rawValue)"
        case .float(let range) where range != .any: return "\(StorageType.real.rawValue) \(range.rawValue)"
        case .time: return "INTEGER, seconds since noon minus 12 h"
        case .localTime: return "INTEGER, seconds since midnight"
        case .date: return "INTEGER, YYYYMMDD"
        default: return field.type.storage.rawValue
        }
    }

    private static func requirements(of field: FieldDefinition) -> String {
        [presence(field), field.rangeStart?.description].compactMap(\.self).joined(separator: "; ")
    }

    private static func presence(_ field: FieldDefinition) -> String {
        guard field.conditions.isEmpty else {
            return field.conditions.map { "\($0.isRequired ? "required" : "recommended") \($0.description)" }
                .joined(separator: ", ")
        }
        return switch field.presence {
        case .forbiddenIf: "forbidden in some cases"
        case .conditional: "required in some cases"
        case .requiredColumn: "required, but may be empty"
        default: field.presence.rawValue
        }
    }
}
