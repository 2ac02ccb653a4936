import CFetch
import TransitStore

/// Departures in the next twenty minutes, or on a whole day.
extension Contests {
    /// A Wednesday in the feed.
    private static let date = ServiceDate(20_270_310)
    private static let dateBefore = ServiceDate(20_270_309)

    /// Departures of a stop, or of the platforms of a big station.
    func departures(ofStops count: Int, seconds: Int) throws -> Contest {
        let (raw, start) = (try RawDeparturesConnection(path: path), try Self.startOfDay())
        let (isDay, latest) = (seconds >= 86_400, try latestTime())
        let isLong = isDay || count > 100
        let size = isLong ? max(20, workload.queries.count / 20) : workload.queries.count
        let stops = Workload.numbers(size * count, upTo: self.raw.count(of: "stop") - 1)
        func question(_ position: Int) -> (stops: ArraySlice<Int>, from: Int) {
            (stops[position * count..<(position + 1) * count], isDay ? 0 : workload.queries[position].from.seconds)
        }
        return Contest(
            iterations: size, turn: isLong ? 2 : 20,
            ours: Contest.Side("TransitStore") { range in
                try range.reduce(into: Tally()) { tally, position in
                    let (stops, from) = question(position)
                    let ids = stops.map { ObjectID(Stop.entity, row: Int64($0)) }
                    let request = DepartureRequest(
                        .objects(ids), from: start.advanced(by: .seconds(from)), within: .seconds(seconds))
                    tally += Tally(try context.departures(request))
                }
            },
            other: Contest.Side("C") { range in
                var tally = Tally()
                for position in range {
                    let (stops, from) = question(position)
                    // A stop that occurs twice counts once.
                    var known = Set<Int>()
                    let keys = stops.filter { known.insert($0).inserted }.map(Int64.init)
                    tally += try raw.departures(of: keys, on: Self.date, from: from, until: from + seconds)
                    // Trips of the day before may run past midnight.
                    guard from + 86_400 <= latest else { continue }
                    tally += try raw.departures(
                        of: keys, on: Self.dateBefore, from: from + 86_400, until: from + 86_400 + seconds)
                }
                return tally
            })
    }

    /// The latest time in the feed, in seconds from the start of a service day.
    private func latestTime() throws -> Int {
        try context.fetchFirst(FetchRequest<Feed>())?.latestTime?.seconds ?? 0
    }

    /// Departures at all stops within 800 m.
    var departuresNear: Contest {
        get throws {
            let (raw, start) = (try RawDeparturesConnection(path: path), try Self.startOfDay())
            return Contest(
                iterations: workload.queries.count,
                ours: Contest.Side("TransitStore") { range in
                    try range.reduce(into: Tally()) { tally, position in
                        let query = workload.queries[position]
                        let request = DepartureRequest(
                            .near(query.place, meters: 800), from: start.advanced(by: .seconds(query.from.seconds)),
                            within: .seconds(1_200))
                        tally += Tally(try context.departures(request))
                    }
                },
                other: Contest.Side("C") { range in
                    try range.reduce(into: Tally()) { tally, position in
                        let query = workload.queries[position]
                        tally += try raw.departures(
                            near: query.place, on: Self.date, from: query.from.seconds,
                            until: query.from.seconds + 1_200)
                    }
                })
        }
    }

    private static func startOfDay() throws -> Instant {
        guard let start = TimetableZone.named("Europe/Berlin")?.start(of: date) else {
            throw BenchmarkError("the zone Europe/Berlin is not known")
        }
        return start
    }
}

/// The C side's connection for departures.
final class RawDeparturesConnection {
    private let store: OpaquePointer

    init(path: String) throws {
        guard let store = raw_departures_open(path) else { throw BenchmarkError("C cannot open \(path)") }
        self.store = store
    }

    deinit { raw_departures_close(store) }

    /// The most stops of a statement in C.
    private static let mostStops = 128

    func departures(of stops: [Int64], on date: ServiceDate, from: Int, until: Int) throws -> Tally {
        var tally = Tally()
        for start in stride(from: 0, to: stops.count, by: Self.mostStops) {
            let part = Array(stops[start..<min(start + Self.mostStops, stops.count)])
            tally += try Tally(
                raw_departures(store, part, Int32(part.count), Int64(date.number), Int64(from), Int64(until)))
        }
        return tally
    }

    func departures(near place: Coordinate, on date: ServiceDate, from: Int, until: Int) throws -> Tally {
        try Tally(
            raw_departures_near(
                store, place.latitude, place.longitude, 800, Int64(date.number), Int64(from), Int64(until)))
    }
}

extension Tally {
    init(_ departures: [Departure]) {
        self.init(rows: departures.count, sum: 0)
        for departure in departures {
            sum &+= departure.serviceTime.seconds &+ departure.stopSequence
            sum &+= Self.bytes(departure.routeShortName, departure.headsign, departure.platformCode)
        }
    }
}
