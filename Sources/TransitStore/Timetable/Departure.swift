import SQLite

/// A vehicle that leaves a stop, or arrives there, at one instant of one day.
///
///     let next = DepartureRequest(.stops(["bahnhof"]), from: .now, within: .seconds(1_200))
///     for departure in try context.departures(next) {
///         print(departure.localTime, departure.routeShortName ?? "", departure.headsign ?? "")
///         print(departure.trip(in: context).shape?.points.count ?? 0)
///     }
///
/// A value that any task may use; with a context, it gives access to objects.
public struct Departure: Sendable {
    /// How frequencies.txt repeats a trip.
    public enum Repetition: String, Sendable, Hashable, Codable {
        /// At exactly these times (`exact_times` 1).
        case exact
        /// Approximately at this headway: the times are only an example of it (`exact_times` 0).
        case headway
    }

    /// When it leaves; for a request for arrivals, when it arrives.
    public let instant: Instant
    /// The service day of the trip. It may have begun days ago.
    public let serviceDate: ServiceDate
    /// The time of that day, from noon minus 12 h; past 24:00:00 after midnight.
    public let serviceTime: ServiceTime
    /// The call's place in the trip.
    public let stopSequence: Int
    /// How riders board.
    public let pickupType: BoardingType
    /// How riders alight.
    public let dropOffType: BoardingType
    /// The direction of the trip along the line.
    public let directionID: Direction?
    /// Whether the time was interpolated from the neighbouring calls because the feed gives none.
    public let isInterpolated: Bool
    /// How frequencies repeat the trip; nil for a trip that runs at its own times.
    public let repetition: Repetition?

    let texts: PackedRow
    let stopFacts: StopFacts
    let routeFacts: RouteFacts
    let tripKey: Int64
    /// The key of the row of frequencies.txt, which decides the order; -1 without one.
    let frequencyKey: Int64
    let store: Int32
    /// The call in memory, if the trip has unsaved changes.
    let changed: ChangedCall?

    /// The feed's name for the trip (`trip_id`).
    public var tripID: String { texts.text(DepartureColumn.tripID.rawValue) ?? "" }
    /// The destination on the vehicle: the call's own, else the trip's, else the name of the stop of the trip's last
    /// call. Nil if that call has no stop: it is in an area, or the feed does not have its stop.
    public var headsign: String? { texts.text(DepartureColumn.headsign.rawValue) }
    /// The feed's name for the stop (`stop_id`): the platform, if the request was for a station.
    public var stopID: String { stopFacts.stopID }
    /// The name of the stop (`stop_name`).
    public var stopName: String? { stopFacts.name }
    /// The platform at the stop, as passengers know it (`platform_code`).
    public var platformCode: String? { stopFacts.platformCode }
    /// The feed's name for the line (`route_id`); nil for a trip without a line.
    public var routeID: String? { routeFacts.routeID }
    /// The short name of the line, such as `U1` (`route_short_name`).
    public var routeShortName: String? { routeFacts.shortName }
    /// The long name of the line (`route_long_name`).
    public var routeLongName: String? { routeFacts.longName }
    /// Six hexadecimal digits, as the feed has them.
    public var routeColor: String? { routeFacts.color }
    /// The color of text on `routeColor`, in the same form.
    public var routeTextColor: String? { routeFacts.textColor }
    /// The zone of service times: that of the route's agency.
    public var serviceZone: TimetableZone { routeFacts.zone }
    /// The zone of the clocks at the stop: `stop_timezone` of its station, else the zone of service times.
    public var timeZone: TimetableZone { stopFacts.zone ?? routeFacts.zone }
    /// The instant as the clocks at the stop show it, with the offset: `2026-10-25T02:30:00+01:00`.
    public var localTime: String { instant.text(in: timeZone) }
}

/// Access to objects.
extension Departure {
    /// The id of the trip's row. Inserted objects have temporary ids.
    public var tripObjectID: ObjectID { id(Trip.entity, .row(tripKey)) }
    /// The id of the stop's row.
    public var stopObjectID: ObjectID { id(Stop.entity, .row(stopFacts.key)) }
    /// The id of the line's row; nil for a trip without a line.
    public var routeObjectID: ObjectID? { routeFacts.key.map { id(Route.entity, .row($0)) } }
    /// The id of the row of the stop time.
    public var stopTimeObjectID: ObjectID {
        id(StopTime.entity, changed?.key ?? .pair(tripKey, Int64(stopSequence)))
    }

    /// Objects inserted in a context have ids of its first store.
    private func id(_ entity: EntityDescription, _ key: ObjectID.Key) -> ObjectID {
        let id = ObjectID(entity, key, store: store)
        return id.isTemporary ? ObjectID(entity, key) : id
    }

    /// The trip's object. None of these functions runs a statement.
    public func trip(in context: StoreContext) -> Trip { object(tripObjectID, context) }
    /// The stop's object.
    public func stop(in context: StoreContext) -> Stop { object(stopObjectID, context) }
    /// The line's object; nil for a trip without a line.
    public func route(in context: StoreContext) -> Route? { routeObjectID.map { object($0, context) } }
    /// The object of the stop time.
    public func stopTime(in context: StoreContext) -> StopTime { object(stopTimeObjectID, context) }

    private func object<Entity: StoreEntity>(_ id: ObjectID, _ context: StoreContext) -> Entity {
        context.object(with: id) as? Entity ?? Entity(objectID: id, origin: context)
    }
}

extension Departure: Hashable {
    /// Whether both are the same run of the same trip at the same call.
    public static func == (one: Departure, other: Departure) -> Bool {
        one.instant == other.instant && one.serviceDate == other.serviceDate && one.tripKey == other.tripKey
            && one.stopSequence == other.stopSequence && one.frequencyKey == other.frequencyKey
            && one.store == other.store
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(instant)
        hasher.combine(tripKey)
        hasher.combine(stopSequence)
    }
}

extension Departure {
    /// Orders departures of one store by instant, then by the order of lines, trips and calls in the feed, so that
    /// every machine gives the same list.
    func isOrderedBefore(_ other: Departure) -> Bool {
        if instant != other.instant { return instant < other.instant }
        let (route, otherRoute) = (Self.place(routeFacts.key), Self.place(other.routeFacts.key))
        if route != otherRoute { return route < otherRoute }
        if tripKey != other.tripKey { return Self.place(tripKey) < Self.place(other.tripKey) }
        if stopSequence != other.stopSequence { return stopSequence < other.stopSequence }
        if serviceDate != other.serviceDate { return serviceDate < other.serviceDate }
        return Self.place(frequencyKey) < Self.place(other.frequencyKey)
    }

    /// Stored rows come first, in the order of the feed. Inserted rows follow in the order of insertion; their keys
    /// count down. Only a damaged store has a key for which the difference overflows.
    private static func place(_ key: Int64?) -> Int64 {
        guard let key, key != -1 else { return -1 }
        return key >= 0 ? key : (1 << 62) &- key
    }
}

/// The properties that departures at a stop share. Texts are decoded on access.
final class StopFacts: Sendable {
    let key: Int64
    /// The zone of the clocks there; nil if the clocks use the zone of each trip.
    let zone: TimetableZone?
    let isStation: Bool
    private let row: PackedRow
    private let first: Int

    var stopID: String { row.text(first) ?? "" }
    var name: String? { row.text(first + 1) }
    var platformCode: String? { row.text(first + 2) }

    /// The row has stop_id, name and platform_code from the column `first` on.
    init(key: Int64, _ row: PackedRow, from first: Int, zone: TimetableZone?, isStation: Bool) {
        (self.key, self.row, self.first, self.zone, self.isStation) = (key, row, first, zone, isStation)
    }
}

/// The properties that departures of a line share. Texts are decoded on access.
final class RouteFacts: Sendable {
    /// Nil for trips without a line.
    let key: Int64?
    let zone: TimetableZone
    private let row: PackedRow
    private let first: Int

    var routeID: String? { row.text(first) }
    var shortName: String? { row.text(first + 1) }
    var longName: String? { row.text(first + 2) }
    var color: String? { row.text(first + 3) }
    var textColor: String? { row.text(first + 4) }

    /// The row has route_id, short_name, long_name, color and text_color from the column `first` on.
    init(_ key: Int64?, _ row: PackedRow, from first: Int, zone: TimetableZone) {
        (self.key, self.row, self.first, self.zone) = (key, row, first, zone)
    }
}
