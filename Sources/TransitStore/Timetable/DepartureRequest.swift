/// What leaves, or arrives, where and when: a question to a timetable.
///
///     var request = DepartureRequest(.stops(["bahnhof"]), from: .now, within: .seconds(20 * 60))
///     request.limit = 10
///     for departure in try context.departures(request) { print(departure.instant, departure.headsign ?? "") }
///
/// A value: it may be kept, changed, compared, and used by many tasks at once.
public struct DepartureRequest: Sendable, Hashable {
    /// Where.
    public enum Place: Sendable, Hashable {
        /// At stops by the feed's ids (`stop_id`). A station answers for all below it, any other stop for itself.
        case stops([String])
        /// At stops by their object ids; the same otherwise.
        case objects([ObjectID])
        /// At all stops within so many metres. Each answers for itself: platforms have places of their own.
        case near(Coordinate, meters: Double)
        /// Wherever vehicles of `routes` call; these must be named then.
        case anywhere
    }

    public enum Event: Sendable, Hashable {
        case departures, arrivals
    }

    public var place: Place
    /// The first instant that is asked for.
    public var from: Instant
    /// How long after it, in whole seconds: from ≤ instant < from + duration. It may cross midnights and be longer than
    /// a day.
    public var duration: Duration
    /// Departures leave out a trip's last call and calls with pickup type 1, arrivals its first call and drop-off type
    /// 1.
    public var event = Event.departures
    /// The lines that are asked for; nil for all.
    public var routes: [ObjectID]?
    /// Trips of this service day alone; nil for those of all days.
    public var serviceDate: ServiceDate?
    /// Trips in this direction alone; nil for both.
    public var directionID: Direction?
    /// The most results; 0 for all.
    public var limit = 0
    /// Whether the context's unsaved changes take part: trips that are late, cancelled or added.
    public var includesPendingChanges = true
    /// The stores to be asked, of those that the context has; nil for all.
    public var affectedStores: [TransitStore]?

    public init(_ place: Place, from: Instant, within duration: Duration) {
        self.place = place
        self.from = from
        self.duration = duration
    }

    /// At one stop or station.
    public init(at stop: Stop, from: Instant, within duration: Duration) {
        self.init(.objects([stop.objectID]), from: from, within: duration)
    }

    /// All of a service day, whatever the zone: also what is after its midnight. Nothing for a number that is no date.
    public init(_ place: Place, on date: ServiceDate) {
        // Times that go backwards may reach so far before the day: 999 hours.
        let start = (date.dayNumber ?? 0) - 45
        self.init(place, from: Instant(unixSeconds: start * 86_400), within: .seconds(445 * 86_400))
        serviceDate = date
    }

    /// The window in seconds since 1970.
    var window: Range<Int64> {
        let end = from.unixSeconds.addingClamped(max(0, duration.components.seconds))
        return from.unixSeconds..<end
    }
}

extension DepartureRequest: CustomStringConvertible {
    /// The statement for trips at their own times, as it is prepared for one stop and one service day.
    ///
    /// Stops and days beyond are rows of `VALUES`; trips with frequencies are found by a second statement,
    /// `frequencySQL`.
    public var sql: SQLFragment { SQLFragment(DepartureSelect(skeleton(isByFrequency: false)).text) }

    /// The statement for trips that frequencies.txt repeats, of stores that have such.
    public var frequencySQL: SQLFragment { SQLFragment(DepartureSelect(skeleton(isByFrequency: true)).text) }

    private func skeleton(isByFrequency: Bool) -> DepartureSkeleton {
        let drive = place == .anywhere ? DepartureSkeleton.Drive.routes(1) : .stops(1)
        return DepartureSkeleton(
            event: event, drive: drive, days: 1, isByFrequency: isByFrequency, hasFrequencies: true,
            filters: place == .anywhere ? 0 : routes?.count ?? 0, hasDirection: directionID != nil, columns: .all)
    }

    public var description: String { sql.text }
}
