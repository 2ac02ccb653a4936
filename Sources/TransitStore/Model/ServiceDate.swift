import CivilTime

/// A service day: YYYYMMDD as an integer, as the store keeps it.
///
///     ServiceDate(year: 2026, month: 4, day: 27) < ServiceDate(20_260_428)
///     print(ServiceDate(20_260_427))      // 20260427
///
/// import-gtfs reads the same numbers from cells, without this type.
///
/// A date that the feed leaves empty is nil. `<`, `<=`, `>` and `>=` are false for nil: see ``ServiceMoment``.
public struct ServiceDate: ServiceMoment {
    /// YYYYMMDD.
    public let number: Int

    /// Any number: for literals, and for numbers that are known to be dates. `init(exactly:)` tests a number.
    ///
    /// A number that is not a date, such as 20261399, does no harm: nothing runs on it, and `weekday` is nil.
    public init(_ number: Int) { self.number = number }

    /// The date that a number stands for; nil for a day that does not exist, such as 20261399 or 20260230.
    ///
    ///     ServiceDate(exactly: 20_260_227)?.advanced(byDays: 2)       // 20260301
    ///     ServiceDate(exactly: 20_260_230)                            // nil
    public init?(exactly number: Int) {
        self.init(number)
        if dayNumber == nil { return nil }
    }

    /// A date by its parts. Does not check whether the day exists: 30 February keeps its parts.
    ///
    /// Parts that do not fit into YYYYMMDD give the number 0: a month or day that is negative or has more than two
    /// digits, and a year beyond ±1,000,000. `weekday` is nil for every day that does not exist.
    public init(year: Int, month: Int, day: Int) {
        let fits = 0...99 ~= month && 0...99 ~= day && -1_000_000...1_000_000 ~= year
        number = fits ? year * 10_000 + month * 100 + day : 0
    }

    /// The year of `20261025`: 2026.
    public var year: Int { number / 10_000 }
    /// The month of `20261025`: 10.
    public var month: Int { number / 100 % 100 }
    /// The day of the month of `20261025`: 25.
    public var day: Int { number % 100 }

    public static func < (one: Self, other: Self) -> Bool { one.number < other.number }
}

extension ServiceDate: CustomStringConvertible {
    /// YYYYMMDD with the zeros of years before 1000: "00010101".
    public var description: String {
        number > 0 ? CivilDay.digits(of: number) : String(number)
    }
}

extension ServiceDate: QueryValueConvertible {
    public var queryValue: QueryValue { .integer(Int64(number)) }
}

/// Days are counted by the Gregorian calendar.
extension ServiceDate {
    /// Days since 1970-01-01; nil if the number is not a date.
    var dayNumber: Int64? { CivilDay(number: number)?.daysSince1970 }

    init(dayNumber: Int64) {
        self.init(CivilDay(daysSince1970: dayNumber).number)
    }

    /// The date `days` days later; nil if the number is not a date, or if the result lies before the year 0 or after
    /// 9999.
    public func advanced(byDays days: Int) -> ServiceDate? {
        guard let dayNumber else { return nil }
        let later = ServiceDate(dayNumber: dayNumber.addingClamped(Int64(days)))
        return later.dayNumber == nil ? nil : later
    }

    /// 0 for Monday to 6 for Sunday; nil if the number is not a date.
    ///
    ///     ServiceDate(20_261_225).weekday     // 4: a Friday
    public var weekday: Int? {
        CivilDay(number: number)?.weekday
    }

    /// The calendar date of an instant by the clock of a zone.
    ///
    ///     let today = ServiceDate(.now, in: .named("Europe/Berlin")!)
    public init(_ instant: Instant, in zone: TimetableZone) {
        let local = instant.unixSeconds.addingClamped(Int64(zone.offset(at: instant.unixSeconds)))
        self.init(dayNumber: local.flooredDays)
    }
}

extension ServiceDate: LosslessStringConvertible {
    /// Reads YYYYMMDD or YYYY-MM-DD; nil for any other text and for a date that does not exist.
    public init?(_ text: String) {
        guard let day = CivilDay(text) else { return nil }
        self.init(day.number)
    }
}

extension ServiceDate: Codable {
    /// Reads a date as its encoder or a feed writes it, or any number as `init(_:)` takes it.
    ///
    ///     try JSONDecoder().decode([ServiceDate].self, from: Data(#"["2026-11-26", "20261126", 20261126]"#.utf8))
    ///
    /// Throws `DecodingError.dataCorrupted` for another text and for a day that does not exist,
    /// `DecodingError.typeMismatch` for a value that is neither text nor number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self.init(number)
            return
        }
        let text = try container.decode(String.self)
        guard let date = ServiceDate(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is not a date such as 2026-11-26")
        }
        self = date
    }

    /// Writes the date as a text of ISO 8601, `"2026-11-26"`. A number that is not a date stays a number. Throws what
    /// the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let day = CivilDay(number: number) {
            try container.encode("\(day)")
        } else {
            try container.encode(number)
        }
    }
}
