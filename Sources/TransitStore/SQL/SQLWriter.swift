/// Writes expressions as SQL: knows which table alias stands for which variable, and what is joined along the way.
///
/// One writer writes one statement. The topics are spread over extensions: conditions, comparisons, texts, places,
/// related rows.
struct SQLWriter {
    let model: StoreModel
    let indexes: StoreIndexes
    private var scopes: [QueryVariable: SelectScope] = [:]
    private var aliasCount = 0
    /// Where the part that is being written stands.
    var aggregatesStand = Aggregates.everywhere

    /// Whether a part of a statement may ask for aggregates over groups; if not, why.
    enum Aggregates {
        case everywhere
        case nowhere(String)
    }

    init(model: StoreModel, indexes: StoreIndexes = .none) {
        self.model = model
        self.indexes = indexes
    }

    /// Opens a SELECT over `entity`, whose rows `variable` stands for.
    mutating func openScope(_ entity: EntityDescription, for variable: QueryVariable) -> SelectScope {
        let scope = SelectScope(entity: entity, alias: nextAlias())
        scopes[variable] = scope
        return scope
    }

    mutating func closeScope(of variable: QueryVariable) { scopes[variable] = nil }

    mutating func nextAlias() -> String {
        defer { aliasCount += 1 }
        return "t\(aliasCount)"
    }

    func scope(of variable: QueryVariable) throws -> SelectScope {
        guard let scope = scopes[variable] else {
            throw StoreError.untranslatable("variable \(variable.number)", "it stands for no row here")
        }
        return scope
    }
}

/// A SELECT that is being written: the table, its alias, and what has been joined to it.
final class SelectScope {
    let entity: EntityDescription
    let alias: String
    private var joins: [(alias: String, sql: SQLFragment)] = []
    /// The box whose cells stand before the table, each to be looked up in it.
    var drivingBox: DrivingBox?
    private var aliasByReference: [String: String] = [:]

    init(entity: EntityDescription, alias: String) {
        self.entity = entity
        self.alias = alias
    }

    /// The alias of the row that `column` of `from` refers to; joined once, however often it is used.
    func join(_ target: EntityDescription, from: String, column: String, newAlias: () -> String) -> String {
        let reference = "\(from).\(column)"
        if let alias = aliasByReference[reference] { return alias }
        let alias = newAlias()
        var sql = SQLFragment(" LEFT JOIN ")
        sql.append(identifier: target.table)
        sql.append(" AS \(alias) ON \(alias).id = \(from).")
        sql.append(identifier: column)
        joins.append((alias, sql))
        aliasByReference[reference] = alias
        return alias
    }

    /// ` FROM stop AS t0 LEFT JOIN …`
    var from: SQLFragment {
        var sql = SQLFragment(" FROM ")
        drivingBox?.appendRows(to: &sql)
        sql.append(entity.sqlTable)
        sql.append(" AS ")
        sql.append(alias)
        for join in joins { sql.append(join.sql) }
        return sql
    }
}

/// Indexes of a store that not every store has, and the columns that it leaves empty.
struct StoreIndexes: Sendable {
    /// An index on a cell of longitude and on latitude: found by a box whatever the number of stops.
    var hasLongitudeCells = false
    var emptyColumns = EmptyColumns.none

    static let none = StoreIndexes()
}
