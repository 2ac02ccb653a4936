/// A trip’s call at a stop: a row of stop_times.txt, the biggest table.
public final class StopTime: StoreObject, StoreEntity {
    enum Column: Int, CaseIterable {
        case trip, arrival_time, departure_time, stop, location_group, location, stop_sequence, stop_headsign
        case start_pickup_drop_off_window, end_pickup_drop_off_window, pickup_type, drop_off_type, continuous_pickup
        case continuous_drop_off, shape_dist_traveled, timepoint, pickup_booking_rule, drop_off_booking_rule
    }

    public static let entity = EntityDescription(
        StopTime.self, name: "StopTime", table: "stop_time",
        key: .pair(Column.trip.rawValue, Column.stop_sequence.rawValue),
        columns: [
            .reference("trip", to: "trip", required: true), .time("arrival_time"), .time("departure_time"),
            .reference("stop", to: "stop", required: true), .optionalInteger("location_group"),
            .optionalInteger("location"), .integer("stop_sequence"), .optionalText("stop_headsign"),
            .time("start_pickup_drop_off_window"), .time("end_pickup_drop_off_window"), .integer("pickup_type"),
            .integer("drop_off_type"), .optionalInteger("continuous_pickup"),
            .optionalInteger("continuous_drop_off"), .optionalNumber("shape_dist_traveled"),
            .optionalInteger("timepoint"), .optionalInteger("pickup_booking_rule"),
            .optionalInteger("drop_off_booking_rule"),
        ])

    /// `trip_id` of stop_times.txt.
    public var trip: Trip { toOne(Column.trip.rawValue) }
    /// `arrival_time` of stop_times.txt.
    public var arrivalTime: ServiceTime { time(Column.arrival_time.rawValue) }
    /// `departure_time` of stop_times.txt.
    public var departureTime: ServiceTime { time(Column.departure_time.rawValue) }
    /// `stop_id` of stop_times.txt.
    public var stop: Stop { toOne(Column.stop.rawValue) }
    /// `location_group_id` of stop_times.txt.
    public var locationGroup: Int? { optionalInteger(Column.location_group.rawValue) }
    /// `location_id` of stop_times.txt.
    public var location: Int? { optionalInteger(Column.location.rawValue) }
    /// `stop_sequence` of stop_times.txt.
    public var stopSequence: Int { integer(Column.stop_sequence.rawValue) }
    /// `stop_headsign` of stop_times.txt.
    public var stopHeadsign: String? { optionalText(Column.stop_headsign.rawValue) }
    /// `start_pickup_drop_off_window` of stop_times.txt.
    public var startPickupDropOffWindow: ServiceTime { time(Column.start_pickup_drop_off_window.rawValue) }
    /// `end_pickup_drop_off_window` of stop_times.txt.
    public var endPickupDropOffWindow: ServiceTime { time(Column.end_pickup_drop_off_window.rawValue) }
    /// `pickup_type` of stop_times.txt.
    public var pickupType: Int { integer(Column.pickup_type.rawValue) }
    /// `drop_off_type` of stop_times.txt.
    public var dropOffType: Int { integer(Column.drop_off_type.rawValue) }
    /// `continuous_pickup` of stop_times.txt.
    public var continuousPickup: Int? { optionalInteger(Column.continuous_pickup.rawValue) }
    /// `continuous_drop_off` of stop_times.txt.
    public var continuousDropOff: Int? { optionalInteger(Column.continuous_drop_off.rawValue) }
    /// `shape_dist_traveled` of stop_times.txt.
    public var shapeDistTraveled: Double? { optionalNumber(Column.shape_dist_traveled.rawValue) }
    /// `timepoint` of stop_times.txt.
    public var timepoint: Int? { optionalInteger(Column.timepoint.rawValue) }
    /// `pickup_booking_rule_id` of stop_times.txt.
    public var pickupBookingRule: Int? { optionalInteger(Column.pickup_booking_rule.rawValue) }
    /// `drop_off_booking_rule_id` of stop_times.txt.
    public var dropOffBookingRule: Int? { optionalInteger(Column.drop_off_booking_rule.rawValue) }
}
