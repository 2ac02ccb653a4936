import Console
import SystemFiles
import TransitStore

/// A column of the output and how its values are shown.
struct OutputColumn {
    let name: String
    let kind: ValueKind
    /// Decimals to which numbers are rounded; nil for no rounding.
    var decimals: Int?
    /// Whether 1 and 0 stand for true and false.
    var isFlag = false

    /// Whether its values are right-aligned in a table.
    var isNumeric: Bool { kind != .text && kind != .unknown }

    /// A value as text for people: times as HH:MM:SS, missing values as empty text.
    func text(_ value: QueryValue) -> String {
        switch value {
        case .null: ""
        case .text(let text): text
        case .integer(let number) where isFlag: number == 0 ? "false" : "true"
        case .integer(let number): time(number)?.description ?? String(number)
        case .double(let number): time(number)?.description ?? String(rounded(number))
        }
    }

    /// Appends a value as a field of CSV (RFC 4180): in quotes if its text needs them.
    ///
    /// With `guardsFormulas`, a text that a spreadsheet would take for a formula gets an apostrophe before it.
    func appendField(_ value: QueryValue, to output: BufferedOutput, guardsFormulas: Bool = false) {
        switch value {
        case .null: break
        case .text(let text): Self.appendField(guardsFormulas ? Self.withoutFormula(text) : text, to: output)
        case .integer where isFlag: output.append(text(value))
        case .integer(let number): append(number, to: output)
        case .double(let number): output.append(time(number)?.description ?? String(rounded(number)))
        }
    }

    /// Puts an apostrophe before a text that may be a formula. Formulas begin with = + - @, also in full-width forms;
    /// some programs skip tabs and line ends before these.
    static func withoutFormula(_ text: String) -> String {
        let starts: Set<Unicode.Scalar> = [
            "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
        ]
        guard let first = text.unicodeScalars.first, starts.contains(first) else { return text }
        return "'" + text
    }

    /// Appends a text as a field of CSV. A file gets the text as it is; for a terminal, control characters are escaped.
    static func appendField(_ text: String, to output: BufferedOutput) {
        let text = output.isTerminal ? text.harmless : text
        // Comma, quote, LF, CR.
        guard text.utf8.contains(where: { [44, 34, 10, 13].contains($0) }) else { return output.append(text) }
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { output.append(byte) }
            output.append(byte)
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Appends a value as JSON: times as text, missing values as null.
    func appendJSON(_ value: QueryValue, to output: BufferedOutput) {
        switch value {
        case .null: output.append("null")
        case .text(let text): output.append(JSONText.quoted(text))
        case .integer where isFlag: output.append(text(value))
        case .integer(let number):
            if kind == .time { output.append(UInt8(ascii: "\"")) }
            append(number, to: output)
            if kind == .time { output.append(UInt8(ascii: "\"")) }
        case .double(let number):
            if let time = time(number) { return output.append(JSONText.quoted(time.description)) }
            output.append(number.isFinite ? String(rounded(number)) : "null")
        }
    }

    /// Appends a whole number, or a time as HH:MM:SS.
    private func append(_ number: Int64, to output: BufferedOutput) {
        guard kind == .time, number != .min else { return output.append(number) }
        if number < 0 { output.append(UInt8(ascii: "-")) }
        let seconds = abs(number)
        output.append(seconds / 3_600, minimumDigits: 2)
        output.append(UInt8(ascii: ":"))
        output.append(seconds / 60 % 60, minimumDigits: 2)
        output.append(UInt8(ascii: ":"))
        output.append(seconds % 60, minimumDigits: 2)
    }

    private func time(_ number: Int64) -> ServiceTime? {
        kind == .time ? Int(exactly: number).map { ServiceTime(seconds: $0) } : nil
    }

    /// An average of times, rounded to the second; nil for a column of another kind.
    private func time(_ number: Double) -> ServiceTime? {
        kind == .time ? Int(exactly: number.rounded()).map { ServiceTime(seconds: $0) } : nil
    }

    private func rounded(_ number: Double) -> Double {
        guard let decimals else { return number }
        let factor = (0..<decimals).reduce(1.0) { factor, _ in factor * 10 }
        return (number * factor).rounded() / factor
    }
}

extension OutputColumn {
    /// Distances are in metres and rounded to a decimetre, because they are not known more precisely.
    init(_ property: ReadProperty) {
        let isDistance = if case .distance = property.expression { true } else { false }
        self.init(name: property.name, kind: property.kind, decimals: isDistance ? 1 : nil)
    }
}
