// Unsafe: looks at points through a pointer, which checks of indexes would make a third slower.

import SQLitePages

/// A cheap look at a trip along a shape whose points lie far apart, as where a shape was made from stops. It proves
/// that nothing is wrong, or leaves the trip to `PatternMatching`. A look at a call takes some hundred instructions.
///
/// A call is *plain* if its stop lies near a point of the shape, and far from the points before and behind. There the
/// shape comes near and leaves, so it passes the stop on one of the two edges at the point, and in that half of the
/// edge which is closer to the point. So if the next stop is at a later point, the shape passes it later.
struct PointWalk {
    /// The square of 98 m in degrees of latitude. A flat map errs by less than 2 m, so the stop is surely within 100 m.
    private static let nearSquare = near * near
    private static let near = 98 / (Sphere.radius * .pi / 180)
    /// A path of this many edges passes no stop too often, even if every edge passes the same stop.
    private static let fewEdges = PatternMatching.mostMatches
    /// In degrees. The arc of a shorter edge is straight within half a meter.
    private static let shortEdge = 0.02

    private let points: UnsafeBufferPointer<NumberRows.Row>
    private let path: ShapePath
    private let places: StopPlaces
    private let limits: (stop: Double, terminus: Double)
    /// The number of the point that makes the latest call plain.
    private var last = -1
    /// The stop of the latest call, and what lies near it.
    private var place = (latitude: 0.0, longitude: 0.0)
    private var width = 0.0
    private var area = PathBox()
    /// Where the latest distance of a call leads to.
    private var measured = (distance: 0.0, edge: -1, part: 0.0)
    /// How far all stops of calls without a distance lie from their points, in degrees of latitude.
    private var away = 0.0
    private let mostWork: Int
    /// How many boxes were looked at.
    private(set) var work = 0

    /// `limits` are how far a stop may be away, and the first or last stop of a train, in meters. Gives up after
    /// `mostWork` boxes.
    init(_ path: ShapePath, _ places: StopPlaces, limits: (stop: Double, terminus: Double), mostWork: Int) {
        (points, self.path, self.places) = (path.points, path, places)
        (self.limits, self.mostWork) = (limits, mostWork)
    }

    /// Whether all calls are plain, and their distances lead to places near their stops, in the same order. Distances
    /// count if `areMeasured`.
    mutating func proves(_ calls: [PatternMatching.Call], isOnRails: Bool, areMeasured: Bool) -> Bool {
        guard calls.count <= points.count else { return false }
        for number in calls.indices {
            let call = calls[number]
            let isTerminus = isOnRails && (number == 0 || number == calls.count - 1)
            let before = last
            guard look(around: call.stop, within: isTerminus ? limits.terminus : limits.stop), findPoint(),
                isPassedRarely, work <= mostWork
            else { return false }
            guard areMeasured else { continue }
            if call.distance > 0 {
                let isBehindPlace = number > 0 && calls[number - 1].distance == 0
                guard takeDistance(call.distance, behind: isBehindPlace ? before : -1) else { return false }
            } else {
                guard takePlace() else { return false }
            }
        }
        return true
    }

    /// False for a stop that has no place, or an odd one.
    private mutating func look(around stop: Int, within meters: Double) -> Bool {
        guard stop >= 0, let place = places.place(of: stop) else { return false }
        (self.place, width) = (place, places.widthOfDegree(at: stop))
        area = PathBox(around: place, widthOfDegree: width, meters: meters)
        return !area.isEndless
    }

    /// Finds the point that makes the call plain, behind that of the call before.
    private mutating func findPoint() -> Bool {
        var point = last + 1
        while point < points.count, !area.contains(points[point]) { point += 1 }
        guard point < points.count, square(points[point].first, points[point].second) <= Self.nearSquare,
            point == 0 || !area.contains(points[point - 1]),
            point + 1 >= points.count || !area.contains(points[point + 1])
        else { return false }
        last = point
        return true
    }

    /// Whether the path surely does not pass the stop too often.
    private var isPassedRarely: Bool {
        mutating get {
            guard path.edgeCount > Self.fewEdges else { return true }
            work += path.edgeCount / 64 + 16
            return !path.hasManyEdges(in: area)
        }
    }

    // MARK: Distances

    /// Whether a distance leads to a place near the stop, at no less than the distance before. `before` is the point of
    /// the preceding call if that call has no distance, otherwise negative. The shape passes that call's stop before
    /// the next point, so the new place must lie behind that.
    private mutating func takeDistance(_ distance: Double, behind before: Int) -> Bool {
        guard distance >= measured.distance else { return false }
        let place = path.place(at: distance, from: max(measured.edge, 0))
        guard before < 0 || before < place.edge, isNear(place.edge, place.part) else { return false }
        measured = (distance, place.edge, place.part)
        return true
    }

    /// Whether a call without a distance comes behind the one before. The shape passes the call's stop behind the point
    /// that precedes the call's own point. Of several places near a stop, the validator takes those that are best for
    /// all stops together. The places at the points are one choice. If their distances to the stops add up to less
    /// than 100 m, no place of the best choice is further away than that.
    private mutating func takePlace() -> Bool {
        away += square(points[last].first, points[last].second).squareRoot()
        return away <= Self.near && (measured.edge < last - 1 || measured.edge == last - 1 && measured.part == 0)
    }

    /// Whether a place on an edge is near the stop for certain.
    private func isNear(_ edge: Int, _ part: Double) -> Bool {
        let start = points[edge]
        guard part != 0 else { return square(start.first, start.second) <= Self.nearSquare }
        let end = points[edge + 1]
        let (north, east) = (end.first - start.first, end.second - start.second)
        guard max(abs(north), abs(east)) <= Self.shortEdge else { return false }
        return square(start.first + part * north, start.second + part * east) <= Self.nearSquare
    }

    /// The square of the distance between the stop and a place, in degrees of latitude.
    @inline(__always)
    private func square(_ latitude: Double, _ longitude: Double) -> Double {
        let (north, east) = (latitude - place.latitude, (longitude - place.longitude) * width)
        return north * north + east * east
    }
}
