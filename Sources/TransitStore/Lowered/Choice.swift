/// `COALESCE(a, b)`: the first operand that is not NULL.
struct Coalesce: LoweredNode {
    let first: any LoweredNode
    let otherwise: any LoweredNode

    func write(to sql: inout SQLFragment) {
        sql.append("COALESCE(")
        first.writeOperand(to: &sql)
        sql.append(", ")
        otherwise.writeOperand(to: &sql)
        sql.append(")")
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        let value = try first.value(&rows)
        return value.isNull ? try otherwise.value(&rows) : value
    }

    var mayBeNull: Bool { otherwise.mayBeNull }
    /// If NULL reads as 0, the condition does not hold for a missing row.
    var falseWithout: Set<String> {
        (otherwise as? Literal).map { !$0.literal.isTrue } == true ? first.nullWithout : []
    }
}

/// `CASE WHEN test THEN a ELSE b END`; NULL without an ELSE.
struct Choice: LoweredNode {
    let test: any LoweredNode
    let yes: any LoweredNode
    var no: (any LoweredNode)?

    func write(to sql: inout SQLFragment) {
        sql.append("CASE WHEN ")
        test.write(to: &sql)
        sql.append(" THEN ")
        yes.writeOperand(to: &sql)
        if let no {
            sql.append(" ELSE ")
            no.writeOperand(to: &sql)
        }
        sql.append(" END")
    }

    func value(_ rows: inout EvaluatedRows) throws -> QueryValue {
        try test.holds(&rows) ? try yes.value(&rows) : try no?.value(&rows) ?? .null
    }

    var mayBeNull: Bool { no?.mayBeNull ?? true || yes.mayBeNull }
    var nullWithout: Set<String> { no == nil ? test.falseWithout.union(yes.nullWithout) : [] }
}
