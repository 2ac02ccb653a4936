// Unsafe: reads cells and kept values where the reading stage left them.

import Cells
import GTFSSchema
import KeySorting
import SQLite

/// Rows of frequencies.txt that begin before another row of the same trip ends.
///
/// A key for each row is gathered while the rows pass. Sorted, a trip's rows are in the order of their times, and each
/// is compared with the one before it, as the reference validator does. Reading the rows back by SQLite took twice as
/// long as importing them, and a window function 20 times as long.
final class FrequencyOverlaps {
    private struct Cells {
        let trip: Int
        let start: Int
        let end: Int
        /// The number by which kept values name the column `trip_id`.
        let tripColumn: UInt32
    }

    private let space: SortingSpace
    private var cells: Cells?
    private var sorter: KeySorter?
    /// Numbers for trips that the feed lacks, by the names that the rows have for them.
    private let unknownTrips = IdentifierMap()
    private var unknownCount: Int32 = 0

    init(in space: SortingSpace) { self.space = space }

    /// Notes which cells of frequencies.txt to read.
    func begin(_ plan: TablePlan) {
        cells = nil
        guard plan.table == "frequency", let trip = plan.cell(of: "trip"), let start = plan.cell(of: "start_time"),
            let end = plan.cell(of: "end_time"), let column = plan.columns.firstIndex(where: { $0.cell == trip })
        else { return }
        cells = Cells(trip: trip, start: start, end: end, tripColumn: UInt32(clamping: column))
        sorter = KeySorter(in: space)
    }

    /// Adds the rows of a block of the table that was begun. Rows without a start or an end do not count.
    func add(_ block: ParsedBlock) throws(KeySortingError) {
        guard let cells, let sorter else { return }
        let batch = block.batch(of: block.cells)
        var kept = KeptTrips(values: block.keptValues.values, column: cells.tripColumn)
        for row in batch.rows {
            guard let start = row.integer(cells.start), let end = row.integer(cells.end) else { continue }
            let trip =
                row.integer(cells.trip).map { UInt32(clamping: $0) }
                ?? number(of: kept.value(ofRow: row.id)?.text.bytes(in: batch))
            try sorter.append(
                SortKey(
                    high: UInt64(trip) << 32 | UInt64(UInt32(clamping: start)),
                    low: UInt64(UInt32(clamping: end)) << 32 | UInt64(UInt32(clamping: row.id))))
        }
    }

    /// A number above the ids of trips. All rows that name no trip share one number.
    private func number(of unknownTrip: UnsafeRawBufferPointer?) -> UInt32 {
        guard let unknownTrip else { return .max }
        let known = unknownTrips.insert(unknownTrip, key: unknownCount)
        if known == nil { unknownCount += 1 }
        return 1 << 31 | UInt32(bitPattern: known ?? unknownCount - 1)
    }

    /// Visits the rows by their ids, trip by trip, each with the row before it. Call it once, after all additions.
    func forEach(_ body: (_ row: UInt32, _ before: UInt32) -> Void) throws(KeySortingError) {
        var last: SortKey?
        while let keys = try sorter?.nextBatch() {
            for key in keys {
                if let last, last.high >> 32 == key.high >> 32, key.high & 0xFFFF_FFFF < last.low >> 32 {
                    body(UInt32(truncatingIfNeeded: key.low), UInt32(truncatingIfNeeded: last.low))
                }
                last = key
            }
        }
    }
}

/// The names of unknown trips among the kept values of a block, which are in the order of their rows.
private struct KeptTrips {
    let values: UnsafeBufferPointer<KeptValue>
    let column: UInt32
    private var next = 0

    init(values: UnsafeBufferPointer<KeptValue>, column: UInt32) { (self.values, self.column) = (values, column) }

    /// Ask for the rows in their order.
    mutating func value(ofRow row: Int64) -> KeptValue? {
        while next < values.count, values[next].row < row { next += 1 }
        while next < values.count, values[next].row == row {
            if values[next].column == column { return values[next] }
            next += 1
        }
        return nil
    }
}

/// The rule about rows of frequencies.txt that begin before another row of the trip ends.
struct FrequencyRules: ComparedRule {
    /// The word in schema/rules.tsv.
    private static let overlaps = "overlaps"

    let connection: Connection
    /// Nil if no two rows of frequencies.txt about one trip may overlap.
    let overlaps: FrequencyOverlaps?

    var words: Set<String> { [Self.overlaps] }

    /// Whether any row may have the fault that this word of a rule names.
    func mayFind(_ word: String) -> Bool { word == Self.overlaps && overlaps != nil }

    /// Notes overlaps in the order of the rows. Holds at most a million of them, the others are only counted.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        for rule in rules where rule.comparison == Self.overlaps {
            let findings = RuleFindings(rule, connection)
            let room = findings.room(in: notices)
            var (found, count): ([(row: UInt32, before: UInt32)], Int) = ([], 0)
            try overlaps?.forEach { row, before in
                count += 1
                found.append((row, before))
                guard found.count >= max(1 << 20, 2 * room) else { return }
                found.sort { $0.row < $1.row }
                found.removeSubrange(room...)
            }
            found.sort { $0.row < $1.row }
            for (row, before) in found.prefix(room) {
                try findings.add(row: Int64(row), Int64(before), times: 1, &notices)
            }
            findings.count(count - min(room, count), &notices)
        }
    }
}
