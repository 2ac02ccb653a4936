import SQLite

/// A vehicle that leaves a stop, or arrives there, at one instant of one day.
///
///     let next = DepartureRequest(.stops(["bahnhof"]), from: .now, within: .seconds(1_200))
///     for departure in try context.departures(next) {
///         print(departure.localTime, departure.routeShortName ?? "", departure.headsign ?? "")
///         print(departure.trip(in: context).shape?.points.count ?? 0)
///     }
///
/// A value that any task may have; in a context it leads to objects.
public struct Departure: Sendable {
    /// How trips.txt's trip is repeated by frequencies.txt.
    public enum Repetition: String, Sendable, Hashable, Codable {
        /// At the very times (`exact_times` 1).
        case exact
        /// About so often: the times are one way to keep the headway (`exact_times` 0).
        case headway
    }

    /// When it leaves; when it arrives, where arrivals were asked for.
    public let instant: Instant
    /// The service day that the trip is of. It may have begun days ago.
    public let serviceDate: ServiceDate
    /// The time of that day, from noon minus 12 h; past 24:00:00 after midnight.
    public let serviceTime: ServiceTime
    /// The call's place in the trip.
    public let stopSequence: Int
    /// How riders board.
    public let pickupType: BoardingType
    /// How riders alight.
    public let dropOffType: BoardingType
    /// Which way along the line the trip goes.
    public let directionID: Direction?
    /// Whether the feed gives no time for the call, so that it was put between its neighbours'.
    public let isInterpolated: Bool
    /// Whether and how the trip is repeated by frequencies; nil for one that runs at its own times.
    public let repetition: Repetition?

    let texts: PackedRow
    let stopFacts: StopFacts
    let routeFacts: RouteFacts
    let tripKey: Int64
    /// The row of frequencies.txt; for the order.
    let frequencyKey: Int64
    let store: Int32
    /// The call in memory, of a trip with unsaved changes.
    let changed: ChangedCall?

    /// The feed's name for the trip (`trip_id`).
    public var tripID: String { texts.text(DepartureColumn.tripID.rawValue) ?? "" }
    /// The destination on the vehicle: the call's own, else the trip's, else the name of the trip's last stop.
    public var headsign: String? { texts.text(DepartureColumn.headsign.rawValue) }
    /// The feed's name for the stop (`stop_id`): the platform, where a station was asked for.
    public var stopID: String { stopFacts.stopID }
    public var stopName: String? { stopFacts.name }
    public var platformCode: String? { stopFacts.platformCode }
    /// The feed's name for the line (`route_id`); nil for a trip of none.
    public var routeID: String? { routeFacts.routeID }
    public var routeShortName: String? { routeFacts.shortName }
    public var routeLongName: String? { routeFacts.longName }
    /// Six hexadecimal digits, as the feed has them.
    public var routeColor: String? { routeFacts.color }
    public var routeTextColor: String? { routeFacts.textColor }
    /// The zone that service times are of: that of the route's agency.
    public var serviceZone: TimetableZone { routeFacts.zone }
    /// The zone whose time the clocks at the stop show: `stop_timezone` of its station, else that of the service.
    public var timeZone: TimetableZone { stopFacts.zone ?? routeFacts.zone }
    /// The instant as the clocks at the stop show it, with the offset: `2026-10-25T02:30:00+01:00`.
    public var localTime: String { instant.text(in: timeZone) }
}

/// The way to objects.
extension Departure {
    public var tripObjectID: ObjectID { id(Trip.entity, .row(tripKey)) }
    public var stopObjectID: ObjectID { id(Stop.entity, .row(stopFacts.key)) }
    public var routeObjectID: ObjectID? { routeFacts.key.map { id(Route.entity, .row($0)) } }
    public var stopTimeObjectID: ObjectID {
        id(StopTime.entity, changed?.key ?? .pair(tripKey, Int64(stopSequence)))
    }

    /// What was inserted in a context is of its first store.
    private func id(_ entity: EntityDescription, _ key: ObjectID.Key) -> ObjectID {
        let id = ObjectID(entity, key, store: store)
        return id.isTemporary ? ObjectID(entity, key) : id
    }

    /// The trip's object. Runs no statement, as none of these do.
    public func trip(in context: StoreContext) -> Trip { object(tripObjectID, context) }
    public func stop(in context: StoreContext) -> Stop { object(stopObjectID, context) }
    public func route(in context: StoreContext) -> Route? { routeObjectID.map { object($0, context) } }
    public func stopTime(in context: StoreContext) -> StopTime { object(stopTimeObjectID, context) }

    private func object<Entity: StoreEntity>(_ id: ObjectID, _ context: StoreContext) -> Entity {
        context.object(with: id) as? Entity ?? Entity(objectID: id, origin: context)
    }
}

extension Departure: Hashable {
    /// Whether both are the same vehicle's at the same call.
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
    /// By instant, then as the lines, trips and calls stand in the feed: the same list on every machine.
    func isOrderedBefore(_ other: Departure) -> Bool {
        if instant != other.instant { return instant < other.instant }
        if store != other.store { return store < other.store }
        let (route, otherRoute) = (Self.place(routeFacts.key), Self.place(other.routeFacts.key))
        if route != otherRoute { return route < otherRoute }
        if tripKey != other.tripKey { return Self.place(tripKey) < Self.place(other.tripKey) }
        if stopSequence != other.stopSequence { return stopSequence < other.stopSequence }
        if serviceDate != other.serviceDate { return serviceDate < other.serviceDate }
        return Self.place(frequencyKey) < Self.place(other.frequencyKey)
    }

    /// Rows as they stand in the feed, then what was inserted, whose numbers count down, as it was inserted.
    private static func place(_ key: Int64?) -> Int64 {
        guard let key, key != -1 else { return -1 }
        return key >= 0 ? key : (1 << 62) - key
    }
}

/// What departures at a stop share. Its texts are decoded when they are asked for.
final class StopFacts: Sendable {
    let key: Int64
    /// The zone of the clocks there; nil where it is that of each trip.
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

/// What departures of a line share. Its texts are decoded when they are asked for.
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
