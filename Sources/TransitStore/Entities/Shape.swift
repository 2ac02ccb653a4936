/// The path of a vehicle: what the points of shapes.txt name.
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

    /// The row’s key.
    public var id: Int { key(Column.id.rawValue) }
    /// `shape_id` of shapes.txt.
    public var shapeID: String { text(Column.shape_id.rawValue) }

    /// The shape’s points in their order.
    public var points: Related<ShapePoint> { toMany(0) }

    /// The trips along this shape.
    public var trips: Related<Trip> { toMany(1) }
}
