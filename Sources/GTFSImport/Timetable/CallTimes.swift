// Unsafe for speed: reads the cells of each call where the reading stage left them.

import Cells

/// Tells, while rows pass, which calls have both their times, and how long vehicles wait at their stops.
///
/// For a feed without blank times, this only looks at two tags.
struct CallTimes {
    private let columns: CallColumns?
    private let hasColumns: Bool
    private let hasBothColumns: Bool
    private let mayBeFlexible: Bool
    private let arrival: Int
    private let departure: Int
    /// The greatest and the least time between a call's arrival and its departure.
    private(set) var dwell: (longest: Int64, shortest: Int64) = (0, 0)

    /// Without columns, no row has times.
    init(_ columns: CallColumns?) {
        self.columns = columns
        hasColumns = columns != nil
        hasBothColumns = columns?.hasBoth == true
        mayBeFlexible = columns?.flexible.isEmpty == false
        (arrival, departure) = (columns?.arrival ?? 0, columns?.departure ?? 0)
    }

    /// Whether no time of the row has to be filled in: it has both and is not on demand, or it is of another table.
    @inline(__always)
    mutating func areComplete(_ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>) -> Bool {
        guard hasBothColumns, tags[arrival] == CellTag.integer, tags[departure] == CellTag.integer else {
            return !hasColumns
        }
        let seconds = payloads[departure] &- payloads[arrival]
        if seconds > dwell.longest { dwell.longest = seconds }
        if seconds < dwell.shortest { dwell.shortest = seconds }
        return !mayBeFlexible || columns?.isFlexible(tags) != true
    }
}
