/// `a + b` and its kin. NULL where a part is NULL, where a number is divided by zero, and where the result is none.
struct Calculation: LoweredNode {
    let op: ArithmeticOperator
    let left: any LoweredNode
    let right: any LoweredNode

    func write(to sql: inout SQLFragment) {
        left.writeOperand(to: &sql)
        sql.append(" \(op.rawValue) ")
        right.writeOperand(to: &sql)
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        op.apply(try left.value(&rows), try right.value(&rows)).comparable
    }

    var operands: [any LoweredNode] { [left, right] }
    var mayBeNull: Bool { true }
    var form: LoweredForm { .arithmetic }
}

/// `-a`
struct Negative: LoweredNode {
    let inner: any LoweredNode

    func write(to sql: inout SQLFragment) {
        sql.append("-")
        inner.writeOperand(to: &sql)
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        ArithmeticOperator.subtract.apply(.integer(0), try inner.value(&rows)).comparable
    }

    var operands: [any LoweredNode] { [inner] }
    var form: LoweredForm { .arithmetic }
}

extension QueryValue {
    /// A result without a number is NULL.
    fileprivate var comparable: QueryValue { isNull ? .null : self }
}
