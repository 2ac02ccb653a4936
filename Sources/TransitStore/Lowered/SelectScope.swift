/// A row that a statement looks at: that of a variable, or one that a reference leads to, which may not be there.
final class SelectRow {
    let entity: EntityDescription
    let variable: QueryVariable
    /// The column that names the row; nil for that of the variable itself.
    let reference: Column?
    /// Empty until a column of the row is named.
    var alias = ""
    /// The condition does not hold without the row.
    fileprivate var isRequired = false
    /// A column of the row, or of one behind it, has been written.
    fileprivate var isRead = false

    init(_ entity: EntityDescription, _ variable: QueryVariable, reference: Column? = nil) {
        (self.entity, self.variable, self.reference) = (entity, variable, reference)
    }

    /// The last reference on the way that may be nil: where it is NULL, all behind it is nil.
    var optionalReference: Column? {
        guard let reference, reference.description.isRequiredReference else { return reference }
        return reference.row.optionalReference
    }

    /// The references on the way, by the names of their properties.
    var path: [String] { reference.map { $0.row.path + [$0.description.property] } ?? [] }

    func markRead() {
        isRead = true
        reference?.row.markRead()
    }

    fileprivate func require() {
        isRequired = true
        reference?.row.require()
    }
}

/// A SELECT over a table: its row, and those that its references lead to.
final class SelectScope {
    let row: SelectRow
    private var others: [SelectRow] = []
    /// The box whose cells stand before the table, each to be looked up in it.
    var joinedCells: JoinedCells?
    private var cellSlot: Slot?

    init(_ entity: EntityDescription, _ variable: QueryVariable, alias: String) {
        row = SelectRow(entity, variable)
        row.alias = alias
    }

    /// The row that a reference leads to; one, however often it is used.
    func row(_ entity: EntityDescription, behind reference: Column) -> SelectRow {
        let known = others.first { $0.reference?.row === reference.row && $0.reference?.index == reference.index }
        if let known { return known }
        others.append(SelectRow(entity, row.variable, reference: reference))
        return others[others.count - 1]
    }

    /// Joins the rows, and those that lead to them, so that only rows with them are found: SQLite may then begin there.
    func requireRows(_ aliases: Set<String>) {
        for row in others where aliases.contains(row.alias) { row.require() }
    }

    /// Whether the cells of the box stand before the table; from now on they come from its slot.
    func drive(_ box: BoundingBox, _ slot: Slot) -> Bool {
        guard joinedCells?.box == box else { return false }
        if cellSlot == nil { cellSlot = slot }
        return true
    }

    /// ` FROM stop AS t0 LEFT JOIN …`, once all else has been written: what nothing reads is not joined.
    func writeFrom(to sql: inout SQLFragment) {
        sql.append(" FROM ")
        if let cellSlot { joinedCells?.writeRows(cellSlot, to: &sql) }
        sql.append(table: row.entity.sqlTable, as: row.alias)
        for row in others where row.isRead {
            guard let reference = row.reference else { continue }
            sql.append(row.isRequired ? " JOIN " : " LEFT JOIN ")
            sql.append(table: row.entity.sqlTable, as: row.alias)
            sql.append(" ON \(row.alias).id = ")
            reference.write(to: &sql)
        }
    }
}

/// Indexes of a store that not every store has, and the columns that it leaves empty.
struct StoreIndexes: Sendable {
    /// An index on a cell of longitude and on latitude: found by a box whatever the number of stops.
    var hasLongitudeCells = false
    var emptyColumns = EmptyColumnList.none

    static let none = StoreIndexes()
}
