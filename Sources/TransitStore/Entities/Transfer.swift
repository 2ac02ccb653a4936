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
    /// `from_stop_id` of transfers.txt.
    public var fromStop: Stop? { optionalToOne(Column.from_stop.rawValue) }
    /// `to_stop_id` of transfers.txt.
    public var toStop: Stop? { optionalToOne(Column.to_stop.rawValue) }
    /// `from_route_id` of transfers.txt.
    public var fromRoute: Route? { optionalToOne(Column.from_route.rawValue) }
    /// `to_route_id` of transfers.txt.
    public var toRoute: Route? { optionalToOne(Column.to_route.rawValue) }
    /// `from_trip_id` of transfers.txt.
    public var fromTrip: Trip? { optionalToOne(Column.from_trip.rawValue) }
    /// `to_trip_id` of transfers.txt.
    public var toTrip: Trip? { optionalToOne(Column.to_trip.rawValue) }
    /// `transfer_type` of transfers.txt.
    public var transferType: Int { integer(Column.transfer_type.rawValue) }
    /// `min_transfer_time` of transfers.txt.
    public var minTransferTime: Int? { optionalInteger(Column.min_transfer_time.rawValue) }
}
