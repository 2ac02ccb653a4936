import CivilTime

/// A row of calendar.txt: weekdays between two dates. A service that only calendar_dates.txt names has no weekdays.
struct WeekCalendar {
    /// The fields of calendar.txt for the weekdays, in the order of their bits.
    static let weekdayFields = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    let service: Int64
    /// One bit for each weekday, Monday lowest; 0 if no day is left.
    let weekdays: Int
    let start: Int64
    let end: Int64

    init(service: Int64, weekdays: Int = 0, start: Int64 = 0, end: Int64 = 0) {
        (self.service, self.weekdays, self.start, self.end) = (service, weekdays, start, end)
    }

    /// Days from the first to the last date, both included.
    var days: Int {
        guard let first = Self.day(start), let last = Self.day(end) else { return 0 }
        return Int(last.daysSince1970 - first.daysSince1970) + 1
    }

    private static func day(_ date: Int64) -> CivilDay? { CivilDay(number: Int(date)) }

    /// Days on which it runs.
    var dayCount: Int {
        guard weekdays != 0, start <= end, let first = Self.day(start)?.weekday else { return 0 }
        let (weeks, rest) = days.quotientAndRemainder(dividingBy: 7)
        return (0..<rest).reduce(weeks * weekdays.nonzeroBitCount) { $0 + (weekdays >> ((first + $1) % 7) & 1) }
    }

    /// Days on which it runs once the changes are made.
    func dayCount(with changes: [DayChange]) -> UInt32 {
        UInt32(clamping: changes.reduce(dayCount) { isChanged(by: $1) ? $0 + ($1.isAdded ? 1 : -1) : $0 })
    }

    /// The days of the range that are from `first` to `last`.
    func within(_ first: Int64, _ last: Int64) -> WeekCalendar {
        WeekCalendar(service: service, weekdays: weekdays, start: max(start, first), end: min(end, last))
    }

    func runs(on date: Int64) -> Bool { Self.day(date).map { runs(on: date, weekday: $0.weekday) } ?? false }

    private func runs(on date: Int64, weekday: Int) -> Bool {
        start <= date && date <= end && weekdays & 1 << weekday != 0
    }

    func isChanged(by change: DayChange) -> Bool {
        change.isAdded != runs(on: change.date, weekday: change.weekday)
    }
}
