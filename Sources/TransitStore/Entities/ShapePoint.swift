/// A point of a shape: a row of shapes.txt.
public final class ShapePoint: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case shape, latitude, longitude, sequence, shape_dist_traveled
    }

    public static let entity = EntityDescription(
        ShapePoint.self, name: "ShapePoint", table: "shape_point",
        key: .pair(Column.shape.rawValue, Column.sequence.rawValue),
        columns: [
            .reference("shape", to: "shape", required: true), .degrees("latitude"), .degrees("longitude"),
            .integer("sequence"), .optionalNumber("shape_dist_traveled"),
        ])

    /// `shape_id` of shapes.txt.
    public var shape: Shape { toOne(Column.shape.rawValue) }
    /// `shape_pt_lat` of shapes.txt.
    public var latitude: Double { degrees(Column.latitude.rawValue) }
    /// `shape_pt_lon` of shapes.txt.
    public var longitude: Double { degrees(Column.longitude.rawValue) }
    /// `shape_pt_sequence` of shapes.txt.
    public var sequence: Int { integer(Column.sequence.rawValue) }
    /// `shape_dist_traveled` of shapes.txt.
    public var shapeDistTraveled: Double? { optionalNumber(Column.shape_dist_traveled.rawValue) }
}
