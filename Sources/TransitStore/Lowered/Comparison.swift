/// `a = b` and its kin: NULL beside NULL and beside anything, but for `IS` and `IS NOT`, which always have an answer.
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

    var operands: [any LoweredNode] { if case .plain = op { [left, right] } else { [] } }

    /// `IS` holds for a missing row only beside what may be missing itself; `IS NOT NULL` never does.
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
}

extension LoweredNode {
    /// The condition that holds where this one does not.
    var opposite: any LoweredNode {
        guard let test = self as? Comparison, test.op == .isSame || test.op == .isOther else {
            return Truth(inner: self, isNegated: true)
        }
        return Comparison(op: test.op == .isSame ? .isOther : .isSame, left: test.left, right: test.right)
    }
}

extension ComparisonOperator {
    /// The operator when its sides change places.
    var flipped: ComparisonOperator {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    /// Whether it holds for two values that compare so (negative, 0, positive).
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
    /// Lowers a comparison so that it holds exactly when it holds in Swift, and so that an index on the column serves
    /// it wherever that is possible.
    mutating func comparison(
        _ op: ComparisonOperator, _ left: LoweredValue, _ right: LoweredValue
    ) -> any LoweredNode {
        // Columns to the left, values to the right: `? <= t0.longitude` becomes `t0.longitude >= ?`.
        if let value = right.constant { return comparison(op, left, value, right) }
        if let value = left.constant { return comparison(op.flipped, right, value, left) }
        guard op == .equal || op == .notEqual else {
            return Comparison(op: .plain(op), left: left.node, right: right.node)
        }
        let (one, other) = (left.null, right.null)
        if one != .never, other != .never, one != .missing || other != .missing {
            let equal = equality(left, right)
            return op == .equal ? equal : Truth(inner: equal, isNegated: true)
        }
        let plain: Comparison.Operator =
            op == .equal
            ? (one != .never && other != .never ? .isSame : .plain(.equal))
            : (one != .never || other != .never ? .isOther : .plain(.notEqual))
        return Comparison(op: plain, left: left.node, right: right.node)
    }

    /// Where NULL is more than nil: no number is not even equal to itself, an absent time equals an absent one, and nil
    /// equals nil alone.
    private func equality(_ left: LoweredValue, _ right: LoweredValue) -> any LoweredNode {
        let isNumber = left.null == .noNumber || right.null == .noNumber
        let same = Comparison(op: isNumber ? .plain(.equal) : .isSame, left: left.node, right: right.node)
        if isNumber {
            guard let one = left.isNil, let other = right.isNil else { return same }
            return Junction(isConjunction: false, parts: [same, Junction(isConjunction: true, parts: [one, other])])
        }
        guard left.isNil != nil || right.isNil != nil else { return same }
        let (one, other) = (left.isNil ?? Literal(literal: 0), right.isNil ?? Literal(literal: 0))
        let areAlike = Comparison(op: .isSame, left: Truth(inner: one), right: Truth(inner: other))
        return Junction(isConjunction: true, parts: [same, areAlike])
    }

    private func comparison(
        _ op: ComparisonOperator, _ left: LoweredValue, _ value: QueryValue, _ right: LoweredValue
    ) -> any LoweredNode {
        if value.isNull {
            guard op == .equal || op == .notEqual else { return Literal(literal: 0) }
            // NIL asks for Swift's nil, NAN for an empty column.
            let test = value == .null ? left.isMissing : Comparison(isNull: left.bare)
            return op == .equal ? test : test.opposite
        }
        let holdsForAbsent = left.absent.map { op.holds(value: $0.compare(value)) } ?? false
        guard op == .notEqual else {
            return Comparison(op: .plain(op), left: holdsForAbsent ? left.node : left.bare, right: right.node)
        }
        // NULL IS NOT 'x' holds, as a missing name is another than "x".
        let subject = holdsForAbsent || left.absent == nil ? left.bare : left.node
        return Comparison(
            op: subject.mayBeNull ? .isOther : .plain(.notEqual), left: subject, right: right.node)
    }
}
