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
    /// `level_id` of levels.txt.
    public var levelID: String { text(Column.level_id.rawValue) }
    /// `level_index` of levels.txt.
    public var levelIndex: Double { number(Column.level_index.rawValue) }
    /// `level_name` of levels.txt.
    public var name: String? { optionalText(Column.name.rawValue) }

    /// The stops on this level.
    public var stops: Related<Stop> { toMany(0) }
}
