import SQLite
import SystemFiles

/// A SELECT that is ready to run, and how to read its columns.
struct SelectStatement: Sendable {
    var sql: SQLFragment
    let entity: EntityDescription
    /// A bit for each column that is known to be NULL in every row.
    var emptyColumns: UInt64 = 0
    /// The names of a dictionary result's columns. The statement may read further columns, which are not returned.
    var names: [String] = []
}

/// The parts of a SELECT.
struct SelectParts {
    /// Columns of the table itself, as SQL; `computed` has the others.
    var columns = SQLFragment()
    var computed: [QueryExpression] = []
    /// Columns that are read after these and not returned: they decide how SQLite finds the rows.
    var unused = SQLFragment()
    var condition: QueryExpression = .always
    var grouping: [QueryExpression] = []
    var having: QueryExpression = .always
    var order: [SortTerm] = []
    var limit = 0
    var offset = 0
    var isDistinct = false
    /// Whether the results are rows of values by name, which may describe groups.
    var isTable = false

    /// Whether distinct rows are sorted by a value that is not in them. The folded form of a value in the rows counts
    /// as in them, because equal texts have equal folded forms.
    var sortsDistinctRowsByMore: Bool {
        isDistinct && !computed.isEmpty
            && order.contains { term in
                if case .folded(let text) = term.expression, computed.contains(text) { return false }
                return !computed.contains(term.expression)
            }
    }
}

extension Lowering {
    /// `SELECT … FROM … WHERE … GROUP BY … HAVING … ORDER BY … LIMIT ? OFFSET ?`
    mutating func select(_ parts: SelectParts, from scope: SelectScope) throws -> SQLFragment {
        groupedNumbers = groupedNumbers(parts.grouping, of: scope.row.entity)
        let columns = try columns(of: parts)
        scope.joinedCells = JoinedCells(of: parts.condition, for: scope.row.entity, traits)
        var tail = SQLFragment()
        try writeWhere(parts.condition, from: scope, to: &tail)
        try writeGroups(parts, to: &tail)
        var order = SQLFragment()
        try writeOrder(parts.order, to: &order)
        if parts.order.count >= Self.tooManyTerms, scope.hasJoins { throw Self.tooManySortTerms }
        var sql = SQLFragment()
        if parts.sortsDistinctRowsByMore {
            writeDistinct(columns, count: parts.computed.count, by: order, from: scope, tail, to: &sql)
        } else {
            sql.append(parts.isDistinct ? "SELECT DISTINCT " : "SELECT ")
            sql.append(columns)
            scope.writeFrom(to: &sql)
            sql.append(tail)
            if !order.isEmpty { sql.append(" ") }
            sql.append(order)
        }
        writeLimit(parts.limit, parts.offset, to: &sql)
        return sql
    }

    private mutating func columns(of parts: SelectParts) throws -> SQLFragment {
        var columns = parts.columns
        let computed = try parts.computed.map { try value($0).bare }
        columns.append(computed.enumerated(), separator: ", ") { sql, column in
            column.element.writeOperand(to: &sql)
            if parts.sortsDistinctRowsByMore { sql.append(" AS c\(column.offset)") }
        }
        if !parts.unused.isEmpty { columns.append(", ") }
        columns.append(parts.unused)
        return columns
    }

    /// The condition tests single rows. So an empty value of a grouped property is NULL in it, not 0.
    private mutating func writeWhere(
        _ query: QueryExpression, from scope: SelectScope, to sql: inout SQLFragment
    ) throws {
        aggregateUse = .nowhere("a predicate tests single rows; use havingPredicate for groups")
        guard query != .always else { return }
        let grouped = groupedNumbers
        groupedNumbers = []
        let condition = try condition(query)
        groupedNumbers = grouped
        scope.requireRows(condition.falseWithout)
        sql.append(" WHERE ")
        condition.write(to: &sql)
    }

    private mutating func writeGroups(_ parts: SelectParts, to sql: inout SQLFragment) throws {
        if !parts.grouping.isEmpty {
            sql.append(" GROUP BY ")
            sql.append(try parts.grouping.map { try value($0).bare }, separator: ", ") { $1.writeOperand(to: &$0) }
        }
        aggregateUse = parts.isTable ? .everywhere : .nowhere("only dictionary results have groups")
        guard parts.having != .always else { return }
        sql.append(" HAVING ")
        try condition(parts.having).write(to: &sql)
    }

    /// Writes a SELECT that keeps the first of equal rows, in an order by values that are not in the rows. SELECT
    /// DISTINCT would keep the row that it reads first, and sort afterwards.
    private func writeDistinct(
        _ columns: SQLFragment, count: Int, by order: SQLFragment, from scope: SelectScope, _ tail: SQLFragment,
        to sql: inout SQLFragment
    ) {
        let names = (0..<count).map { "c\($0)" }.joined(separator: ", ")
        sql.append("SELECT \(names) FROM (SELECT ")
        sql.append(columns)
        sql.append(", row_number() OVER (")
        sql.append(order)
        sql.append(") AS place")
        scope.writeFrom(to: &sql)
        sql.append(tail)
        sql.append(") GROUP BY \(names) ORDER BY min(place)")
    }

    /// SQLite 3.40 crashes if a statement sorts by this many terms and one of them needs a joined row that nothing else
    /// needs.
    private static var tooManyTerms: Int { 64 }
    private static var tooManySortTerms: StoreError {
        StoreError(
            .tooComplex,
            "The request sorts by \(tooManyTerms) or more terms, some of related rows; give at most \(tooManyTerms - 1)"
        )
    }

    private mutating func writeOrder(_ terms: [SortTerm], to sql: inout SQLFragment) throws {
        for (position, term) in terms.enumerated() {
            sql.append(position == 0 ? "ORDER BY " : ", ")
            try value(term.expression).bare.writeOperand(to: &sql)
            if let locale = term.collation {
                sql.append(" COLLATE ")
                sql.append(identifier: LocaleCollation.name(of: locale))
            }
            if !term.isAscending { sql.append(" DESC") }
            switch term.nulls {
            case .first: sql.append(" NULLS FIRST")
            case .last: sql.append(" NULLS LAST")
            case .standard: break
            }
        }
    }

    func writeLimit(_ limit: Int, _ offset: Int, to sql: inout SQLFragment) {
        guard limit > 0 || offset > 0 else { return }
        sql.append(" LIMIT ")
        sql.bind(.integer(limit > 0 ? Int64(limit) : -1), from: .limit)
        guard offset > 0 else { return }
        sql.append(" OFFSET ")
        sql.bind(.integer(Int64(offset)), from: .offset)
    }

    /// Columns of the scope's own table, by position.
    func columnList(_ scope: SelectScope, _ positions: some Sequence<Int>) -> SQLFragment {
        var sql = SQLFragment()
        sql.append(positions, separator: ", ") { sql, position in
            sql.append("\(scope.row.alias).")
            sql.append(identifier: scope.row.entity.columns[position].name)
        }
        return sql
    }
}
