// Unsafe: reads cells where the reading stage left them, and lends two of its own to the record encoder.

import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// Fills `service_day`: a row for each date on which a service runs, ordered by date.
///
/// A day of a calendar and each exception are one key of 16 bytes: date and service, then the exception's row, and a calendar's day
/// behind all rows. Sorted, the first key of a date and service says whether the service runs. 3.65 M service days (10,000 services for
/// a year) take 0.3 s.
final class ServiceDays {
    /// Ranges of more days than this are cut to the years 2000 to 2099: "always" is written as 19000101 to 99991231.
    static let longestRange = 36_525
    static let longestSpan: ClosedRange<Int64> = 20_000_101...20_991_231
    /// Where all days together would be more than this, every range of more than ten years counts as too long.
    static let mostDays = 20_000_000
    private static let tenYears = 3_653

    private let place: StorePlace
    private var exceptions: KeySorter?
    private var cells: (service: Int, date: Int, type: Int)?
    private(set) var cutRanges: [CutRange] = []

    /// A service whose range was cut.
    struct CutRange {
        let service: Int64
        let start: Int64
        let end: Int64
        let span: ClosedRange<Int64>
    }

    init(_ place: StorePlace) { self.place = place }

    /// What is asked of a row of calendar_dates.txt.
    func begin(_ plan: TablePlan) {
        guard plan.table == "service_exception", let service = plan.cellColumns.firstIndex(of: "service"),
            let date = plan.cellColumns.firstIndex(of: "date"),
            let type = plan.cellColumns.firstIndex(of: "exception_type")
        else { return cells = nil }
        cells = (service, date, type)
    }

    /// Adds the exceptions of a block of the table that was begun.
    func add(_ batch: CellBatch, stride: Int) throws(KeySortingError) {
        guard let cells, batch.rowCount > 0 else { return }
        let sorter = keys()
        for row in 0..<batch.rowCount {
            let (tags, payloads) = (batch.tags + row * stride, batch.payloads + row * stride)
            guard tags[cells.service] == CellBatch.Tag.integer, tags[cells.date] == CellBatch.Tag.integer,
                tags[cells.type] == CellBatch.Tag.integer, (1...2).contains(payloads[cells.type])
            else { continue }
            let rank = UInt64(truncatingIfNeeded: payloads[0]) << 2 | UInt64(truncatingIfNeeded: payloads[cells.type])
            try sorter.append(
                SortKey(high: Self.key(payloads[cells.date], payloads[cells.service]), low: rank))
        }
    }

    private func keys() -> KeySorter {
        if let exceptions { return exceptions }
        let sorter = KeySorter(in: place.space, times: 4)
        exceptions = sorter
        return sorter
    }

    private static func key(_ date: Int64, _ service: Int64) -> UInt64 {
        UInt64(truncatingIfNeeded: date) << 32 | UInt64(truncatingIfNeeded: service & 0xFFFF_FFFF)
    }

    // MARK: The weeks of calendar.txt

    private struct Calendar {
        let service: Int64
        /// A bit for each weekday, Monday first.
        let weekdays: Int
        let start: Int64
        let end: Int64

        var days: Int { CalendarDay(end).number - CalendarDay(start).number + 1 }
    }

    private func calendars(_ connection: Connection) throws(SQLiteError) -> [Calendar] {
        let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        let mask = days.enumerated().map { "(\($1) IS 1) * \(1 << $0)" }.joined(separator: " + ")
        let rows = try connection.prepare(
            "SELECT id, \(mask), start_date, end_date FROM service WHERE in_calendar AND start_date <= end_date")
        var calendars: [Calendar] = []
        while try rows.step() {
            calendars.append(
                Calendar(
                    service: rows.integer(0), weekdays: Int(rows.integer(1)), start: rows.integer(2),
                    end: rows.integer(3)))
        }
        return calendars
    }

    /// The calendars with ranges that a table can hold.
    private func bounded(_ calendars: [Calendar]) -> [Calendar] {
        let century = calendars.map { cut($0, longest: Self.longestRange, to: Self.longestSpan) }
        guard century.reduce(0, { $0 + max($1.days, 0) }) > Self.mostDays else { return century }
        // No clock says what is near: the range that begins last does.
        let usual = century.filter { $0.days <= Self.tenYears }
        let latest = (usual.isEmpty ? century : usual).map(\.start).max() ?? 0
        let first = max(latest / 10_000 - 1, 1) * 10_000 + 101
        return century.map { cut($0, longest: Self.tenYears, to: first...first + 9 * 10_000 + 1_130) }
    }

    private func cut(_ calendar: Calendar, longest: Int, to span: ClosedRange<Int64>) -> Calendar {
        guard calendar.days > longest, calendar.start < span.lowerBound || calendar.end > span.upperBound else {
            return calendar
        }
        cutRanges.append(
            CutRange(service: calendar.service, start: calendar.start, end: calendar.end, span: span))
        return Calendar(
            service: calendar.service, weekdays: calendar.weekdays, start: max(calendar.start, span.lowerBound),
            end: min(calendar.end, span.upperBound))
    }

    private func add(_ calendar: Calendar, to sorter: KeySorter) throws(KeySortingError) {
        guard calendar.start <= calendar.end, calendar.weekdays != 0 else { return }
        var day = CalendarDay(calendar.start)
        for _ in 0..<calendar.days {
            if calendar.weekdays & 1 << day.weekday != 0 {
                try sorter.append(SortKey(high: Self.key(Int64(day.date), calendar.service), low: .max))
            }
            day.advance()
        }
    }

    // MARK: Writing

    /// Writes the table. No transaction may be open, and all services must be stored.
    func write(_ connection: Connection) throws {
        let calendars = try bounded(calendars(connection))
        guard exceptions != nil || !calendars.isEmpty else { return }
        let sorter = keys()
        for calendar in calendars {
            try place.check()
            try add(calendar, to: sorter)
        }
        guard let root = try connection.rootPage(of: "service_day") else {
            throw ImportError(.bug, "\(place.path): table service_day was not made")
        }
        let file = try DatabaseFile(path: place.path, sums: place.sums)
        let tree = try file.tree(root: root)
        try write(sorter, to: tree)
        exceptions = nil
        try file.adopt(tree.finish())
    }

    private func write(_ sorter: KeySorter, to tree: IndexTreeWriter) throws {
        var encoder = RecordEncoder(columns: 2)
        var last: UInt64 = 0
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2) { tags in
            try withUnsafeTemporaryAllocation(of: Int64.self, capacity: 2) { payloads in
                tags.initialize(repeating: CellBatch.Tag.integer)
                payloads.initialize(repeating: 0)
                guard let tag = tags.baseAddress, let payload = payloads.baseAddress else { return }
                while let keys = try sorter.nextBatch() {
                    try place.check()
                    for key in keys where key.high != last {
                        last = key.high
                        // The first exception counts, and takes the day away if its type is 2.
                        if key.low != .max, key.low & 3 == 2 { continue }
                        payload[0] = Int64(key.high >> 32)
                        payload[1] = Int64(key.high & 0xFFFF_FFFF)
                        try tree.append(encoder.encode(tags: tag, payloads: payload, text: tag, otherText: tag))
                    }
                }
            }
        }
    }

    /// Says which ranges were cut.
    func note(_ notices: inout NoticeLog) {
        for range in cutRanges {
            let row = Int(range.service) + 1
            notices.add(
                .serviceExtendsFarInTheFuture, file: "calendar.txt", row: row, field: "end_date",
                value: String(range.end),
                "calendar.txt, row \(row): the service runs from \(range.start) to \(range.end); service_day has its days "
                    + "from \(range.span.lowerBound) to \(range.span.upperBound) only")
        }
    }
}
