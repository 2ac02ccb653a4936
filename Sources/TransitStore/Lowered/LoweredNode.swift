/// A node of the tree that conditions and values are lowered to. It says exactly what SQLite does: where NULL comes
/// from and where it ends, what a missing column reads as, which rows must be there.
///
/// Printing decides nothing about meaning, and evaluating interprets the same tree on objects in memory.
protocol LoweredNode {
    func write(to sql: inout SQLFragment)
    /// What SQLite would give for these rows. Conditions are 1, 0, or NULL where there is no answer.
    func value(_ rows: inout EvaluatedRows) throws -> QueryValue
    /// The nodes without whose values there is none.
    var operands: [any LoweredNode] { get }
    /// Whether the value may be NULL; rather once too often.
    var mayBeNull: Bool { get }
    /// The joined rows, by their aliases, without any of which the value is NULL.
    var nullWithout: Set<String> { get }
    /// The joined rows without any of which a condition does not hold.
    var falseWithout: Set<String> { get }
    /// How it stands inside other nodes.
    var form: LoweredForm { get }
}

/// Which parentheses a node needs.
enum LoweredForm {
    /// None.
    case value
    /// As an operand.
    case arithmetic
    /// Beside AND and OR.
    case compound
}

extension LoweredNode {
    var operands: [any LoweredNode] { [] }
    var mayBeNull: Bool { operands.contains(where: \.mayBeNull) }
    var nullWithout: Set<String> { operands.reduce(into: []) { $0.formUnion($1.nullWithout) } }
    var falseWithout: Set<String> { nullWithout }
    var form: LoweredForm { .value }

    /// Whether it holds: a condition without an answer does not.
    func holds(_ rows: inout EvaluatedRows) throws -> Bool { try value(&rows).isTrue }

    /// As an operand of a comparison, a sum or a function.
    func writeOperand(to sql: inout SQLFragment) { write(to: &sql, inParentheses: form == .arithmetic) }
    /// As a part of AND and OR.
    func writePart(to sql: inout SQLFragment) { write(to: &sql, inParentheses: form == .compound) }

    func write(to sql: inout SQLFragment, inParentheses: Bool) {
        if inParentheses { sql.append("(") }
        write(to: &sql)
        if inParentheses { sql.append(")") }
    }
}

/// The objects that a lowered tree is evaluated on.
struct EvaluatedRows {
    var rows: [QueryVariable: StoreObject]
    /// The objects of the group that an aggregate is asked of.
    var group: [StoreObject] = []
    /// The word of a stop's name that a search looks at.
    var word = ""
}

extension QueryValue {
    /// As SQLite sees truth: a number that is not 0.
    var isTrue: Bool { (double ?? 0) != 0 }

    init(_ condition: Bool?) { self = condition.map { .integer($0 ? 1 : 0) } ?? .null }
}
