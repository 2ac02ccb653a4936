// Unsafe: reads cells where the reading stage left them, and sorted keys in the sorter's memory.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// Fills `service_day`, a row for each date on which a set of services runs, and `service.day_set`, the id of the set's
/// first service.
///
/// Services with the same calendar and the same exceptions share a set of days: a feed with 1,217 services up to the
/// year 2099 has 60 such sets, which take 12 MB instead of 340. Exceptions are keys of 16 bytes, sorted by service,
/// date and row, so each service is visited once. Only the first service of a set adds days.
final class ServiceDays {
    private let place: StorePlace
    private var exceptions: KeySorter?
    private var stored = PassingCalendars()
    private var cells: (service: Int, date: Int, type: Int)?
    /// Known once all calendars are.
    private var range: CalendarRange?
    /// The latest date of calendar_dates.txt, 0 if it has none.
    private var latestException: Int64 = 0
    /// How many days each service has, by its id; known after `write`.
    private(set) var counts: [UInt32] = []
    /// The day set of each service by its id, 0 if it never runs; known after `write`.
    private(set) var sets: [UInt32] = []
    /// When each day set begins, ends and pauses; known after `write`.
    private(set) var spans = ServiceSpans(lastPausing: 0)
    /// The days of each set, if they were asked for; known after `write`.
    private(set) var commonDays: CommonDays?
    /// The first and the last day that calendar_dates.txt adds to any service, including services that are not stored.
    private var addedDays: ClosedRange<Int64>?
    /// The identifiers of all services. Retained when their file begins, as the map otherwise ends with the reading
    /// stage.
    private(set) var identifiers: IdentifierMap?
    /// The id of the last row of calendar.txt. Services beyond are named by calendar_dates.txt only.
    var lastOfCalendar: Int64 { stored.calendars.last?.service ?? 0 }
    /// The index of services by day set, if there are many services.
    private(set) var index: DaySetIndex?
    private let leastServices: Int
    private let mostDays: Int

    /// With at least `leastServices` services, the index of services by day set is sorted here. If the calendars of all
    /// sets together have more than `mostDays` days, long ranges end early.
    init(_ place: StorePlace, leastServices: Int, mostDays: Int) {
        (self.place, self.leastServices, self.mostDays) = (place, leastServices, mostDays)
    }

    /// The first and the last day on which any service may run.
    var days: ClosedRange<Int64>? {
        guard let ranges = stored.days, let added = addedDays else { return stored.days ?? addedDays }
        return min(ranges.lowerBound, added.lowerBound)...max(ranges.upperBound, added.upperBound)
    }

    /// Notes which cells of calendar.txt or calendar_dates.txt to read.
    func begin(_ plan: TablePlan) {
        stored.begin(plan)
        if plan.table == "service" || plan.table == "service_exception" {
            let names = ["service_id", "service"]
            let column = plan.columns.first { $0.field.map { names.contains($0.column) } ?? false }
            identifiers = identifiers ?? column?.identifiers
        }
        guard plan.table == "service_exception", let service = plan.cell(of: "service"),
            let date = plan.cell(of: "date"),
            let type = plan.cell(of: "exception_type")
        else { return cells = nil }
        cells = (service, date, type)
    }

    /// Adds the calendars or exceptions of a block of the table that was begun.
    func add(_ batch: CellBatch) throws(KeySortingError) {
        stored.add(batch)
        guard let cells, batch.rowCount > 0 else { return }
        let sorter = exceptions ?? KeySorter(in: place.space)
        exceptions = sorter
        for row in batch.rows {
            guard let date = row.integer(cells.date), let type = row.integer(cells.type), (1...2).contains(type) else {
                continue
            }
            latestException = max(latestException, date)
            if type == 1 { noteAdded(date) }
            guard let service = row.integer(cells.service) else { continue }
            let rank = UInt64(truncatingIfNeeded: row.id) << 2 | UInt64(truncatingIfNeeded: type)
            try sorter.append(SortKey(high: Self.key(service, date), low: rank))
        }
    }

    private func noteAdded(_ date: Int64) {
        guard let days = addedDays else { return addedDays = date...date }
        if !days.contains(date) { addedDays = min(days.lowerBound, date)...max(days.upperBound, date) }
    }

    private static func key(_ first: Int64, _ second: Int64) -> UInt64 {
        UInt64(truncatingIfNeeded: first) << 32 | UInt64(truncatingIfNeeded: second & 0xFFFF_FFFF)
    }

    /// Adds notices about the ranges that were cut.
    func note(_ notices: inout NoticeLog) { range?.note(&notices) }

    // MARK: Writing

    /// Writes the table, and stores the services that only calendar_dates.txt names. No transaction may be open, and
    /// the rows of calendar.txt must be stored already.
    func write(_ connection: Connection, keepingDays: Bool = false) throws {
        if keepingDays { commonDays = CommonDays() }
        spans = ServiceSpans(lastPausing: lastOfCalendar)
        let named = identifiers.map { NamedServices($0, lastOfCalendar: lastOfCalendar) }
        let count = stored.calendars.count + (named?.count ?? 0)
        guard count > 0 else { return }
        let sweep = DaySweep(in: place.space)
        try findSets(with: named, sweep)
        if count >= leastServices { try fillIndex(with: named) }
        try store(sets, connection)
        let services = try connection.rootPage(ofTable: "service", in: place)
        let days = try connection.rootPage(ofTable: "service_day", in: place)
        // The reading stage soon waits for this stage, so a processor is free for the thread that writes the pages.
        try DatabaseFile.append(to: place) { file in
            if let named, named.count > 0 {
                let tree = try file.tableTree(root: services)
                try tree.resume()
                try named.write(sets, to: tree, checking: place.check)
                try file.adopt(tree.finish())
            }
            let tree = try file.tree(root: days)
            try write(sweep, to: tree)
            try file.adopt(tree.finish())
        }
    }

    /// Finds the day set of each service, and adds the days of each set to `sweep`.
    private func findSets(with named: NamedServices?, _ sweep: DaySweep) throws {
        var range = CalendarRange(stored.calendars, latestException: latestException)
        var reader = try ExceptionReader(exceptions)
        var found = DaySets(upTo: named?.last ?? lastOfCalendar, sweep)
        for (number, stored) in stored.calendars.enumerated() {
            if number & 0xFF == 0 { try place.check() }
            let calendar = range.inCentury(stored)
            let early = range.endingEarly(calendar)
            try found.add(calendar, early: early, reader.changes(of: calendar, or: early))
        }
        try named?.forEach { service in
            if service & 0xFF == 0 { try place.check() }
            // Without a weekly calendar there is no range to shorten.
            let calendar = WeekCalendar(service: service)
            try found.add(calendar, early: calendar, reader.changes(of: calendar, or: calendar))
        }
        exceptions = nil
        range.noteCuts(of: stored.calendars, endEarly: found.finish(most: mostDays))
        self.range = range
        (sets, counts) = (found.sets, found.counts)
    }

    private func fillIndex(with named: NamedServices?) throws {
        guard let index = DaySetIndex(in: place) else { return }
        let sets = sets
        for calendar in stored.calendars { try index.add(calendar.service, set: sets[Int(calendar.service)]) }
        try named?.forEach { try index.add($0, set: sets[Int($0)]) }
        self.index = index
    }

    /// Updates `service.day_set`. Rows of calendar.txt were stored with themselves as their set, so most need no change
    /// and no row grows: a row that grows in a full page would split the page.
    ///
    /// One statement for all of them: to look up 2,600 of 3,200 rows one by one took 1.7 times as long.
    private func store(_ sets: [UInt32], _ connection: Connection) throws(SQLiteError) {
        guard stored.calendars.contains(where: { sets[Int($0.service)] != $0.service }) else { return }
        try connection.createNumberFunction("day_set_of", argumentCount: 1) { arguments in
            guard let service = arguments[0].map({ Int($0) }), sets.indices.contains(service) else { return nil }
            return sets[service] == 0 ? nil : Double(sets[service])
        }
        try connection.execute("UPDATE service SET day_set = day_set_of(id) WHERE day_set IS NOT day_set_of(id)")
    }

    private func write(_ sweep: DaySweep, to tree: IndexTreeWriter) throws {
        // Local, as each access to a property of a class is checked.
        var (spans, commonDays) = (spans, commonDays)
        defer { (self.spans, self.commonDays) = (spans, commonDays) }
        var record = RecordBuilder(columns: 2)
        var interval = CheckInterval()
        try sweep.forEachDate { day, date, sets in
            spans.add(day, sets)
            commonDays?.add(day, sets)
            if interval.isOver(after: sets.count) { try place.check() }
            guard let first = sets.first else { return }
            record.begin()
            record.add(date)
            record.add(Int64(first))
            guard try tree.beginRun(record.bytes) else {
                throw ImportError(.bug, at: place.path, ": a day of service cannot begin a run of records")
            }
            try sets.withUnsafeBufferPointer { try tree.appendRun(UnsafeBufferPointer(rebasing: $0[1...])) }
        }
        commonDays?.finish()
    }
}
