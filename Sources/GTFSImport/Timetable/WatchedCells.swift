import GTFSSchema

/// Which cells of stop times or shape points to look at for the rules about calls and points. A cell and its column in
/// the record have the same number.
///
/// In place of a cell that the file lacks stands that of the parent, the trip or shape. Every row has a parent, and all
/// rows of a trip have the same. So a test for a missing value, or for one that falls, finds no fault.
struct WatchedCells {
    private static let parent = 0

    let arrival: Int
    let departure: Int
    /// Whether the file has both columns of times.
    let hasTimes: Bool
    let stop: Int
    let timepoint: Int
    let distance: Int?
    let pickup: Window?
    let dropOff: Window?
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

    init(_ plan: TablePlan) {
        func cell(_ column: String) -> Int? { plan.cellColumns.firstIndex(of: column) }
        let (arrival, departure) = (cell("arrival_time"), cell("departure_time"))
        hasTimes = arrival != nil && departure != nil
        self.arrival = hasTimes ? arrival ?? Self.parent : Self.parent
        self.departure = hasTimes ? departure ?? Self.parent : Self.parent
        stop = cell("stop") ?? Self.parent
        timepoint = cell("timepoint") ?? Self.parent
        distance = cell("shape_dist_traveled")
        let (start, end) = (cell("start_pickup_drop_off_window"), cell("end_pickup_drop_off_window"))
        func window(_ time: Int?, _ type: String, _ bookingRule: String) -> Window? {
            (time ?? start ?? end).map { Window(time: $0, type: cell(type), bookingRule: cell(bookingRule)) }
        }
        pickup = window(start, "pickup_type", "pickup_booking_rule")
        dropOff = window(end, "drop_off_type", "drop_off_booking_rule")
        let hasOthers = timepoint != Self.parent || distance != nil || pickup != nil
        hasOnlyTimes = self.arrival == 2 && self.departure == 3 && !hasOthers
        let others = [pickup, dropOff].compactMap { $0 }.flatMap { [$0.time, $0.type ?? 0, $0.bookingRule ?? 0] }
        count = ([1, self.arrival, self.departure, stop, timepoint, distance ?? 0] + others).reduce(0, max) + 1
    }
}
