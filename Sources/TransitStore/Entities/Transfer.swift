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

    /// The row’s number in its file minus 1; the key that references hold.
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
