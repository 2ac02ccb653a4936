import Glibc

/// The sphere as seen from one stop, which is the pole of these coordinates. Distances nearby keep all their digits,
/// and no sine is needed for points within 25 km.
struct StopView {
    /// A point on the sphere of radius 1. At the stop, east and north are 0, and up is 1.
    struct Point {
        let east: Double
        let north: Double
        let up: Double

        /// The stop's own place.
        static let stop = Point(east: 0, north: 0, up: 1)

        /// The square of the sine of the angle between point and stop, seen from the earth's center; beyond 90°, 2
        /// minus that.
        @inline(__always) var square: Double {
            let square = east * east + north * north
            return up >= 0 ? square : 2 - square
        }
    }

    private static let radians = Double.pi / 180
    /// In radians, about 25 km. Below, the first three terms of sine and cosine give every digit of a double.
    private static let smallAngle = 0.004
    /// Below, the first two terms of the arctangent give every digit.
    private static let tinySlope = 0.001

    let latitude: Double
    let longitude: Double
    private let sine: Double
    private let cosine: Double

    /// The length of a degree of longitude, as a part of one of latitude.
    var widthOfDegree: Double { cosine }

    /// The place of the stop in degrees.
    init(latitude: Double, longitude: Double) {
        (self.latitude, self.longitude) = (latitude, longitude)
        (sine, cosine) = (sin(latitude * Self.radians), cos(latitude * Self.radians))
    }

    /// The square of a distance in meters, to be compared with the squares of points.
    static func square(ofMeters meters: Double) -> Double {
        let sine = sin(meters / Sphere.radius)
        return sine * sine
    }

    /// The distance in meters for a square of a point.
    static func meters(ofSquare square: Double) -> Double {
        let angle = square > 1 ? .pi - asin((2 - square).squareRoot()) : asin(square.squareRoot())
        return angle * Sphere.radius
    }

    /// The point at a place in degrees.
    @inline(__always)
    func point(latitude: Double, longitude: Double) -> Point {
        var east = longitude - self.longitude
        if abs(east) > 180 { east -= east > 0 ? 360 : -360 }
        let (height, width) = (Self.sineAndFall(of: latitude - self.latitude), Self.sineAndFall(of: east))
        let circle = cosine * (1 - height.fall) - sine * height.sine
        return Point(
            east: circle * width.sine, north: height.sine + sine * circle * width.fall,
            up: 1 - height.fall - cosine * circle * width.fall)
    }

    /// The sine of an angle in degrees, and by how much its cosine falls short of 1.
    @inline(__always)
    private static func sineAndFall(of degrees: Double) -> (sine: Double, fall: Double) {
        let angle = degrees * radians
        guard abs(angle) < smallAngle else {
            let half = sin(angle / 2)
            return (sin(angle), 2 * half * half)
        }
        let square = angle * angle
        return (angle * (1 - square / 6 * (1 - square / 20)), square / 2 * (1 - square / 12 * (1 - square / 30)))
    }

    /// The square of the point nearest to the stop on the great circle's arc from `a` to `b`.
    @inline(__always)
    static func nearestSquare(_ a: Point, _ b: Point) -> Double {
        let normal = normal(a, b)
        guard hasFoot(normal, a, b) else { return min(a.square, b.square) }
        return normal.up * normal.up / dot(normal, normal)
    }

    /// Which part of the arc lies before that point: 0 at the beginning, 1 at the end.
    static func nearestPart(_ a: Point, _ b: Point) -> Double {
        let normal = normal(a, b)
        guard hasFoot(normal, a, b) else { return a.square <= b.square ? 0 : 1 }
        let length = dot(normal, normal).squareRoot()
        let part = angle((normal.east * a.north - normal.north * a.east) / length, a.up) / angle(length, dot(a, b))
        return min(max(part, .leastNonzeroMagnitude), 1 - .ulpOfOne)
    }

    /// Whether the foot of the stop on the circle lies between both ends.
    @inline(__always)
    private static func hasFoot(_ normal: Point, _ a: Point, _ b: Point) -> Bool {
        normal.east * a.north - normal.north * a.east > 0 && normal.north * b.east - normal.east * b.north > 0
    }

    /// The point at a part of the arc from `a` to `b`.
    static func point(_ a: Point, _ b: Point, at part: Double) -> Point {
        let normal = normal(a, b)
        let sine = dot(normal, normal).squareRoot()
        guard part > 0, sine > 0 else { return a }
        var (first, second) = (1 - part, part)
        if sine > 1e-4 || dot(a, b) < 0 {
            let angle = atan2(sine, dot(a, b))
            (first, second) = (sin((1 - part) * angle), sin(part * angle))
        }
        let inside = Point(
            east: first * a.east + second * b.east, north: first * a.north + second * b.north,
            up: first * a.up + second * b.up)
        let length = dot(inside, inside).squareRoot()
        return Point(east: inside.east / length, north: inside.north / length, up: inside.up / length)
    }

    @inline(__always)
    private static func normal(_ a: Point, _ b: Point) -> Point {
        Point(
            east: a.north * b.up - a.up * b.north, north: a.up * b.east - a.east * b.up,
            up: a.east * b.north - a.north * b.east)
    }

    @inline(__always)
    private static func dot(_ a: Point, _ b: Point) -> Double { a.east * b.east + a.north * b.north + a.up * b.up }

    /// The angle with this sine and cosine, times any positive number.
    @inline(__always)
    private static func angle(_ sine: Double, _ cosine: Double) -> Double {
        let slope = sine / cosine
        return cosine > 0 && slope < tinySlope ? slope * (1 - slope * slope / 3) : atan2(sine, cosine)
    }
}
