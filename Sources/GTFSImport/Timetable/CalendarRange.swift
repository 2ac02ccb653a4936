/// Cuts long ranges of calendars, so that their days do not fill the disk: feeds write "always" as 19000101 to
/// 99991231.
struct CalendarRange {
    /// Ranges of more days than this are cut to the years 2000 to 2099.
    static let longest = 36_525
    static let century: ClosedRange<Int64> = 20_000_101...20_991_231
    /// If all sets together have too many days, ranges of more days than this end early.
    static let tenYears = 3_653

    /// The last day of ranges that end early.
    private let lastDay: Int64
    private var cut: [(calendar: WeekCalendar, left: WeekCalendar)] = []

    /// Chooses the last day by the feed and not by the clock: ten years after the latest start of a calendar or the
    /// latest exception. A mistyped date can only move it to a later year, so no service loses days that are near.
    init(_ calendars: [WeekCalendar], latestException: Int64) {
        let latest = calendars.reduce(latestException) { $1.weekdays == 0 ? $0 : max($0, $1.start) }
        lastDay = (latest / 10_000 + 10) * 10_000 + 1_231
    }

    /// The calendar, with a range of more than 100 years cut to one century.
    func inCentury(_ calendar: WeekCalendar) -> WeekCalendar {
        guard calendar.weekdays != 0, calendar.days > Self.longest else { return calendar }
        return calendar.within(Self.century.lowerBound, Self.century.upperBound)
    }

    /// The calendar, which ends early if its range has more than ten years.
    func endingEarly(_ calendar: WeekCalendar) -> WeekCalendar {
        guard calendar.weekdays != 0, calendar.days > Self.tenYears else { return calendar }
        return calendar.within(calendar.start, lastDay)
    }

    /// Remembers the calendars that are cut.
    mutating func noteCuts(of calendars: [WeekCalendar], endEarly: Bool) {
        for calendar in calendars {
            let left = endEarly ? endingEarly(inCentury(calendar)) : inCentury(calendar)
            if left.start != calendar.start || left.end != calendar.end { cut.append((calendar, left)) }
        }
    }

    /// Adds notices about the ranges that were cut.
    func note(_ notices: inout NoticeLog) {
        for (calendar, left) in cut {
            let row = Int(calendar.service) + 1
            let rest = left.start > left.end ? "none of its days" : "its days from \(left.start) to \(left.end) only"
            notices.add(
                .serviceExtendsFarInTheFuture, file: "calendar.txt", row: row, field: "end_date",
                value: DateCell.text(calendar.end),
                "calendar.txt, row \(row): the service runs from \(DateCell.text(calendar.start)) to "
                    + "\(DateCell.text(calendar.end)); service_day has \(rest)")
        }
    }
}
