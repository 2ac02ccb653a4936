// Days of the Gregorian calendar, counted.

enum CivilDate {
    /// Years 1 to 9999, with a day more at both ends for the zones.
    static let secondsOfYears1To9999: ClosedRange<Int64> = -62_135_683_200...253_402_387_199

    /// Days from 1970-01-01 to the date in the proleptic Gregorian calendar; nil when there is no such date in the
    /// years 1 to 9999.
    ///
    /// Years are counted from March, so that the leap day is the last of its year; 400 years have 146,097 days.
    static func daysSince1970(year: Int, month: Int, day: Int) -> Int64? {
        guard 1...9999 ~= year, 1...12 ~= month, 1...days(inMonth: month, of: year) ~= day else { return nil }
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = (month + 9) % 12
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return Int64(marchYear * 365 + leapDays + dayOfYear - 719_468)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        switch month {
        case 2: return isLeapYear ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }
}
