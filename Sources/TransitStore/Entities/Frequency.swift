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

    /// The row’s number in its file minus 1; the key that references hold.
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
