// Unsafe: looks at points through a pointer, which checks of indexes would make slower.

import SQLitePages

/// A box around edges of a path, or the area around a stop, in degrees.
struct PathBox {
    private(set) var south = Double.infinity
    private(set) var north = -Double.infinity
    private(set) var west = Double.infinity
    private(set) var east = -Double.infinity
    /// How far the arcs of edges may leave the latitudes of their ends; infinite if the box has no bounds.
    private(set) var bulge = 0.0

    /// Edges of this length in degrees, those across the 180th meridian, and those near the poles get a box without
    /// bounds.
    private static let longEdge = 10.0
    private static let farNorth = 80.0
    /// How many degrees of latitude the arc of an edge leaves the latitudes of its ends, for each degree of longitude
    /// squared; a fifth more than needed.
    private static let bulgeOfWidth = 0.0013

    private static let everywhere = PathBox(south: -.infinity, north: .infinity, west: -.infinity, east: .infinity)

    /// A box of nothing.
    init() {}

    private init(south: Double, north: Double, west: Double, east: Double) {
        (self.south, self.north, self.west, self.east, bulge) = (south, north, west, east, .infinity)
    }

    /// The box of all edges between these points.
    init(around points: UnsafeBufferPointer<NumberRows.Row>) {
        var (width, last) = (0.0, points.first?.second ?? 0)
        for point in points {
            if point.first < south { south = point.first }
            if point.first > north { north = point.first }
            if point.second < west { west = point.second }
            if point.second > east { east = point.second }
            width = max(width, abs(point.second - last))
            last = point.second
        }
        bulge = Self.bulge(ofWidth: width)
        let isOdd = bulge == .infinity || north > Self.farNorth || south < -Self.farNorth
        if isOdd { self = .everywhere } else { (south, north) = (south - bulge, north + bulge) }
    }

    /// The box of other boxes.
    init(around boxes: ArraySlice<PathBox>) {
        for box in boxes {
            (south, north) = (min(south, box.south), max(north, box.north))
            (west, east) = (min(west, box.west), max(east, box.east))
        }
    }

    /// What lies near a place, with 1 % and one meter to spare. `width` is the length of a degree of longitude there,
    /// as a part of one of latitude.
    init(around place: (latitude: Double, longitude: Double), widthOfDegree width: Double, meters: Double) {
        let height = (meters * 1.01 + 1) / Sphere.radius * (180 / .pi)
        let isOdd = abs(place.latitude) > Self.farNorth - 0.1 || abs(place.longitude) > 179.5
        let width = isOdd ? .infinity : height / width
        (south, north) = (place.latitude - height, place.latitude + height)
        (west, east) = (place.longitude - width, place.longitude + width)
    }

    /// How far the arc of an edge may leave the latitudes of its ends. `width` is its length in degrees of longitude.
    @inline(__always)
    static func bulge(ofWidth width: Double) -> Double {
        width > longEdge ? .infinity : width * width * bulgeOfWidth
    }

    /// Whether it goes around the earth, as near the poles and the 180th meridian.
    var isEndless: Bool { east == .infinity }

    @inline(__always)
    func meets(_ other: PathBox) -> Bool {
        south <= other.north && north >= other.south && west <= other.east && east >= other.west
    }

    @inline(__always)
    func contains(_ point: NumberRows.Row) -> Bool {
        point.first >= south && point.first <= north && point.second >= west && point.second <= east
    }

    /// A bit for each side on which the point lies outside. An edge between two points with a common bit lies outside.
    @inline(__always)
    func sides(of point: NumberRows.Row, bulge: Double) -> UInt8 {
        (point.first < south - bulge ? 1 : 0) | (point.first > north + bulge ? 2 : 0)
            | (point.second < west ? 4 : 0) | (point.second > east ? 8 : 0)
    }
}
