/// A request for departures or arrivals: where, and in which time window.
///
///     let request = DepartureRequest(.stops(["bahnhof"]), from: .now, within: .seconds(20 * 60), limit: 10)
///     for departure in try context.departures(request) { print(departure.instant, departure.headsign ?? "") }
///
/// A value: you may keep, change and compare it, and use it in many tasks at once.
public struct DepartureRequest: Sendable, Hashable {
    /// Where vehicles leave or arrive.
    public enum Place: Sendable, Hashable {
        /// At stops by the feed's ids (`stop_id`). A station includes all stops below it; any other stop means only
        /// itself. In a context of several stores, an id means the stops of all stores that have it.
        case stops([String])
        /// At stops by their object ids; otherwise like `stops`.
        case objects([ObjectID])
        /// At all stops within `meters` of a place. A station does not include the stops below it, because platforms
        /// have their own coordinates.
        case near(Coordinate, meters: Double)
        /// Wherever vehicles of `routes` call. Without `routes`, the request throws `unsuitableValue`.
        case anywhere
    }

    /// What is asked for at the stops.
    public enum Event: Sendable, Hashable {
        case departures, arrivals
    }

    /// Where to look.
    public var place: Place
    /// The first instant of the time window.
    public var from: Instant
    /// The length of the window: from ≤ instant < from + duration. It may cross midnights and be longer than a day.
    /// Fractions of a second are dropped.
    public var duration: Duration
    /// Departures leave out a trip's last call and calls with pickup type 1. Arrivals leave out its first call and
    /// calls with drop-off type 1.
    public var event = Event.departures
    /// Only trips of these lines; nil for all lines.
    ///
    ///     var request = DepartureRequest(.anywhere, on: ServiceDate(20_260_731))
    ///     request.routes = [route.objectID]
    public var routes: [ObjectID]?
    /// Only trips of this service day; nil for all days.
    public var serviceDate: ServiceDate?
    /// Only trips in this direction; nil for both directions.
    public var directionID: Direction?
    /// The most results; 0 for all.
    public var limit = 0
    /// Whether the context's unsaved changes are included: trips that are late, cancelled or added.
    public var includesPendingChanges = true
    /// The stores of the context to read; nil for all.
    public var affectedStores: [TransitStore]?

    /// Departures in a window of time: from an instant until `duration` later.
    public init(_ place: Place, from: Instant, within duration: Duration, limit: Int = 0) {
        self.place = place
        self.from = from
        self.duration = duration
        self.limit = limit
    }

    /// At one stop or station.
    ///
    ///     let next = DepartureRequest(at: stop, from: .now, within: .seconds(1_200))
    public init(at stop: Stop, from: Instant, within duration: Duration, limit: Int = 0) {
        self.init(.objects([stop.objectID]), from: from, within: duration, limit: limit)
    }

    /// All departures of a service day, whatever the time zone, including those after the following midnight. Finds
    /// nothing for a `ServiceDate` that is not a real date, such as 20260230.
    ///
    ///     var arrivals = DepartureRequest(.stops(["bahnhof"]), on: ServiceDate(20_260_731))
    ///     arrivals.event = .arrivals
    public init(_ place: Place, on date: ServiceDate) {
        // Begins 45 days before the date: if the times of a repeated trip go backwards, a call may be up to 999 hours
        // before its service day.
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

extension DepartureRequest.Place {
    /// Whether both are the same place. Ids of the feed are compared by their bytes, as in a store.
    public static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.stops(let one), .stops(let other)): one.elementsEqual(other) { $0.hasSameBytes(as: $1) }
        case (.objects(let one), .objects(let other)): one == other
        case (.near(let one, let meters), .near(let other, let others)): one == other && meters == others
        case (.anywhere, .anywhere): true
        default: false
        }
    }
}

extension DepartureRequest: CustomStringConvertible {
    /// The statement for trips at their own times, prepared for one stop and one service day.
    ///
    /// With several stops or days, these are rows of `VALUES`. A second statement, `frequencySQL`, finds trips with
    /// frequencies.
    public var sql: SQLFragment { SQLFragment(DepartureSelect(skeleton(isByFrequency: false)).text) }

    /// The statement for trips that frequencies.txt repeats; it runs only for stores with such trips.
    public var frequencySQL: SQLFragment { SQLFragment(DepartureSelect(skeleton(isByFrequency: true)).text) }

    private func skeleton(isByFrequency: Bool) -> DepartureSkeleton {
        let drive = place == .anywhere ? DepartureSkeleton.Drive.routes(1) : .stops(1)
        return DepartureSkeleton(
            event: event, drive: drive, days: 1, isByFrequency: isByFrequency, hasFrequencies: true,
            routeFilter: DeparturePlaces.filter(by: place == .anywhere ? 0 : Set(routes ?? []).count),
            hasDirection: directionID != nil, columns: .all)
    }

    public var description: String { sql.text }
}
