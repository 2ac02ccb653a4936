import SystemFiles

/// A sum as SQLite 3.40 makes it, value by value (func.c, sumStep): whole as long as all values are whole.
///
/// A text adds the number that it begins with, or 0. A text that is only a whole number counts as an integer.
struct RunningSum {
    private var count = 0
    private var whole: Int64 = 0
    private var total = 0.0
    private var isWhole = true
    private var isTooLarge = false

    /// Adds a value that is not NULL.
    mutating func add(_ value: QueryValue) {
        count += 1
        switch value {
        case .null: break
        case .integer(let value): add(value)
        case .double(let value): add(value)
        case .text(let text):
            let number = LeadingNumber(text)
            if let value = number.whole { add(value) } else { add(number.value) }
        }
    }

    private mutating func add(_ value: Double) {
        total += value
        isWhole = false
    }

    private mutating func add(_ value: Int64) {
        total += Double(value)
        guard isWhole, !isTooLarge else { return }
        (whole, isTooLarge) = whole.addingReportingOverflow(value)
    }

    /// Throws `StoreError.overflow` where SQLite refuses the sum.
    func sum() throws -> QueryValue {
        if count == 0 { return .null }
        if isTooLarge { throw StoreError.overflow }
        return isWhole ? .integer(whole) : .double(total)
    }

    var average: QueryValue { count == 0 ? .null : .double(total / Double(count)) }
}

/// The number that a text begins with, after blanks, as SQLite reads it (util.c, sqlite3AtoF).
private struct LeadingNumber {
    /// 0 if there is none.
    let value: Double
    /// The same as an integer, if the text is nothing else but blanks.
    let whole: Int64?

    init(_ text: String) {
        let bytes = Array(text.utf8).drop(while: Self.isBlank)
        var rest = bytes
        _ = Self.take("+-", &rest)
        var count = Self.takeDigits(&rest)
        let hasFraction = Self.take(".", &rest)
        if hasFraction { count += Self.takeDigits(&rest) }
        var end = rest.startIndex
        let hasExponent = Self.take("eE", &rest)
        if hasExponent {
            _ = Self.take("+-", &rest)
            if Self.takeDigits(&rest) > 0 { end = rest.startIndex }
        }
        let number = String(decoding: bytes[..<end], as: UTF8.self)
        value = count == 0 ? 0 : Double(number) ?? 0
        whole = !hasFraction && !hasExponent && rest.allSatisfy(Self.isBlank) ? Int64(number) : nil
    }

    /// Takes the next byte if it is one of these; returns whether it is.
    private static func take(_ bytes: String, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let first = rest.first, bytes.utf8.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Takes digits; returns how many.
    private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
        let digits = rest.prefix(while: \.isDigit)
        rest = rest[digits.endIndex...]
        return digits.count
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
