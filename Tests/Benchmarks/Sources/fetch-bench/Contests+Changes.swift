import FoundationEssentials
import TransitStore

/// A realtime overlay: how much 5,000 changed stop times slow down fetches of departures.
extension Contests {
    /// The number of random trips whose stop times change. They have some 5,000 stop times.
    private static let changedTrips = 227

    /// The next twenty departures of a stop, with and without changes. Some of the changes concern these stop times.
    /// Both sides find the same rows, because only headsigns change.
    var departuresWithChanges: Contest {
        get throws {
            let changed = store.makeContext()
            let trips = Set(Workload.numbers(Self.changedTrips, upTo: raw.count(of: "trip")))
            let calls = try changed.fetch(FetchRequest<StopTime>(where: #Predicate { trips.contains($0.trip.id) }))
            for call in calls { try call.setValue("one minute late", for: "stopHeadsign") }
            let stops = Workload.numbers(workload.queries.count, upTo: raw.count(of: "stop"))
            return Contest(
                iterations: stops.count,
                ours: Contest.Side("5,000 changes") { try nextDepartures(changed, $0, stops) },
                other: Contest.Side("no changes") { try nextDepartures(context, $0, stops) })
        }
    }

    private func nextDepartures(_ context: StoreContext, _ range: Range<Int>, _ stops: [Int]) throws -> Tally {
        try range.reduce(into: Tally()) { tally, position in
            let (stop, from) = (stops[position], workload.queries[position].from)
            var request = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == stop && $0.departureTime >= from })
            request.sortDescriptors = [.ascending(\.departureTime), .ascending(\.trip.id)]
            request.fetchLimit = 20
            request.returnsObjectsAsFaults = false
            for time in try context.fetch(request) { tally += Tally(rows: 1, sum: time.trip.id) }
        }
    }
}
