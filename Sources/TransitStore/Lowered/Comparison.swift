/// `a = b`, `a < b` and so on, which are NULL if either side is NULL; `IS` and `IS NOT`, which are never NULL.
struct Comparison: LoweredNode {
    enum Operator: Hashable {
        case plain(ComparisonOperator)
        case isSame, isOther

        var sql: String {
            switch self {
            case .plain(let op): op.rawValue
            case .isSame: "IS"
            case .isOther: "IS NOT"
            }
        }
    }

    let op: Operator
    let left: any LoweredNode
    let right: any LoweredNode

    func write(to sql: inout SQLFragment) {
        left.writeOperand(to: &sql)
        sql.append(" \(op.sql) ")
        right.writeOperand(to: &sql)
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        let (left, right) = (try left.value(&rows), try right.value(&rows))
        switch op {
        case .isSame: return QueryValue(left.compare(right) == 0)
        case .isOther: return QueryValue(left.compare(right) != 0)
        case .plain(let op):
            return left.isNull || right.isNull ? .null : QueryValue(op.holds(value: left.compare(right)))
        }
    }

    /// The operator that holds exactly where this one does not; nil if there is none, as for `=` if both sides may be
    /// NULL.
    fileprivate var opposite: Operator? {
        switch op {
        case .isSame: .isOther
        case .isOther: .isSame
        case .plain(.equal): left.mayBeNull && right.mayBeNull ? nil : mayBeNull ? .isOther : .plain(.notEqual)
        case .plain: nil
        }
    }

    /// `a = 1 > 2` is `a = (1 > 2)` for SQLite.
    var form: LoweredForm { .arithmetic }
    var operands: [any LoweredNode] { if case .plain = op { [left, right] } else { [] } }

    /// For a missing row, `IS` can hold only if the right side may be NULL, and `IS NOT NULL` never holds.
    var falseWithout: Set<String> {
        switch op {
        case .plain: nullWithout
        case .isSame: right.mayBeNull ? [] : left.nullWithout
        case .isOther: (right as? Literal)?.literal.isNull == true ? left.nullWithout : []
        }
    }
}

extension Comparison {
    /// `a IS NULL`
    init(isNull subject: any LoweredNode) { self.init(op: .isSame, left: subject, right: Literal(literal: .null)) }

    /// `a = 1`, a column of zeros and ones as its `Bool` property reads it: a feed may have other numbers there.
    init(isFlag column: Column) {
        self.init(op: .plain(.equal), left: column, right: Literal(literal: .integer(1)))
    }
}

extension LoweredNode {
    /// The condition that holds where this one does not.
    var opposite: any LoweredNode {
        guard let test = self as? Comparison, let op = test.opposite else {
            return Truth(inner: self, isNegated: true)
        }
        return Comparison(op: op, left: test.left, right: test.right)
    }
}

extension ComparisonOperator {
    /// The operator that means the same when the sides are swapped.
    var flipped: ComparisonOperator {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    /// Whether it holds for two values with this order (negative, 0, positive).
    func holds(value order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}

extension Lowering {
    /// Lowers a comparison so that it holds exactly when it holds in Swift, and can use an index on the column where
    /// possible.
    mutating func comparison(
        _ op: ComparisonOperator, _ left: LoweredValue, _ right: LoweredValue
    ) -> any LoweredNode {
        if op == .notEqual { return comparison(.equal, left, right).opposite }
        // Puts columns on the left and values on the right: `? <= t0.longitude` becomes `t0.longitude >= ?`.
        if let value = right.constant { return comparison(op, left, value, right.bare) }
        if let value = left.constant { return comparison(op.flipped, right, value, left.bare) }
        return op == .equal ? equality(left, right) : Comparison(op: .plain(op), left: left.node, right: right.node)
    }

    /// NULL may stand for nil, which equals nil, or for NaN, which equals nothing. If it may be NaN, nil is tested
    /// separately.
    private func equality(_ left: LoweredValue, _ right: LoweredValue) -> any LoweredNode {
        let nulls = [left.null, right.null]
        let isPlain = nulls.contains(.never) || nulls.contains(.noNumber)
        let same = Comparison(op: isPlain ? .plain(.equal) : .isSame, left: left.node, right: right.node)
        if nulls.contains(.never) || nulls == [.missing, .missing] { return same }
        guard let one = left.isNil, let other = right.isNil else { return same }
        return Junction(isConjunction: false, parts: [same, Junction(isConjunction: true, parts: [one, other])])
    }

    private func comparison(
        _ op: ComparisonOperator, _ left: LoweredValue, _ value: QueryValue, _ slot: any LoweredNode
    ) -> any LoweredNode {
        guard !value.isNull else {
            guard op == .equal else { return Literal(literal: 0) }
            // `= NIL` asks for Swift's nil, `= NAN` for an empty column.
            return value == .null ? left.isMissing : Comparison(isNull: left.bare)
        }
        // The comparison of a flag already has a 1 on its right side; the slot takes its place.
        if op == .equal, value == 1, let flag = left.bare as? Comparison {
            return Comparison(op: flag.op, left: flag.left, right: slot)
        }
        let holdsForAbsent = left.absent.map { op.holds(value: $0.compare(value)) } ?? false
        return Comparison(op: .plain(op), left: holdsForAbsent ? left.node : left.bare, right: slot)
    }
}
