import SQLite
import SystemFiles

/// A sum as SQLite makes it, value by value (func.c, sumStep): whole as long as all values are whole.
///
/// A text adds the number that it begins with, or 0. A text that is only a whole number counts as an integer. Since
/// version 3.43, SQLite also adds up what rounding loses (Kahan, Babuska and Neumaier), and a fraction after whole
/// numbers that do not fit into 64 bits makes their sum a fraction.
struct RunningSum {
    private let isCompensated: Bool
    private var count = 0
    private var whole: Int64 = 0
    private var total = 0.0
    /// What rounding has lost of `total`; 0 unless the sum is compensated.
    private var lost = 0.0
    private var isWhole = true
    private var isTooLarge = false

    /// A sum as the linked SQLite makes it. Tests choose: SQLite compensates since version 3.43.
    init(isCompensated: Bool = Connection.libraryNumber >= 3_043_000) { self.isCompensated = isCompensated }

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
        if isCompensated {
            if isWhole { beginWithWhole() }
            isTooLarge = false
        }
        isWhole = false
        addExactly(value)
    }

    private mutating func add(_ value: Int64) {
        guard isCompensated else {
            total += Double(value)
            guard isWhole, !isTooLarge else { return }
            (whole, isTooLarge) = whole.addingReportingOverflow(value)
            return
        }
        guard isWhole else { return addExactly(value) }
        let (sum, isOver) = whole.addingReportingOverflow(value)
        guard isOver else { return whole = sum }
        beginWithWhole()
        addExactly(value)
        (isWhole, isTooLarge) = (false, true)
    }

    /// From here on the sum is a fraction.
    private mutating func beginWithWhole() {
        let small = Self.lowDigits(whole)
        (total, lost) = (Double(whole - small), Double(small))
    }

    /// Adds a number that may have more digits than a fraction, in two parts.
    private mutating func addExactly(_ value: Int64) {
        let small = Self.lowDigits(value)
        addExactly(Double(value - small))
        if small != 0 { addExactly(Double(small)) }
    }

    /// What must be taken from a number so that a fraction can hold it; 0 for most.
    private static func lowDigits(_ value: Int64) -> Int64 {
        value > -1 << 52 && value < 1 << 52 ? 0 : value % 16_384
    }

    private mutating func addExactly(_ value: Double) {
        let sum = total + value
        if isCompensated { lost += abs(total) > abs(value) ? (total - sum) + value : (value - sum) + total }
        total = sum
    }

    /// The sum of fractions. Infinite sums lose nothing that could be added.
    private var exactTotal: Double { lost.isFinite ? total + lost : total }

    /// Throws `StoreError.overflow` where SQLite refuses the sum.
    func sum() throws -> QueryValue {
        if count == 0 { return .null }
        if isTooLarge { throw StoreError.overflow }
        return isWhole ? .integer(whole) : .double(exactTotal)
    }

    var average: QueryValue {
        if count == 0 { return .null }
        return .double((isCompensated && isWhole ? Double(whole) : exactTotal) / Double(count))
    }
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
