// Unsafe: makes records from names where the reading stage keeps them.

import Cells
import GTFSSchema
import SQLitePages

/// The services that only calendar_dates.txt names. A feed may have such a service for each trip.
///
/// The reading stage's map has each of their names once, as for `IdentifierIndex`. So their rows are written as pages,
/// behind those of calendar.txt. With half a million, the import takes half the time that it takes with INSERT.
struct NamedServices {
    let identifiers: IdentifierMap
    /// The id of the last row of calendar.txt; those of the others are greater.
    let lastOfCalendar: Int64

    /// Their calendars, in the order of their ids.
    func calendars() -> [WeekCalendar] {
        var calendars: [WeekCalendar] = []
        calendars.reserveCapacity(identifiers.count)
        identifiers.forEach { _, id in
            if id > lastOfCalendar { calendars.append(WeekCalendar(service: Int64(id))) }
        }
        return calendars
    }

    /// Appends their rows to the table of services; `sets` has the day set of each service by its id, and 0 for a
    /// service that never runs.
    func write(_ sets: [UInt32], to tree: TableTreeWriter, checking check: () throws -> Void) throws {
        let columns = Self.columns
        var encoder = RecordEncoder(columns: columns.count)
        var (tags, payloads) = ([CellTag.text, CellTag.integer, CellTag.integer], [Int64](repeating: 0, count: 3))
        var interval = CheckInterval()
        try identifiers.forEachNumber { number in
            let (id, name) = (Int(identifiers.key(number)), identifiers.text(number))
            guard id > lastOfCalendar, let start = name.baseAddress else { return }
            if interval.isOver() { try check() }
            let set = sets[id]
            payloads[0] = CellText.payload(offset: 0, count: name.count)
            (tags[2], payloads[2]) = (set == 0 ? CellTag.null : CellTag.integer, Int64(set))
            let record = encoder.encode(
                cells: columns, tags: tags, payloads: payloads, text: start, otherText: start)
            try tree.append(record, rowid: id)
        }
    }

    /// For each column of the table the cell in `write`: name, `in_calendar` (0), set of days. Columns that the feed
    /// adds come last, and a record may leave out NULL at its end.
    private static let columns: [Int32] = {
        guard let calendar = Specification.gtfs.files.first(where: { $0.table == "service" }) else { return [] }
        let cells: [String: Int32] = ["service_id": 0, "in_calendar": 1, "day_set": 2]
        return StoreSchema.rowColumns(of: calendar, extra: []).map { cells[$0] ?? -1 }
    }()
}
