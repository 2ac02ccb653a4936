import Glibc

/// A box of latitudes (-90 to 90) and longitudes (-180 to 180) in degrees of WGS 84; it may reach across the 180th
/// meridian.
///
///     let box = BoundingBox(minLatitude: 52.49, maxLatitude: 52.51, minLongitude: 13.40, maxLongitude: 13.43)
///     let stops = try context.fetch(FetchRequest<Stop>(where: .within(box)))
///     let circle = BoundingBox(around: goerlitzerBahnhof, meters: 80)
public struct BoundingBox: Sendable, Hashable, Codable {
    /// The southern edge.
    public var minLatitude: Double
    /// The northern edge.
    public var maxLatitude: Double
    /// The western edge; greater than `maxLongitude` when the box reaches across the 180th meridian.
    public var minLongitude: Double
    /// The eastern edge.
    public var maxLongitude: Double

    /// A box by its edges, in degrees. A `minLongitude` greater than `maxLongitude` crosses the 180th meridian.
    public init(minLatitude: Double, maxLatitude: Double, minLongitude: Double, maxLongitude: Double) {
        self.minLatitude = minLatitude
        self.maxLatitude = maxLatitude
        self.minLongitude = minLongitude
        self.maxLongitude = maxLongitude
    }

    /// The earth's mean radius in metres.
    public static let earthRadius = 6_371_009.0
    /// Radii are stretched by this factor because the earth is not a sphere: a degree of latitude at the equator is 0.6
    /// % shorter than on a sphere of mean radius.
    static let margin = 1.01

    /// A box that contains every place within `meters` of `center`. Its radius is 1 % larger, because the earth is not
    /// a sphere.
    ///
    /// Uses the formulas for a sphere. Latitudes differ by `D / R`. Longitudes differ by about `D / (R cos latitude)`
    /// for small distances, exactly by `asin(sin(D / R) / cos latitude)`. A box that reaches a pole takes all
    /// longitudes.
    public init(around center: Coordinate, meters: Double) {
        let angle = max(meters, 0) * Self.margin / Self.earthRadius
        let deltaLatitude = angle * 180 / .pi
        minLatitude = max(center.latitude - deltaLatitude, -90)
        maxLatitude = min(center.latitude + deltaLatitude, 90)
        let ratio = sin(min(angle, .pi / 2)) / cos(center.latitude * .pi / 180)
        guard minLatitude > -90, maxLatitude < 90, ratio < 1, angle < .pi / 2 else {
            (minLongitude, maxLongitude) = (-180, 180)
            return
        }
        let deltaLongitude = asin(ratio) * 180 / .pi
        minLongitude = Self.wrapped(center.longitude - deltaLongitude)
        maxLongitude = Self.wrapped(center.longitude + deltaLongitude)
        self = withBothNamesOfItsEdges
    }

    /// The box that also contains the other name of an edge on the 180th meridian, which is both 180 and -180. A box of
    /// four bounds may reach beyond that meridian, and then has longitudes as they are in the feed.
    var withBothNamesOfItsEdges: BoundingBox {
        var box = self
        if minLongitude == -180, maxLongitude < 180 { box.minLongitude = 180 }
        if maxLongitude == 180, minLongitude > -180 { box.maxLongitude = -180 }
        return box
    }

    private static func wrapped(_ longitude: Double) -> Double {
        longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
    }

    /// Whether the box reaches across the 180th meridian.
    public var crossesAntimeridian: Bool { minLongitude > maxLongitude }

    /// Whether a place is in the box, edges included. Takes degrees. An edge on the 180th meridian includes both of its
    /// longitudes, 180 and -180.
    ///
    ///     let box = BoundingBox(around: goerlitzerBahnhof, meters: 500)
    ///     print(box.contains(latitude: 52.5, longitude: 13.42))
    public func contains(latitude: Double, longitude: Double) -> Bool {
        guard minLatitude <= latitude, latitude <= maxLatitude else { return false }
        let box = withBothNamesOfItsEdges
        return box.crossesAntimeridian
            ? box.minLongitude <= longitude || longitude <= box.maxLongitude
            : box.minLongitude <= longitude && longitude <= box.maxLongitude
    }
}
