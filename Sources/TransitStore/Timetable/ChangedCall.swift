import GTFSSchema
import SQLite

/// A call of a trip that was changed in memory, with everything that a departure shows.
final class ChangedCall: Sendable {
    let key: ObjectID.Key
    let trip: Int64
    let sequence: Int64
    let stop: Int64
    /// -1 for a trip without a line.
    let route: Int64
    let service: Int64?
    let direction: Int64?
    let arrival: Int64
    let departure: Int64
    let pickupType: Int64
    let dropOffType: Int64
    let isInterpolated: Bool
    let isFirst: Bool
    let isLast: Bool
    /// The trip's frequencies. If there are any, `arrival` and `departure` are seconds since the trip's first
    /// departure.
    let bands: [Band]
    let texts: PackedRow

    /// A row of frequencies.txt.
    struct Band: Sendable {
        let key: Int64
        let first: Int64
        let end: Int64
        let headway: Int64
        let isExact: Bool

        /// Whether its numbers can be added without overflow; a damaged or hostile store may have any numbers.
        fileprivate var isPossible: Bool { headway > 0 && [first, end].allSatisfy(Int64.serviceSeconds.contains) }

        /// The headway, cut so that it can be added without overflow. A cut headway is longer than the whole band, so
        /// the trip starts once with either.
        private var step: Int64 { min(headway, 1 << 42) }

        /// How often the trip starts.
        var count: Int64 { isPossible && first < end ? (end - first + step - 1) / step : 0 }

        /// The first `most` starts of the trip for which a call lies in a window. `origin` is the instant of the call
        /// if the trip starts at 0.
        func starts(_ origin: Int64, _ window: Range<Int64>, most: Int = .max) -> [Int64] {
            guard isPossible, (-(1 << 60)...1 << 60).contains(origin) else { return [] }
            let missing = window.lowerBound - (origin + first)
            let begin = missing > 0 ? first + (missing + step - 1) / step * step : first
            let starts = stride(from: begin, to: max(begin, min(end, window.upperBound - origin)), by: Int(step))
            return most == .max ? Array(starts) : Array(starts.prefix(most))
        }
    }

    fileprivate init(
        _ call: StopTime, _ times: CallTimes, arrival: Int64, departure: Int64, stop: Int64, in trip: ChangedTrip,
        isFirst: Bool, isLast: Bool
    ) {
        key = call.objectID.key
        self.trip = trip.key
        sequence = Int64(call.stopSequence)
        self.stop = stop
        (route, service, direction) = (trip.route, trip.service, trip.direction)
        (self.arrival, self.departure) = (arrival, departure)
        (pickupType, dropOffType) = (Int64(call.pickupType.rawValue), Int64(call.dropOffType.rawValue))
        isInterpolated = times.isInterpolated
        (self.isFirst, self.isLast) = (isFirst, isLast)
        bands = trip.bands
        let headsign = call.stopHeadsign ?? trip.headsign
        texts = PackedRow([.text(trip.tripID), headsign.map(SQLiteValue.text) ?? .null])
    }

    /// Whether riders may get on, or off, here.
    func counts(_ event: DepartureRequest.Event) -> Bool {
        event == .departures ? !isLast && pickupType != 1 : !isFirst && dropOffType != 1
    }

    func time(_ event: DepartureRequest.Event) -> Int64 { event == .departures ? departure : arrival }

    /// The latest second of the service day at which the vehicle can be here.
    var latestTime: Int64 {
        let own = max(arrival, departure)
        return bands.filter(\.isPossible).map { $0.end.addingClamped(own) }.max() ?? own
    }

    /// The earliest second of the service day at which the vehicle can be here.
    var earliestTime: Int64 {
        let own = min(arrival, departure)
        return bands.filter(\.isPossible).map { $0.first.addingClamped(own) }.min() ?? own
    }
}

/// A trip whose calls, days, line or frequencies were changed in memory.
struct ChangedTrip {
    let key: Int64
    let tripID: String
    let route: Int64
    let service: Int64?
    let direction: Int64?
    let headsign: String?
    /// The last stop, if the trip has no headsign and shows the name of that stop.
    let namingStop: Int64?
    let bands: [ChangedCall.Band]
    private(set) var calls: [ChangedCall] = []

    init(_ trip: Trip, in context: StoreContext) {
        func key(_ column: Trip.Column) -> Int64? {
            guard let id = context.referencedID(of: trip, column.rawValue), !context.changes.haveRemoved(id) else {
                return nil
            }
            return id.keyValues.first?.integer
        }
        self.key = trip.objectID.keyValues.first?.integer ?? -1
        tripID = trip.tripID
        route = key(.route) ?? -1
        service = key(.service)
        direction = trip.directionID.map { Int64($0.rawValue) }
        bands = trip.frequencies.objects.compactMap(Self.band)
        let rows = trip.stopTimes.objects
        let last = trip.headsign == nil ? Self.lastStop(rows, context) : nil
        headsign = trip.headsign ?? last?.optionalText(Stop.Column.name.rawValue)
        namingStop = last?.objectID.keyValues.first?.integer
        addCalls(rows, context)
    }

    /// The trip's last stop, whose name the statement for unchanged trips gives as well; nil if the last call has no
    /// stop, such as one in an area.
    private static func lastStop(_ rows: [StopTime], _ context: StoreContext) -> Stop? {
        guard let last = rows.last, let stop = context.referencedID(of: last, StopTime.Column.stop.rawValue),
            !context.changes.haveRemoved(stop)
        else { return nil }
        return last.stop
    }

    private static func band(_ row: Frequency) -> ChangedCall.Band? {
        guard let start = row.startTime, let end = row.endTime, start < end, row.headwaySecs > 0 else { return nil }
        return ChangedCall.Band(
            key: row.objectID.keyValues.first?.integer ?? -1, first: Int64(start.seconds), end: Int64(end.seconds),
            headway: Int64(row.headwaySecs), isExact: row.exactTimes == .scheduleBased)
    }

    private mutating func addCalls(_ rows: [StopTime], _ context: StoreContext) {
        var times = rows.map(\.ownTimes)
        CallTimes.fill(&times)
        let first = bands.isEmpty ? 0 : times.first { !$0.isOnDemand && $0.departure != nil }?.departure ?? 0
        for (index, row) in rows.enumerated() {
            let time = times[index]
            guard !time.isOnDemand, let arrival = time.arrival, let departure = time.departure,
                let stop = context.referencedID(of: row, StopTime.Column.stop.rawValue),
                !context.changes.haveRemoved(stop), let key = stop.keyValues.first?.integer
            else { continue }
            calls.append(
                ChangedCall(
                    row, time, arrival: arrival - first, departure: departure - first, stop: key, in: self,
                    isFirst: index == 0, isLast: index == rows.count - 1))
        }
    }
}

extension StopTime {
    /// The times that come from the feed or were set, without those that the importer filled.
    fileprivate var ownTimes: CallTimes {
        let filled = Int64(filledTimes)
        let isOnDemand =
            startPickupDropOffWindow != nil || endPickupDropOffWindow != nil || location != nil
            || locationGroup != nil
        return CallTimes(
            arrival: filled & FilledTimes.arrival != 0 ? nil : Self.seconds(of: arrivalTime),
            departure: filled & FilledTimes.departure != 0 ? nil : Self.seconds(of: departureTime),
            distance: shapeDistTraveled, isOnDemand: isOnDemand)
    }

    /// Nil for a time that is missing or outside `Int64.serviceSeconds`.
    private static func seconds(of time: ServiceTime?) -> Int64? {
        guard let seconds = time.map({ Int64($0.seconds) }), Int64.serviceSeconds.contains(seconds) else { return nil }
        return seconds
    }
}

extension StoreObject {
    /// Marks a time that was set as the call's own, so that it no longer counts as filled by the importer. Returns the
    /// column `filled_times` if its value changed.
    final func markOwnTime(_ column: Int) -> Int? {
        guard objectID.entity === StopTime.entity else { return nil }
        let bit: Int64 =
            switch StopTime.Column(rawValue: column) {
            case .arrival_time: FilledTimes.arrival
            case .departure_time: FilledTimes.departure
            default: 0
            }
        let filled = StopTime.Column.filled_times.rawValue
        guard bit != 0, let bits = row?.integer(filled), bits & bit != 0 else { return nil }
        replace(filled, with: bits & ~bit == 0 ? .null : .integer(bits & ~bit))
        return filled
    }
}
