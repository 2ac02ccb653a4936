import Glibc

/// Distances on the earth as the reference validator computes them.
enum Sphere {
    static let radius = 6_371_010.0

    /// Along a great circle, by the haversine formula, between places in degrees.
    static func meters(
        from a: (latitude: Double, longitude: Double), to b: (latitude: Double, longitude: Double)
    ) -> Double {
        let radians = Double.pi / 180
        let height = sin((b.latitude - a.latitude) * radians / 2)
        let width = sin((b.longitude - a.longitude) * radians / 2)
        let part = height * height + width * width * cos(a.latitude * radians) * cos(b.latitude * radians)
        return 2 * atan2(part.squareRoot(), max(0, 1 - part).squareRoot()) * radius
    }
}
