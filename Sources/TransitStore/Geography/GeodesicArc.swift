import Glibc

/// The ellipsoid of WGS 84.
enum Ellipsoid {
    static let equatorialRadius = 6_378_137.0
    static let flattening = 1 / 298.257_223_563
    static let polarRadius = equatorialRadius * (1 - flattening)
}

/// A part of a geodesic, as it lies on the auxiliary sphere: T. Vincenty, Survey Review 23, 1975.
struct GeodesicArc {
    /// The angle between the ends as seen from the centre.
    let sigma: Double
    let sinSigma: Double
    let cosSigma: Double
    /// Of the azimuth where the geodesic crosses the equator.
    let sinAlpha: Double
    /// Of the sum of the ends' angles from the equator.
    let cosTwoSigmaM: Double

    var cosSquaredAlpha: Double { 1 - sinAlpha * sinAlpha }
}

extension GeodesicArc {
    /// An arc between two angles from the equator.
    init(from sigma1: Double, to sigma2: Double, sinAlpha: Double) {
        (sigma, self.sinAlpha, cosTwoSigmaM) = (sigma2 - sigma1, sinAlpha, cos(sigma1 + sigma2))
        (sinSigma, cosSigma) = (sin(sigma), cos(sigma))
    }

    /// How much smaller the difference in longitude is than on the auxiliary sphere, in radians.
    var longitudeCorrection: Double {
        let f = Ellipsoid.flattening
        let c = f / 16 * cosSquaredAlpha * (4 + f * (4 - 3 * cosSquaredAlpha))
        let m = cosTwoSigmaM
        let series = sigma + c * sinSigma * (m + c * cosSigma * (2 * m * m - 1))
        return (1 - c) * f * sinAlpha * series
    }

    /// In metres.
    var length: Double {
        let (a, b) = (Ellipsoid.equatorialRadius, Ellipsoid.polarRadius)
        let uSquared = cosSquaredAlpha * (a * a - b * b) / (b * b)
        let bigA = 1 + uSquared / 16_384 * (4_096 + uSquared * (-768 + uSquared * (320 - 175 * uSquared)))
        let bigB = uSquared / 1_024 * (256 + uSquared * (-128 + uSquared * (74 - 47 * uSquared)))
        let m = cosTwoSigmaM
        let inner = cosSigma * (2 * m * m - 1)
        let outer = bigB / 6 * m * (4 * sinSigma * sinSigma - 3) * (4 * m * m - 3)
        let correction = bigB * sinSigma * (m + bigB / 4 * (inner - outer))
        return b * bigA * (sigma - correction)
    }
}
