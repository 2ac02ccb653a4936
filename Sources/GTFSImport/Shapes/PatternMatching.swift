// Unsafe: looks at a shape's distances through a pointer to its points.

import SQLitePages

/// Compares the calls of trips with the shape that they go along: whether each stop is near it, and whether stops come
/// in the order in which the shape passes them.
///
/// Each stop is looked for once on each shape. This follows the reference validator, which reports a stop once for a
/// shape if it is too far away, and everything else once for each pattern of calls.
final class PatternMatching {
    struct Trip {
        let id: Int64
        let isOnRails: Bool
        let hasRoute: Bool
    }

    struct Call {
        /// Negative for a call without a stop.
        let stop: Int
        let sequence: Int64
        /// 0 for a call without a distance.
        let distance: Double
    }

    /// Receives what is wrong with a call. `value` is a distance in tenths of a meter, a number of places, or the
    /// sequence of the earlier call; negative if no one asked for it.
    typealias Finding = (_ fault: ShapeFault, _ trip: Int64, _ call: Call, _ value: Int64) throws -> Void

    /// How far a stop may be away, in meters. The first and the last stop of a train may be further away: shapes often
    /// end before the station does.
    static let limits = (stop: 100.0, terminus: 400.0)
    /// A stop that a shape passes more often is noted.
    static let mostMatches = 20
    /// A shape with more places near stops is given up.
    private static let mostMatchesHeld = 1 << 18
    /// Boxes, edges and points to look at for one feed: about two seconds.
    private static let mostWork = 1 << 28
    /// Comparisons for one pattern whose stops may be out of order.
    private static let mostPairs = 1 << 22
    private static let (nearSquare, terminusSquare) = (
        StopView.square(ofMeters: limits.stop), StopView.square(ofMeters: limits.terminus)
    )

    /// A stop that was looked for on the current shape.
    private struct Found {
        /// The place in `numbers`.
        let key: Int
        let view: StopView
        /// The places in `nearby`.
        let choices: Range<Int>
    }

    // Unchecked: no access lasts beyond a call of this class's own functions.
    private let places: StopPlaces
    let path: ShapePath
    /// Two entries for each stop, by its id: the second is for a terminus. An entry is one more than the place in
    /// `found`, 0 for none.
    @exclusivity(unchecked) private var numbers: [UInt32]
    @exclusivity(unchecked) private var found: [Found] = []
    @exclusivity(unchecked) private var nearby: [ShapePath.Match] = []
    @exclusivity(unchecked) private var byDistance: [ShapePath.Match] = []
    @exclusivity(unchecked) private var steps: [PathOrder.Step] = []
    @exclusivity(unchecked) private var lengths: PathLengths?
    /// Hashes of the patterns that were compared with the current shape.
    @exclusivity(unchecked) private var patterns: Set<UInt64> = []
    /// Stops that were reported as too far from the current shape.
    @exclusivity(unchecked) private var reported: Set<Int> = []
    @exclusivity(unchecked) private var work = 0
    private let isWanted: (ShapeFault) -> Bool
    private let note: Finding

    /// `isWanted` tells whether the value of a finding will be used.
    init(
        of path: ShapePath, _ places: StopPlaces, isWanted: @escaping (ShapeFault) -> Bool,
        note: @escaping Finding
    ) {
        (self.path, self.places) = (path, places)
        (self.isWanted, self.note) = (isWanted, note)
        numbers = [UInt32](repeating: 0, count: 2 * places.count)
    }

    /// Whether so much was compared that the rest is left out.
    var isExhausted: Bool { work > Self.mostWork }

    /// Whether the current shape can be compared with stops.
    var hasPath: Bool { !path.points.isEmpty }

    /// Goes on to another shape, whose points are in the path.
    func beginShape() {
        path.settle()
        work += path.points.count
        for stop in found { numbers[stop.key] = 0 }
        found.removeAll(keepingCapacity: true)
        nearby.removeAll(keepingCapacity: true)
        lengths = nil
        if !patterns.isEmpty { patterns.removeAll(keepingCapacity: true) }
        if !reported.isEmpty { reported.removeAll(keepingCapacity: true) }
    }

    /// Compares a trip with the current shape, unless one with the same calls came before.
    func compare(_ trip: Trip, _ calls: [Call]) throws {
        work += calls.count
        guard let last = calls.last, nearby.count < Self.mostMatchesHeld, patterns.insert(Self.hash(calls)).inserted,
            trip.hasRoute
        else { return }
        let areMeasured = path.length > 0 && last.distance > 0
        if isPlain(trip, calls, areMeasured: areMeasured) { return }
        try compareByPlace(trip, calls)
        if areMeasured { try compareByDistance(trip, calls) }
    }

    private func isPlain(_ trip: Trip, _ calls: [Call], areMeasured: Bool) -> Bool {
        var walk = PointWalk(path, places, limits: Self.limits, mostWork: Self.mostWork - work)
        defer { work += walk.work }
        return walk.proves(calls, isOnRails: trip.isOnRails, areMeasured: areMeasured)
    }

    private static func hash(_ calls: [Call]) -> UInt64 {
        calls.reduce(0) { hash, call in
            hash &* 0x9E37_79B9_7F4A_7C15
                &+ PatternWatch.hash(Int64(call.stop), 0, Int64(bitPattern: call.distance.bitPattern))
        }
    }

    // MARK: By the places of stops

    private func compareByPlace(_ trip: Trip, _ calls: [Call]) throws {
        var isFound = true
        steps.removeAll(keepingCapacity: true)
        for number in calls.indices {
            let choices = try choices(trip, calls, number)
            if choices.isEmpty { isFound = false }
            work += choices.count / 4
            steps.append(PathOrder.Step(choices: choices, isByDistance: false))
        }
        if isFound { _ = try ordered(trip, calls, isChoiceWanted: false) }
    }

    /// The places near the stop of a call. Notes if there are none, or too many.
    private func choices(_ trip: Trip, _ calls: [Call], _ number: Int) throws -> Range<Int> {
        let call = calls[number]
        let isTerminus = trip.isOnRails && (number == 0 || number == calls.count - 1)
        guard let stop = find(call.stop, isTerminus: isTerminus) else { return 0..<0 }
        if stop.choices.isEmpty {
            try noteFar(trip, call, stop, isTerminus: isTerminus)
        } else if stop.choices.count > Self.mostMatches {
            try note(.manyMatches, trip.id, call, Int64(stop.choices.count))
        }
        return stop.choices
    }

    /// The places on the shape near a stop. Nil for a stop without coordinates, or if the search is given up.
    private func find(_ stop: Int, isTerminus: Bool) -> Found? {
        let key = 2 * stop + (isTerminus ? 1 : 0)
        guard stop >= 0, key < numbers.count, nearby.count < Self.mostMatchesHeld, !isExhausted else { return nil }
        if numbers[key] > 0 { return found[Int(numbers[key]) - 1] }
        guard let place = places.place(of: stop) else { return nil }
        let view = StopView(latitude: place.latitude, longitude: place.longitude)
        let start = nearby.count
        work += path.findMatches(
            of: view, within: isTerminus ? Self.limits.terminus : Self.limits.stop,
            limit: isTerminus ? Self.terminusSquare : Self.nearSquare, &nearby)
        found.append(Found(key: key, view: view, choices: start..<nearby.count))
        numbers[key] = UInt32(found.count)
        return found[found.count - 1]
    }

    /// Notes a stop that is too far from the trip's shape. A shape of one point has no edges, so nothing matches; then
    /// the distance to the point decides.
    private func noteFar(
        _ trip: Trip, _ call: Call, _ stop: Found, isTerminus: Bool
    ) throws {
        guard !reported.contains(call.stop) else { return }
        let isWanted = isWanted(.far)
        var square = Double.infinity
        if isWanted || path.points.count == 1 {
            work += 4 * path.points.count
            square = path.nearest(to: stop.view)
        }
        guard square > (isTerminus ? Self.terminusSquare : Self.nearSquare) else { return }
        reported.insert(call.stop)
        try note(.far, trip.id, call, isWanted ? Self.tenths(square) : -1)
    }

    private static func tenths(_ square: Double) -> Int64 {
        Int64((StopView.meters(ofSquare: square) * 10).rounded())
    }

    /// Whether the shape can pass the places of all steps in their order. If it can and `isChoiceWanted` is set, also
    /// the best place for each step.
    private func ordered(
        _ trip: Trip, _ calls: [Call], isChoiceWanted: Bool
    ) throws -> (isInOrder: Bool, choices: [Int]?) {
        let order = PathOrder(steps: steps, places: (nearby, byDistance))
        if !isChoiceWanted, order.isCertain { return (true, nil) }
        let pairs = order.pairs
        guard pairs <= Self.mostPairs else { return (true, nil) }
        work += pairs + 8 * calls.count
        if lengths == nil { work += 8 * path.points.count }
        let lengths = lengths ?? PathLengths(of: path)
        self.lengths = lengths
        switch order.best(on: path, lengths: lengths) {
        case .chosen(let choices): return (true, choices)
        case .outOfOrder(let number):
            if calls[number].stop >= 0 {
                try note(.outOfOrder, trip.id, calls[number], calls[max(number, 1) - 1].sequence)
            }
            return (false, nil)
        }
    }

    // MARK: By distances along the shape

    private func compareByDistance(_ trip: Trip, _ calls: [Call]) throws {
        steps.removeAll(keepingCapacity: true)
        byDistance.removeAll(keepingCapacity: true)
        var (point, isChoiceWanted) = (0, false)
        for number in calls.indices {
            if calls[number].distance > 0 {
                byDistance.append(place(of: calls[number], from: &point))
                steps.append(
                    PathOrder.Step(choices: byDistance.count - 1..<byDistance.count, isByDistance: true))
                continue
            }
            let choices = try choices(trip, calls, number)
            if choices.isEmpty { return }
            if nearby[choices].contains(where: { $0.square > Self.nearSquare }) { isChoiceWanted = true }
            steps.append(PathOrder.Step(choices: choices, isByDistance: false))
        }
        let order = try ordered(trip, calls, isChoiceWanted: isChoiceWanted)
        guard order.isInOrder else { return }
        for (number, step) in steps.enumerated() {
            let place: ShapePath.Match
            if step.isByDistance {
                place = byDistance[step.choices.lowerBound]
            } else if let choices = order.choices {
                place = nearby[choices[number]]
            } else {
                continue
            }
            guard place.square > Self.nearSquare, view(of: calls[number]) != nil,
                reported.insert(calls[number].stop).inserted
            else { continue }
            try note(.farByDistance, trip.id, calls[number], Self.tenths(place.square))
        }
    }

    /// The place on the path at the distance of a call. The search begins at `point`, where the one for the previous
    /// call ended.
    private func place(of call: Call, from point: inout Int) -> ShapePath.Match {
        let place = path.place(at: call.distance, from: point)
        work += place.edge + 1 - point
        point = place.edge
        return ShapePath.Match(
            edge: Int32(truncatingIfNeeded: point), part: place.part, square: square(of: call, point, place.part))
    }

    /// The square of the distance between a call's stop and a place on the path; infinite for a stop without
    /// coordinates.
    private func square(of call: Call, _ edge: Int, _ part: Double) -> Double {
        guard let view = view(of: call), let start = path.point(edge, in: view) else { return .infinity }
        guard part > 0, let end = path.point(edge + 1, in: view) else { return start.square }
        return StopView.point(start, end, at: part).square
    }

    /// The view from a stop that was compared by its place; nil if it has none.
    private func view(of call: Call) -> StopView? {
        guard call.stop >= 0, 2 * call.stop < numbers.count else { return nil }
        let number = max(numbers[2 * call.stop], numbers[2 * call.stop + 1])
        return number > 0 ? found[Int(number) - 1].view : nil
    }
}
