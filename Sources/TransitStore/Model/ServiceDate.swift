/// A service day: YYYYMMDD as an integer, as the store keeps it.
///
///     ServiceDate(year: 2026, month: 4, day: 27) < ServiceDate(20_260_428)
///     print(ServiceDate(20_260_427))      // 20260427
///
/// A date that the feed leaves empty is nil, of which no `<`, `<=`, `>`, `>=` holds: see ``ServiceMoment``.
public struct ServiceDate: ServiceMoment {
    /// YYYYMMDD.
    public let number: Int

    public init(_ number: Int) { self.number = number }
    public init(year: Int, month: Int, day: Int) { number = year * 10_000 + month * 100 + day }

    public var year: Int { number / 10_000 }
    public var month: Int { number / 100 % 100 }
    public var day: Int { number % 100 }

    public static func < (one: Self, other: Self) -> Bool { one.number < other.number }
}

extension ServiceDate: CustomStringConvertible {
    public var description: String { String(number) }
}

extension ServiceDate: QueryValueConvertible {
    public var queryValue: QueryValue { .integer(Int64(number)) }
}
