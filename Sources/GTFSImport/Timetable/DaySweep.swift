import CivilTime
import KeySorting

/// Visits the service days of day sets in order of date, and within a date in order of set.
///
///     sweep.add(calendar)
///     try sweep.add(change, to: calendar.service)
///     try sweep.forEachDate { day, date, sets in … }
///
/// The days of calendars are not written out and sorted; instead the sweep checks for each date which calendars run.
/// 800,000 days of 69 sets, including writing their pages, take 0.33 G instructions instead of 0.56. Only changes to
/// calendars are sorted.
final class DaySweep {
    /// The calendars that run on the day at hand, in the order of their sets.
    private struct Running {
        private var calendars: [(set: UInt32, weekdays: Int, end: Int64)] = []
        private var firstEnd = Int64.max
        /// The sets that run on each weekday, as long as no calendar begins or ends.
        private var known = [[UInt32]?](repeating: nil, count: 7)

        var isEmpty: Bool { calendars.isEmpty }

        mutating func start(_ upcoming: inout ArraySlice<WeekCalendar>, on date: Int64) {
            let before = calendars.count
            while let next = upcoming.first, next.start == date {
                upcoming.removeFirst()
                calendars.append((UInt32(clamping: next.service), next.weekdays, next.end))
                firstEnd = min(firstEnd, next.end)
            }
            guard calendars.count > before else { return }
            calendars.sort { $0.set < $1.set }
            forget()
        }

        mutating func sets(on weekday: Int) -> [UInt32] {
            if let sets = known[weekday] { return sets }
            let sets = calendars.compactMap { $0.weekdays & 1 << weekday != 0 ? $0.set : nil }
            known[weekday] = sets
            return sets
        }

        private mutating func forget() {
            for weekday in known.indices { known[weekday] = nil }
        }

        mutating func end(on date: Int64) {
            guard date >= firstEnd else { return }
            calendars.removeAll { $0.end <= date }
            firstEnd = calendars.map(\.end).min() ?? .max
            forget()
        }
    }

    private var calendars: [WeekCalendar] = []
    private let changes: KeySorter
    /// The set and the kind of a change. Changes of one date need no sorting by these, because sets come in order.
    private static let bitsOfChange: UInt64 = 64 + 32

    init(in space: SortingSpace) { changes = KeySorter(in: space, bitsInOrder: Self.bitsOfChange) }

    func add(_ calendar: WeekCalendar) {
        if calendar.dayCount > 0 { calendars.append(calendar) }
    }

    /// Adds a change. Add the changes of one set after the other, in ascending order of the sets.
    func add(_ change: DayChange, to set: Int64) throws(KeySortingError) {
        let high = UInt64(truncatingIfNeeded: change.date) << 32 | UInt64(truncatingIfNeeded: set & 0xFFFF_FFFF)
        try changes.append(SortKey(high: high, low: change.isAdded ? 1 : 0))
    }

    /// Calls `body` with each day on which any set runs, its date and the sets that run. Call it once, after all
    /// additions.
    func forEachDate(_ body: (_ day: CivilDay, _ date: Int64, _ sets: [UInt32]) throws -> Void) throws {
        calendars.sort { ($0.start, $0.service) < ($1.start, $1.service) }
        var (upcoming, running) = (calendars[...], Running())
        var next: SweptDay?
        var changes = try KeyCursor(changes)
        var merged: [UInt32] = []
        while true {
            if running.isEmpty { next = upcoming.first.flatMap { SweptDay($0.start) } }
            let change = changes.current?.date
            let isChangeAlone = change.map { $0 < next?.date ?? .max } ?? false
            guard let today = isChangeAlone ? change.flatMap(SweptDay.init) : next else { return }
            if !isChangeAlone { running.start(&upcoming, on: today.date) }
            let sets = isChangeAlone ? [] : running.sets(on: today.weekday)
            if today.date == change {
                try Self.merge(sets, &changes, of: today.date, into: &merged)
                if !merged.isEmpty { try body(today.day, today.date, merged) }
            } else if !sets.isEmpty {
                try body(today.day, today.date, sets)
            }
            guard !isChangeAlone else { continue }
            running.end(on: today.date)
            next?.advance()
        }
    }

    /// Applies the changes of a date to the sets that run by calendar: adds some and removes others.
    private static func merge(
        _ sets: [UInt32], _ changes: inout KeyCursor, of date: Int64, into merged: inout [UInt32]
    ) throws(KeySortingError) {
        merged.removeAll(keepingCapacity: true)
        var place = 0
        while let change = changes.current, change.date == date {
            while place < sets.count, sets[place] < change.set {
                merged.append(sets[place])
                place += 1
            }
            if change.isAdded { merged.append(change.set) }
            if place < sets.count, sets[place] == change.set { place += 1 }
            try changes.advance()
        }
        merged.append(contentsOf: sets[place...])
    }
}

/// A day with its date, such as 20261127, and its weekday, 0 for a Monday.
private struct SweptDay {
    private(set) var day: CivilDay
    private(set) var date: Int64
    private(set) var weekday: Int

    init?(_ date: Int64) {
        guard let day = CivilDay(number: Int(date)) else { return nil }
        (self.day, self.date, weekday) = (day, date, day.weekday)
    }

    /// Goes to the next day. Its date is computed anew only at the end of a month, which takes some divisions.
    mutating func advance() {
        day = day.adding(days: 1)
        date = date % 100 < 28 ? date + 1 : Int64(day.number)
        weekday = weekday == 6 ? 0 : weekday + 1
    }
}

/// A change of a set's days.
extension SortKey {
    fileprivate var date: Int64 { Int64(high >> 32) }
    fileprivate var set: UInt32 { UInt32(truncatingIfNeeded: high) }
    fileprivate var isAdded: Bool { low == 1 }
}
