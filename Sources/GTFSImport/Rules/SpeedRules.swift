import GTFSSchema
import SQLite

/// The rules about vehicles that are too fast. `SpeedWatch` has counted how often nearly all trips break them;
/// `SpeedReview` sees where.
struct SpeedRules: ComparedRule {
    private enum Word: String, CaseIterable {
        case toNextStop = "too_fast_to_stop"
        case overFarDistance = "too_fast_from_afar"
    }

    let connection: Connection
    let place: StorePlace
    let watch: SpeedWatch
    /// The places of all stops.
    let stops: StopPlaces

    var words: Set<String> { Set(Word.allCases.map(\.rawValue)) }

    /// Whether any trip may have the fault that this word of a rule names.
    func mayFind(_ word: String) -> Bool { watch.hasFastTrips && Word(rawValue: word) != nil }

    /// Notes what breaks rules of one table.
    func note(_ rules: [FeedRule], _ notices: inout NoticeLog) throws {
        func findings(_ word: Word) -> RuleFindings? {
            rules.first { $0.comparison == word.rawValue }.map { RuleFindings($0, connection) }
        }
        guard let toNextStop = findings(.toNextStop), let overFarDistance = findings(.overFarDistance) else { return }
        let review = try SpeedReview(connection, stops)
        var interval = CheckInterval()
        for trip in watch.fastTrips {
            if interval.isOver() { try place.check() }
            try noteRides(of: trip, toNextStop, review, &notices)
            try noteFarRide(of: trip, overFarDistance, review, &notices)
        }
    }

    /// A count of the watch is used as it is, unless it is uncertain. Otherwise a trip is read again only for the
    /// details of notices that will be kept.
    private func noteRides(
        of trip: SpeedWatch.FastTrip, _ findings: RuleFindings, _ review: SpeedReview, _ notices: inout NoticeLog
    ) throws {
        let count = trip.rides.count
        let named = trip.rides.areUncertain ? Int.max : min(count, findings.room(in: notices))
        if named > 0 {
            try review.forEachFastRide(of: trip.id, topSpeed: trip.topSpeed, atMost: named) {
                try add($0, of: trip.id, to: findings, &notices)
            }
        }
        if named < count { findings.count(count - named, &notices) }
    }

    private func noteFarRide(
        of trip: SpeedWatch.FastTrip, _ findings: RuleFindings, _ review: SpeedReview, _ notices: inout NoticeLog
    ) throws {
        let isNamed = trip.rides.hasFar && findings.room(in: notices) > 0
        if trip.rides.areUncertain || isNamed {
            let ride = try review.farRide(of: trip.id, topSpeed: trip.topSpeed)
            if let ride { try add(ride, of: trip.id, to: findings, &notices) }
        } else if trip.rides.hasFar {
            findings.count(1, &notices)
        }
    }

    private func add(
        _ ride: SpeedReview.Ride, of trip: Int, to findings: RuleFindings, _ notices: inout NoticeLog
    ) throws {
        // Rounded up, so that it is more than the top speed.
        let speed = Int64(min(ride.speed.rounded(.up), 1e9))
        try findings.add(row: Int64(trip), sequence: ride.end, speed, other: ride.start, times: 1, &notices)
    }
}

/// How fast the vehicles of a line can go, as in the reference validator. Lines of one class have the same top speed.
enum TopSpeed {
    /// In km/h, by the class. Class 0 is for trips without a line, which no rule looks at.
    private static let speeds: [Double] = [0, 30, 50, 80, 100, 150, 200, 500]

    /// The class of a route_type; an empty one counts as 0, for trams.
    static func kind(ofRouteType type: Int64?) -> UInt8 {
        switch type ?? 0 {
        case 0: 4
        case 1, 3, 11, 12: 5
        case 2: 7
        case 4: 3
        case 5: 1
        case 6, 7: 2
        // Among them are the extended types, such as 700 for a bus.
        default: 6
        }
    }

    /// Whether this is the class of railways, whose stations are large.
    static func isOfRails(_ kind: UInt8) -> Bool { kind == Self.kind(ofRouteType: 2) }

    /// In km/h.
    static func of(_ kind: UInt8) -> Double { speeds.indices.contains(Int(kind)) ? speeds[Int(kind)] : 0 }
}
