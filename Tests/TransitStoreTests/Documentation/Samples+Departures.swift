import FoundationEssentials
import TransitStore

extension Samples {
    static var departures: [Sample] {
        [
            ("departures", { try $0.departures() }), ("departuresNear", { try $0.departuresNear() }),
            ("arrivalsOfALine", { try $0.arrivalsOfALine() }), ("lateTrips", { try $0.lateTrips() }),
            ("lazyDepartures", { try await $0.lazyDepartures() }), ("tripRuns", { try $0.tripRuns() }),
            ("allRuns", { try $0.allRuns() }),
            ("tripsOnDate", { try $0.tripsOnDate() }), ("tripsOnDateInWords", { try $0.tripsOnDateInWords() }),
            ("departureObjects", { try $0.departureObjects() }),
        ]
    }

    private func departures() throws {
        // snippet: departures
        let evening = Instant("2026-07-31T17:00:00+02:00")!
        let request = DepartureRequest(.stops(["faehrhafen"]), from: evening, within: .seconds(9 * 3_600))
        for departure in try context.departures(request) {
            print(departure.localTime, departure.routeShortName ?? "", departure.headsign ?? "")
            print(
                "   ", departure.serviceDate, departure.serviceTime, departure.stopName ?? "",
                departure.platformCode ?? "")
        }
        // end
    }

    private func departuresNear() throws {
        // snippet: departuresNear
        let station = Coordinate(latitude: 53.43120, longitude: 12.62150)
        let evening = Instant("2026-07-31T23:45:00+02:00")!
        var request = DepartureRequest(.near(station, meters: 800), from: evening, within: .seconds(1_200))
        request.limit = 2
        for departure in try context.departures(request) {
            print(departure.instant, departure.stopName ?? "", departure.headsign ?? "")
        }
        // end
    }

    private func arrivalsOfALine() throws {
        // snippet: arrivalsOfALine
        var request = DepartureRequest(.stops(["faehrhafen"]), on: ServiceDate(20_260_731))
        request.event = .arrivals
        request.routes = try store.routes(named: "F1")
        for arrival in try context.departures(request) { print(arrival.serviceTime, arrival.tripID) }
        // end
    }

    private func lateTrips() throws {
        // snippet: lateTrips
        let calls = FetchRequest<StopTime>(where: #Predicate { $0.trip.tripID == "n1-heim" })
        for call in try context.fetch(calls) {
            try call.set(\.arrivalTime, to: call.arrivalTime?.advanced(by: 300))
            try call.set(\.departureTime, to: call.departureTime?.advanced(by: 300))
        }
        let night = DepartureRequest(.stops(["faehrhafen"]), on: ServiceDate(20_260_731))
        print(try context.departures(night).first { $0.tripID == "n1-heim" }?.localTime ?? "")
        context.rollback()
        print(try context.departures(night).first { $0.tripID == "n1-heim" }?.localTime ?? "")
        // end
    }

    private func lazyDepartures() async throws {
        // snippet: lazyDepartures
        let summer = Instant("2026-06-01T00:00:00Z")!
        let request = DepartureRequest(.stops(["bahnhof"]), from: summer, within: .seconds(90 * 86_400))
        let first = context.departures(lazily: request).first { $0.routeShortName == "N1" }
        print(first?.localTime ?? "")
        let all = try await store.departuresInBackground(request)
        print(all.count)
        // end
    }

    private func tripRuns() throws {
        // snippet: tripRuns
        let trips = FetchRequest<Trip>(where: #Predicate { $0.tripID == "12-hin" })
        let date = ServiceDate(20_260_731)
        if let trip = try context.fetchFirst(trips) {
            print(try trip.isRunning(on: date), try trip.route.isRunning(on: date), try trip.serviceDays().count)
            let runs = try trip.runs(on: date)
            print(runs.count, runs.first?.repetition ?? .exact)
            for call in runs.first?.calls.prefix(2) ?? [] { print(call.departure) }
        }
        let first = try context.firstDeparture(at: .stops(["bahnhof"]), on: date)
        let last = try context.lastDeparture(at: .stops(["bahnhof"]), on: date)
        if let first, let last { print(first.serviceTime, last.serviceTime) }
        // end
    }

    private func allRuns() throws {
        // snippet: allRuns
        let date = ServiceDate(20_260_731)
        let services = try context.fetch(FetchRequest<Service>().prefetching(\.exceptions))
        let running = try services.filter { try $0.isRunning(on: date) }
        let trips = FetchRequest<Trip>(where: try Condition(format: "service IN %@", running))
            .prefetching(\.stopTimes, \.frequencies)
        var (runs, calls) = (0, 0)
        for trip in try context.fetchBatches(trips) {
            for run in try trip.runs(on: date) { (runs, calls) = (runs + 1, calls + run.calls.count) }
        }
        print(running.count, runs, calls)
        // end
    }

    private func tripsOnDate() throws {
        // snippet: tripsOnDate
        let christmas = ServiceDate(20_261_225)
        let trips = FetchRequest<Trip>(where: #Predicate { $0.route.routeID == "1" }).prefetching(\.service.exceptions)
        for trip in try context.fetch(trips) where try trip.isRunning(on: christmas) {
            print(trip.tripID, trip.headsign ?? "")
        }
        // end
    }

    private func tripsOnDateInWords() throws {
        // snippet: tripsOnDateInWords
        let onFriday = try Condition<Trip>(
            format: """
                route.routeID = $ROUTE AND (
                  SUBQUERY(service.exceptions, $x, $x.date = $DATE AND $x.exceptionType = 1).@count > 0
                  OR service.friday = TRUE AND service.startDate <= $DATE AND service.endDate >= $DATE
                    AND SUBQUERY(service.exceptions, $x, $x.date = $DATE AND $x.exceptionType = 2).@count = 0)
                """)
        let christmas = try onFriday.substituting(["ROUTE": "1", "DATE": ServiceDate(20_261_225)])
        print(try context.fetch(FetchRequest(where: christmas)).map(\.tripID))
        // end
    }

    private func departureObjects() throws {
        // snippet: departureObjects
        let noon = Instant("2026-07-31T12:00:00+02:00")!
        if let stop = try context.fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.stopID == "markt" })) {
            for departure in try context.departures(at: stop, from: noon, within: .seconds(86_400), limit: 1) {
                let trip = departure.trip(in: context)
                print(trip.tripID, trip.wheelchairAccessible, departure.route(in: context)?.longName ?? "")
                print(departure.stopTime(in: context).stop == stop)
            }
        }
        // end
    }
}
