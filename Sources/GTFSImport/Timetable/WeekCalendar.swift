import SQLite

/// A row of calendar.txt: weekdays between two dates. A service that only calendar_dates.txt names has no weekdays.
struct WeekCalendar {
    let service: Int64
    /// One bit for each weekday, Monday lowest; 0 if no day is left.
    let weekdays: Int
    let start: Int64
    let end: Int64

    init(service: Int64, weekdays: Int = 0, start: Int64 = 0, end: Int64 = 0) {
        (self.service, self.weekdays, self.start, self.end) = (service, weekdays, start, end)
    }

    /// All stored services in the order of their ids.
    static func all(_ connection: Connection) throws(SQLiteError) -> [WeekCalendar] {
        let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        let mask = days.enumerated().map { "(\($1) IS 1) * \(1 << $0)" }.joined(separator: " + ")
        let rows = try connection.prepare(
            "SELECT id, CASE WHEN in_calendar AND start_date <= end_date THEN \(mask) ELSE 0 END, "
                + "ifnull(start_date, 0), ifnull(end_date, 0) FROM service ORDER BY id")
        var calendars: [WeekCalendar] = []
        while try rows.step() {
            calendars.append(
                WeekCalendar(
                    service: rows.integer(0), weekdays: Int(rows.integer(1)), start: rows.integer(2),
                    end: rows.integer(3)))
        }
        return calendars
    }

    /// Days from the first to the last date, both included.
    var days: Int { CalendarDay(end).number - CalendarDay(start).number + 1 }

    /// Days on which it runs.
    var dayCount: Int {
        guard weekdays != 0, start <= end else { return 0 }
        let (weeks, rest) = days.quotientAndRemainder(dividingBy: 7)
        let first = CalendarDay(start).weekday
        return (0..<rest).reduce(weeks * weekdays.nonzeroBitCount) { $0 + (weekdays >> ((first + $1) % 7) & 1) }
    }

    func runs(on date: Int64) -> Bool {
        weekdays != 0 && start <= date && date <= end && weekdays & 1 << CalendarDay(date).weekday != 0
    }
}

/// Cuts long ranges of calendars, so that their days do not fill the disk: feeds write "always" as 19000101 to
/// 99991231.
struct CalendarRange {
    /// Ranges of more days than this are cut to the years 2000 to 2099.
    static let longest = 36_525
    static let century: ClosedRange<Int64> = 20_000_101...20_991_231
    /// Once more than this many days are written, ranges of more than ten years are cut to ten.
    static let mostDays = 5_000_000
    static let tenYears = 3_653

    /// Days written so far.
    var written = 0
    private var decade: ClosedRange<Int64> = century
    private var cut: [(calendar: WeekCalendar, span: ClosedRange<Int64>)] = []

    /// Chooses the ten years for cut ranges by the feed and not by the clock: they begin with the year before the
    /// latest start of a calendar of up to ten years, or of any calendar if all are longer.
    mutating func begin(_ calendars: [WeekCalendar]) {
        let ranges = calendars.filter { $0.weekdays != 0 }
        let usual = ranges.filter { $0.days <= Self.tenYears }
        guard let latest = (usual.isEmpty ? ranges : usual).map(\.start).max() else { return }
        let first = max(latest / 10_000 - 1, 1) * 10_000 + 101
        decade = first...first + 9 * 10_000 + 1_130
    }

    /// The calendar, with its range cut if it is too long.
    mutating func bounded(_ calendar: WeekCalendar) -> WeekCalendar {
        guard calendar.weekdays != 0 else { return calendar }
        if written > Self.mostDays, calendar.days > Self.tenYears { return cut(calendar, to: decade) }
        return calendar.days > Self.longest ? cut(calendar, to: Self.century) : calendar
    }

    private mutating func cut(_ calendar: WeekCalendar, to span: ClosedRange<Int64>) -> WeekCalendar {
        guard calendar.start < span.lowerBound || calendar.end > span.upperBound else { return calendar }
        cut.append((calendar, span))
        return WeekCalendar(
            service: calendar.service, weekdays: calendar.weekdays, start: max(calendar.start, span.lowerBound),
            end: min(calendar.end, span.upperBound))
    }

    /// Adds notices about the ranges that were cut.
    func note(_ notices: inout NoticeLog) {
        for (calendar, span) in cut {
            let row = Int(calendar.service) + 1
            notices.add(
                .serviceExtendsFarInTheFuture, file: "calendar.txt", row: row, field: "end_date",
                value: String(calendar.end),
                "calendar.txt, row \(row): the service runs from \(calendar.start) to \(calendar.end); service_day has its "
                    + "days from \(span.lowerBound) to \(span.upperBound) only")
        }
    }
}
