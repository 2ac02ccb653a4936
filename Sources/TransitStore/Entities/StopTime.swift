/// A trip's call at a stop: a row of stop_times.txt, the biggest table.
public final class StopTime: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case trip, arrival_time, departure_time, stop, location_group, location, stop_sequence, stop_headsign
        case start_pickup_drop_off_window, end_pickup_drop_off_window, pickup_type, drop_off_type, continuous_pickup
        case continuous_drop_off, shape_dist_traveled, timepoint, pickup_booking_rule, drop_off_booking_rule
        case filled_times
    }

    public static let entity = EntityDescription(
        StopTime.self, name: "StopTime", table: "stop_time",
        key: .pair(Column.trip.rawValue, Column.stop_sequence.rawValue),
        columns: [
            .reference("trip", to: "trip", required: true), .time("arrival_time"), .time("departure_time"),
            .reference("stop", to: "stop", required: true), .reference("location_group", to: "location_group"),
            .reference("location", to: "location"), .integer("stop_sequence"), .optionalText("stop_headsign"),
            .time("start_pickup_drop_off_window"), .time("end_pickup_drop_off_window"), .integer("pickup_type"),
            .integer("drop_off_type"), .optionalInteger("continuous_pickup"),
            .optionalInteger("continuous_drop_off"), .optionalNumber("shape_dist_traveled"),
            .optionalInteger("timepoint"), .reference("pickup_booking_rule", to: "booking_rule"),
            .reference("drop_off_booking_rule", to: "booking_rule"), .integer("filled_times"),
        ])

    /// The trip that calls here (`trip_id`).
    public var trip: Trip { toOne(Column.trip.rawValue) }
    /// When the vehicle arrives, in hours, minutes and seconds since noon minus 12 hours of the service day; past
    /// midnight it goes on beyond 24:00:00; if the feed leaves it blank between calls with times, the import fills it
    /// in (`arrival_time`).
    public var arrivalTime: ServiceTime? { time(Column.arrival_time.rawValue) }
    /// When the vehicle leaves, in hours, minutes and seconds since noon minus 12 hours of the service day; past
    /// midnight it goes on beyond 24:00:00; if the feed leaves it blank between calls with times, the import fills it
    /// in (`departure_time`).
    public var departureTime: ServiceTime? { time(Column.departure_time.rawValue) }
    /// The stop or platform served; empty where a location group or a GeoJSON location is served instead (`stop_id`).
    public var stop: Stop { toOne(Column.stop.rawValue) }
    /// The group of stops among which riders may ask to be picked up or set down; empty where a stop or a location is
    /// given (`location_group_id`).
    public var locationGroup: StoredRow? { optionalToOne(Column.location_group.rawValue) }
    /// The GeoJSON area within which riders may ask to be picked up or set down; empty where a stop or a group is given
    /// (`location_id`).
    public var location: StoredRow? { optionalToOne(Column.location.rawValue) }
    /// The call's place in the trip, 0 or more; it grows along the trip and may skip numbers (`stop_sequence`).
    public var stopSequence: Int { integer(Column.stop_sequence.rawValue) }
    /// The destination shown on the vehicle from this call on, where it differs from the trip's (`stop_headsign`).
    public var stopHeadsign: String? { optionalText(Column.stop_headsign.rawValue) }
    /// From when riders can be picked up or set down on demand, in time of the service day; a row with a window has no
    /// arrival or departure time (`start_pickup_drop_off_window`).
    public var startPickupDropOffWindow: ServiceTime? { time(Column.start_pickup_drop_off_window.rawValue) }
    /// Until when riders can be picked up or set down on demand, in time of the service day; later than the window's
    /// start (`end_pickup_drop_off_window`).
    public var endPickupDropOffWindow: ServiceTime? { time(Column.end_pickup_drop_off_window.rawValue) }
    /// How to board here: 0 or empty as scheduled, 1 not at all, 2 by phoning the agency, 3 by arrangement with the
    /// driver; 0 and 3 do not go with a window (`pickup_type`).
    public var pickupType: BoardingType { enumeration(Column.pickup_type.rawValue) }
    /// How to alight here: 0 or empty as scheduled, 1 not at all, 2 by phoning the agency, 3 by arrangement with the
    /// driver; 0 does not go with a window (`drop_off_type`).
    public var dropOffType: BoardingType { enumeration(Column.drop_off_type.rawValue) }
    /// Whether riders may board on the way from here to the next call: 0 yes, 1 no, 2 by phoning the agency, 3 by
    /// arrangement with the driver; empty as the line says (`continuous_pickup`).
    public var continuousPickup: ContinuousStopping? { optionalEnumeration(Column.continuous_pickup.rawValue) }
    /// Whether riders may alight on the way from here to the next call: 0 yes, 1 no, 2 by phoning the agency, 3 by
    /// arrangement with the driver; empty as the line says (`continuous_drop_off`).
    public var continuousDropOff: ContinuousStopping? { optionalEnumeration(Column.continuous_drop_off.rawValue) }
    /// How far along the trip's shape this call lies, 0 or more, in the unit that shapes.txt uses; it grows along the
    /// trip (`shape_dist_traveled`).
    public var shapeDistTraveled: Double? { optionalNumber(Column.shape_dist_traveled.rawValue) }
    /// Whether the vehicle keeps these times: 0 they are approximate, 1 or empty they are exact (`timepoint`).
    public var timepoint: Timepoint? { optionalEnumeration(Column.timepoint.rawValue) }
    /// The rule for booking a ride that begins here; wanted where boarding must be arranged by phone
    /// (`pickup_booking_rule_id`).
    public var pickupBookingRule: StoredRow? { optionalToOne(Column.pickup_booking_rule.rawValue) }
    /// The rule for booking a ride that ends here; wanted where alighting must be arranged by phone
    /// (`drop_off_booking_rule_id`).
    public var dropOffBookingRule: StoredRow? { optionalToOne(Column.drop_off_booking_rule.rawValue) }
    /// Which times are not the feed's own: 0 both are, 1 the arrival is the departure's, 2 the departure is the
    /// arrival's, 3 both were interpolated (`filled_times`, made when importing).
    public var filledTimes: Int { integer(Column.filled_times.rawValue) }
}
