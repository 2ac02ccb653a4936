// Unsafe: reads cells where the reading stage left them, and makes records from keys.

import Cells
import GTFSSchema
import KeySorting
import SQLite
import SQLitePages

/// The index of stop times by stop and departure time, sorted while the rows pass and then written as pages, like the
/// table.
///
/// CREATE INDEX takes 2.3 s of CPU for 3 M stop times, most of it for comparing records. Keys of 16 bytes sort in
/// 0.1 s.
final class DepartureIndex {
    static let name = StoreSchema.departureIndexName

    private let place: StorePlace
    private let sorter: KeySorter
    /// Keys of rows that turned out to be duplicates; rare.
    private var removed: KeySorter?
    private let stopCell: Int
    private let departureCell: Int
    /// False once a row had a value that does not fit into a key.
    private(set) var isComplete = true

    /// Nil for a table without stops or departure times.
    init?(_ plan: TablePlan, in place: StorePlace) {
        guard plan.table == "stop_time", let stop = plan.cell(of: "stop"),
            let departure = plan.cell(of: "departure_time")
        else { return nil }
        self.place = place
        stopCell = stop
        departureCell = departure
        sorter = KeySorter(in: place.space, times: 4)
    }

    /// Adds the row with these cells: trip, sequence, and the others of the plan.
    @inline(__always)
    func add(_ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>) throws(KeySortingError) {
        guard let trip = UInt32(exactly: payloads[0]), let sequence = UInt32(exactly: payloads[1]),
            let stop = half(tags, payloads, stopCell), let departure = half(tags, payloads, departureCell)
        else { return isComplete = false }
        try sorter.append(Self.key(stop, departure, trip, sequence))
    }

    /// Adds the row of a record.
    func add(_ record: UnsafeRawBufferPointer) throws(KeySortingError) {
        guard let key = key(of: record) else { return isComplete = false }
        try sorter.append(key)
    }

    /// Removes the key of a row that was added but is not stored after all, or is stored with another time.
    func remove(_ record: UnsafeRawBufferPointer) throws(KeySortingError) {
        guard let key = key(of: record) else { return isComplete = false }
        let removed = self.removed ?? KeySorter(in: place.space)
        self.removed = removed
        try removed.append(key)
    }

    private func key(of record: UnsafeRawBufferPointer) -> SortKey? {
        func value(_ column: Int) -> Int64? { RecordIntegers.value(of: record, at: column) }
        func half(_ column: Int) -> HalfKey? {
            guard let value = value(column) else { return .null }
            return HalfKey(value)
        }
        guard let trip = value(0).flatMap(UInt32.init(exactly:)),
            let sequence = value(1).flatMap(UInt32.init(exactly:)), let stop = half(stopCell),
            let departure = half(departureCell)
        else { return nil }
        return Self.key(stop, departure, trip, sequence)
    }

    @inline(__always)
    private static func key(_ stop: HalfKey, _ departure: HalfKey, _ trip: UInt32, _ sequence: UInt32) -> SortKey {
        SortKey(stop, departure, low: UInt64(trip) << 32 | UInt64(sequence))
    }

    /// Nil for a value that does not fit into a key.
    @inline(__always)
    private func half(_ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>, _ cell: Int) -> HalfKey? {
        switch tags[cell] {
        case CellTag.null: .null
        case CellTag.integer: HalfKey(payloads[cell])
        default: nil
        }
    }

    /// Writes the index's pages behind those of the file and returns the root page. A record is stop, departure time
    /// and the key of the row.
    func write(to file: DatabaseFile, counting departures: StopDepartures?) throws -> UInt32 {
        try file.appendIndex { tree in
            var missing = try RemovedKeys(removed)
            while let added = try sorter.nextBatch() {
                Failpoint.reach("departure-keys")
                try place.check()
                try missing.withRest(of: added) { keys in
                    departures?.add(keys)
                    try departures?.headsigns?.look(at: keys)
                    try Self.write(keys, to: tree)
                }
            }
        }
    }

    private static func write(_ keys: UnsafeBufferPointer<SortKey>, to tree: IndexTreeWriter) throws {
        var record = RecordBuilder(columns: 4)
        for key in keys {
            record.begin()
            key.first.add(to: &record)
            key.second.add(to: &record)
            record.add(Int64(key.low >> 32))
            record.add(Int64(key.low & 0xFFFF_FFFF))
            try tree.append(record.bytes)
        }
    }
}

/// Keys that were removed, read in the same order as those that were added.
private struct RemovedKeys {
    private var removed: KeyCursor
    private var rest: [SortKey] = []

    init(_ sorter: KeySorter?) throws(KeySortingError) { removed = try KeyCursor(sorter) }

    /// Lends the keys that were not removed. Each removal leaves out one of several equal keys.
    mutating func withRest(
        of keys: UnsafeBufferPointer<SortKey>, _ body: (UnsafeBufferPointer<SortKey>) throws -> Void
    ) throws {
        guard removed.current != nil else { return try body(keys) }
        rest.removeAll(keepingCapacity: true)
        for key in keys where try !take(key) { rest.append(key) }
        try rest.withUnsafeBufferPointer(body)
    }

    /// Whether the key is the next one to leave out.
    private mutating func take(_ key: SortKey) throws(KeySortingError) -> Bool {
        guard removed.current == key else { return false }
        try removed.advance()
        return true
    }
}
