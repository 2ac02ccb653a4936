import Glibc

/// The shortest path between points that are almost opposite each other on the ellipsoid.
///
/// Such a path begins at the point farther from the equator, mirrored into the southern hemisphere, with an azimuth
/// `alpha` from 0 (north) to π (south). It ends where it reaches the other point's latitude on its way north. The
/// difference in longitude grows with `alpha` from 0 to π and reaches the wanted one once, so bisection finds the path
/// (C. Karney, Algorithms for geodesics, Journal of Geodesy 87, 2013, section 4).
struct AntipodalPath {
    /// Of the reduced latitude where the path begins, -1 to 0, and where it ends, at most as far from the equator.
    private let (sin1, cos1): (Double, Double)
    private let (sin2, cos2): (Double, Double)
    /// The difference in longitude, 0 to π.
    private let difference: Double

    init(_ one: Coordinate, _ other: Coordinate) {
        let ends = [one, other].sorted { abs($0.latitude) > abs($1.latitude) }.map(\.reducedLatitude)
        let south = ends[0].sin <= 0 ? 1.0 : -1
        (sin1, cos1) = (ends[0].sin * south, ends[0].cos)
        (sin2, cos2) = (ends[1].sin * south, ends[1].cos)
        difference = abs(one.longitudeDifference(to: other))
    }

    /// In metres.
    var length: Double {
        var (low, high) = (0.0, Double.pi)
        while true {
            let middle = (low + high) / 2
            guard low < middle, middle < high else { break }
            if arc(middle).longitude < difference { low = middle } else { high = middle }
        }
        let (arc, longitude) = arc(high)
        // Near the equator the end of the path depends so much on the azimuth that it may miss the point by a metre.
        let sinAlpha = (1 - arc.cosSquaredAlpha).squareRoot()
        return arc.length + Ellipsoid.equatorialRadius * sinAlpha * (difference - longitude)
    }

    /// The path with an azimuth, and the difference in longitude where it ends.
    private func arc(_ alpha: Double) -> (arc: GeodesicArc, longitude: Double) {
        let sinAlpha0 = sin(alpha) * cos1
        let east = cos(alpha) * cos1
        // Just south of the equator, so that a path along it has a direction.
        let south = min(sin1, -Double.leastNormalMagnitude)
        // cos² - cos² of the latitudes, without cancellation.
        let north = (east * east + (sin1 - sin2) * (sin1 + sin2)).squareRoot()
        let (sigma1, sigma2) = (atan2(south, east), atan2(sin2, north))
        let arc = GeodesicArc(from: sigma1, to: sigma2, sinAlpha: sinAlpha0)
        let omega = atan2(sinAlpha0 * sin2, north) - atan2(sinAlpha0 * south, east)
        return (arc, omega - arc.longitudeCorrection)
    }
}
