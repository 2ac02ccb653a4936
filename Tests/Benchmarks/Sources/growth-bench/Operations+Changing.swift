import FoundationEssentials
import TransitStore

/// Unsaved changes, and fetches while there are some. A unit is a change, a question or a row, whichever grows.
extension Operation {
    static let changing: [Operation] =
        [
            Operation("setting a value") { ground in
                let calls = try ground.someStopTimes()
                return {
                    try delay(calls)
                    return calls.count
                }
            },
            .doing("inserting") { ground in
                for number in 0..<ground.size * 10 {
                    let stop = ground.context.insert(Stop.self)
                    try stop.set(\.stopID, to: "new \(number)")
                    try stop.set(\.name, to: "Neue Straße \(number)")
                }
                return ground.size * 10
            },
            Operation("inserting and deleting after a fetch") { ground in
                let stop = try ground.someStops.first.flatMap { try ground.context.object(Stop.self, id: $0) }
                let (context, count) = (ground.context, ground.size * 10)
                let calls = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 0 })
                try context.insert(StopTime.self).set(\.stopSequence, to: 1)
                _ = try context.fetchCount(calls)
                return {
                    let added = try (0..<count).map { _ in
                        let call = context.insert(StopTime.self)
                        if let stop { try call.set(\.stop, to: stop) }
                        return call
                    }
                    for call in added { context.delete(call) }
                    return count
                }
            },
            Operation("deleting") { ground in
                let calls = try ground.someStopTimes()
                return {
                    for call in calls { ground.context.delete(call) }
                    return calls.count
                }
            },
            .doing("deleting trips with their calls") { ground in
                let ids = ground.someTrips
                let trips = try ground.context.fetch(FetchRequest<Trip>(where: #Predicate { ids.contains($0.id) }))
                for trip in trips { ground.context.delete(trip) }
                return trips.count
            },
            changed("rolling back") { ground, calls in
                ground.context.rollback()
                return calls.count
            },
            changed("count of changed rows") { ground, _ in
                let late = ServiceTime(hours: 12)
                _ = try ground.context.fetchCount(FetchRequest<StopTime>(where: #Predicate { $0.departureTime > late }))
                return ground.stopTimes
            },
            changed("next stop times at stops with changes") { ground, _ in
                let from = ServiceTime(hours: 12)
                for id in ground.someStops {
                    let request = FetchRequest<StopTime>(
                        where: #Predicate { $0.stop.id == id && $0.departureTime >= from })
                    _ = try ground.context.fetch(request.sorted(by: .ascending(\.departureTime)).limit(20))
                }
                return ground.size
            },
            changed("groups with changes") { ground, _ in
                let line = FetchedProperty<StopTime>.attribute(\.trip.route.shortName)
                _ = try ground.context.fetchRows(
                    FetchRequest().selecting(line, .count(), .max(\.departureTime)).groups(by: line))
                return ground.stopTimes
            },
            changed("sorted page with changes") { ground, _ in
                _ = try ground.context.fetch(
                    FetchRequest<StopTime>().sorted(by: .descending(\.departureTime)).limit(20))
                return ground.stopTimes
            },
            changed("batches with changes") { ground, _ in
                var count = 0
                for call in try ground.context.fetchBatches(FetchRequest<StopTime>()) {
                    count += call.departureTime == nil ? 0 : 1
                }
                return count
            },
            changed("stop times of stops with changes") { ground, _ in
                try ground.someStops.reduce(0) { sum, id in
                    try sum + (ground.context.object(Stop.self, id: id)?.stopTimes.objects.count ?? 0)
                }
            },
            changed("stops with a late call and changes") { ground, _ in
                let late = ServiceTime(hours: 26)
                _ = try ground.context.fetchCount(
                    FetchRequest<Stop>(where: #Predicate { $0.stopTimes.contains { $0.departureTime > late } }))
                return ground.stops
            },
            changed("departures with changes") { ground, _ in
                for stop in ground.someStops { _ = try ground.context.departures(at([stop])) }
                return ground.size
            },
            changed("runs of changed trips") { ground, calls in
                for call in calls { _ = try call.trip.runs(on: date) }
                return calls.count
            },
            changed("changed rows in the background") { ground, _ in
                let late = ServiceTime(hours: 25)
                let request = FetchRequest<StopTime>(where: #Predicate { $0.departureTime > late })
                return try await ground.context.fetchInBackground(request).count
            },
        ] + namesAndPlaces + inTurn

    private static let namesAndPlaces: [Operation] = [
        renamed("searches with changed names") { ground, _ in
            for text in ["gesund", "kottbuss", "neu", "yorckk"] { _ = try ground.context.searchStops(text) }
            return ground.stops
        },
        renamed("nearest stops with changed places") { ground, _ in
            for place in ground.places { _ = try ground.context.nearestStops(to: place, limit: 10) }
            return ground.size
        },
        renamed("boxes with changed places") { ground, _ in
            for place in ground.places {
                _ = try ground.context.fetch(FetchRequest<Stop>(where: .within(meters: 500, of: place)))
            }
            return ground.size
        },
        renamed("stops sorted by changed names") { ground, _ in
            try ground.context.fetch(FetchRequest<Stop>().sorted(by: .ascending(\.name))).count
        },
        renamed("departures at changed stops") { ground, stops in
            for stop in stops { _ = try ground.context.departures(at([stop.id])) }
            return stops.count
        },
    ]

    /// A change, then a question, again and again: each change may make what is known useless.
    private static let inTurn: [Operation] = [
        inTurn("a change and a count in turn") { context, call in
            let id = call.stop.id
            _ = try context.fetchCount(FetchRequest<StopTime>(where: #Predicate { $0.stop.id == id }))
        },
        inTurn("a change and a sorted fetch in turn") { context, call in
            let id = call.stop.id
            let request = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == id })
            _ = try context.fetch(request.sorted(by: .ascending(\.departureTime)).limit(20))
        },
        inTurn("a change and its trip's calls in turn") { _, call in _ = call.trip.stopTimes.objects.count },
        inTurn("a change and departures in turn") { context, call in _ = try context.departures(at([call.stop.id])) },
        inTurn("a change and a search in turn") { context, call in
            _ = try context.searchStops(call.stop.stopID, limit: 1)
        },
        tripsInTurn("an added trip and departures in turn") { context, trip in
            let added = context.insert(Trip.self)
            try added.set(\.route, to: trip.route)
            try added.set(\.service, to: trip.service)
            for call in trip.stopTimes.objects.prefix(5) {
                let other = context.insert(StopTime.self)
                try other.set(\.trip, to: added)
                try other.set(\.stop, to: call.stop)
                try other.set(\.stopSequence, to: call.stopSequence)
                try other.set(\.departureTime, to: call.departureTime)
            }
        },
        tripsInTurn("a cancelled trip and departures in turn") { context, trip in context.delete(trip) },
        tripsInTurn("a delayed, then cancelled trip and departures in turn") { context, trip in
            try trip.set(\.headsign, to: "Fällt aus")
            context.delete(trip)
        },
        stopsInTurn("a renamed stop and a search in turn") { context, stop in
            try stop.set(\.name, to: "Neuer Name \(stop.id)")
            _ = try context.searchStops("Neuer Name \(stop.id)", limit: 1)
        },
        stopsInTurn("a moved stop and the nearest stops in turn") { context, stop in
            try stop.set(\.latitude, to: (stop.latitude ?? 52) + 0.001)
            // The same place in each store: at the edge of the larger store, stops lie farther apart.
            _ = try context.nearestStops(to: Coordinate(latitude: 52.5, longitude: 13.4), limit: 10)
        },
        stopsInTurn("a renamed stop and its departures in turn") { context, stop in
            try stop.set(\.name, to: "Neuer Name \(stop.id)")
            _ = try context.departures(at([stop.id]))
        },
    ]

    private static func stopsInTurn(
        _ name: String, _ work: @escaping @Sendable (StoreContext, Stop) throws -> Void
    ) -> Operation {
        Operation(name) { ground in
            let ids = ground.someStops
            let stops = try ground.context.fetch(FetchRequest<Stop>(where: #Predicate { ids.contains($0.id) }))
            return {
                for stop in stops { try work(ground.context, stop) }
                return stops.count
            }
        }
    }

    /// Changes trip after trip, and asks for the departures of its first stop after each.
    private static func tripsInTurn(
        _ name: String, _ change: @escaping @Sendable (StoreContext, Trip) throws -> Void
    ) -> Operation {
        Operation(name) { ground in
            let ids = ground.someTrips
            let trips = try ground.context.fetch(FetchRequest<Trip>(where: #Predicate { ids.contains($0.id) }))
            return {
                for trip in trips {
                    guard let stop = trip.stopTimes.objects.first?.stop.id else { continue }
                    try change(ground.context, trip)
                    _ = try ground.context.departures(at([stop]))
                }
                return trips.count
            }
        }
    }

    private static func inTurn(
        _ name: String, _ ask: @escaping @Sendable (StoreContext, StopTime) throws -> Void
    ) -> Operation {
        Operation(name) { ground in
            let calls = Array(try ground.someStopTimes().prefix(ground.size))
            return {
                for call in calls {
                    try delay([call])
                    try ask(ground.context, call)
                }
                return calls.count
            }
        }
    }

    /// An operation while a few times `size` stop times leave later.
    private static func changed(
        _ name: String, _ work: @escaping @Sendable (Ground, [StopTime]) async throws -> Int
    ) -> Operation {
        Operation(name) { ground in
            let calls = try ground.someStopTimes()
            try delay(calls)
            return { try await work(ground, calls) }
        }
    }

    /// An operation while `size` stops have other names and places.
    private static func renamed(
        _ name: String, _ work: @escaping @Sendable (Ground, [Stop]) async throws -> Int
    ) -> Operation {
        Operation(name) { ground in
            let ids = ground.someStops
            let stops = try ground.context.fetch(FetchRequest<Stop>(where: #Predicate { ids.contains($0.id) }))
            for stop in stops {
                try stop.set(\.name, to: "Neuer Name \(stop.id)")
                try stop.set(\.latitude, to: (stop.latitude ?? 52) + 0.001)
            }
            return { try await work(ground, stops) }
        }
    }

    private static func delay(_ calls: [StopTime]) throws {
        for call in calls {
            guard let time = call.departureTime else { continue }
            try call.set(\.departureTime, to: ServiceTime(seconds: time.seconds + 120))
        }
    }
}
