// Unsafe: reads cells and the times between stops through the caller's pointers, so that a look takes some thirty
// instructions.

import Cells
import SQLitePages

/// Counts where the vehicle of a trip is too fast, as its calls pass in the order of their sequence.
///
/// Measures in whole seconds that the vehicle needs at its top speed, rounded up. If it has at least these seconds from
/// each call to the next, no call is too early. For calls that are far apart, `ahead` compares the seconds that the
/// trip needs up to a call with the call's departure. A ride that has fewer seconds than it needs is then judged by
/// bounds of its distance. If these do not decide, or if a call lacks a time or a place, `SpeedReview` counts.
struct SpeedLook {
    /// Where a row has the values that are looked at; a cell and its column in the record have the same number.
    struct Cells {
        let arrival: Int
        let departure: Int
        let stop: Int

        /// Times and stop as the third to the fifth cell: where all files have them whose header has them.
        static var usual: Cells { @inline(__always) get { Cells() } }

        var areUsual: Bool {
            (arrival, departure, stop) == (Self.usual.arrival, Self.usual.departure, Self.usual.stop)
        }

        @inline(__always)
        private init() { (arrival, departure, stop) = (2, 3, 4) }

        /// Nil for another table, and for one that lacks a column.
        init?(_ plan: TablePlan) {
            guard plan.table == "stop_time", let arrival = plan.cell(of: "arrival_time"),
                let departure = plan.cell(of: "departure_time"), let stop = plan.cell(of: "stop")
            else { return nil }
            (self.arrival, self.departure, self.stop) = (arrival, departure, stop)
        }
    }

    /// The trip of the row before; negative before the first row.
    private(set) var trip: Int64 = -1
    /// The class of the trip's top speed; 0 for a trip that needs no look, or no more.
    private(set) var kind: UInt8 = 0
    private var speedClass = StopPair.Kind(0)
    private var metersPerSecond = 0.0
    /// The stop of the call before, or nowhere if that call lacks a time or a place.
    private var from = 0
    /// The last stop with a place before such a call; negative if there is none.
    private var lastStop = -1
    /// The stop of the last call with times and a place.
    private var start = -1
    /// When the vehicle leaves the last call with a time; the least number if there is none.
    private var departure = Int64.min
    /// The seconds that were needed since then, over calls without a time.
    private var since: Int64 = 0
    /// Whether the departure may be later than it is in the feed, or belong to a call where no ride begins.
    private var isOdd = false
    /// Whether the vehicle has left a stop at an unknown time. From then on, rides of this trip from one stop to the
    /// next are not judged.
    private var hasLeftUnknown = false
    /// The seconds that the trip needs up to here.
    private var needed: Int64 = 0
    /// Where the next stretch of the trip begins, in seconds needed. Stretches are as long as half of a far distance,
    /// so that of two calls that are far apart, one is at least two stretches before the other.
    private var nextStretch: Int64 = 0
    private var stretch: Int64 = 1
    /// The least "seconds needed minus departure" of the calls of this stretch, of the stretch before, and of all
    /// stretches before both. The vehicle is too fast from one of these calls to a later one only if "seconds needed
    /// minus arrival" is greater there. While calls follow each other, both differences only fall.
    private var ahead = (here: Int64.max, before: Int64.max, farBefore: Int64.max)
    /// Fast rides that follow each other: when the vehicle left at their start and when it left last, and at least how
    /// far it went.
    private var run = (start: Int64.min, end: Int64.min, meters: 0.0)
    private var found = FastRides()
    /// Whether there may be a ride over a far distance.
    private var mayBeFar = false

    /// From here on, distances are far (in meters, as in the reference validator).
    static let far = 10_000.0

    /// What the calls of the trip have shown so far.
    var findings: FastRides {
        var findings = found
        if mayBeFar, !found.hasFar { findings.areUncertain = true }
        return findings
    }

    /// Takes a call if the vehicle needs no more time than it has from the call before. Otherwise the call needs a
    /// closer look.
    ///
    /// The order of the calls does not matter here: those of a trip that is out of order are looked at again.
    @inline(__always)
    mutating func follows(
        _ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>, _ cells: Cells,
        _ times: StopTravelTimes
    ) -> Bool {
        guard payloads[0] == trip, tags[cells.arrival] == CellTag.integer, tags[cells.departure] == CellTag.integer,
            tags[cells.stop] == CellTag.integer
        else { return false }
        return follows(payloads[cells.arrival], payloads[cells.departure], payloads[cells.stop], times)
    }

    /// Takes the record of a call of the trip at hand in the same way, if times and stop are its third to fifth value.
    @inline(__always)
    mutating func follows(
        _ record: UnsafeRawBufferPointer, of parent: Int64, _ times: StopTravelTimes
    ) -> Bool {
        guard parent == trip, let (arrival, left, stop) = RecordIntegers.thirdToFifth(of: record) else { return false }
        return follows(arrival, left, stop, times)
    }

    @inline(__always)
    private mutating func follows(
        _ arrival: Int64, _ left: Int64, _ stop: Int64, _ times: StopTravelTimes
    ) -> Bool {
        if found.hasFar { return count(arrival, left, Int(truncatingIfNeeded: stop), times) }
        guard let seconds = times.seconds(from: from, to: stop, speedClass) else { return false }
        if seconds > arrival &- departure { return false }
        if arrival > left { return false }
        let needed = needed &+ seconds
        if needed >= nextStretch, !beginStretches(upTo: needed, arrival) { return false }
        (self.needed, departure) = (needed, left)
        from = Int(truncatingIfNeeded: stop)
        return true
    }

    /// False if the vehicle may be too fast up to the call that begins the stretch. The call is then looked at again,
    /// so nothing changes.
    @inline(never)
    private mutating func beginStretches(upTo needed: Int64, _ arrival: Int64) -> Bool {
        let before = (nextStretch, ahead)
        ahead.here = min(ahead.here, self.needed - departure)
        while needed >= nextStretch { beginStretch(upTo: needed) }
        guard needed - arrival > ahead.farBefore else { return true }
        (nextStretch, ahead) = before
        return false
    }

    /// Begins a trip of a class of top speeds.
    mutating func begin(_ trip: Int64, _ kind: UInt8, _ times: StopTravelTimes) {
        self = SpeedLook()
        (self.trip, self.kind, speedClass, from) = (trip, kind, StopPair.Kind(kind), times.nowhere)
        guard kind != 0 else { return }
        metersPerSecond = TopSpeed.of(kind) / 3.6
        stretch = Int64(Self.far * 3.6 / TopSpeed.of(kind) / 2)
        nextStretch = stretch
    }

    /// Takes a call of any kind.
    mutating func lookClosely(
        _ tags: UnsafePointer<UInt8>, _ payloads: UnsafePointer<Int64>, _ cells: Cells, _ times: StopTravelTimes
    ) {
        let stop = Int(payloads[cells.stop])
        let isPlaced = tags[cells.stop] == CellTag.integer && times.has(stop)
        go(to: isPlaced ? stop : nil, times)
        let hasArrival = tags[cells.arrival] == CellTag.integer
        let hasDeparture = tags[cells.departure] == CellTag.integer
        guard hasArrival || hasDeparture else {
            if departure == .min { hasLeftUnknown = true }
            return
        }
        if !hasArrival, departure != .min { return passOver(leaving: payloads[cells.departure]) }
        // Only the first call may lack its arrival here, and no ride ends there.
        let arrival = payloads[hasArrival ? cells.arrival : cells.departure]
        if !isPlaced { isOdd = true }
        let isFast = !hasLeftUnknown && isTooEarly(arrival) && judgeRide(to: stop, arrival, times)
        take(arrival, hasDeparture ? payloads[cells.departure] : nil)
        if isFast { run.end = departure }
        if !hasDeparture, isPlaced { hasLeftUnknown = true }
        if isPlaced, !hasLeftUnknown { (since, from) = (0, stop) }
    }

    /// Takes a call without an arrival: no ride to the next stop ends or begins there, but a far one may begin.
    private mutating func passOver(leaving left: Int64) {
        while needed >= nextStretch { beginStretch(upTo: needed) }
        ahead.here = min(ahead.here, needed - left)
    }

    /// Leaves the call before, for a stop with a place or for nowhere.
    private mutating func go(to stop: Int?, _ times: StopTravelTimes) {
        if from != times.nowhere {
            ahead.here = min(ahead.here, needed - departure)
            (lastStop, start, from) = (from, from, times.nowhere)
        }
        guard let stop else { return }
        let time = lastStop < 0 ? 0 : times.seconds(from: lastStop, to: Int64(stop), speedClass) ?? 0
        (needed, since, lastStop) = (needed + time, since + time, stop)
    }

    /// Takes the times of a call. `left` is nil for a departure at an unknown time.
    private mutating func take(_ arrival: Int64, _ left: Int64?) {
        while needed >= nextStretch { beginStretch(upTo: needed) }
        // If the departure is before the arrival, a later call may be further ahead than this one, so the earlier of
        // the two times counts.
        if needed - min(arrival, left ?? arrival) > ahead.farBefore { mayBeFar = true }
        if let left { ahead.here = min(ahead.here, needed - left) }
        let left = left ?? arrival
        departure = isOdd ? max(departure, left, arrival) : left
    }

    private func isTooEarly(_ arrival: Int64) -> Bool {
        guard departure != .min, since > arrival - departure else { return false }
        return isOdd || since > SpeedReview.seconds(from: departure, to: arrival)
    }

    /// Whether the ride that ends here is too fast, by the bounds of its distance; nil if they do not tell.
    @inline(__always)
    private func isTooFast(from start: Int, to stop: Int, _ arrival: Int64, _ times: StopTravelTimes) -> Bool? {
        let reach = metersPerSecond * Double(SpeedReview.seconds(from: departure, to: arrival))
        let meters = times.roughDistance(from: start, to: stop)
        let isFast = meters.lowerBound > reach
        return isFast == (meters.upperBound >= reach) ? isFast : nil
    }

    /// Whether a ride that may be too fast surely is. If this cannot be told, the review counts all rides of the trip.
    private mutating func judgeRide(to stop: Int, _ arrival: Int64, _ times: StopTravelTimes) -> Bool {
        guard !isOdd, let isFast = isTooFast(from: start, to: stop, arrival, times) else {
            (found.areUncertain, kind) = (true, 0)
            return false
        }
        guard isFast else { return false }
        found.add(1)
        if !found.hasFar { extendRun(by: times.roughDistance(from: start, to: stop).lowerBound, arrival) }
        return true
    }

    /// Most far rides begin where several fast ones follow each other; the review looks for others.
    private mutating func extendRun(by meters: Double, _ arrival: Int64) {
        if run.end != departure { run = (departure, departure, 0) }
        run.meters += meters
        let reach = metersPerSecond * Double(SpeedReview.seconds(from: run.start, to: arrival))
        guard run.meters > max(Self.far, reach) else { return }
        found.hasFar = true
        // Only the first far ride of a trip counts.
        (nextStretch, ahead) = (.max, (.max, .max, .max))
    }

    /// Takes a call of a trip that has a far ride and needs nothing but the count of the others. Otherwise the call
    /// needs a closer look.
    @inline(never)
    private mutating func count(_ arrival: Int64, _ left: Int64, _ stop: Int, _ times: StopTravelTimes) -> Bool {
        guard kind != 0, !isOdd, from != times.nowhere, arrival <= left, times.has(stop),
            let isFast = isTooFast(from: from, to: stop, arrival, times)
        else { return false }
        found.add(isFast ? 1 : 0)
        (departure, from) = (left, stop)
        return true
    }

    private mutating func beginStretch(upTo needed: Int64) {
        let farBefore = min(ahead.farBefore, ahead.before)
        if needed - nextStretch >= stretch {
            // The stretch before is empty, or will be.
            ahead = (.max, .max, min(farBefore, ahead.here))
            nextStretch = (needed / stretch + 1) * stretch
        } else {
            ahead = (.max, ahead.here, farBefore)
            nextStretch += stretch
        }
    }
}
