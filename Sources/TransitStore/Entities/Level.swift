/// A floor of a station: a row of levels.txt.
public final class Level: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, level_id, level_index, name
    }

    public static let entity = EntityDescription(
        Level.self, name: "Level", table: "level",
        columns: [
            .key("id"), .text("level_id"), .number("level_index"), .optionalText("name"),
        ],
        toMany: [
            ToManyDescription("stops", to: "stop", inverse: "level")
        ])

    /// The row’s number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// The feed's name for the storey (`level_id`). Empty when missing.
    public var levelID: String { text(Column.level_id.rawValue) }
    /// The storey's height in order: 0 at ground level, above zero over it, below zero under it; halves are allowed
    /// (`level_index`).
    public var levelIndex: Double { number(Column.level_index.rawValue) }
    /// The storey's name on the lift's buttons or the station's signs (`level_name`).
    public var name: String? { optionalText(Column.name.rawValue) }

    /// The stops on this level.
    public var stops: Related<Stop> { toMany(0) }
}
