// Unsafe: looks at points through pointers, which checks of indexes would make a third slower.

import SQLitePages

/// The points of one shape. For searches, it has a box around every eight edges and around every eight boxes.
final class ShapePath {
    /// Shapes with more points are not compared with stops: all points of a shape are held in memory.
    static let mostPoints = 1 << 17

    /// A place on the path that is near a stop.
    struct Match {
        /// The number of the edge's first point.
        let edge: Int32
        /// Which part of the edge lies before the place: 0 at the beginning, 1 at the end.
        let part: Double
        /// As `StopView.Point.square`.
        let square: Double
    }

    private static let edgesOfBox = 8
    private static let boxesOfRegion = 8

    private let source: NumberRows
    // Unchecked: no access lasts beyond a call of this class's own functions.
    /// Latitude and longitude in degrees, and the greatest distance up to there. Valid until another shape is read.
    @exclusivity(unchecked) private(set) var points = UnsafeBufferPointer<NumberRows.Row>(start: nil, count: 0)
    /// Made when they are first needed.
    @exclusivity(unchecked) private var boxes: [PathBox] = []
    /// Around every eight boxes.
    @exclusivity(unchecked) private var regions: [PathBox] = []

    /// The path whose points will be in `source`.
    init(_ source: NumberRows) { self.source = source }

    var edgeCount: Int { max(0, points.count - 1) }
    /// The greatest distance of all points; 0 if none has one.
    var length: Double { points.last?.third ?? 0 }

    /// Call it when points have been read. Leaves out those without coordinates. A shape with too many points has none.
    func settle() {
        boxes.removeAll(keepingCapacity: true)
        regions.removeAll(keepingCapacity: true)
        let rows = source.rows
        var (count, distance) = (0, 0.0)
        for row in rows.count > Self.mostPoints ? 0..<0 : rows.indices {
            let point = rows[row]
            guard !point.first.isNaN, !point.second.isNaN else { continue }
            if point.third > distance { distance = point.third }
            if row != count { rows[count] = point }
            rows[count].third = distance
            count += 1
        }
        points = UnsafeBufferPointer(rebasing: rows[..<count])
    }

    private func makeBoxes() {
        guard boxes.isEmpty, edgeCount > 0 else { return }
        for first in stride(from: 0, to: edgeCount, by: Self.edgesOfBox) {
            let last = min(first + Self.edgesOfBox, edgeCount)
            boxes.append(PathBox(around: UnsafeBufferPointer(rebasing: points[first...last])))
        }
        for first in stride(from: 0, to: boxes.count, by: Self.boxesOfRegion) {
            regions.append(PathBox(around: boxes[first..<min(first + Self.boxesOfRegion, boxes.count)]))
        }
    }

    // MARK: Places at a distance

    /// The place at a distance along the shape: its edge, and which part of the edge lies before it. The search begins
    /// at the point `first`, which is 0 or a point whose distance is not greater.
    func place(at distance: Double, from first: Int) -> (edge: Int, part: Double) {
        let (points, last) = (points, points.count - 1)
        var (point, next) = (first, first)
        while next <= last, distance >= points[next].third {
            point = next
            next += 1
        }
        guard next > 0, point < last else { return (point, 0) }
        let step = points[next].third - points[point].third
        // If the search did not move, both are the same point, and the step is 0.
        guard step > Self.leastStep * max(1, points[next].third) else { return (point, 0) }
        return (point, (distance - points[point].third) / step)
    }

    /// As the reference validator compares two distances along a shape.
    private static let leastStep = 32e-9

    // MARK: Places near a stop

    /// Whether more than two boxes come near an area. Two boxes have at most 16 edges, too few to pass a stop too
    /// often.
    func hasManyEdges(in area: PathBox) -> Bool {
        makeBoxes()
        return boxes.withUnsafeBufferPointer { boxes in
            var count = 0
            for number in regions.indices where regions[number].meets(area) {
                let first = number * Self.boxesOfRegion
                for box in first..<min(first + Self.boxesOfRegion, boxes.count) where boxes[box].meets(area) {
                    count += 1
                }
                if count > 2 { return true }
            }
            return false
        }
    }

    /// Appends the places within `limit` of the stop, in their order: the nearest one of each stretch of the path on
    /// which it comes near. A stretch also ends where the path turns back to the stop after it has left. `limit` is
    /// the square of `meters`. Returns how many boxes and edges were looked at.
    func findMatches(of view: StopView, within meters: Double, limit: Double, _ matches: inout [Match]) -> Int {
        makeBoxes()
        let area = PathBox(
            around: (view.latitude, view.longitude), widthOfDegree: view.widthOfDegree, meters: meters)
        var stretch = Stretch(limit: limit)
        var work = regions.count
        boxes.withUnsafeBufferPointer { boxes in
            for number in regions.indices where regions[number].meets(area) {
                work += Self.boxesOfRegion
                let first = number * Self.boxesOfRegion
                for box in first..<min(first + Self.boxesOfRegion, boxes.count) where boxes[box].meets(area) {
                    work += Self.edgesOfBox + follow(box, boxes[box].bulge, area, view, &stretch, &matches)
                }
            }
        }
        stretch.end(&matches)
        return work
    }

    /// Looks at the edges of a box that come near the area. Returns what this took.
    @inline(__always)
    private func follow(
        _ box: Int, _ bulge: Double, _ area: PathBox, _ view: StopView, _ stretch: inout Stretch,
        _ matches: inout [Match]
    ) -> Int {
        let (points, first) = (points, box * Self.edgesOfBox)
        var (sides, work) = (area.sides(of: points[first], bulge: bulge), 0)
        for edge in first..<min(first + Self.edgesOfBox, points.count - 1) {
            let before = sides
            sides = area.sides(of: points[edge + 1], bulge: bulge)
            guard before & sides == 0 || bulge == .infinity else { continue }
            work += 4
            if !stretch.follows(edge) { stretch.begin(Self.point(points[edge], in: view), &matches) }
            stretch.add(edge, to: Self.point(points[edge + 1], in: view), &matches)
        }
        return work
    }

    @inline(__always)
    private static func point(_ row: NumberRows.Row, in view: StopView) -> StopView.Point {
        view.point(latitude: row.first, longitude: row.second)
    }

    /// A point as seen from a stop; nil for one that the path does not have.
    func point(_ number: Int, in view: StopView) -> StopView.Point? {
        number < points.count ? Self.point(points[number], in: view) : nil
    }

    /// The square of the distance between the stop and the path.
    func nearest(to view: StopView) -> Double {
        guard var last = point(0, in: view) else { return .infinity }
        var nearest = last.square
        for row in points.dropFirst() {
            let point = Self.point(row, in: view)
            nearest = min(nearest, StopView.nearestSquare(last, point))
            last = point
        }
        return nearest
    }
}

/// The stretch of a path on which it comes near a stop.
private struct Stretch {
    let limit: Double
    /// The square of the nearest place so far; infinite if there is none.
    private var square = Double.infinity
    /// The edge on which it lies, and its ends.
    private var edge = 0
    private var ends = (StopView.Point.stop, StopView.Point.stop)
    private var last = StopView.Point.stop
    private var lastEdge = -2
    /// Whether the last edge leads away from the stop at its end.
    private var isLeaving = false

    init(limit: Double) { self.limit = limit }

    @inline(__always)
    func follows(_ edge: Int) -> Bool { lastEdge == edge - 1 }

    /// Begins after edges that are far away.
    @inline(__always)
    mutating func begin(_ start: StopView.Point, _ matches: inout [ShapePath.Match]) {
        end(&matches)
        (last, isLeaving) = (start, false)
    }

    @inline(__always)
    mutating func add(_ edge: Int, to next: StopView.Point, _ matches: inout [ShapePath.Match]) {
        let nearest = StopView.nearestSquare(last, next)
        if nearest > limit || isLeaving && nearest < last.square { end(&matches) }
        if nearest <= limit, nearest < square { (square, self.edge, ends) = (nearest, edge, (last, next)) }
        (last, lastEdge, isLeaving) = (next, edge, next.square > nearest)
    }

    @inline(__always)
    mutating func end(_ matches: inout [ShapePath.Match]) {
        guard square < .infinity else { return }
        matches.append(
            ShapePath.Match(
                edge: Int32(truncatingIfNeeded: edge), part: StopView.nearestPart(ends.0, ends.1), square: square))
        square = .infinity
    }
}
