// Unsafe: looks at the tags of cells through the pointer that the writing stage has.

import Cells
import GTFSSchema
import SQLite

/// Where a row of stop times has what says when the vehicle calls. A cell and the column of the record have one number.
struct CallColumns {
    let arrival: Int
    let departure: Int
    /// The file has both columns, so that a row's cells tell whether it has both times.
    let hasBoth: Bool
    let distance: Int?
    /// Any of these has a value: the call is on demand and has no instant.
    let flexible: [Int]
    /// `filled_times`, the first column behind those that rows of the feed fill.
    let filled: Int
    /// Columns of a row with filled times.
    let count: Int

    static let flexibleColumns = [
        "start_pickup_drop_off_window", "end_pickup_drop_off_window", "location", "location_group",
    ]

    /// Nil for another table, and for a feed without any time.
    init?(_ plan: TablePlan) {
        guard plan.table == "stop_time", let definition = plan.definition else { return nil }
        let present = plan.cellColumns
        guard present.contains("arrival_time") || present.contains("departure_time") else { return nil }
        filled = plan.stride
        let absent = definition.fields.filter { $0.keyPosition == nil && !plan.present.contains($0.name) }.map(\.column)
        func place(_ column: String) -> Int {
            present.firstIndex(of: column) ?? plan.stride + 1 + (absent.firstIndex(of: column) ?? 0)
        }
        arrival = place("arrival_time")
        departure = place("departure_time")
        hasBoth = max(arrival, departure) < plan.stride
        distance = present.firstIndex(of: "shape_dist_traveled")
        flexible = Self.flexibleColumns.compactMap { present.firstIndex(of: $0) }
        count = max(filled, arrival, departure) + 1
    }

    /// Whether any cell of the row says that the call is on demand.
    func isFlexible(_ tags: UnsafePointer<UInt8>) -> Bool {
        for column in flexible where tags[column] != CellTag.null { return true }
        return false
    }
}
