/// A node of the tree that conditions and values are lowered to. The tree says exactly what SQLite does: which values
/// may be NULL, what an empty column reads as, and which rows must exist.
///
/// Printing to SQL does not change the meaning. Evaluation in memory interprets the same tree.
protocol LoweredNode {
    func write(to sql: inout SQLFragment)
    /// The value that SQLite would give for these rows. Conditions are 1, 0 or NULL.
    func value(_ rows: inout EvaluatedRows) throws -> QueryValue
    /// The operands: if one of them is NULL, so is the node.
    var operands: [any LoweredNode] { get }
    /// Whether the value may be NULL; true in case of doubt.
    var mayBeNull: Bool { get }
    /// The aliases of joined rows: if one of these rows is missing, the value is NULL.
    var nullWithout: Set<String> { get }
    /// The aliases of joined rows: if one of these rows is missing, the condition does not hold.
    var falseWithout: Set<String> { get }
    /// Which parentheses it needs inside other nodes.
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

    /// Whether it holds; a condition that is NULL does not.
    func holds(_ rows: inout EvaluatedRows) throws -> Bool { try value(&rows).isTrue }

    /// Writes the node as an operand of a comparison, a sum or a function.
    func writeOperand(to sql: inout SQLFragment) { write(to: &sql, inParentheses: form == .arithmetic) }
    /// Writes the node as a part of AND and OR.
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
    /// The objects of the group that an aggregate is computed over.
    var group: [StoreObject] = []
    /// Aggregates of the group that are known already, by their expressions.
    var aggregates: [QueryExpression: QueryValue] = [:]
    /// The word of a stop's name that a search is testing.
    var word = ""
}

extension QueryValue {
    /// Whether SQLite takes the value as true: a number that is not 0.
    var isTrue: Bool { (double ?? 0) != 0 }

    init(_ condition: Bool?) { self = condition.map { .integer($0 ? 1 : 0) } ?? .null }
}
