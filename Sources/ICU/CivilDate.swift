// Days of the Gregorian calendar, counted.

/// Dates as numbers of days, which can be added to.
public enum CivilDate {
    /// Years 1 to 9999, with a day more at both ends for the zones.
    static let secondsOfYears1To9999: ClosedRange<Int64> = -62_135_683_200...253_402_387_199

    /// Days from 1970-01-01 to the date in the proleptic Gregorian calendar; nil when there is no such date in the
    /// years 1 to 9999.
    ///
    /// Years are counted from March, so that the leap day is the last of its year; 400 years have 146,097 days.
    public static func daysSince1970(year: Int, month: Int, day: Int) -> Int64? {
        guard 1...9999 ~= year, 1...12 ~= month, 1...days(inMonth: month, of: year) ~= day else { return nil }
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = (month + 9) % 12
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return Int64(marchYear * 365 + leapDays + dayOfYear - 719_468)
    }

    /// The date so many days after 1970-01-01; dates beyond the years -100,000 to 100,000 are these.
    public static func date(daysSince1970 days: Int64) -> (year: Int, month: Int, day: Int) {
        // Counted from March of the year 0, and from a year before all that is asked for.
        let shifted = Int(min(max(days, -36_000_000), 36_000_000)) + 719_468 + 146_097 * 300
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + (era - 300) * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
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
