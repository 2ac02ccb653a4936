/// One run of a vehicle along a route: a row of trips.txt.
public final class Trip: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, route, service, trip_id, headsign, short_name, direction_id, block_id, shape, wheelchair_accessible
        case bikes_allowed, cars_allowed, safe_duration_factor, safe_duration_offset
    }

    public static let entity = EntityDescription(
        Trip.self, name: "Trip", table: "trip",
        columns: [
            .key("id"), .reference("route", to: "route", required: true),
            .reference("service", to: "service", required: true), .text("trip_id"), .optionalText("headsign"),
            .optionalText("short_name"), .optionalInteger("direction_id"), .optionalText("block_id"),
            .reference("shape", to: "shape"), .integer("wheelchair_accessible"), .integer("bikes_allowed"),
            .integer("cars_allowed"), .optionalNumber("safe_duration_factor"),
            .optionalNumber("safe_duration_offset"),
        ],
        toMany: [
            ToManyDescription("stopTimes", to: "stop_time", inverse: "trip", orderedBy: "stop_sequence"),
            ToManyDescription("frequencies", to: "frequency", inverse: "trip"),
            ToManyDescription("transfersFrom", to: "transfer", inverse: "from_trip"),
            ToManyDescription("transfersTo", to: "transfer", inverse: "to_trip"),
        ])

    /// The row’s number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// `route_id` of trips.txt.
    public var route: Route { toOne(Column.route.rawValue) }
    /// `service_id` of trips.txt.
    public var service: Service { toOne(Column.service.rawValue) }
    /// `trip_id` of trips.txt.
    public var tripID: String { text(Column.trip_id.rawValue) }
    /// `trip_headsign` of trips.txt.
    public var headsign: String? { optionalText(Column.headsign.rawValue) }
    /// `trip_short_name` of trips.txt.
    public var shortName: String? { optionalText(Column.short_name.rawValue) }
    /// `direction_id` of trips.txt.
    public var directionID: Int? { optionalInteger(Column.direction_id.rawValue) }
    /// `block_id` of trips.txt.
    public var blockID: String? { optionalText(Column.block_id.rawValue) }
    /// `shape_id` of trips.txt.
    public var shape: Shape? { optionalToOne(Column.shape.rawValue) }
    /// `wheelchair_accessible` of trips.txt.
    public var wheelchairAccessible: Int { integer(Column.wheelchair_accessible.rawValue) }
    /// `bikes_allowed` of trips.txt.
    public var bikesAllowed: Int { integer(Column.bikes_allowed.rawValue) }
    /// `cars_allowed` of trips.txt.
    public var carsAllowed: Int { integer(Column.cars_allowed.rawValue) }
    /// `safe_duration_factor` of trips.txt.
    public var safeDurationFactor: Double? { optionalNumber(Column.safe_duration_factor.rawValue) }
    /// `safe_duration_offset` of trips.txt.
    public var safeDurationOffset: Double? { optionalNumber(Column.safe_duration_offset.rawValue) }

    /// The trip’s calls in their order.
    public var stopTimes: Related<StopTime> { toMany(0) }

    /// The headways at which this trip repeats.
    public var frequencies: Related<Frequency> { toMany(1) }

    /// Transfers from this trip.
    public var transfersFrom: Related<Transfer> { toMany(2) }

    /// Transfers to this trip.
    public var transfersTo: Related<Transfer> { toMany(3) }
}
