import Glibc
import ICU

/// A day of the Gregorian calendar that can be advanced to the next day.
///
///     var day = CalendarDay(20261231)
///     day.advance()
///     day.date        // 20270101
struct CalendarDay: Equatable {
    private(set) var year: Int
    private(set) var month: Int
    private(set) var day: Int
    /// Days since 1970-01-01.
    private(set) var number: Int

    /// The day of a date written as YYYYMMDD, which must exist.
    init(_ date: Int64) {
        let date = Int(date)
        (year, month, day) = (date / 10_000, date / 100 % 100, date % 100)
        // Counts years from March, so that the leap day is the last day of its year; 400 years have 146,097 days.
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        number = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
    }

    /// YYYYMMDD.
    var date: Int { year * 10_000 + month * 100 + day }

    /// 0 for a Monday, 6 for a Sunday. 1970-01-01 was a Thursday.
    var weekday: Int { let rest = (number + 3) % 7; return rest < 0 ? rest + 7 : rest }

    mutating func advance() {
        number += 1
        day += 1
        guard day > 28, day > Self.days(inMonth: month, of: year) else { return }
        (day, month) = (1, month + 1)
        if month > 12 { (month, year) = (1, year + 1) }
    }

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// A day of the calendar, written as in GTFS and as people read it.
package struct CivilDay: CustomStringConvertible {
    /// YYYYMMDD.
    package let number: Int
    package let days: Int64

    package var secondsSince1970: Int { Int(days) * 86_400 }

    /// Nil if there is no such day.
    package init?(_ number: Int) {
        let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100)
        guard let days = CivilDate.daysSince1970(year: year, month: month, day: day) else { return nil }
        self.init(daysSince1970: days)
    }

    package init(daysSince1970 days: Int64) {
        let date = CivilDate.date(daysSince1970: days)
        self.days = days
        number = date.year * 10_000 + date.month * 100 + date.day
    }

    /// Today in UTC, independent of the machine's time zone.
    package static var today: CivilDay { CivilDay(daysSince1970: Int64(time(nil)) / 86_400) }

    package func adding(days more: Int) -> CivilDay { CivilDay(daysSince1970: days + Int64(more)) }

    package var description: String { Self.text(number) }

    /// "2026-11-22" for 20261122.
    package static func text(_ number: Int) -> String {
        let digits = DateCell.text(Int64(number))
        return "\(digits.dropLast(4))-\(digits.dropLast(2).suffix(2))-\(digits.suffix(2))"
    }
}
