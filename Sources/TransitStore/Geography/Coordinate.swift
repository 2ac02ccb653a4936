/// A place on the earth (WGS 84), in degrees.
///
///     let goerlitzerBahnhof = Coordinate(latitude: 52.4992490, longitude: 13.4181670)
public struct Coordinate: Sendable, Hashable, Codable {
    /// North of the equator, -90 to 90.
    public var latitude: Double
    /// East of Greenwich, -180 to 180.
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
