/// The rows that ids name. A row number is valid only in its own store: another store has another row of that number.
extension QueryExpression {
    /// The number of a row, to compare with. In any store but the row's own, it is a number that no row has. An
    /// inserted object needs no store, because no store has a row with its number.
    static func row(_ number: Int64, inStore store: Int32?) -> QueryExpression {
        let number = QueryExpression.value(.integer(number))
        return store.map { .conditional(.inStore($0), number, .value(.integer(noRow))) } ?? number
    }

    private static let noRow = Int64.min

    /// The parts of `row(_:inStore:)`; nil for any other expression.
    var namedRow: (number: QueryValue, store: Int32)? {
        guard case .conditional(.inStore(let store), .value(let number), .value(.integer(Self.noRow))) = self else {
            return nil
        }
        return (number, store)
    }

    /// The value of a constant; for a row that an id names, its number; nil for any other expression.
    var constant: QueryValue? { if case .value(let value) = self { value } else { namedRow?.number } }

    /// The condition limited to the rows of one store; unchanged if the number is nil.
    func inStore(_ number: Int32?) -> QueryExpression {
        number.map { .conjunction([self, .inStore($0)]) } ?? self
    }

    /// A comparison with a row that an id names; nil if neither side is such a row. The store becomes a separate
    /// condition, so the SQL is the same as for a number: each statement runs on one store.
    static func ofNamedRow(
        _ op: ComparisonOperator, _ left: QueryExpression, _ right: QueryExpression
    ) -> QueryExpression? {
        guard let (number, store) = right.namedRow else {
            return left.namedRow == nil ? nil : ofNamedRow(op.flipped, right, left)
        }
        let isNegated = op == .notEqual
        let holds = QueryExpression.comparison(isNegated ? .equal : op, left, .value(number)).inStore(store).simplified
        return isNegated ? negation(ofSimple: holds) : holds
    }

    /// A test whether this expression equals one of these values, which may be rows of several stores.
    func isAny(of list: [QueryExpression]) -> QueryExpression {
        var values: [QueryValue] = []
        var rows: [Int32: [QueryValue]] = [:]
        var others: [QueryExpression] = []
        for element in list {
            if let (number, store) = element.namedRow {
                rows[store, default: []].append(number)
            } else if let value = element.constant {
                values.append(value)
            } else {
                others.append(.comparison(.equal, self, element))
            }
        }
        let ofStores = rows.sorted { $0.key < $1.key }.map { store, numbers in
            QueryExpression.membership(self, numbers).inStore(store)
        }
        // An empty list stays a test, which no row meets.
        let hasValues = !values.isEmpty || rows.isEmpty && others.isEmpty
        return .disjunction((hasValues ? [.membership(self, values)] : []) + ofStores + others)
    }

    /// The stores of the ids that the expression tests, each with the tests that it applies to.
    var namedStores: [NamedStore] {
        switch self {
        case .inStore(let number): return [NamedStore(number: number, tests: [])]
        case .all(let parts):
            let tests = parts.filter { if case .inStore = $0 { false } else { true } }
            let own = parts.compactMap { part in
                if case .inStore(let number) = part { NamedStore(number: number, tests: tests) } else { nil }
            }
            return own + tests.flatMap(\.namedStores)
        default: return children.flatMap(\.namedStores)
        }
    }
}

/// A store that some tests of a condition apply to, because they compare with ids of its rows.
struct NamedStore: Hashable {
    let number: Int32
    let tests: [QueryExpression]
}

extension ObjectID {
    /// The row for comparisons; nil for a key that is not one number.
    var row: QueryExpression? {
        guard case .row(let number) = key else { return nil }
        return .row(number, inStore: storeInPredicates)
    }

    /// The number of the store whose rows the id may equal in a predicate; nil for an inserted object, because no store
    /// has a row with its number.
    var storeInPredicates: Int32? { isTemporary ? nil : store }
}

extension QueryExpression {
    /// The row's own columns on which the value depends; too many of them do no harm.
    func columns(of entity: EntityDescription) -> Set<Int> {
        var columns = children.reduce(into: Set<Int>()) { $0.formUnion($1.columns(of: entity)) }
        switch self {
        case .property(.root, let path): columns.formUnion(path.first.flatMap(entity.columnIndex).map { [$0] } ?? [])
        case .related(let rows) where rows.owner == .root:
            columns.formUnion(rows.path.first.flatMap(entity.columnIndex).map { [$0] } ?? [])
        case .object, .distance, .box, .searchTerm: columns.formUnion(entity.columns.indices)
        default: break
        }
        return columns
    }
}
