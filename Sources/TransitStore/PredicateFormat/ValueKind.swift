import GTFSSchema

/// What the values of an expression stand for. The kind decides how they are shown, and how to read a text that is
/// compared with them.
package enum ValueKind: Sendable, Hashable {
    case text
    case number
    /// Seconds since noon minus 12 h of the service day, written H:MM:SS.
    case time
    /// YYYYMMDD, also written YYYY-MM-DD.
    case date
    /// The key of a row of a table.
    case reference(String)
    /// Not known: NULL, or a template's variable without a value.
    case unknown

    /// Whether values of both kinds can be compared.
    func isComparable(with other: ValueKind) -> Bool {
        switch (self, other) {
        case (.unknown, _), (_, .unknown): true
        case (.text, .text): true
        case (.text, _), (_, .text): false
        case (.reference(let one), .reference(let other)): one == other
        case (.reference, .number), (.number, _), (_, .number): true
        default: self == other
        }
    }

    /// What a text for such a value must look like, for messages.
    var expectation: String {
        switch self {
        case .time: "expected a time such as '08:30:00'"
        case .date: "expected a date such as '2026-04-27' or '20260427'"
        case .reference(let table):
            "a text is no row of \(table); compare one of its properties, such as its id"
        case .text: "expected a text"
        case .number, .unknown: "expected a number such as 3"
        }
    }

    /// The noun for an expression with such values, for messages.
    var noun: String {
        switch self {
        case .text: "a text"
        case .number: "a number"
        case .time: "a time"
        case .date: "a date"
        case .reference(let table): "a relationship to \(table)"
        case .unknown: "a value"
        }
    }
}

extension AggregateFunction {
    /// Whether the function is defined for values of a kind. Texts are refused: SQLite would add up the numbers with
    /// which they begin.
    func takes(_ kind: ValueKind) -> Bool {
        (self != .sum && self != .average) || (kind != .text && kind != .date)
    }

    /// The kind of the function's result for values of a kind. A sum of times is a number, because it is not a time of
    /// day.
    func kind(of part: ValueKind) -> ValueKind { self == .count || self == .sum ? .number : part }
}

extension ArithmeticOperator {
    /// The kind of the operator's result. A sum or difference with a time is a time; any other result is a number.
    func kind(_ left: ValueKind, _ right: ValueKind) -> ValueKind {
        (self == .add || self == .subtract) && (left == .time || right == .time) ? .time : .number
    }
}

extension EntityDescription {
    /// What the values of a column stand for. The specification tells which columns are times and dates. For a column
    /// that it does not have, the name's ending tells.
    package func kind(ofColumn index: Int) -> ValueKind {
        let column = columns[index]
        if let target = column.target { return .reference(target) }
        switch column.storage {
        case .text: return .text
        case .real: return .number
        case .integer: break
        }
        let field = Specification.gtfs.file(ofTable: table)?.fields.first { $0.column == column.name }
        switch field?.type {
        case .time, .localTime: return .time
        case .date: return .date
        case nil where column.name.hasSuffix("_time"): return .time
        case nil where column.name.hasSuffix("_date"): return .date
        default: return .number
        }
    }
}

extension QueryValue {
    /// Reads a text as a value of a kind: "8:30" as 30,600 for a time. Nil if the text does not fit the kind, and for
    /// references: `route = '12'` would mean the row number 12, while its author means the route with the feed's id 12.
    init?(_ text: String, as kind: ValueKind) {
        switch kind {
        case .text, .unknown: self = .text(text)
        case .time:
            guard let time = ServiceTime(text) else { return nil }
            self = time.queryValue
        case .date:
            guard let date = ServiceDate(text) else { return nil }
            self = date.queryValue
        case .reference: return nil
        case .number:
            if let number = Int64(text) {
                self = .integer(number)
            } else {
                guard let number = Double(text), number.isFinite else { return nil }
                self = .double(number)
            }
        }
    }
}
