// Unsafe: reads the tags of cells through the writing stage's pointer.

import Cells
import GTFSSchema
import SQLite

/// Where a row of stop times has the times and whatever determines them. A cell and its column in the record have the
/// same number.
struct CallColumns {
    let arrival: Int
    let departure: Int
    /// Whether the file has both columns; the cells of a row then show whether it has both times.
    let hasBoth: Bool
    let distance: Int?
    /// If any of these has a value, the call is on demand and has no exact time.
    let flexible: [Int]
    /// `filled_times`, the first column after those that come from the feed.
    let filled: Int
    /// How many columns to read or write for a row with filled times.
    let count: Int

    static let flexibleColumns = [
        "start_pickup_drop_off_window", "end_pickup_drop_off_window", "location", "location_group",
    ]

    /// Nil for other tables, and for a file without any time column.
    init?(_ plan: TablePlan) {
        guard plan.table == "stop_time", let definition = plan.definition else { return nil }
        guard plan.cell(of: "arrival_time") != nil || plan.cell(of: "departure_time") != nil else { return nil }
        filled = plan.stride
        let absent = definition.fields.filter { $0.keyPosition == nil && !plan.present.contains($0.name) }.map(\.column)
        func place(_ column: String) -> Int {
            plan.cell(of: column) ?? plan.stride + 1 + (absent.firstIndex(of: column) ?? 0)
        }
        arrival = place("arrival_time")
        departure = place("departure_time")
        hasBoth = max(arrival, departure) < plan.stride
        distance = plan.cell(of: "shape_dist_traveled")
        flexible = Self.flexibleColumns.compactMap(plan.cell(of:))
        count = max(filled, arrival, departure) + 1
    }

    /// Whether any cell of the row says that the call is on demand.
    func isFlexible(_ tags: UnsafePointer<UInt8>) -> Bool {
        for column in flexible where tags[column] != CellTag.null { return true }
        return false
    }

    /// Empties the times that the importer filled in, as they are empty in the feed. Returns their bits.
    @discardableResult
    func blankFilled(_ cells: CellsOfRecord) -> Int64 {
        guard let bits = cells.integer(filled) else { return 0 }
        if bits & FilledTimes.arrival != 0 { cells.tags[arrival] = CellTag.null }
        if bits & FilledTimes.departure != 0 { cells.tags[departure] = CellTag.null }
        cells.tags[filled] = CellTag.null
        return bits
    }
}
