/// A way or rule to change vehicles: a row of transfers.txt.
public final class Transfer: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, from_stop, to_stop, from_route, to_route, from_trip, to_trip, transfer_type, min_transfer_time
    }

    public static let entity = EntityDescription(
        Transfer.self, name: "Transfer", table: "transfer",
        columns: [
            .key("id"), .reference("from_stop", to: "stop"), .reference("to_stop", to: "stop"),
            .reference("from_route", to: "route"), .reference("to_route", to: "route"),
            .reference("from_trip", to: "trip"), .reference("to_trip", to: "trip"), .integer("transfer_type"),
            .optionalInteger("min_transfer_time"),
        ])

    /// The row's number in its file minus 1.
    public var id: Int { key(Column.id.rawValue) }
    /// The stop or station where riders get off; it may be empty only for trips linked by transfer types 4 and 5
    /// (`from_stop_id`).
    public var fromStop: Stop? { optionalToOne(Column.from_stop.rawValue) }
    /// The stop or station where riders get on again; it may be empty only for trips linked by transfer types 4 and 5
    /// (`to_stop_id`).
    public var toStop: Stop? { optionalToOne(Column.to_stop.rawValue) }
    /// The line riders come from; empty for any (`from_route_id`).
    public var fromRoute: Route? { optionalToOne(Column.from_route.rawValue) }
    /// The line riders go on with; empty for any (`to_route_id`).
    public var toRoute: Route? { optionalToOne(Column.to_route.rawValue) }
    /// The trip riders come from; empty for any, required for transfer types 4 and 5 (`from_trip_id`).
    public var fromTrip: Trip? { optionalToOne(Column.from_trip.rawValue) }
    /// The trip riders go on with; empty for any, required for transfer types 4 and 5 (`to_trip_id`).
    public var toTrip: Trip? { optionalToOne(Column.to_trip.rawValue) }
    /// The kind of change: 0 or empty a good place to change, 1 the next vehicle waits, 2 takes at least
    /// min_transfer_time, 3 not possible, 4 riders stay seated, 5 riders must leave the vehicle (`transfer_type`).
    public var transferType: TransferType { enumeration(Column.transfer_type.rawValue) }
    /// Seconds that a rider needs for the change with some to spare, 0 or more (`min_transfer_time`).
    public var minTransferTime: Int? { optionalInteger(Column.min_transfer_time.rawValue) }
}

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

    /// The row's number in its file minus 1.
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

    /// The row's number in its file minus 1; the key that references hold.
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
