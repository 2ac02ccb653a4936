import Glibc

/// A place on the earth (WGS 84), in degrees.
///
///     let goerlitzerBahnhof = Coordinate(latitude: 52.4992490, longitude: 13.4181670)
public struct Coordinate: Sendable, Hashable, Codable {
    /// North of the equator, -90 to 90.
    public var latitude: Double
    /// East of Greenwich, -180 to 180.
    public var longitude: Double

    /// A place by its degrees. Requests refuse values out of range.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension Coordinate {
    /// The length of the shortest path on the ellipsoid (WGS 84), in metres.
    ///
    ///     goerlitzerBahnhof.distance(to: Coordinate(latitude: 52.5, longitude: 13.42))    // 149.93…
    ///
    /// Uses Vincenty's inverse formula, accurate to half a millimetre (T. Vincenty, Survey Review 23, 1975). It does
    /// not converge for points that are almost opposite each other. For these, bisection finds the direction in which
    /// the path begins, which costs some 20 times as much.
    public func distance(to other: Coordinate) -> Double {
        if self == other || isSamePole(as: other) { return 0 }
        return vincentyDistance(to: other) ?? AntipodalPath(self, other).length
    }

    /// Whether the distance is at most `meters`. Gives the same answer as `distance(to:) <= meters`. Costs a tenth as
    /// much if the distance on a sphere decides, which is off by at most 0.6 %.
    ///
    ///     if stop.coordinate?.isWithin(300, of: goerlitzerBahnhof) == true { print(stop.name) }
    public func isWithin(_ meters: Double, of other: Coordinate) -> Bool {
        let estimate = shortDistance(to: other) ?? sphericalDistance(to: other)
        // The extra millimetre is for tiny distances, whose estimates are worse.
        if estimate > meters * 1.01 + 0.001 { return false }
        if estimate < meters * 0.99 - 0.001 { return true }
        return distance(to: other) <= meters
    }

    /// A pole has all longitudes.
    private func isSamePole(as other: Coordinate) -> Bool { abs(latitude) == 90 && latitude == other.latitude }

    /// Nil if the iteration does not converge to the shortest path.
    private func vincentyDistance(to other: Coordinate) -> Double? {
        let ((sin1, cos1), (sin2, cos2)) = (reducedLatitude, other.reducedLatitude)
        let difference = longitudeDifference(to: other)
        var lambda = difference
        for _ in 0..<40 {
            let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
            let (east, north) = (cos2 * sinLambda, cos1 * sin2 - sin1 * cos2 * cosLambda)
            let sinSigma = (east * east + north * north).squareRoot()
            let cosSigma = sin1 * sin2 + cos1 * cos2 * cosLambda
            if sinSigma == 0 { return cosSigma > 0 ? 0 : nil }
            let sinAlpha = cos1 * cos2 * sinLambda / sinSigma
            let cosSquaredAlpha = 1 - sinAlpha * sinAlpha
            let arc = GeodesicArc(
                sigma: atan2(sinSigma, cosSigma), sinSigma: sinSigma, cosSigma: cosSigma, sinAlpha: sinAlpha,
                // Along the equator, both `cosSquaredAlpha` and this are 0.
                cosTwoSigmaM: cosSquaredAlpha == 0 ? 0 : cosSigma - 2 * sin1 * sin2 / cosSquaredAlpha)
            let next = difference + arc.longitudeCorrection
            if abs(next) > .pi { return nil }
            if abs(next - lambda) < 1e-12 { return arc.length }
            lambda = next
        }
        return nil
    }

    /// The sine and cosine of the reduced latitude, which the point has on the auxiliary sphere.
    var reducedLatitude: (sin: Double, cos: Double) {
        let reduced = atan((1 - Ellipsoid.flattening) * tan(latitude * .pi / 180))
        return (sin(reduced), cos(reduced))
    }

    /// From -π to π.
    func longitudeDifference(to other: Coordinate) -> Double {
        remainder(other.longitude - longitude, 360) * .pi / 180
    }

    /// The distance on a sphere for up to some tens of kilometres, at a third of the cost and 0.01 % off at most; nil
    /// for longer distances and at the poles. For such small angles `sin x` is `x`, and `cos x` is `1 - x² / 2`.
    private func shortDistance(to other: Coordinate) -> Double? {
        let radians = Double.pi / 180
        let (north, east) = ((other.latitude - latitude) * radians, (other.longitude - longitude) * radians)
        guard abs(north) < 0.01, abs(east) < 0.01, abs(latitude) < 89 else { return nil }
        // cos a · cos b = (cos(a + b) + cos(a − b)) / 2, and a − b is small.
        let cosines = (cos((latitude + other.latitude) * radians) + 1 - north * north / 2) / 2
        return BoundingBox.earthRadius * (north * north + cosines * east * east).squareRoot()
    }

    private func sphericalDistance(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let halfLatitude = sin((other.latitude - latitude) * radians / 2)
        let halfLongitude = sin((other.longitude - longitude) * radians / 2)
        let h =
            halfLatitude * halfLatitude
            + cos(latitude * radians) * cos(other.latitude * radians) * halfLongitude * halfLongitude
        return 2 * BoundingBox.earthRadius * asin(min(1, h.squareRoot()))
    }
}

extension Coordinate {
    /// The error for coordinates out of range; nil if they are valid.
    var refusal: StoreError? {
        guard !(abs(latitude) <= 90 && abs(longitude) <= 180) else { return nil }
        return StoreError(
            .unsuitableValue,
            "A place has a latitude from -90 to 90 and a longitude from -180 to 180, not \(latitude), \(longitude)")
    }
}
