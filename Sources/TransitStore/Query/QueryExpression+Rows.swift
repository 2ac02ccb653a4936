/// The rows that ids name. The number of a row means something in its own store only.
extension QueryExpression {
    /// The number of a row, to compare with. In any other store than the row's own, it is a number that no row has. No
    /// store is given for an inserted object: no store has a row of its number.
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

    /// The value of a constant. That of a row is its number.
    var constant: QueryValue? { if case .value(let value) = self { value } else { namedRow?.number } }

    /// The condition, for rows of one store only.
    func inStore(_ number: Int32?) -> QueryExpression {
        number.map { .conjunction([self, .inStore($0)]) } ?? self
    }

    /// Compares with a row that an id names, if one of the sides is such a row. The store becomes a condition of its
    /// own, so that the SQL is the same as for a number: a statement runs on one store.
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

    /// Tests for one of some values, which may be rows of several stores.
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
        // An empty list is a test too: no row meets it.
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

    /// The number of the store whose rows the id may equal in a predicate; nil for an inserted object, whose number no
    /// row of a store has.
    var storeInPredicates: Int32? { isTemporary ? nil : store }
}
