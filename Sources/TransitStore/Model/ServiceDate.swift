/// A service day: YYYYMMDD as an integer, as the store keeps it.
///
///     ServiceDate(year: 2026, month: 4, day: 27) < ServiceDate(20_260_428)
///     print(ServiceDate(20_260_427))      // 20260427
///
/// A date that the feed leaves empty reads as `absent`; no comparison of order holds for it.
public struct ServiceDate: Sendable, Hashable, Codable {
    /// YYYYMMDD.
    public let number: Int

    public init(_ number: Int) { self.number = number }
    public init(year: Int, month: Int, day: Int) { number = year * 10_000 + month * 100 + day }

    /// What a date reads as that the feed leaves empty.
    public static let absent = ServiceDate(.min)
    public var isAbsent: Bool { number == .min }

    public var year: Int { number / 10_000 }
    public var month: Int { number / 100 % 100 }
    public var day: Int { number % 100 }
}

extension ServiceDate: Comparable {
    public static func < (one: Self, other: Self) -> Bool {
        !one.isAbsent && !other.isAbsent && one.number < other.number
    }
    public static func <= (one: Self, other: Self) -> Bool {
        !one.isAbsent && !other.isAbsent && one.number <= other.number
    }
    public static func > (one: Self, other: Self) -> Bool { other < one }
    public static func >= (one: Self, other: Self) -> Bool { other <= one }
}

extension ServiceDate: CustomStringConvertible {
    public var description: String { isAbsent ? "" : String(number) }
}

extension ServiceDate: QueryValueConvertible {
    public var queryValue: QueryValue { isAbsent ? .null : .integer(Int64(number)) }
}
