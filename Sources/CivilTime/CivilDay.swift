import Glibc

/// A day of the Gregorian calendar, which is also used for the years before 1582.
///
///     let day = CivilDay(number: 20_261_231)     // as GTFS writes dates
///     day?.adding(days: 1).number                // 20270101
///     day?.weekday                               // 3, a Thursday
///     "\(CivilDay.today)"                        // "2026-11-25"
package struct CivilDay: Hashable, Sendable {
    package let daysSince1970: Int64

    package init(daysSince1970 days: Int64) { daysSince1970 = days }

    /// Nil if there is no such day in the years 0 to 9999.
    ///
    /// Years are counted from March of the year -400, so that the leap day is the last of its year and no year is
    /// negative; 400 years have 146,097 days.
    package init?(year: Int, month: Int, day: Int) {
        guard 0...9999 ~= year, 1...12 ~= month, 1...Self.days(inMonth: month, of: year) ~= day else { return nil }
        let marchYear = year + 400 - (month > 2 ? 0 : 1)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        daysSince1970 = Int64(marchYear * 365 + leapDays + dayOfYear - 719_468 - 146_097)
    }

    /// The day of a date written as YYYYMMDD; nil if there is no such day in the years 0 to 9999.
    package init?(number: Int) {
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// The day of an instant in UTC.
    package init(unixSeconds seconds: Int64) {
        daysSince1970 = seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0)
    }

    /// How many seconds of its day have passed at an instant in UTC, from 0 to 86,399.
    package static func seconds(atUnixSeconds seconds: Int64) -> Int {
        let rest = Int(seconds % 86_400)
        return rest < 0 ? rest + 86_400 : rest
    }

    /// Today in UTC, independent of the machine's time zone.
    package static var today: CivilDay { CivilDay(unixSeconds: Int64(time(nil))) }

    // MARK: Parts

    /// Days more than 36,000,000 days from 1970 are clamped, at about the years -96,600 and 100,500.
    package var parts: (year: Int, month: Int, day: Int) {
        // Counted from 1 March of the year -120,000 (300 cycles of 400 years), which is before every possible day.
        let shifted = Int(min(max(daysSince1970, -36_000_000), 36_000_000)) + 719_468 + 146_097 * 300
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + (era - 300) * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// YYYYMMDD.
    package var number: Int {
        let (year, month, day) = parts
        return year * 10_000 + month * 100 + day
    }

    /// 0 for a Monday, 6 for a Sunday.
    package var weekday: Int {
        // 1970-01-01 was a Thursday.
        let rest = Int((daysSince1970 % 7 + 3) % 7)
        return rest < 0 ? rest + 7 : rest
    }

    package var secondsSince1970: Int64 { daysSince1970 * 86_400 }

    package func adding(days: Int) -> CivilDay { CivilDay(daysSince1970: daysSince1970 + Int64(days)) }

    @inlinable
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CivilDay: LosslessStringConvertible {
    /// Reads YYYYMMDD or YYYY-MM-DD; nil for any other text and for a day that does not exist.
    package init?(_ text: String) {
        var digits = Array(text.utf8)
        if digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-") {
            digits.remove(at: 7)
            digits.remove(at: 4)
        }
        guard digits.count == 8, digits.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        self.init(number: digits.reduce(0) { $0 * 10 + Int($1 - 48) })
    }

    /// YYYY-MM-DD, with a sign before years below 0.
    package var description: String {
        let (year, month, day) = parts
        let digits = Self.digits(of: abs(year) * 10_000 + month * 100 + day)
        let sign = year < 0 ? "-" : ""
        return "\(sign)\(digits.dropLast(4))-\(digits.dropLast(2).suffix(2))-\(digits.suffix(2))"
    }

    /// A number YYYYMMDD in the eight digits of GTFS: "00010101" for 10101.
    package static func digits(of number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
    }
}
