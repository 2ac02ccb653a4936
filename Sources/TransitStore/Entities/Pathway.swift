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
            .reference("to_stop", to: "stop", required: true), .integer("mode"), .flag("is_bidirectional"),
            .optionalNumber("length"), .optionalInteger("traversal_time"), .optionalInteger("stair_count"),
            .optionalNumber("max_slope"), .optionalNumber("min_width"), .optionalText("signposted_as"),
            .optionalText("reversed_signposted_as"),
        ])

    /// The row’s number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// `pathway_id` of pathways.txt.
    public var pathwayID: String { text(Column.pathway_id.rawValue) }
    /// `from_stop_id` of pathways.txt.
    public var fromStop: Stop { toOne(Column.from_stop.rawValue) }
    /// `to_stop_id` of pathways.txt.
    public var toStop: Stop { toOne(Column.to_stop.rawValue) }
    /// `pathway_mode` of pathways.txt.
    public var mode: Int { integer(Column.mode.rawValue) }
    /// `is_bidirectional` of pathways.txt.
    public var isBidirectional: Bool { flag(Column.is_bidirectional.rawValue) }
    /// `length` of pathways.txt.
    public var length: Double? { optionalNumber(Column.length.rawValue) }
    /// `traversal_time` of pathways.txt.
    public var traversalTime: Int? { optionalInteger(Column.traversal_time.rawValue) }
    /// `stair_count` of pathways.txt.
    public var stairCount: Int? { optionalInteger(Column.stair_count.rawValue) }
    /// `max_slope` of pathways.txt.
    public var maxSlope: Double? { optionalNumber(Column.max_slope.rawValue) }
    /// `min_width` of pathways.txt.
    public var minWidth: Double? { optionalNumber(Column.min_width.rawValue) }
    /// `signposted_as` of pathways.txt.
    public var signpostedAs: String? { optionalText(Column.signposted_as.rawValue) }
    /// `reversed_signposted_as` of pathways.txt.
    public var reversedSignpostedAs: String? { optionalText(Column.reversed_signposted_as.rawValue) }
}
