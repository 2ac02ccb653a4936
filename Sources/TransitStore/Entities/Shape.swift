/// The path of a vehicle: the points of shapes.txt that have the same shape_id.
public final class Shape: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, shape_id
    }

    public static let entity = EntityDescription(
        Shape.self, name: "Shape", table: "shape",
        columns: [
            .key("id"), .text("shape_id"),
        ],
        toMany: [
            ToManyDescription("points", to: "shape_point", inverse: "shape", orderedBy: "sequence"),
            ToManyDescription("trips", to: "trip", inverse: "shape"),
        ])

    /// The row's key.
    public var id: Int { key(Column.id.rawValue) }
    /// The feed's name for the path (`shape_id`). Empty when missing.
    public var shapeID: String { text(Column.shape_id.rawValue) }

    /// The shape's points in their order.
    public var points: Related<ShapePoint> { toMany(0) }

    /// The trips along this shape.
    public var trips: Related<Trip> { toMany(1) }
}

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

    /// The path this point belongs to (`shape_id`).
    public var shape: Shape { toOne(Column.shape.rawValue) }
    /// WGS 84 latitude of the point in degrees, -90 to 90 (`shape_pt_lat`).
    public var latitude: Double? { degrees(Column.latitude.rawValue) }
    /// WGS 84 longitude of the point in degrees, -180 to 180 (`shape_pt_lon`).
    public var longitude: Double? { degrees(Column.longitude.rawValue) }
    /// The point's place in the path, 0 or more; it grows along the path and may skip numbers (`shape_pt_sequence`).
    public var sequence: Int { integer(Column.sequence.rawValue) }
    /// How far along the path the point lies, 0 or more, in any unit as long as stop_times.txt uses the same
    /// (`shape_dist_traveled`).
    public var shapeDistTraveled: Double? { optionalNumber(Column.shape_dist_traveled.rawValue) }
}
