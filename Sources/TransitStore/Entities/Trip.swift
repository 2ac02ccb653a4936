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

    /// The row's number in its file minus 1; the key that references hold.
    public var id: Int { key(Column.id.rawValue) }
    /// The line this trip belongs to (`route_id`).
    public var route: Route { toOne(Column.route.rawValue) }
    /// The set of days on which the trip runs (`service_id`).
    public var service: Service { toOne(Column.service.rawValue) }
    /// The feed's name for the trip (`trip_id`). Empty when missing.
    public var tripID: String { text(Column.trip_id.rawValue) }
    /// The destination shown on the vehicle, unless a stop time says otherwise (`trip_headsign`).
    public var headsign: String? { optionalText(Column.headsign.rawValue) }
    /// A number or name riders know this one trip by, such as a train number (`trip_short_name`).
    public var shortName: String? { optionalText(Column.short_name.rawValue) }
    /// Which of the two ways along the line the trip goes, 0 or 1; good for sorting timetables, not for finding routes
    /// (`direction_id`).
    public var directionID: Direction? { optionalEnumeration(Column.direction_id.rawValue) }
    /// The vehicle's work for the day: trips that share a block and a service day are run by one vehicle in turn
    /// (`block_id`).
    public var blockID: String? { optionalText(Column.block_id.rawValue) }
    /// The path drawn on the map for this trip; required where riders may board or alight between stops (`shape_id`).
    public var shape: Shape? { optionalToOne(Column.shape.rawValue) }
    /// Whether a wheelchair fits aboard: 0 or empty not known, 1 at least one, 2 none (`wheelchair_accessible`).
    public var wheelchairAccessible: Availability { enumeration(Column.wheelchair_accessible.rawValue) }
    /// Whether bicycles may come along: 0 or empty not known, 1 at least one, 2 none (`bikes_allowed`).
    public var bikesAllowed: Availability { enumeration(Column.bikes_allowed.rawValue) }
    /// Whether cars may come along: 0 or empty not known, 1 at least one, 2 none (`cars_allowed`).
    public var carsAllowed: Availability { enumeration(Column.cars_allowed.rawValue) }
    /// The number that a direct drive's time is multiplied by to estimate how long an on-demand ride takes at most, 95
    /// times in 100 (`safe_duration_factor`).
    public var safeDurationFactor: Double? { optionalNumber(Column.safe_duration_factor.rawValue) }
    /// The seconds added after safe_duration_factor has been applied, to estimate how long an on-demand ride takes at
    /// most (`safe_duration_offset`).
    public var safeDurationOffset: Double? { optionalNumber(Column.safe_duration_offset.rawValue) }

    /// The trip's calls in their order.
    public var stopTimes: Related<StopTime> { toMany(0) }

    /// The headways at which this trip repeats.
    public var frequencies: Related<Frequency> { toMany(1) }

    /// Transfers from this trip.
    public var transfersFrom: Related<Transfer> { toMany(2) }

    /// Transfers to this trip.
    public var transfersTo: Related<Transfer> { toMany(3) }
}

/// A trip that repeats at a headway: a row of frequencies.txt.
public final class Frequency: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case id, trip, start_time, end_time, headway_secs, exact_times
    }

    public static let entity = EntityDescription(
        Frequency.self, name: "Frequency", table: "frequency",
        columns: [
            .key("id"), .reference("trip", to: "trip", required: true), .time("start_time"), .time("end_time"),
            .integer("headway_secs"), .integer("exact_times"),
        ])

    /// The row's number in its file minus 1.
    public var id: Int { key(Column.id.rawValue) }
    /// The trip that repeats (`trip_id`).
    public var trip: Trip { toOne(Column.trip.rawValue) }
    /// When the first vehicle of the interval leaves the trip's first stop, in time of the service day; may pass
    /// 24:00:00 (`start_time`).
    public var startTime: ServiceTime? { time(Column.start_time.rawValue) }
    /// When the interval ends or another headway takes over at the trip's first stop, in time of the service day; may
    /// pass 24:00:00 (`end_time`).
    public var endTime: ServiceTime? { time(Column.end_time.rawValue) }
    /// Seconds from one departure to the next, more than 0 (`headway_secs`).
    public var headwaySecs: Int { integer(Column.headway_secs.rawValue) }
    /// Whether departures keep to the second: 0 or empty the headway is only roughly kept, 1 each departure is
    /// start_time plus a multiple of the headway (`exact_times`).
    public var exactTimes: ExactTimes { enumeration(Column.exact_times.rawValue) }
}
