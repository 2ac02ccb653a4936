/// A value of a request: a `?` in the SQL. Slots are numbered in the order in which the request names its values, so that
/// a prepared statement can be given the values of another request.
struct Slot: LoweredNode {
    let bound: QueryValue
    let source: SlotSource

    func write(to sql: inout SQLFragment) { sql.bind(bound, from: source) }
    func value(_ rows: inout EvaluatedRows) -> QueryValue { bound.isNull ? .null : bound }
    var mayBeNull: Bool { bound.isNull }
}

/// A value that is part of the SQL: `''`, `0`, `NULL`.
struct Literal: LoweredNode {
    let literal: QueryValue

    func write(to sql: inout SQLFragment) { sql.append(literal.description) }
    func value(_ rows: inout EvaluatedRows) -> QueryValue { literal }
    var mayBeNull: Bool { literal.isNull }
}

/// How the value of a `?` follows from the values of a request.
enum SlotSource: Sendable, Hashable {
    /// The value of a number.
    case value(Int)
    /// The first text, and the first one after all, that begin with a prefix.
    case prefixStart(Int, PrefixRange.Rule)
    case prefixEnd(Int, PrefixRange.Rule)
    /// The cell of longitude that many cells after that of the value.
    case cell(Int, offset: Int64)
    /// The text with every sigma as it is inside a word.
    case plainSigma(Int)
    case limit
    case offset
    /// The same for all requests.
    case fixed(QueryValue)

    /// Nil when the value cannot be bound here.
    func value(of values: [QueryValue], limit: Int, offset: Int) -> QueryValue? {
        switch self {
        case .value(let number): return values.indices.contains(number) ? values[number] : nil
        case .prefixStart(let number, let rule):
            guard values.indices.contains(number), let prefix = values[number].text else { return nil }
            return .text(PrefixRange.start(of: prefix, rule))
        case .prefixEnd(let number, let rule):
            guard values.indices.contains(number), let prefix = values[number].text else { return nil }
            return PrefixRange.end(of: prefix, rule).map { .text($0) }
        case .cell(let number, let offset):
            guard values.indices.contains(number), let longitude = values[number].double else { return nil }
            return .integer(LongitudeCell.number(longitude) + offset)
        case .plainSigma(let number):
            return values.indices.contains(number) ? values[number].text.map { .text($0.withPlainSigma) } : nil
        case .limit: return .integer(limit > 0 ? Int64(limit) : -1)
        case .offset: return .integer(Int64(offset))
        case .fixed(let value): return value
        }
    }
}
