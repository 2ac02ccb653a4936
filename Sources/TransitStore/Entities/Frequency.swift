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
    /// `trip_id` of frequencies.txt.
    public var trip: Trip { toOne(Column.trip.rawValue) }
    /// `start_time` of frequencies.txt.
    public var startTime: ServiceTime { time(Column.start_time.rawValue) }
    /// `end_time` of frequencies.txt.
    public var endTime: ServiceTime { time(Column.end_time.rawValue) }
    /// `headway_secs` of frequencies.txt.
    public var headwaySecs: Int { integer(Column.headway_secs.rawValue) }
    /// `exact_times` of frequencies.txt.
    public var exactTimes: Int { integer(Column.exact_times.rawValue) }
}
