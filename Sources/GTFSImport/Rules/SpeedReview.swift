import GTFSSchema
import SQLite

/// Finds where the vehicle of a trip is too fast: from one stop to the next, and over far distances. A call counts as
/// the feed has it, without the times that the importer filled in.
///
/// Needed for the first notices, which name places, and for trips whose rides `SpeedWatch` could not count. A distance
/// over several stops is the sum of those between them. Calls are read one by one, and a second time for those that are
/// far behind, so that a trip of any length takes no memory.
final class SpeedReview {
    /// Two calls between which the vehicle is too fast, by their sequences.
    struct Ride {
        let start: Int64
        let end: Int64
        /// In km/h.
        let speed: Double
    }

    private let lead: CallCursor
    private let trail: CallCursor

    init(_ connection: Connection, _ stops: StopPlaces) throws(SQLiteError) {
        lead = try CallCursor(connection, stops)
        trail = try CallCursor(connection, stops)
    }

    /// Visits the rides from one stop to the next. A call without a place or an arrival is passed over. The rest of
    /// the trip is passed over from the first call without a departure on.
    func forEachFastRide(
        of trip: Int, topSpeed: Double, atMost limit: Int, _ body: (Ride) throws -> Void
    ) throws {
        lead.begin(trip)
        guard try lead.next() else { return }
        var (start, left) = (lead.call, limit)
        while left > 0, let departure = start.departure, try lead.next() {
            let call = lead.call
            guard let arrival = call.arrival, let meters = lead.meters(from: start, to: call) else { continue }
            let speed = meters * 3.6 / Double(Self.seconds(from: departure, to: arrival))
            if speed > topSpeed {
                try body(Ride(start: start.sequence, end: call.sequence, speed: speed))
                left -= 1
            }
            start = call
        }
    }

    /// The first call that is reached too fast from a call that is far away, and the last such call before it. Nothing
    /// is found behind a call with an arrival that is not at a known stop. A call with only a departure there is passed
    /// over; the reference validator ends at a call that is reached too fast from there, however near.
    ///
    /// `ahead` of a call is the distance driven so far, minus what the vehicle drives at top speed until it departs
    /// there. The vehicle is too fast to any later call that is further ahead.
    func farRide(of trip: Int, topSpeed: Double) throws -> Ride? {
        lead.begin(trip)
        trail.begin(trip)
        var hasStart = try trail.next()
        var ahead = (ofMinutes: Double.infinity, ofOthers: Double.infinity)
        while try lead.next() {
            guard let arrival = lead.call.arrival else { continue }
            guard lead.call.stop != nil else { return nil }
            while hasStart, Self.isFar(trail.call, lead.call) {
                if let departure = trail.call.departure, trail.call.stop != nil {
                    let reach = Self.reach(trail.call, departure, topSpeed)
                    if departure % Self.minute == 0 { ahead.ofMinutes = min(ahead.ofMinutes, reach) }
                    if departure % Self.minute != 0 { ahead.ofOthers = min(ahead.ofOthers, reach) }
                }
                hasStart = try trail.next()
            }
            let reach = Self.reach(lead.call, arrival, topSpeed)
            let margin = arrival % Self.minute == 0 ? topSpeed * Double(Self.minute) : 0
            if reach > ahead.ofOthers || reach - margin > ahead.ofMinutes {
                return try lastStart(of: trip, before: lead.call, arrival, topSpeed)
            }
        }
        return nil
    }

    private func lastStart(of trip: Int, before end: Call, _ arrival: Int64, _ topSpeed: Double) throws -> Ride? {
        trail.begin(trip)
        var found: Ride?
        while try trail.next(), Self.isFar(trail.call, end) {
            guard let departure = trail.call.departure, trail.call.stop != nil else { continue }
            let meters = end.meters - trail.call.meters
            let speed = meters * 3.6 / Double(Self.seconds(from: departure, to: arrival))
            if speed > topSpeed { found = Ride(start: trail.call.sequence, end: end.sequence, speed: speed) }
        }
        return found
    }

    private static func isFar(_ start: Call, _ end: Call) -> Bool { end.meters - start.meters > SpeedLook.far }

    private static func reach(_ call: Call, _ time: Int64, _ topSpeed: Double) -> Double {
        call.meters * 3.6 - topSpeed * Double(time)
    }

    private static let minute: Int64 = 60

    /// A minute for an arrival that is not after the departure; else a minute more between whole minutes, which may be
    /// rounded. As in the reference validator.
    static func seconds(from departure: Int64, to arrival: Int64) -> Int64 {
        let seconds = arrival - departure
        if seconds <= 0 { return minute }
        return arrival % minute == 0 && departure % minute == 0 ? seconds + minute : seconds
    }
}

private struct Call {
    let sequence: Int64
    let arrival: Int64?
    let departure: Int64?
    /// Nil for a call on demand, and for a stop that the feed lacks.
    let stop: Int?
    /// From the trip's first call with a place, from stop to stop.
    let meters: Double
}

/// Reads the calls of a trip in the order of their sequence.
private final class CallCursor {
    private let rows: Statement
    private let stops: StopPlaces
    private var lastStop: Int?
    private var meters = 0.0
    /// The call that was read last.
    private(set) var call = Call(sequence: 0, arrival: nil, departure: nil, stop: nil, meters: 0)

    init(_ connection: Connection, _ stops: StopPlaces) throws(SQLiteError) {
        self.stops = stops
        rows = try connection.prepare(
            """
            SELECT stop_sequence, stop, iif(filled_times & \(FilledTimes.arrival), NULL, arrival_time), \
            iif(filled_times & \(FilledTimes.departure), NULL, departure_time) \
            FROM stop_time WHERE trip = ? ORDER BY stop_sequence
            """)
    }

    func begin(_ trip: Int) {
        rows.reset()
        rows.bind(1, Int64(trip))
        (lastStop, meters) = (nil, 0)
    }

    /// False behind the last call.
    func next() throws(SQLiteError) -> Bool {
        guard try rows.step() else { return false }
        let stop = rows.isNull(1) ? nil : Int(rows.integer(1))
        if let stop, stops.has(stop) {
            if let lastStop { meters += stops.distance(from: lastStop, to: stop) ?? 0 }
            lastStop = stop
        }
        call = Call(
            sequence: rows.integer(0), arrival: rows.isNull(2) ? nil : rows.integer(2),
            departure: rows.isNull(3) ? nil : rows.integer(3), stop: stop, meters: meters)
        return true
    }

    /// In a straight line; nil if a call has no place.
    func meters(from start: Call, to end: Call) -> Double? {
        guard let from = start.stop, let to = end.stop else { return nil }
        return stops.distance(from: from, to: to)
    }
}
