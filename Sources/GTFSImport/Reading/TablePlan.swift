import GTFSFeed
import GTFSSchema

/// How one file of the feed becomes rows of one table; made from the file's header and not changed while rows are read.
final class TablePlan: @unchecked Sendable {
    // @unchecked: immutable after init; the identifier maps inside `columns` are used by the reading stage only.

    /// The file's name in the feed.
    let file: String
    /// Nil for a file that the specification does not know.
    let definition: FileDefinition?
    let table: String
    let view: String
    let columns: [ColumnPlan]
    let extra: [StoreSchema.ExtraColumn]
    /// Names of the known fields that the header has.
    let present: Set<String>
    /// Columns of the header, known or not.
    let headerCount: Int
    /// 1 unless the header follows blank lines.
    let headerRow: Int
    /// Columns of the header for which the table has no room; their cells are kept one by one.
    let beyond: [CSVHeader.Column]
    /// Columns of the table in the order of the stored cells.
    let cellColumns: [String]
    /// The cell for a stop's normalized name.
    let normalizedNameCell: Int?
    let rangeRules: [RangeRule]
    let coordinateRule: CoordinateRule?
    let amountRule: AmountRule?
    let presenceRules: [PresenceRule]

    /// Whether the table's key is a parent and a sequence (see `FileDefinition.Storage`).
    let isClustered: Bool
    /// Cells in a stored row.
    let stride: Int

    /// The names of the shapes in shapes.txt, or of the services in calendar_dates.txt: a row that names a new one
    /// creates it. Nil for other tables.
    var definedIdentifiers: IdentifierMap? { columns.first { $0.parser == .definingReference }?.identifiers }

    /// The place of a column's cell in a stored row; nil if the file has no such column.
    func cell(of column: String) -> Int? {
        // By bytes: Swift takes quadratic time for endless marks on a letter of some other column's name.
        cellColumns.firstIndex { $0.utf8.elementsEqual(column.utf8) }
    }

    /// The name of a column in kept_value. It is the name in the table, as two columns of the feed may have the same
    /// name.
    func keptName(ofColumn number: Int) -> String {
        columns[number].field?.column ?? cellColumns[columns[number].cell]
    }

    /// SQLite allows at most 2,000 columns; the cells of further columns are kept one by one.
    static let maximumExtraColumns = 1_900

    /// `definition` is nil for a file that the specification does not know. Its table has an id and texts.
    init(
        file: String, definition: FileDefinition?, table: String, view: String, header: HeaderPlan,
        namespaces: Namespaces
    ) {
        (self.file, self.definition, self.table, self.view) = (file, definition, table, view)
        extra = header.extra.map(\.column)
        present = Set(header.known.map(\.field.name))
        headerCount = header.count
        headerRow = header.rowNumber
        beyond = header.beyond
        isClustered = definition?.storage == .clustered
        var (plans, names) = definition.map { Self.columns(of: $0, header, namespaces) } ?? ([], ["id"])
        for (column, source, name) in header.extra {
            plans.append(
                ColumnPlan(
                    field: nil, name: name, source: source, cell: names.count, table: table, namespaces: namespaces))
            names.append(column.column)
        }
        if definition?.table == "stop", present.contains("stop_name") {
            normalizedNameCell = names.count
            names.append("normalized_name")
        } else {
            normalizedNameCell = nil
        }
        (columns, cellColumns, stride) = (plans, names, names.count)
        rangeRules = RangeRule.rules(for: plans)
        coordinateRule = CoordinateRule(columns: plans)
        amountRule = AmountRule(columns: plans)
        presenceRules = definition.map { PresenceRule.rules(for: $0, columns: plans) } ?? []
    }

    convenience init(file: String, definition: FileDefinition, header: HeaderPlan, namespaces: Namespaces) {
        self.init(
            file: file, definition: definition, table: definition.table, view: definition.view, header: header,
            namespaces: namespaces)
    }

    /// The columns of the specification that the file has, and the names of the cells so far. The key of a clustered
    /// table comes first, so that it is known whether a row can be stored before the rest is parsed.
    private static func columns(
        of definition: FileDefinition, _ header: HeaderPlan, _ namespaces: Namespaces
    ) -> (plans: [ColumnPlan], names: [String]) {
        let isClustered = definition.storage == .clustered
        let key = isClustered ? definition.keyFields : []
        let others = definition.fields.filter { field in !key.contains { $0.name == field.name } }
        let ordered = (key + others).compactMap { field in header.known.first { $0.field.name == field.name } }
        var names = isClustered ? key.map(\.column) : ["id"]
        var plans: [ColumnPlan] = []
        for (field, source, name) in ordered {
            let cell = key.firstIndex { $0.name == field.name } ?? names.count
            if cell == names.count { names.append(field.column) }
            plans.append(
                ColumnPlan(
                    field: field, name: name, source: source, cell: cell, table: definition.table,
                    namespaces: namespaces, isClustered: isClustered))
        }
        return (plans, names)
    }
}

/// A header's columns, sorted into known fields and extra ones.
struct HeaderPlan {
    var known: [(field: FieldDefinition, source: Int, name: String)] = []
    var extra: [(column: StoreSchema.ExtraColumn, source: Int, name: String)] = []
    /// Columns that the table has no room for.
    var beyond: [CSVHeader.Column] = []
    var count = 0
    /// The row of the header in its file.
    var rowNumber = 1
}
