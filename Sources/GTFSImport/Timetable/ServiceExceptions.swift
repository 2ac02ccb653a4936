import CivilTime
import KeySorting

/// An exception that changes a day of the calendar.
struct DayChange {
    let date: Int64
    let isAdded: Bool
    /// 0 for a Monday, and for any day if the calendar has no weekdays. Finding it takes 60 instructions.
    let weekday: Int

    init(date: Int64, isAdded: Bool, of calendar: WeekCalendar) {
        (self.date, self.isAdded) = (date, isAdded)
        weekday = calendar.weekdays == 0 ? 0 : CivilDay(number: Int(date))?.weekday ?? 0
    }
}

/// Reads the sorted exceptions, service by service.
struct ExceptionReader {
    private var keys: KeyCursor
    private var changes: [DayChange] = []

    init(_ sorter: KeySorter?) throws(KeySortingError) { keys = try KeyCursor(sorter) }

    /// The exceptions of the next service that change its calendar, or its calendar when that ends early, by date. If
    /// rows repeat a date, the first counts.
    mutating func changes(of calendar: WeekCalendar, or early: WeekCalendar) throws(KeySortingError) -> [DayChange] {
        changes.removeAll(keepingCapacity: true)
        var last: Int64 = 0
        while let key = keys.current, Int64(key.high >> 32) <= calendar.service {
            let date = Int64(key.high & 0xFFFF_FFFF)
            if Int64(key.high >> 32) == calendar.service, date != last {
                let change = DayChange(date: date, isAdded: key.low & 3 == 1, of: calendar)
                if calendar.isChanged(by: change) || early.isChanged(by: change) { changes.append(change) }
            }
            last = date
            try keys.advance()
        }
        return changes
    }
}
