import Synchronization

/// An entity's columns as one store fills them.
///
/// A feed fills half of the columns that GTFS has. Those that are NULL in every row of a store stand as `NULL` in the
/// SELECT, so that positions stay the same, and are not asked for: a box of stops with their values costs a quarter
/// less.
struct StoredColumns: Sendable {
    /// `t0.id, t0.stop_id, NULL, t0.name, …`
    let list: String
    /// The bits of the columns that are NULL in every row, of the first 64.
    let empty: UInt64

    /// All columns, whatever a store fills.
    init(_ entity: EntityDescription) {
        list = entity.allColumns.text
        empty = 0
    }

    /// Those of `entity` without the columns named.
    init(_ entity: EntityDescription, empty names: Set<String>) {
        var bits: UInt64 = 0
        for (position, column) in entity.columns.prefix(64).enumerated() where names.contains(column.name) {
            if !entity.keyColumns.contains(position) { bits |= 1 << UInt64(position) }
        }
        empty = bits
        list = entity.columns.enumerated().map { position, column in
            position < 64 && bits & 1 << UInt64(position) != 0 ? "NULL" : "t0." + column.sqlName
        }.joined(separator: ", ")
    }
}

/// The columns that a store says no row fills, by table (`empty_column`).
final class EmptyColumnList: Sendable {
    /// Of a store that does not say, or of none.
    static let none = EmptyColumnList([:])

    private let names: [String: Set<String>]
    private let known = Mutex<[EntityDescription: StoredColumns]>([:])

    init(_ names: [String: Set<String>]) { self.names = names }

    /// Whether no row of a table fills a column.
    func contains(_ column: String, of table: String) -> Bool { names[table]?.contains(column) ?? false }

    /// How to select all columns of an entity. Costs a look-up, a microsecond the first time.
    func columns(of entity: EntityDescription) -> StoredColumns {
        guard let empty = names[entity.table] else { return StoredColumns(entity) }
        return known.withLock { known in
            if let columns = known[entity] { return columns }
            let columns = StoredColumns(entity, empty: empty)
            known[entity] = columns
            return columns
        }
    }
}

extension TransitStore {
    /// `SELECT t0.id, … FROM stop AS t0`, to be continued.
    func selectAll(_ entity: EntityDescription) -> SelectStatement {
        let columns = indexes.emptyColumns.columns(of: entity)
        let sql = SQLFragment("SELECT " + columns.list + " FROM " + entity.sqlTable + " AS t0")
        return SelectStatement(sql: sql, entity: entity, emptyColumns: columns.empty)
    }
}
