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
    /// not converge for points that are almost opposite each other. Then the result is the distance on a sphere, 0.5 %
    /// off at most.
    public func distance(to other: Coordinate) -> Double {
        if self == other { return 0 }
        return vincentyDistance(to: other) ?? sphericalDistance(to: other)
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

    private static let equatorialRadius = 6_378_137.0
    private static let flattening = 1 / 298.257_223_563
    private static let polarRadius = equatorialRadius * (1 - flattening)

    /// A step of the iteration: the angle between the points as seen from the centre, and values that go with it.
    private struct Arc {
        var sinSigma = 0.0
        var cosSigma = 0.0
        var sigma = 0.0
        var cosSquaredAlpha = 0.0
        var cosTwoSigmaM = 0.0
    }

    private func vincentyDistance(to other: Coordinate) -> Double? {
        let f = Self.flattening
        let radians = Double.pi / 180
        let reduced1 = atan((1 - f) * tan(latitude * radians))
        let reduced2 = atan((1 - f) * tan(other.latitude * radians))
        let (sin1, cos1, sin2, cos2) = (sin(reduced1), cos(reduced1), sin(reduced2), cos(reduced2))
        let difference = remainder(other.longitude - longitude, 360) * radians
        var lambda = difference
        for _ in 0..<40 {
            let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
            var arc = Arc()
            let (east, north) = (cos2 * sinLambda, cos1 * sin2 - sin1 * cos2 * cosLambda)
            arc.sinSigma = (east * east + north * north).squareRoot()
            if arc.sinSigma == 0 { return 0 }
            arc.cosSigma = sin1 * sin2 + cos1 * cos2 * cosLambda
            arc.sigma = atan2(arc.sinSigma, arc.cosSigma)
            let sinAlpha = cos1 * cos2 * sinLambda / arc.sinSigma
            arc.cosSquaredAlpha = 1 - sinAlpha * sinAlpha
            // Along the equator, both `cosSquaredAlpha` and this are 0.
            arc.cosTwoSigmaM = arc.cosSquaredAlpha == 0 ? 0 : arc.cosSigma - 2 * sin1 * sin2 / arc.cosSquaredAlpha
            let c = f / 16 * arc.cosSquaredAlpha * (4 + f * (4 - 3 * arc.cosSquaredAlpha))
            let m = arc.cosTwoSigmaM
            let series = arc.sigma + c * arc.sinSigma * (m + c * arc.cosSigma * (2 * m * m - 1))
            let next = difference + (1 - c) * f * sinAlpha * series
            if abs(next - lambda) < 1e-12 { return Self.length(of: arc) }
            lambda = next
        }
        return nil
    }

    private static func length(of arc: Arc) -> Double {
        let (a, b) = (equatorialRadius, polarRadius)
        let uSquared = arc.cosSquaredAlpha * (a * a - b * b) / (b * b)
        let bigA = 1 + uSquared / 16_384 * (4_096 + uSquared * (-768 + uSquared * (320 - 175 * uSquared)))
        let bigB = uSquared / 1_024 * (256 + uSquared * (-128 + uSquared * (74 - 47 * uSquared)))
        let m = arc.cosTwoSigmaM
        let inner = arc.cosSigma * (2 * m * m - 1)
        let outer = bigB / 6 * m * (4 * arc.sinSigma * arc.sinSigma - 3) * (4 * m * m - 3)
        let correction = bigB * arc.sinSigma * (m + bigB / 4 * (inner - outer))
        return b * bigA * (arc.sigma - correction)
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
