/// A way through a station: a row of pathways.txt.
public final class Pathway: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, pathway_id, from_stop, to_stop, mode, is_bidirectional, length, traversal_time, stair_count, max_slope
        case min_width, signposted_as, reversed_signposted_as
    }

    public static let entity = EntityDescription(
        Pathway.self, name: "Pathway", table: "pathway",
        columns: [
            .key("id"), .text("pathway_id"), .reference("from_stop", to: "stop", required: true),
            .reference("to_stop", to: "stop", required: true), .optionalInteger("mode"), .flag("is_bidirectional"),
            .optionalNumber("length"), .optionalInteger("traversal_time"), .optionalInteger("stair_count"),
            .optionalNumber("max_slope"), .optionalNumber("min_width"), .optionalText("signposted_as"),
            .optionalText("reversed_signposted_as"),
        ])

    /// The row’s number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// The feed's name for the footway (`pathway_id`). Empty when missing.
    public var pathwayID: String { text(Column.pathway_id.rawValue) }
    /// The platform, entrance, node or boarding area where the footway begins (`from_stop_id`).
    public var fromStop: Stop { toOne(Column.from_stop.rawValue) }
    /// The platform, entrance, node or boarding area where the footway ends (`to_stop_id`).
    public var toStop: Stop { toOne(Column.to_stop.rawValue) }
    /// What it is: 1 walkway, 2 stairs, 3 moving walkway, 4 escalator, 5 lift, 6 fare gate, 7 exit gate
    /// (`pathway_mode`).
    public var mode: PathwayMode? { optionalEnumeration(Column.mode.rawValue) }
    /// Whether it can be walked both ways: 0 only from start to end, 1 both; an exit gate is always 0
    /// (`is_bidirectional`).
    public var isBidirectional: Bool { flag(Column.is_bidirectional.rawValue) }
    /// The footway's length along the ground in metres, 0 or more (`length`).
    public var length: Double? { optionalNumber(Column.length.rawValue) }
    /// Seconds that walking through takes on average, more than 0 (`traversal_time`).
    public var traversalTime: Int? { optionalInteger(Column.traversal_time.rawValue) }
    /// How many steps it has, not 0: above zero they lead up from start to end, below zero down (`stair_count`).
    public var stairCount: Int? { optionalInteger(Column.stair_count.rawValue) }
    /// The steepest slope as height over length, above zero rising, below zero falling; 0 or empty is level
    /// (`max_slope`).
    public var maxSlope: Double? { optionalNumber(Column.max_slope.rawValue) }
    /// The width at the narrowest place in metres, more than 0 (`min_width`).
    public var minWidth: Double? { optionalNumber(Column.min_width.rawValue) }
    /// The words on the signs to follow from start to end, exactly as they are written there (`signposted_as`).
    public var signpostedAs: String? { optionalText(Column.signposted_as.rawValue) }
    /// The words on the signs to follow from end to start, exactly as they are written there
    /// (`reversed_signposted_as`).
    public var reversedSignpostedAs: String? { optionalText(Column.reversed_signposted_as.rawValue) }
}
