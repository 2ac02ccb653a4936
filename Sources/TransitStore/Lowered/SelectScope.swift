/// A row that a statement reads: that of a variable, or the one that a reference leads to, which may be missing.
final class SelectRow {
    let entity: EntityDescription
    let variable: QueryVariable
    /// The column that refers to the row; nil for the row of the variable itself.
    let reference: Column?
    /// Empty until a column of the row is named.
    var alias = ""
    /// Set if the condition does not hold without the row.
    fileprivate var isRequired = false
    /// Set once a column of the row, or of a row behind it, has been written.
    fileprivate var isRead = false

    init(_ entity: EntityDescription, _ variable: QueryVariable, reference: Column? = nil) {
        (self.entity, self.variable, self.reference) = (entity, variable, reference)
    }

    /// The last reference on the way that may be nil; if it is NULL, everything behind it is nil.
    var optionalReference: Column? {
        guard let reference, reference.description.isRequiredReference else { return reference }
        return reference.row.optionalReference
    }

    /// The property names of the references on the way.
    var path: PropertyPath { reference.map { $0.row.path + [$0.description.property] } ?? [] }

    func markRead() {
        isRead = true
        reference?.row.markRead()
    }

    fileprivate func require() {
        isRequired = true
        reference?.row.require()
    }
}

/// A SELECT over a table: the table's row, and the rows that its references lead to.
final class SelectScope {
    let row: SelectRow
    private var others: [SelectRow] = []
    /// The box whose cells come before the table in FROM, so that SQLite looks up the rows of each cell.
    var joinedCells: JoinedCells?
    private var cellSlot: Slot?
    /// The SELECT that replaces the table in FROM, so that a limit without an order takes the same rows as `fetch`;
    /// usually nil.
    var unsortedPart: SQLFragment?

    init(_ entity: EntityDescription, _ variable: QueryVariable, alias: String) {
        row = SelectRow(entity, variable)
        row.alias = alias
    }

    /// The row that a reference leads to; the same row however often it is used.
    func row(_ entity: EntityDescription, behind reference: Column) -> SelectRow {
        let known = others.first { $0.reference?.row === reference.row && $0.reference?.index == reference.index }
        if let known { return known }
        others.append(SelectRow(entity, row.variable, reference: reference))
        return others[others.count - 1]
    }

    var hasJoins: Bool { others.contains { $0.isRead } }

    /// Makes these rows required, and the rows on the way to them. They get an inner join instead of a LEFT JOIN, so
    /// SQLite may begin with them.
    func requireRows(_ aliases: Set<String>) {
        for row in others where aliases.contains(row.alias) { row.require() }
    }

    /// Whether the statement begins with the cells of this box, and then joins the table. The first call sets the
    /// `slot` that the box's values are bound from.
    func drive(_ box: BoundingBox, _ slot: Slot) -> Bool {
        guard joinedCells?.box == box else { return false }
        if cellSlot == nil { cellSlot = slot }
        return true
    }

    /// ` FROM stop AS t0 LEFT JOIN …`. Call it when all else has been written: rows that nothing reads are not joined.
    func writeFrom(to sql: inout SQLFragment) {
        sql.append(" FROM ")
        if let cellSlot { joinedCells?.writeRows(cellSlot, to: &sql) }
        if let unsortedPart {
            sql.append("(")
            sql.append(unsortedPart)
            sql.append(") AS \(row.alias)")
        } else {
            sql.append(table: row.entity.sqlTable, as: row.alias)
        }
        for row in others where row.isRead {
            guard let reference = row.reference else { continue }
            sql.append(row.isRequired ? " JOIN " : " LEFT JOIN ")
            sql.append(table: row.entity.sqlTable, as: row.alias)
            sql.append(" ON \(row.alias).id = ")
            reference.write(to: &sql)
        }
    }
}

/// Decides which ids name rows of the store that a statement runs on.
struct StoreNumber: Sendable, Equatable {
    /// Nil if the store is not known; then it counts as the store of any id.
    var number: Int32?
    var isFirstOfContext = true

    /// Whether ids with this number are ids of the store.
    func has(_ number: Int32) -> Bool {
        self.number == nil || self.number == number || number == 0 && isFirstOfContext
    }
}

/// What statements must know about a store: its number, its optional index, and the columns that no row fills.
struct StoreTraits: Sendable {
    var store = StoreNumber()
    /// An index on longitude cell and latitude. It serves boxes, whatever the number of stops.
    var hasLongitudeCells = false
    var emptyColumns = EmptyColumnList.none

    static let none = StoreTraits()
}
