// Unsafe: cells are written where the batch table reads them.

import Cells
import SQLite

/// A service that only calendar_dates.txt names.
struct NamedService {
    let id: Int64
    let name: String
}

/// Stores services that only calendar_dates.txt names, some thousands at a time. A feed may have such a service for
/// each trip.
struct NamedServices {
    private static let atOnce = 4_096
    /// Id, name and set of days.
    private static let cells = 3

    private let rows: InsertedRows
    private let cells = CellBuffer()
    private let names = TextArena()

    init(_ connection: Connection) throws(SQLiteError) {
        rows = try InsertedRows(
            into: "service", as: "named_service", cells: Self.cells,
            columns: [("id", "c0"), ("service_id", "c1"), ("in_calendar", "0"), ("day_set", "c2")], connection)
    }

    /// `sets` has the day set of each service by its id; 0 for a service that never runs.
    func store(_ services: [NamedService], sets: [UInt32], checking check: () throws -> Void) throws {
        for first in stride(from: 0, to: services.count, by: Self.atOnce) {
            try check()
            let some = services[first..<min(first + Self.atOnce, services.count)]
            names.removeAll()
            cells.prepare(rows: some.count, stride: Self.cells)
            for service in some { add(service, set: sets[Int(service.id)]) }
            try rows.store(cells.batch(text: names.bytes, otherText: names.bytes))
        }
    }

    private func add(_ service: NamedService, set: UInt32) {
        var name = service.name
        let text = name.withUTF8 {
            CellBuffer.textPayload(offset: names.append(UnsafeRawBufferPointer($0)), count: $0.count)
        }
        let place = cells.rowCount * Self.cells
        let (tags, payloads) = (cells.tags + place, cells.payloads + place)
        (tags[0], payloads[0]) = (CellTag.integer, service.id)
        (tags[1], payloads[1]) = (CellTag.text, text)
        (tags[2], payloads[2]) = (set == 0 ? CellTag.null : CellTag.integer, Int64(set))
        cells.rowCount += 1
    }
}
