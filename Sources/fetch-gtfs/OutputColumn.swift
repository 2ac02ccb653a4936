import Console
import TransitStore

/// A column of the output and how its values are shown.
struct OutputColumn {
    let name: String
    let kind: ValueKind
    /// Digits after the point to which numbers are rounded; nil for all there are.
    var decimals: Int?

    /// Whether its values stand at the right edge of a table's column.
    var isNumeric: Bool { kind != .text && kind != .unknown }

    /// A value for people and CSV: times as HH:MM:SS, what is missing as nothing.
    func text(_ value: QueryValue) -> String {
        switch value {
        case .null: ""
        case .text(let text): text
        case .integer(let number): time(number)?.description ?? String(number)
        case .double(let number): String(rounded(number))
        }
    }

    /// A value as JSON: times as text, what is missing as null.
    func json(_ value: QueryValue) -> String {
        switch value {
        case .null: return "null"
        case .integer(let number):
            guard let time = time(number) else { return String(number) }
            return "\"\(time)\""
        case .double(let number): return number.isFinite ? String(rounded(number)) : "null"
        case .text(let text):
            var json = JSONText()
            json.string(text)
            return json.text
        }
    }

    private func time(_ number: Int64) -> ServiceTime? {
        kind == .time ? Int(exactly: number).map { ServiceTime(seconds: $0) } : nil
    }

    private func rounded(_ number: Double) -> Double {
        guard let decimals else { return number }
        let factor = (0..<decimals).reduce(1.0) { factor, _ in factor * 10 }
        return (number * factor).rounded() / factor
    }
}
