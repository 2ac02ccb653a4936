// Unsafe only for a batch of sorted keys, which lies in the sorter's memory.

import CivilTime
import KeySorting

/// Visits the service days of day sets in order of date, and within a date in order of set.
///
///     sweep.add(calendar)
///     try sweep.add(change, to: calendar.service)
///     try sweep.forEachDate { date, sets in … }
///
/// The days of calendars are not written out and sorted; instead the sweep checks for each date which calendars run.
/// 800,000 days of 69 sets, including writing their pages, take 0.33 G instructions instead of 0.56. Only changes to
/// calendars are sorted.
final class DaySweep {
    private struct Running {
        let set: UInt32
        let weekdays: Int
        let end: Int64
    }

    private var calendars: [WeekCalendar] = []
    private let changes: KeySorter
    private var running: [Running] = []
    private var firstEnd = Int64.max

    init(in space: SortingSpace) { changes = KeySorter(in: space) }

    func add(_ calendar: WeekCalendar) {
        if calendar.dayCount > 0 { calendars.append(calendar) }
    }

    func add(_ change: DayChange, to set: Int64) throws(KeySortingError) {
        let high = UInt64(truncatingIfNeeded: change.date) << 32 | UInt64(truncatingIfNeeded: set & 0xFFFF_FFFF)
        try changes.append(SortKey(high: high, low: change.isAdded ? 1 : 0))
    }

    /// Calls `body` with each date on which any set runs, and the sets that run. Call it once, after all additions.
    func forEachDate(_ body: (_ date: Int64, _ sets: [UInt32]) throws -> Void) throws {
        calendars.sort { ($0.start, $0.service) < ($1.start, $1.service) }
        var upcoming = calendars[...]
        var day: CivilDay?
        var changes = try SortedChanges(changes)
        var (sets, merged): ([UInt32], [UInt32]) = ([], [])
        while true {
            if running.isEmpty { day = upcoming.first.flatMap { CivilDay(number: Int($0.start)) } }
            let calendarDate = day.map { Int64($0.number) } ?? .max
            let date = min(calendarDate, changes.date ?? .max)
            guard date < .max else { return }
            sets.removeAll(keepingCapacity: true)
            if date == calendarDate, let weekday = day?.weekday {
                start(&upcoming, on: date)
                for calendar in running where calendar.weekdays & 1 << weekday != 0 { sets.append(calendar.set) }
            }
            if date == changes.date {
                try Self.merge(sets, &changes, of: date, into: &merged)
                swap(&sets, &merged)
            }
            if !sets.isEmpty { try body(date, sets) }
            if date == calendarDate {
                end(on: date)
                day = day?.adding(days: 1)
            }
        }
    }

    private func start(_ upcoming: inout ArraySlice<WeekCalendar>, on date: Int64) {
        let known = running.count
        while let next = upcoming.first, next.start == date {
            upcoming.removeFirst()
            running.append(Running(set: UInt32(clamping: next.service), weekdays: next.weekdays, end: next.end))
            firstEnd = min(firstEnd, next.end)
        }
        if running.count > known { running.sort { $0.set < $1.set } }
    }

    private func end(on date: Int64) {
        guard date >= firstEnd else { return }
        running.removeAll { $0.end <= date }
        firstEnd = running.map(\.end).min() ?? .max
    }

    /// Applies the changes of a date to the sets that run by calendar: adds some and removes others.
    private static func merge(
        _ sets: [UInt32], _ changes: inout SortedChanges, of date: Int64, into merged: inout [UInt32]
    ) throws(KeySortingError) {
        merged.removeAll(keepingCapacity: true)
        var place = 0
        while changes.date == date {
            while place < sets.count, sets[place] < changes.set {
                merged.append(sets[place])
                place += 1
            }
            if changes.isAdded { merged.append(changes.set) }
            if place < sets.count, sets[place] == changes.set { place += 1 }
            try changes.advance()
        }
        merged.append(contentsOf: sets[place...])
    }
}

/// Reads the changes in order of date and set.
private struct SortedChanges {
    private let sorter: KeySorter
    private var batch: UnsafeBufferPointer<SortKey>?
    private var place = 0
    /// The date of the current change; nil at the end.
    private(set) var date: Int64?
    private(set) var set: UInt32 = 0
    private(set) var isAdded = false

    init(_ sorter: KeySorter) throws(KeySortingError) {
        self.sorter = sorter
        batch = try sorter.nextBatch()
        read()
    }

    mutating func advance() throws(KeySortingError) {
        place += 1
        if let batch, place == batch.count {
            self.batch = try sorter.nextBatch()
            place = 0
        }
        read()
    }

    private mutating func read() {
        guard let key = batch?[place] else { return date = nil }
        date = Int64(key.high >> 32)
        set = UInt32(truncatingIfNeeded: key.high)
        isAdded = key.low == 1
    }
}
