// Unsafe: reads cells through the caller's pointers, so that a look at a row takes some forty instructions.

import Cells
import SQLitePages

/// Compares each call of a trip with the one before it, or each point of a shape, as they pass in the order of their
/// keys. A cheap test: it may raise a false alarm but misses nothing. After an alarm, `CallReview` or `PointReview`
/// checks every row.
struct SequenceLook {
    let cells: WatchedCells
    private let zones: ZoneWatch?
    /// Whether any row may break a rule.
    private(set) var isDoubtful = false
    /// Whether any point has no distance. Tells nothing about calls.
    private(set) var hasBlankDistance = false
    /// Whether any call has a window.
    private(set) var hasWindows = false
    /// The trip or shape of the row before; negative if no row stands before.
    private(set) var parent: Int64 = -1
    private(set) var sequence: Int64 = -1
    private(set) var departure = Int64.min
    /// The sequence of the last row that was looked at closely, and whether it has both its times.
    private var close: (sequence: Int64, isTimed: Bool) = (-1, false)
    /// The times of the first row of the trip, and whether it has both.
    private(set) var first: (arrival: Int64, departure: Int64, areKnown: Bool) = (0, 0, false)
    /// The distance of the row before; not a number if it has none.
    private(set) var distance = Double.nan
    /// The sequence of the trip's last call without one of its times.
    private var blank: Int64 = -1
    /// The sequence of the trip's first call if riders may both board and alight there on demand.
    private var alone: Int64 = -1

    /// `zones` is told about calls at locations.
    init(_ cells: WatchedCells, zones: ZoneWatch? = nil) { (self.cells, self.zones) = (cells, zones) }

    /// Whether the previous row has both times. `follows` takes only such rows and stores nothing for them; for a row
    /// that got a closer look, `close` has the answer.
    var isTimed: Bool { cells.hasTimes && (sequence != close.sequence || close.isTimed) }

    /// Accepts a row of the trip or shape at hand if its sequence grows, both times are present and do not run
    /// backwards, it has a timepoint and nothing on demand, and, in a file with distances, has a stop and no distance
    /// that fails to grow. Otherwise returns false and changes nothing: the row needs a closer look.
    @inline(__always)
    mutating func follows(_ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>) -> Bool {
        guard payloads[0] == parent, payloads[1] > sequence, tags[cells.arrival] == CellTag.integer,
            tags[cells.departure] == CellTag.integer, payloads[cells.arrival] >= departure,
            tags[cells.timepoint] != CellTag.null
        else { return false }
        if let onDemand = cells.onDemand {
            guard onDemand.isEmpty(tags) else { return false }
        }
        if let column = cells.distance {
            let next = CellNumber.value(tags[column], payloads[column], ofNull: cells.blankDistance)
            guard tags[cells.stop] != CellTag.null, !(distance >= next) else { return false }
            distance = next
        }
        sequence = payloads[1]
        departure = payloads[cells.departure]
        return true
    }

    /// The same for the record of a call, in a table with nothing but times to look at.
    @inline(__always)
    mutating func follows(_ record: UnsafeRawBufferPointer, of parent: Int64, _ sequence: Int64) -> Bool {
        guard parent == self.parent, sequence > self.sequence,
            let times = RecordIntegers.thirdAndFourth(of: record), times.0 >= departure
        else { return false }
        (self.sequence, departure) = (sequence, times.1)
        return true
    }

    /// Takes a row without looking at it.
    @inline(__always)
    mutating func skip(to payloads: UnsafePointer<Int64>) { (parent, sequence) = (payloads[0], payloads[1]) }

    /// Takes a row of any kind.
    mutating func lookClosely(_ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>) {
        let isFirst = payloads[0] != parent
        if isFirst { begin(payloads[0]) }
        if cells.hasTimes { lookAtTimes(tags, payloads, isFirst: isFirst) }
        if let column = cells.distance {
            // The rule skips calls without a stop. But the stop may be in kept_value, so the review decides.
            if tags[cells.stop] == CellTag.null { isDoubtful = true }
            let next = CellNumber.value(tags[column], payloads[column])
            if distance >= next { isDoubtful = true }
            if next.isNaN { hasBlankDistance = true }
            distance = next
        }
        if let pickup = cells.pickup, let dropOff = cells.dropOff {
            let hasWindow = tags[pickup.time] | tags[dropOff.time] != CellTag.null
            let isOdd = Self.isOdd(pickup, tags, payloads) || Self.isOdd(dropOff, tags, payloads)
            if hasWindow { hasWindows = true }
            if hasWindow, isOdd { isDoubtful = true }
            if isFirst, Self.isOnDemand(pickup, tags, payloads), Self.isOnDemand(dropOff, tags, payloads) {
                alone = payloads[1]
            }
        }
        if let onDemand = cells.onDemand, !onDemand.isEmpty(tags) {
            if isOdd(onDemand, tags, payloads) { isDoubtful = true }
            lookAtZone(onDemand, tags, payloads)
        }
        sequence = payloads[1]
    }

    private mutating func begin(_ parent: Int64) {
        end()
        (self.parent, departure, distance, blank, alone) = (parent, .min, .nan, -1, -1)
    }

    /// Call it after the last row.
    mutating func end() {
        if blank >= 0, blank == sequence { isDoubtful = true }
        if alone >= 0, alone == sequence { isDoubtful = true }
    }

    /// Ends the rows that stand together.
    mutating func interrupt() {
        end()
        parent = -1
    }

    private mutating func lookAtTimes(
        _ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>, isFirst: Bool
    ) {
        let hasArrival = tags[cells.arrival] == CellTag.integer
        let hasDeparture = tags[cells.departure] == CellTag.integer
        if hasArrival != hasDeparture { isDoubtful = true }
        if hasArrival, payloads[cells.arrival] < departure { isDoubtful = true }
        close = (payloads[1], hasArrival && hasDeparture)
        if isFirst { first = (payloads[cells.arrival], payloads[cells.departure], hasArrival && hasDeparture) }
        if hasDeparture { departure = payloads[cells.departure] }
        let isExact = tags[cells.timepoint] == CellTag.integer && cells.timepoint != 0 && payloads[cells.timepoint] == 1
        if hasArrival || hasDeparture {
            if tags[cells.timepoint] == CellTag.null { isDoubtful = true }
        } else {
            let isOnDemand = cells.pickup.map { tags[$0.time] != CellTag.null } ?? false
            if isExact || isFirst && !isOnDemand { isDoubtful = true }
            if !isOnDemand { blank = payloads[1] }
        }
    }

    private func lookAtZone(
        _ call: WatchedCells.OnDemand, _ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>
    ) {
        guard let zones, let start = call.start, let end = call.end, let location = call.location,
            tags[start] == CellTag.integer, tags[end] == CellTag.integer, tags[location] == CellTag.integer
        else { return }
        zones.look(at: payloads[location], of: payloads[0])
    }

    /// Whether a call on demand may have what does not go with its window or place.
    private func isOdd(
        _ call: WatchedCells.OnDemand, _ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>
    ) -> Bool {
        func has(_ cell: Int?) -> Bool { cell.map { tags[$0] != CellTag.null } ?? false }
        let hasStop = cells.stop != WatchedCells.parent && has(cells.stop)
        let places = [hasStop, has(call.location), has(call.group)].count { $0 }
        if places > 1 || !hasStop && has(cells.distance) { return true }
        guard has(call.start) || has(call.end) else { return false }
        guard let start = call.start, let end = call.end, has(start), has(end) else { return true }
        return payloads[start] >= payloads[end]
            || cells.hasTimes && tags[cells.arrival] | tags[cells.departure] != CellTag.null
    }

    /// Whether a call with a window may have a type that does not go with it, or lack its booking rule.
    private static func isOdd(
        _ window: WatchedCells.Window, _ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>
    ) -> Bool {
        guard let type = window.type, tags[type] == CellTag.integer else { return true }
        let hasBookingRule = window.bookingRule.map { tags[$0] != CellTag.null } ?? false
        return payloads[type] != 1 && (payloads[type] != 2 || !hasBookingRule)
    }

    /// Whether riders must phone to board, or to alight, within a window.
    private static func isOnDemand(
        _ window: WatchedCells.Window, _ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>
    ) -> Bool {
        guard let type = window.type, tags[window.time] != CellTag.null else { return false }
        return tags[type] == CellTag.integer && payloads[type] == 2
    }
}
