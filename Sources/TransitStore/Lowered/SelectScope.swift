/// A SELECT over a table: its alias, and what has been joined to it.
final class SelectScope {
    let entity: EntityDescription
    let alias: String
    private struct Join {
        let alias: String
        let from: String
        let table: String
        let column: String
        /// The condition does not hold without the row.
        var isRequired = false
    }
    private var joins: [Join] = []
    /// The box whose cells stand before the table, each to be looked up in it.
    var drivingBox: DrivingBox?
    private var drivingSlot: Slot?

    init(entity: EntityDescription, alias: String) {
        self.entity = entity
        self.alias = alias
    }

    /// The alias of the row that `column` of `from` refers to; joined once, however often it is used.
    func join(_ target: EntityDescription, from: String, column: String, newAlias: () -> String) -> String {
        if let known = joins.first(where: { $0.from == from && $0.column == column }) { return known.alias }
        let alias = newAlias()
        joins.append(Join(alias: alias, from: from, table: target.sqlTable, column: column))
        return alias
    }

    /// Joins the rows, and those that lead to them, so that only rows with them are found: SQLite may then begin there.
    func requireRows(_ aliases: Set<String>) {
        guard !aliases.isEmpty else { return }
        var needed = aliases
        for index in joins.indices.reversed() where needed.contains(joins[index].alias) {
            joins[index].isRequired = true
            needed.insert(joins[index].from)
        }
    }

    /// Whether the cells of the box stand before the table; from now on they come from its slot.
    func drive(_ box: BoundingBox, _ slot: Slot) -> Bool {
        guard drivingBox?.box == box else { return false }
        if drivingSlot == nil { drivingSlot = slot }
        return true
    }

    /// ` FROM stop AS t0 LEFT JOIN …`
    func writeFrom(to sql: inout SQLFragment) {
        sql.append(" FROM ")
        if let drivingSlot { drivingBox?.writeRows(drivingSlot, to: &sql) }
        sql.append("\(entity.sqlTable) AS \(alias)")
        for join in joins {
            sql.append(join.isRequired ? " JOIN " : " LEFT JOIN ")
            sql.append("\(join.table) AS \(join.alias) ON \(join.alias).id = \(join.from).")
            sql.append(identifier: join.column)
        }
    }
}

/// Indexes of a store that not every store has, and the columns that it leaves empty.
struct StoreIndexes: Sendable {
    /// An index on a cell of longitude and on latitude: found by a box whatever the number of stops.
    var hasLongitudeCells = false
    var emptyColumns = EmptyColumns.none

    static let none = StoreIndexes()
}
