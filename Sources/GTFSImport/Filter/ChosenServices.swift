// Unsafe only for cells: they are bytes in the reader's block.

import GTFSFeed
import GTFSSchema

/// The services that run on at least one day of a range: on a calendar day that is not removed, or on an added day.
struct ChosenServices {
    private let days: ClosedRange<Int64>
    private let keys = IdentifierMap()
    private var calendars: [WeekCalendar] = []
    /// Services and days of the range that calendar_dates.txt changes, 8 bytes each and as much again for the set. If
    /// rows repeat a service and date, the first counts.
    private var exceptions: Set<ExceptionKey> = []
    private var added: Set<Int32> = []
    /// By service: how many of its calendar days calendar_dates.txt removes.
    private var removed: [Int32: Int] = [:]

    private struct ExceptionKey: Hashable {
        let service: Int32
        let date: Int32
    }

    init(running days: ClosedRange<Int64>) { self.days = days }

    func read(_ scan: FileScan) throws -> IdentifierMap {
        var services = self
        try services.readCalendars(scan)
        try services.readExceptions(scan)
        let chosen = IdentifierMap()
        services.keys.forEach { id, key in
            if services.runs(key) { chosen.add(id) }
        }
        return chosen
    }

    private func runs(_ key: Int32) -> Bool {
        added.contains(key) || calendars[Int(key)].dayCount > removed[key, default: 0]
    }

    /// If several rows have the same ID, the first counts, as in the store.
    private mutating func readCalendars(_ scan: FileScan) throws {
        let fields = ["service_id", "start_date", "end_date"] + WeekCalendar.weekdayFields
        try scan.rows(of: "calendar.txt", fields) { row in
            let start = DateCell.parse(row.text(1).bytes) ?? 0
            let end = DateCell.parse(row.text(2).bytes) ?? 0
            var mask = 0
            for day in 0..<7 {
                if row.integer(day + 3) == 1 { mask |= 1 << day }
            }
            let isRange = start > 0 && start <= end && max(start, days.lowerBound) <= min(end, days.upperBound)
            add(
                row.text(0),
                WeekCalendar(
                    service: 0, weekdays: isRange ? mask : 0, start: max(start, days.lowerBound),
                    end: min(end, days.upperBound)))
        }
    }

    /// The key of a service; an unknown service gets a new one.
    @discardableResult
    private mutating func add(_ id: UnsafeRawBufferPointer, _ calendar: WeekCalendar) -> Int32? {
        guard !id.isEmpty else { return nil }
        let key = Int32(clamping: calendars.count)
        if let known = keys.insert(id, key: key) { return known }
        calendars.append(calendar)
        return key
    }

    private mutating func readExceptions(_ scan: FileScan) throws {
        try scan.rows(of: "calendar_dates.txt", ["service_id", "date", "exception_type"]) { row in
            guard let date = DateCell.parse(row.text(1).bytes), days.contains(date),
                let type = row.integer(2), (1...2).contains(type),
                let key = add(row.text(0), WeekCalendar(service: 0, weekdays: 0, start: 0, end: 0)),
                exceptions.insert(ExceptionKey(service: key, date: Int32(clamping: date))).inserted
            else { return }
            if type == 1 {
                added.insert(key)
            } else if calendars[Int(key)].runs(on: date) {
                removed[key, default: 0] += 1
            }
        }
    }
}
