import GTFSSchema

/// A value that a query binds or yields: SQLite's four kinds of value.
///
///     let time: QueryValue = 28_800
///     let name: QueryValue = "Hauptbahnhof"
///
/// Values are always bound as parameters, never written into the SQL. Texts are equal when their bytes are. The module
/// SQLite has a similar type. This one exists for that equality, and because no public API shows a type of another
/// module.
public enum QueryValue: Sendable, Hashable, Codable {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
}

extension QueryValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByNilLiteral, ExpressibleByBooleanLiteral
{
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .text(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}

extension QueryValue {
    /// Whether both values are of one kind and equal. NaN equals NaN. Texts are compared by their bytes, as in a store.
    public static func == (one: QueryValue, other: QueryValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.integer(let one), .integer(let other)): one == other
        case (.double(let one), .double(let other)): one == other || one.isNaN && other.isNaN
        case (.text(let one), .text(let other)): one.hasSameBytes(as: other)
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.isNaN ? .nan : value)
        case .text(let text): hasher.combine(ExactText(text))
        }
    }
}

extension QueryValue {
    /// One value for all that SQLite treats as equal: 1 for 1.0.
    var comparable: QueryValue {
        if case .double(let value) = self, let integer = Int64(exactly: value) { .integer(integer) } else { self }
    }
}

extension QueryValue: CustomStringConvertible {
    /// The value as SQL would spell it: `NULL`, `42`, `4.5`, `'U Görlitzer Bahnhof'`.
    public var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .double(let value): String(value)
        case .text(let value): StoreSchema.literal(value)
        }
    }
}

extension QueryValue {
    /// The integer; nil for any other value.
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    /// The number; nil for NULL and text.
    ///
    ///     for row in try context.fetchRows(request) { print(row["latitude"].double ?? 0) }
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .null, .text: nil
        }
    }
    /// The text; nil for any other value.
    public var text: String? { if case .text(let value) = self { value } else { nil } }
    /// Whether it is a text of more than `bytes` bytes.
    func isLonger(than bytes: Int) -> Bool { if case .text(let text) = self { text.utf8.count > bytes } else { false } }
    /// Whether it is NULL or NaN. SQLite binds and stores NaN as NULL.
    public var isNull: Bool {
        switch self {
        case .null: true
        case .double(let value): value.isNaN
        case .integer, .text: false
        }
    }
}

extension QueryValue {
    /// SQLite's order of values: NULL, then numbers, then texts by their bytes
    /// (<https://sqlite.org/datatype3.html#comparison_expressions>).
    func isOrderedBefore(_ other: QueryValue) -> Bool { compare(other) < 0 }

    func compare(_ other: QueryValue) -> Int {
        switch (self, other) {
        case (.null, .null): return 0
        case (.null, _): return other.isNull ? 0 : -1
        case (_, .null): return isNull ? 0 : 1
        case (.text(let a), .text(let b)):
            return a.hasSameBytes(as: b) ? 0 : (a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1)
        case (.text, _): return 1
        case (_, .text): return -1
        case (.integer(let a), .integer(let b)): return a == b ? 0 : (a < b ? -1 : 1)
        case (.integer(let a), .double(let b)): return Self.compare(a, b)
        case (.double(let a), .integer(let b)): return -Self.compare(b, a)
        default:
            let (a, b) = (double ?? 0, other.double ?? 0)
            if a.isNaN || b.isNaN { return a.isNaN ? (b.isNaN ? 0 : -1) : 1 }
            return a == b ? 0 : (a < b ? -1 : 1)
        }
    }

    /// Compares exactly, as SQLite does: beyond 2^53, several integers become the same double.
    private static func compare(_ integer: Int64, _ double: Double) -> Int {
        if double.isNaN || double < -0x1p63 { return 1 }
        if double >= 0x1p63 { return -1 }
        let whole = Int64(double)
        if integer != whole { return integer < whole ? -1 : 1 }
        let rest = double - Double(whole)
        return rest == 0 ? 0 : (rest > 0 ? -1 : 1)
    }
}

/// What can be bound in a predicate: numbers, texts, times, dates and object ids.
public protocol QueryValueConvertible {
    var queryValue: QueryValue { get }
}

/// A captured list or set of values, for `list.contains($0.name)`.
public protocol QueryValueList {
    var queryValues: [QueryValue] { get }
}

/// An optional whose type is not known, as in `Any`.
protocol OptionalValue { var content: Any? { get } }
extension Optional: OptionalValue { var content: Any? { map { $0 as Any } } }

extension QueryValue: QueryValueConvertible { public var queryValue: QueryValue { self } }
extension Int: QueryValueConvertible { public var queryValue: QueryValue { .integer(Int64(self)) } }
extension QueryValueConvertible where Self: BinaryInteger {
    /// A whole number; beyond Int64 the nearest double, as SQLite reads it.
    public var queryValue: QueryValue { Int64(exactly: self).map { .integer($0) } ?? .double(Double(self)) }
}
extension Int8: QueryValueConvertible {}
extension Int16: QueryValueConvertible {}
extension UInt: QueryValueConvertible {}
extension UInt8: QueryValueConvertible {}
extension UInt16: QueryValueConvertible {}
extension UInt32: QueryValueConvertible {}
extension UInt64: QueryValueConvertible {}
extension Float: QueryValueConvertible { public var queryValue: QueryValue { Double(self).queryValue } }
extension Int64: QueryValueConvertible { public var queryValue: QueryValue { .integer(self) } }
extension Int32: QueryValueConvertible { public var queryValue: QueryValue { .integer(Int64(self)) } }
extension Bool: QueryValueConvertible { public var queryValue: QueryValue { .integer(self ? 1 : 0) } }
extension Double: QueryValueConvertible { public var queryValue: QueryValue { isNaN ? .null : .double(self) } }
extension String: QueryValueConvertible { public var queryValue: QueryValue { .text(self) } }
extension Optional: QueryValueConvertible where Wrapped: QueryValueConvertible {
    public var queryValue: QueryValue { self?.queryValue ?? .null }
}
extension Array: QueryValueList where Element: QueryValueConvertible {
    public var queryValues: [QueryValue] { map(\.queryValue) }
}
extension Set: QueryValueList where Element: QueryValueConvertible {
    /// In SQLite's order, so that equal sets make equal requests.
    public var queryValues: [QueryValue] { map(\.queryValue).sorted { $0.isOrderedBefore($1) } }
}
