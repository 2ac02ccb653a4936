import Foundation
import Testing

@testable import CivilTime

/// Compares the calendar with Foundation's, which follows the Julian calendar until 1582-10-15.
@Suite struct CivilDayTests {
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        return calendar
    }()

    /// Days 5 years apart cover every month, weekday and century; every day of the years that people use.
    @Test func partsAndWeekdaysAreFoundations() throws {
        let days = Array(stride(from: Int64(-141_427), through: 2_932_896, by: 1_823)) + Array(-36_525..<73_050)
        for number in days {
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = Self.calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            let (year, month, day) = (try #require(parts.year), try #require(parts.month), try #require(parts.day))
            let weekday = try #require(parts.weekday)
            let civil = CivilDay(daysSince1970: number)
            let agrees =
                civil.parts == (year, month, day) && civil.number == year * 10_000 + month * 100 + day
                && civil.weekday == (weekday + 5) % 7
                && CivilDay(year: year, month: month, day: day) == civil && CivilDay(number: civil.number) == civil
            if !agrees { Issue.record("\(number): \(civil.parts), \(civil.weekday), not \(parts)") }
        }
    }

    /// No leap day is skipped and none is counted twice from the first day of the year 0 to the last of 9999.
    @Test func daysFollowOneAnother() {
        var (expected, count) = (CivilDay(year: 0, month: 1, day: 1)?.daysSince1970 ?? 0, 0)
        #expect(expected == -719_528)
        for year in 0...9999 {
            for month in 1...12 {
                for day in 0...32 {
                    guard let found = CivilDay(year: year, month: month, day: day) else { continue }
                    if found.daysSince1970 != expected { Issue.record("\(year)-\(month)-\(day)") }
                    (expected, count) = (expected + 1, count + 1)
                }
            }
        }
        #expect(count == 3_652_425, "25 cycles of 146,097 days")
    }

    @Test(arguments: [
        20_260_229, 20_261_301, 20_260_001, 20_260_100, 20_260_132, 19_000_229, 100_000_101, -20_260_101, 0, 1,
        Int.max, Int.min,
    ])
    func numbersThatAreNoDay(number: Int) { #expect(CivilDay(number: number) == nil) }

    @Test(arguments: [
        ("20261122", 20_261_122), ("2026-11-22", 20_261_122), ("00010101", 10_101), ("0000-02-29", 229),
    ])
    func textsAreReadAndWrittenBack(text: String, number: Int) throws {
        let day = try #require(CivilDay(text))
        #expect(day.number == number)
        #expect(CivilDay(day.description) == day)
        #expect(CivilDay(CivilDay.digits(of: number)) == day)
        #expect(day.description.utf8.count == 10)
    }

    @Test(arguments: [
        "", "2026", "2026112", "202611222", "2026-1122", "202-61122-", "20261-1-22", "2-026112-2", "2026-11-2a",
        "2026/11/22", "2026-11/22", "2026/11-22", "+2026-1-22", "20260229", "٢٠٢٦١١٢٢", "2026-11-22 ",
    ])
    func textsThatAreNoDay(text: String) { #expect(CivilDay(text) == nil) }

    /// Years are counted as astronomers do: 0 is 1 BC, a leap year.
    @Test(
        arguments: [(-719_528, "0000-01-01"), (-719_529, "-0001-12-31"), (-719_893, "-0001-01-01")] as [(Int64, String)]
    )
    func daysBeforeTheYear0HaveASign(days: Int64, text: String) {
        #expect(CivilDay(daysSince1970: days).description == text)
    }

    @Test func anInstantBefore1970FallsOnTheDayBefore() {
        #expect(CivilDay(unixSeconds: -1).number == 19_691_231)
        #expect(CivilDay(unixSeconds: -86_400).number == 19_691_231)
        #expect(CivilDay(unixSeconds: -86_401).number == 19_691_230)
        #expect(CivilDay(unixSeconds: 0).number == 19_700_101)
        #expect(CivilDay(unixSeconds: .min).weekday >= 0 && CivilDay(unixSeconds: .max).weekday <= 6)
    }

    @Test(arguments: [(-86_400, 0), (-1, 86_399), (0, 0), (86_399, 86_399), (86_400, 0)])
    func `an instant has a time of its day, also before 1970`(instant: Int64, seconds: Int) {
        #expect(CivilDay.seconds(atUnixSeconds: instant) == seconds)
    }

    @Test func daysFarAwayAreClamped() {
        #expect(CivilDay(daysSince1970: .max).parts == CivilDay(daysSince1970: 36_000_000).parts)
        #expect(CivilDay(daysSince1970: .min).parts == CivilDay(daysSince1970: -36_000_000).parts)
    }
}
