import FoundationEssentials
import TransitStore

/// A realtime overlay: how much 5,000 changed stop times slow down fetches of departures.
extension Contests {
    /// The number of random trips whose stop times change. They have some 5,000 stop times.
    private static let changedTrips = 227
    private static let delay = 120
    private static let departures = 20

    /// The next twenty departures of a stop, with and without changes. Some of the changes concern these stop times:
    /// they leave two minutes later, so other rows may be among the twenty, in another order.
    ///
    /// The side without changes adds the difference that they make, which is known from a plain loop over all calls.
    var departuresWithChanges: Contest {
        get throws {
            let changed = store.makeContext()
            let trips = Set(Workload.numbers(Self.changedTrips, upTo: raw.count(of: "trip")))
            let calls = try changed.fetch(FetchRequest<StopTime>(where: #Predicate { trips.contains($0.trip.id) }))
            for call in calls {
                guard let time = call.departureTime else { continue }
                try call.setValue(ServiceTime(seconds: time.seconds + Self.delay), for: "departureTime")
            }
            let stops = Workload.numbers(workload.queries.count, upTo: raw.count(of: "stop"))
            let differences = try differences(stops, trips)
            guard differences.contains(where: { $0 != Tally() }) else {
                throw BenchmarkError("no change concerns a departure that is fetched")
            }
            return Contest(
                iterations: stops.count,
                ours: Contest.Side("5,000 changes") { try nextDepartures(changed, $0, stops) },
                other: Contest.Side("no changes") { range in
                    var tally = try nextDepartures(context, range, stops)
                    for position in range { tally += differences[position] }
                    return tally
                })
        }
    }

    /// How many stop times there are for each place in a trip, while one stop time has another place, and without that
    /// change.
    ///
    /// The side without a change adds what it adds to the sum.
    var groupsWithChange: Contest {
        get throws {
            let changed = store.makeContext()
            let (before, now) = (2, 3)
            let second = FetchRequest<StopTime>(where: #Predicate { $0.stopSequence == before })
            guard let call = try changed.fetchFirst(second) else {
                throw BenchmarkError("no trip has a stop time \(before)")
            }
            try call.set(\.stopSequence, to: now)
            return Contest(
                iterations: 1, ours: Contest.Side("one change") { _ in try groups(changed) },
                other: Contest.Side("no change") { _ in
                    var tally = try groups(context)
                    tally += Tally(rows: 0, sum: Self.mark(now, 1) &- Self.mark(before, 1))
                    return tally
                })
        }
    }

    private func groups(_ context: StoreContext) throws -> Tally {
        let request = FetchRequest<StopTime>().selecting(.attribute(\.stopSequence), .count()).groups(
            by: .attribute(\.stopSequence))
        return try context.fetchRows(request).reduce(into: Tally()) { tally, row in
            let (place, count) = (Int(row[0].integer ?? 0), Int(row[1].integer ?? 0))
            tally += Tally(rows: 1, sum: Self.mark(place, 1) &* count)
        }
    }

    private func nextDepartures(_ context: StoreContext, _ range: Range<Int>, _ stops: [Int]) throws -> Tally {
        try range.reduce(into: Tally()) { tally, position in
            let (stop, from) = (stops[position], workload.queries[position].from)
            var request = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == stop && $0.departureTime >= from })
            request.sortDescriptors = [.ascending(\.departureTime), .ascending(\.trip.id)]
            request.fetchLimit = Self.departures
            request.returnsObjectsAsFaults = false
            for time in try context.fetch(request) {
                tally += Tally(rows: 1, sum: Self.mark(time.trip.id, time.departureTime?.seconds ?? 0))
            }
        }
    }

    private static func mark(_ trip: Int, _ seconds: Int) -> Int { trip &* 31 &+ seconds }

    /// For each question, what the delays of these trips change in its answer. Opens the store for itself, so that it
    /// leaves no rows in the caches of the contest.
    private func differences(_ stops: [Int], _ trips: Set<Int>) throws -> [Tally] {
        let context = try TransitStore(path: path, configuration: Self.mapped).makeContext()
        return try zip(stops, workload.queries).map { stop, query in
            let calls = try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.stop.id == stop })).compactMap {
                call in call.departureTime.map { (trip: call.trip.id, seconds: $0.seconds) }
            }
            func next(delay: Int) -> Tally {
                let moved = calls.map { ($0.seconds + (trips.contains($0.trip) ? delay : 0), $0.trip) }
                let next = moved.filter { $0.0 >= query.from.seconds }.sorted(by: <).prefix(Self.departures)
                return Tally(rows: next.count, sum: next.reduce(0) { $0 &+ Self.mark($1.1, $1.0) })
            }
            let (before, after) = (next(delay: 0), next(delay: Self.delay))
            return Tally(rows: after.rows - before.rows, sum: after.sum &- before.sum)
        }
    }
}
