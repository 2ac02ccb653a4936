import GTFSSchema
import KeySorting
import SQLite

/// Rows of frequencies.txt that begin before another row of the same trip ends.
///
/// The rows of a trip are put in the order of their times, and each is compared with the one before it, as the
/// reference validator does. A window function of SQLite does the same, but takes 20 times as long as the import of the
/// rows.
struct FrequencyOverlaps {
    let connection: Connection
    let kept: StoreSchema.KeptColumns?
    let space: SortingSpace

    /// Visits the rows by their ids, trip by trip, each with the row before it. Rows without a start or an end do not
    /// count.
    func forEach(_ body: (_ row: UInt32, _ before: UInt32) -> Void) throws {
        let sorter = try sortedRows()
        var last: SortKey?
        while let keys = try sorter.nextBatch() {
            for key in keys {
                if let last, last.high >> 32 == key.high >> 32, key.high & 0xFFFF_FFFF < last.low >> 32 {
                    body(UInt32(truncatingIfNeeded: key.low), UInt32(truncatingIfNeeded: last.low))
                }
                last = key
            }
        }
    }

    /// A key for each row: the number of its trip, start, end and id, of 32 bits each.
    private func sortedRows() throws -> KeySorter {
        let sorter = KeySorter(in: space)
        var unknown = UnknownTrips(try kept?.values(of: "trip").map(connection.prepare))
        let rows = try connection.prepare(
            "SELECT id, trip, start_time, end_time FROM frequency NOT INDEXED "
                + "WHERE start_time IS NOT NULL AND end_time IS NOT NULL ORDER BY id")
        while try rows.step() {
            let id = rows.integer(0)
            let trip = rows.isNull(1) ? try unknown.number(ofRow: id) : UInt32(clamping: rows.integer(1))
            try sorter.append(
                SortKey(
                    high: UInt64(trip) << 32 | UInt64(UInt32(clamping: rows.integer(2))),
                    low: UInt64(UInt32(clamping: rows.integer(3))) << 32 | UInt64(UInt32(clamping: id))))
        }
        return sorter
    }
}

/// Numbers for trips that the feed lacks, by the names that the rows have for them.
private struct UnknownTrips {
    /// Above the ids of trips.
    private static let first = UInt32(1) << 31
    /// Rows and their kept names, in the order of the rows; nil if there are none.
    private let names: Statement?
    /// The row at which `names` stands.
    private var row: Int64 = -1
    private var numbers: [String: UInt32] = [:]

    init(_ names: Statement?) { self.names = names }

    /// Ask for the rows in their order. Rows that name no trip have one number together.
    mutating func number(ofRow id: Int64) throws -> UInt32 {
        guard let names else { return .max }
        while row < id { row = try names.step() ? names.integer(0) : .max }
        guard row == id, let name = names.text(1) else { return .max }
        if let known = numbers[name] { return known }
        let number = Self.first + UInt32(clamping: numbers.count)
        numbers[name] = number
        return number
    }
}
