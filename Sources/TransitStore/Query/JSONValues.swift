/// Lists of values that are bound as one text in JSON, so that one statement serves any number of values.
///
/// SQLite 3.40 ends a text of JSON at U+0000. If any text has one, it is written as U+0001 and the digit 0, and U+0001
/// itself as U+0001 and the digit 1; the SQL turns both back.
struct JSONValues {
    private let isEscaped: Bool

    /// How to write these values.
    init(_ values: some Sequence<QueryValue>) {
        isEscaped = values.contains { $0.text?.utf8.contains(0) ?? false }
    }

    /// The values as a list in JSON.
    func list(_ values: [QueryValue]) -> String { "[" + values.map(json).joined(separator: ",") + "]" }

    /// Keys of rows as a list in JSON.
    static func list(_ keys: some Sequence<Int64>) -> String {
        "[" + keys.map(String.init).joined(separator: ",") + "]"
    }

    /// The value in JSON.
    func json(_ value: QueryValue) -> String {
        switch value {
        case .null: "null"
        case .double(let value) where value.isInfinite: value < 0 ? "-9e999" : "9e999"
        case .integer, .double: value.isNull ? "null" : value.description
        case .text(let text): (isEscaped ? Self.escaped(text) : text).quoted(by: "\"")
        }
    }

    /// SQL for a value of a list, which SQLite has read as `element`.
    func sql(_ element: String) -> String {
        guard isEscaped else { return element }
        let text = "replace(replace(\(element), char(1, 48), char(0)), char(1, 49), char(1))"
        return "CASE typeof(\(element)) WHEN 'text' THEN \(text) ELSE \(element) END"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\0": escaped += ["\u{1}", "0"]
            case "\u{1}": escaped += ["\u{1}", "1"]
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
