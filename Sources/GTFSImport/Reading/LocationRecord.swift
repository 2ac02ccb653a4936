/// One zone of locations.geojson as it is stored.
struct LocationRecord: Sendable, Equatable {
    /// The feature's place in the file, from 1.
    let number: Int
    let locationID: String?
    let name: String?
    let description: String?
    let geometryType: String?
    /// The GeoJSON geometry object (RFC 7946, section 3.1), minified.
    let geometry: String?
    /// A JSON object of the properties that GTFS does not know, minified; nil when there are none.
    let properties: String?
}
