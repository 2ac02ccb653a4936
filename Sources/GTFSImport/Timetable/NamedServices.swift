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
        var record = ShortRecord(columns: Self.columns.count)
        record.addNull()
        record.keepBeginning()
        let (nulls, isUsual) = (Self.columns.count - Self.columnsWithValues - 1, Self.isUsual)
        var encoder = RecordEncoder(columns: Self.columns.count)
        var interval = CheckInterval()
        try identifiers.forEachNumber { number in
            let (id, name) = (Int(identifiers.key(number)), identifiers.text(number))
            guard id > lastOfCalendar else { return }
            if interval.isOver() { try check() }
            let set = sets[id]
            guard name.count <= ShortRecord.longestText, isUsual else {
                return try tree.append(Self.encode(name, set, &encoder), rowid: id)
            }
            record.begin()
            record.add(name)
            record.addNulls(nulls)
            record.add(0)
            if set == 0 { record.addNull() } else { record.add(Int64(set)) }
            try tree.append(record.bytes, rowid: id)
        }
    }

    /// The record of a service whose name is too long for `ShortRecord`.
    private static func encode(
        _ name: UnsafeRawBufferPointer, _ set: UInt32, _ encoder: inout RecordEncoder
    ) -> UnsafeRawBufferPointer {
        let tags = [CellTag.text, CellTag.integer, set == 0 ? CellTag.null : CellTag.integer]
        let payloads = [CellText.payload(offset: 0, count: name.count), 0, Int64(set)]
        let text = Array(name)
        return encoder.encode(cells: columns, tags: tags, payloads: payloads, text: text, otherText: text)
    }

    /// For each column of the table the cell in `write`: name, `in_calendar` (0), set of days. Columns that the feed
    /// adds come last, and a record may leave out NULL at its end.
    private static let columns: [Int32] = {
        guard let calendar = Specification.gtfs.files.first(where: { $0.table == "service" }) else { return [] }
        let cells: [String: Int32] = ["service_id": 0, "in_calendar": 1, "day_set": 2]
        return StoreSchema.rowColumns(of: calendar, extra: []).map { cells[$0] ?? -1 }
    }()
    private static let columnsWithValues = 3

    /// Whether the id, which is NULL in a record, and the name come first, and the other two values last.
    private static let isUsual = columns.starts(with: [-1, 0]) && columns.suffix(2) == [1, 2]
}
