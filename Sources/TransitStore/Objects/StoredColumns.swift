import Synchronization

/// An entity's columns as a SELECT over one store names them.
///
/// A feed fills half of the GTFS columns. For a column that is NULL in every row of a store, the SELECT has `NULL`:
/// positions stay the same, and SQLite does not read the column. Fetching a box of stops with their values costs a
/// quarter less.
struct StoredColumns: Sendable {
    /// `t0.id, t0.stop_id, NULL, t0.name, …`
    let list: String
    /// A bit for each of the first 64 columns: set if the column is NULL in every row.
    let empty: UInt64

    /// The list with a name for each NULL: `t0.id, t0.stop_id, NULL AS code, t0.name, …`
    func named(of entity: EntityDescription) -> String {
        Self.list(entity, empty: empty) { "NULL AS " + $0.sqlName }
    }

    /// All columns, for a store that lists none of them as empty.
    init(_ entity: EntityDescription) {
        list = entity.allColumns.text
        empty = 0
    }

    /// The columns of `entity`, of which those in `names` are NULL in every row.
    init(_ entity: EntityDescription, empty names: Set<ExactText>) {
        var bits: UInt64 = 0
        for (position, column) in entity.columns.prefix(64).enumerated() where names.contains(ExactText(column.name)) {
            if !entity.keyColumns.contains(position) { bits |= 1 << UInt64(position) }
        }
        empty = bits
        list = Self.list(entity, empty: bits) { _ in "NULL" }
    }

    private static func list(
        _ entity: EntityDescription, empty bits: UInt64, null: (ColumnDescription) -> String
    ) -> String {
        entity.columns.enumerated().map { position, column in
            position < 64 && bits & 1 << UInt64(position) != 0 ? null(column) : "t0." + column.sqlName
        }.joined(separator: ", ")
    }
}

/// The columns that no row fills, by table. A store lists them in the table `empty_column`.
final class EmptyColumnList: Sendable {
    /// The list without a store, and of a store that does not have that table.
    static let none = EmptyColumnList([:])

    private let names: [ExactText: Set<ExactText>]
    private let known = Mutex<[EntityDescription: StoredColumns]>([:])

    init(_ names: [ExactText: Set<ExactText>]) { self.names = names }

    /// Whether no row of a table fills a column.
    func contains(_ column: String, of table: String) -> Bool {
        names[ExactText(table)]?.contains(ExactText(column)) ?? false
    }

    /// How to select all columns of an entity. Costs a microsecond the first time, then a look-up.
    func columns(of entity: EntityDescription) -> StoredColumns {
        guard let empty = names[ExactText(entity.table)] else { return StoredColumns(entity) }
        return known.withLock { known in
            if let columns = known[entity] { return columns }
            let columns = StoredColumns(entity, empty: empty)
            known[entity] = columns
            return columns
        }
    }
}

extension TransitStore {
    /// `SELECT t0.id, … FROM stop AS t0`, the beginning of a statement.
    func selectAll(_ entity: EntityDescription) -> SelectStatement {
        let columns = traits.emptyColumns.columns(of: entity)
        let sql = SQLFragment("SELECT " + columns.list + " FROM " + entity.sqlTable + " AS t0")
        return SelectStatement(sql: sql, entity: entity, emptyColumns: columns.empty)
    }
}
