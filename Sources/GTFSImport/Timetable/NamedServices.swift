// Unsafe: makes records from names where the reading stage keeps them.

import Cells
import GTFSSchema
import SQLitePages

/// The services that only calendar_dates.txt names. A feed may have such a service for each trip.
///
/// The reading stage's map has each of their names once, as for `IdentifierIndex`. So their rows are written as pages,
/// behind those of calendar.txt. With half a million, the import takes half the time that it takes with INSERT.
struct NamedServices {
    private let identifiers: IdentifierMap
    /// The id of the last row of calendar.txt; those of the others are greater.
    private let lastOfCalendar: Int64
    private(set) var count = 0
    /// The greatest id of all services.
    private(set) var last: Int64

    init(_ identifiers: IdentifierMap, lastOfCalendar: Int64) {
        (self.identifiers, self.lastOfCalendar, last) = (identifiers, lastOfCalendar, lastOfCalendar)
        identifiers.forEach { _, id in
            guard id > lastOfCalendar else { return }
            count += 1
            last = Int64(id)
        }
    }

    /// Visits their ids in ascending order.
    func forEach(_ body: (Int64) throws -> Void) rethrows {
        try identifiers.forEachNumber { number in
            let id = Int64(identifiers.key(number))
            if id > lastOfCalendar { try body(id) }
        }
    }

    /// Appends their rows to the table of services; `sets` has the day set of each service by its id, and 0 for a
    /// service that never runs.
    func write(_ sets: [UInt32], to tree: TableTreeWriter, checking check: () throws -> Void) throws {
        var record = RecordBuilder(columns: Self.columnCount)
        record.addNull()
        record.keepBeginning()
        // All between service_id and in_calendar.
        let nulls = Self.columnCount - 4
        var interval = CheckInterval()
        try identifiers.forEachNumber { number in
            let id = Int(identifiers.key(number))
            guard id > lastOfCalendar else { return }
            if interval.isOver() { try check() }
            let set = sets[id]
            record.begin()
            record.add(identifiers.text(number))
            record.addNulls(nulls)
            record.add(0)
            if set == 0 { record.addNull() } else { record.add(Int64(set)) }
            try tree.append(record.bytes, rowid: id)
        }
    }

    /// How many columns are declared: `id`, which is NULL in a record, `service_id`, those of calendar.txt,
    /// `in_calendar` and `day_set`. Columns that the feed adds come last, and a record may leave out NULL at its end.
    private static let columnCount = {
        let columns =
            Specification.gtfs.file(ofTable: "service").map { StoreSchema.rowColumns(of: $0, extra: []) } ?? []
        precondition(columns.starts(with: ["id", "service_id"]) && columns.suffix(2) == ["in_calendar", "day_set"])
        return columns.count
    }()
}
