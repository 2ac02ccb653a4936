// Unsafe: tests tags through the caller's pointer.

import Cells
import GTFSSchema

/// Which cells of stop times or shape points to look at for the rules about calls and points. A cell and its column in
/// the record have the same number.
///
/// If the file lacks a column, the cell of the parent (the trip or shape) takes its place. It is never missing, and the
/// same in all rows of a trip. So tests for a value that is missing, or less than the one before, find no fault.
struct WatchedCells {
    static let parent = 0

    let arrival: Int
    let departure: Int
    /// Whether the file has both columns of times.
    let hasTimes: Bool
    let stop: Int
    let timepoint: Int
    let distance: Int?
    /// Used in place of a missing distance: NaN for calls, as comparisons with it are false and so no rule is broken;
    /// -∞ for points, which forces a closer look.
    let blankDistance: Double
    let pickup: Window?
    let dropOff: Window?
    /// Nil if the file has no column for calls on demand.
    let onDemand: OnDemand?
    /// Whether the times are all that is looked at, in the third and fourth cell.
    let hasOnlyTimes: Bool
    /// How many columns of a record to read.
    let count: Int

    /// The cells about boarding, or about alighting, in a file with pickup and drop-off windows.
    struct Window {
        /// Begins the window for boarding, and ends it for alighting.
        let time: Int
        let type: Int?
        let bookingRule: Int?
    }

    /// The cells that only a call on demand has.
    struct OnDemand {
        let start: Int?
        let end: Int?
        let location: Int?
        let group: Int?
        /// The four cells. A column that the file lacks is replaced by one that it has, so the test needs no branches.
        private let cells: (Int, Int, Int, Int)

        /// Nil if the file has none of them.
        init?(start: Int?, end: Int?, location: Int?, group: Int?) {
            guard let any = start ?? end ?? location ?? group else { return nil }
            (self.start, self.end, self.location, self.group) = (start, end, location, group)
            cells = (start ?? any, end ?? any, location ?? any, group ?? any)
        }

        @inline(__always)
        func isEmpty(_ tags: UnsafePointer<UInt8>) -> Bool {
            tags[cells.0] | tags[cells.1] | tags[cells.2] | tags[cells.3] == CellTag.null
        }

        var last: Int { max(cells.0, cells.1, cells.2, cells.3) }
    }

    /// Whether a call can be at a location within a window.
    var mayHaveZones: Bool { onDemand?.start != nil && onDemand?.end != nil && onDemand?.location != nil }

    init(_ plan: TablePlan) {
        let (arrival, departure) = (plan.cell(of: "arrival_time"), plan.cell(of: "departure_time"))
        hasTimes = arrival != nil && departure != nil
        self.arrival = hasTimes ? arrival ?? Self.parent : Self.parent
        self.departure = hasTimes ? departure ?? Self.parent : Self.parent
        stop = plan.cell(of: "stop") ?? Self.parent
        timepoint = plan.cell(of: "timepoint") ?? Self.parent
        distance = plan.cell(of: "shape_dist_traveled")
        blankDistance = plan.table == "shape_point" ? -.infinity : .nan
        let (start, end) = (plan.cell(of: "start_pickup_drop_off_window"), plan.cell(of: "end_pickup_drop_off_window"))
        func window(_ time: Int?, _ type: String, _ bookingRule: String) -> Window? {
            (time ?? start ?? end).map {
                Window(time: $0, type: plan.cell(of: type), bookingRule: plan.cell(of: bookingRule))
            }
        }
        pickup = window(start, "pickup_type", "pickup_booking_rule")
        dropOff = window(end, "drop_off_type", "drop_off_booking_rule")
        onDemand = OnDemand(
            start: start, end: end, location: plan.cell(of: "location"), group: plan.cell(of: "location_group"))
        let hasOthers = timepoint != Self.parent || distance != nil || onDemand != nil
        hasOnlyTimes = self.arrival == 2 && self.departure == 3 && !hasOthers
        let others = [pickup, dropOff].compactMap { $0 }.flatMap { [$0.time, $0.type ?? 0, $0.bookingRule ?? 0] }
        let last = [1, self.arrival, self.departure, stop, timepoint, distance ?? 0, onDemand?.last ?? 0] + others
        count = last.reduce(0, max) + 1
    }
}
