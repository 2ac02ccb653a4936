import Cells

/// The rows of calendar.txt, taken while they pass. To read 3,100 of them back by SQL took 5 % of an import.
///
/// Memory: 32 bytes for each row.
struct PassingCalendars {
    /// Where a row has its dates, and its weekdays with their bits.
    private struct Cells {
        let start: Int
        let end: Int
        let days: [(cell: Int, bit: Int)]

        /// Nil if the header lacks a date.
        init?(_ plan: TablePlan) {
            guard let start = plan.cell(of: "start_date"), let end = plan.cell(of: "end_date") else { return nil }
            (self.start, self.end) = (start, end)
            days = WeekCalendar.weekdayFields.enumerated().compactMap { day, name in
                plan.cell(of: name).map { ($0, 1 << day) }
            }
        }
    }

    /// In the order of their ids. A row without a range has no weekdays.
    private(set) var calendars: [WeekCalendar] = []
    /// The first and the last day of all ranges. A calendar that ends before it starts has no range.
    private(set) var days: ClosedRange<Int64>?
    private var cells: Cells?
    private var isOpen = false

    /// Notes which cells of calendar.txt to read.
    mutating func begin(_ plan: TablePlan) {
        isOpen = plan.table == "service"
        cells = isOpen ? Cells(plan) : nil
    }

    /// Adds the rows of a block of the table that was begun.
    mutating func add(_ batch: CellBatch) {
        guard isOpen else { return }
        for row in batch.rows { add(row) }
    }

    private mutating func add(_ row: CellRow) {
        guard let cells, let start = row.integer(cells.start), let end = row.integer(cells.end) else {
            return calendars.append(WeekCalendar(service: row.id))
        }
        var weekdays = 0
        for (cell, bit) in cells.days where row.integer(cell) == 1 { weekdays |= bit }
        let hasRange = start <= end
        calendars.append(
            WeekCalendar(service: row.id, weekdays: hasRange ? weekdays : 0, start: start, end: end))
        guard hasRange else { return }
        days = min(days?.lowerBound ?? start, start)...max(days?.upperBound ?? end, end)
    }
}
