import FoundationEssentials
import TransitStore

/// Departures and runs. A unit is a question, or a stop if one question is about many.
extension Operation {
    static let timetable: [Operation] = [
        .doing("departures of a stop") { ground in
            for stop in ground.someStops { _ = try ground.context.departures(at([stop])) }
            return ground.size
        },
        .doing("departures of many stops") { ground in
            _ = try ground.context.departures(at(ground.someStops))
            return ground.size
        },
        .doing("next departures of many stops") { ground in
            var request = at(ground.someStops)
            request.limit = 10
            _ = try ground.context.departures(request)
            return ground.size
        },
        .doing("arrivals of a day") { ground in
            for stop in ground.someStops.prefix(ground.size / 10) {
                var request = DepartureRequest(.objects([ObjectID(Stop.entity, row: Int64(stop))]), on: date)
                request.event = .arrivals
                _ = try ground.context.departures(request)
            }
            return ground.size / 10
        },
        .doing("first departure of a day") { ground in
            for stop in ground.someStops {
                _ = try ground.context.firstDeparture(at: .objects([ObjectID(Stop.entity, row: Int64(stop))]), on: date)
            }
            return ground.size
        },
        .doing("departures of a line") { ground in
            for line in try ground.context.fetch(FetchRequest<Route>().limit(20)) {
                var request = DepartureRequest(.anywhere, from: noon, within: .seconds(600))
                request.routes = [line.objectID]
                _ = try ground.context.departures(request)
            }
            return 20
        },
        .doing("departures near a place") { ground in
            for place in ground.places {
                let request = DepartureRequest(.near(place, meters: 300), from: noon, within: .seconds(600))
                _ = try ground.context.departures(request)
            }
            return ground.size
        },
        Operation("whether trips run") { ground in
            let trips = try someTrips(ground)
            return {
                for trip in trips { _ = try trip.isRunning(on: date) }
                return trips.count
            }
        },
        Operation("runs of trips") { ground in
            let trips = try someTrips(ground)
            return {
                for trip in trips { _ = try trip.runs(on: date) }
                return trips.count
            }
        },
        .doing("whether lines run") { ground in
            let lines = try ground.context.fetch(FetchRequest<Route>().limit(50))
            for line in lines { _ = try line.isRunning(on: date) }
            return lines.count
        },
    ]

    static let date = ServiceDate(20_270_310)
    /// 12:00 of that date in Berlin.
    static let noon = Instant(unixSeconds: 1_804_676_400)

    static func at(_ stops: [Int]) -> DepartureRequest {
        let ids = stops.map { ObjectID(Stop.entity, row: Int64($0)) }
        return DepartureRequest(.objects(ids), from: noon, within: .seconds(1_200))
    }

    private static func someTrips(_ ground: Ground) throws -> [Trip] {
        let ids = ground.someTrips
        return try ground.context.fetch(FetchRequest<Trip>(where: #Predicate { ids.contains($0.id) }))
    }
}
