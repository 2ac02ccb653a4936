import ICU

/// A service day: YYYYMMDD as an integer, as the store keeps it.
///
///     ServiceDate(year: 2026, month: 4, day: 27) < ServiceDate(20_260_428)
///     print(ServiceDate(20_260_427))      // 20260427
///
/// import-gtfs reads the same numbers from cells, without this type.
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

/// Days are counted by the Gregorian calendar.
extension ServiceDate {
    /// Days since 1970-01-01; nil for a number that is no date.
    var dayNumber: Int64? { CivilDate.daysSince1970(year: year, month: month, day: day) }

    init(dayNumber: Int64) {
        let (year, month, day) = CivilDate.date(daysSince1970: dayNumber)
        self.init(year: year, month: month, day: day)
    }

    /// The date so many days later; nil for a number that is no date.
    public func advanced(byDays days: Int) -> ServiceDate? {
        dayNumber.map { ServiceDate(dayNumber: $0 + Int64(days)) }
    }

    /// 0 for Monday to 6 for Sunday; nil for a number that is no date.
    public var weekday: Int? {
        // 1970-01-01 was a Thursday.
        dayNumber.map { Int((($0 + 3) % 7 + 7) % 7) }
    }

    /// The date of a service day whose times are read by a zone's clock, that an instant lies in by the calendar.
    public init(_ instant: Instant, in zone: TimetableZone) {
        let local = instant.unixSeconds.addingClamped(Int64(zone.offset(at: instant.unixSeconds)))
        self.init(dayNumber: local.flooredDays)
    }
}

extension ServiceDate: LosslessStringConvertible {
    /// From YYYYMMDD or YYYY-MM-DD; nil for all else, also for a date that no calendar has.
    public init?(_ text: String) {
        let digits = text.utf8.count == 10 ? text.split(separator: "-", omittingEmptySubsequences: false) : [text[...]]
        let counts = digits.map(\.utf8.count)
        guard counts == [8] || counts == [4, 2, 2],
            let number = Int(digits.joined()), digits.joined().utf8.allSatisfy({ 48...57 ~= $0 })
        else { return nil }
        self.init(number)
        if dayNumber == nil { return nil }
    }
}
