/// A value of a request: a `?` in the SQL. Slots are numbered in the order in which the request names its values, so
/// that another request can bind its values to a prepared statement.
struct Slot: LoweredNode {
    let bound: QueryValue
    let source: SlotSource

    func write(to sql: inout SQLFragment) { sql.bind(bound, from: source) }
    func value(_ rows: inout EvaluatedRows) -> QueryValue { bound.isNull ? .null : bound }
    var mayBeNull: Bool { bound.isNull }

    /// A slot whose value is derived from this one's; nil if it cannot be.
    func derived(_ derive: @escaping @Sendable (QueryValue) -> QueryValue?) -> Slot? {
        guard case .value(let number) = source, let value = derive(bound) else { return nil }
        return Slot(bound: value, source: .derived(number, derive))
    }
}

/// A value that is part of the SQL: `''`, `0`, `NULL`.
struct Literal: LoweredNode {
    let literal: QueryValue

    func write(to sql: inout SQLFragment) { sql.append(literal.description) }
    func value(_ rows: inout EvaluatedRows) -> QueryValue { literal }
    var mayBeNull: Bool { literal.isNull }
}

/// How the value of a `?` is derived from the values of a request.
enum SlotSource: Sendable {
    /// The request's value with this number.
    case value(Int)
    /// A value derived from it, such as the first text after all texts with that prefix.
    case derived(Int, @Sendable (QueryValue) -> QueryValue?)
    case limit
    case offset

    /// Nil when the value cannot be bound here.
    func value(of values: [QueryValue], limit: Int, offset: Int) -> QueryValue? {
        switch self {
        case .value(let number): values.indices.contains(number) ? values[number] : nil
        case .derived(let number, let derive): values.indices.contains(number) ? derive(values[number]) : nil
        case .limit: .integer(limit > 0 ? Int64(limit) : -1)
        case .offset: .integer(Int64(offset))
        }
    }
}
