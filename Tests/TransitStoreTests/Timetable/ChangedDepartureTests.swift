import Foundation
import TestSupport
import Testing

@testable import TransitStore

/// Departures with unsaved changes equal those of a feed that contains the changes.
@Suite struct ChangedDepartureTests {
    @Test func changesCountAsIfTheyWereInTheFeed() throws {
        var (compared, saved, original) = (0, 0, 0)
        for seed in 1...DepartureTests.seeds {
            var random = SeededGenerator(seed: seed &* 7_919)
            let middles = TimetableModel.middles
            let model = TimetableModel.random(&random, around: middles[Int(seed) % middles.count])
            let imported = try DepartureTests.imported(model)
            let context = try imported.context()
            var changer = TimetableChanger(model, context, random)
            for _ in 0..<8 {
                try changer.change()
                compared += try #require(
                    try DepartureTests.compare(context, changer.model, seed, questions: 3, &random))
            }
            // The feed with the changes in it, imported anew.
            let anew = try DepartureTests.imported(changer.model).context()
            for _ in 0..<10 {
                let question = DepartureQuestion.random(changer.model, &random)
                let found = try context.departures(question.request(context)).map(TimetableModel.line)
                #expect(found == (try anew.departures(question.request(anew)).map(TimetableModel.line)), "seed \(seed)")
                saved += found.count
            }
            // If the request ignores the changes, or after a rollback, the departures are those of the original feed.
            let from = Instant(unixSeconds: ((ServiceDate(model.middle).dayNumber ?? 0) - 1) * 86_400)
            var request = DepartureRequest(.stops(["top", "x"]), from: from, within: .seconds(400_000))
            request.includesPendingChanges = false
            let before = try imported.context().departures(request).map(TimetableModel.line)
            #expect(try context.departures(request).map(TimetableModel.line) == before)
            context.rollback()
            request.includesPendingChanges = true
            #expect(try context.departures(request).map(TimetableModel.line) == before)
            original += before.count
        }
        #expect(compared > 1_000 && saved > 1_000 && original > 0, "\(compared), \(saved), \(original)")
    }

    /// Departures between the changes make the context keep what it knows of the changed trips.
    @Test func `a row of frequencies that moves from trip to trip repeats only the last one`() throws {
        var model = TimetableModel()
        model.stops = ["a", "b"].map { TimetableModel.Stop(id: $0) }
        model.trips = (0...2).map { number in
            let calls = DepartureRuleTests.calls([("a", "0\(number + 5):00:00"), ("b", "0\(number + 5):30:00")])
            return TimetableModel.Trip(id: "t\(number)", calls: calls)
        }
        let band = TimetableModel.Band(start: 9 * 3_600, end: 10 * 3_600, headway: 1_200)
        model.trips[0].bands = [band]
        let context = try DepartureTests.imported(model).context()
        let row = try #require(try context.fetchFirst(FetchRequest<Frequency>()))
        let request = DepartureRequest(.stops(["a"]), on: ServiceDate(20_261_005))
        for place in [1, 2, 0, 2] {
            let id = "t\(place)"
            let trip = try context.fetchFirst(FetchRequest<Trip>(where: #Predicate { $0.tripID == id }))
            try row.setValue(trip, for: "trip")
            for index in model.trips.indices { model.trips[index].bands = index == place ? [band] : [] }
            let found = try context.departures(request).map(TimetableModel.line)
            let anew = try DepartureTests.imported(model).context().departures(request).map(TimetableModel.line)
            #expect(found.count == 5 && found == anew, "\(place)")
        }
    }

    /// More services than are looked up one by one.
    @Test func `departures of many services with a change are those of a feed with it`() throws {
        var model = TimetableModel()
        model.stops = ["a", "b"].map { TimetableModel.Stop(id: $0) }
        model.services = (0..<150).map { number in
            TimetableModel.Service(id: "s\(number)", weekdays: (0..<7).map { (number + $0) % 3 > 0 })
        }
        model.trips = model.services.enumerated().map { number, service in
            let calls = ["a", "b"].enumerated().map { place, stop in
                TimetableModel.Call(sequence: place, stop: stop, arrival: 30_000 + number, departure: 30_000 + number)
            }
            return TimetableModel.Trip(id: "t\(number)", service: service.id, calls: calls)
        }
        let context = try DepartureTests.imported(model).context()
        let service = try context.fetchFirst(FetchRequest<Service>(where: #Predicate { $0.serviceID == "s7" }))
        try #require(service).setValue(ServiceDate(20_261_003), for: "endDate")
        model.services[7].end = 20_261_003
        let anew = try DepartureTests.imported(model).context()
        for date in 20_261_002...20_261_009 {
            let request = DepartureRequest(.stops(["a"]), on: ServiceDate(date))
            let found = try context.departures(request).map(TimetableModel.line)
            #expect(found == (try anew.departures(request).map(TimetableModel.line)) && found.count > 90, "\(date)")
        }
    }

    /// A random timetable that has departures in the days that tests ask for.
    private static func busyModel(seed: UInt64) throws -> TimetableModel {
        var random = SeededGenerator(seed: seed)
        let request = DepartureRequest(
            .stops(["top", "x"]), from: Instant(unixSeconds: 1_792_800_000), within: .seconds(800_000))
        while true {
            let model = TimetableModel.random(&random)
            if try !DepartureTests.imported(model).context().departures(request).isEmpty { return model }
        }
    }

    /// The trips stay, but they are not of the line any more, as after an import without its row.
    @Test func aDeletedLineHasNoDepartures() throws {
        var model = try Self.busyModel(seed: 3)
        let context = try DepartureTests.imported(model).context()
        var request = DepartureRequest(
            .stops(["top", "x", "y", "z"]), from: Instant(unixSeconds: 1_792_800_000), within: .seconds(800_000))
        var ofLines = 0
        for route in try context.fetch(FetchRequest<Route>()) {
            request.routes = [route.objectID]
            let before = try context.departures(request).count
            ofLines += before
            request.routes = nil
            model.routes.removeAll { $0.id == route.routeID }
            context.delete(route)
            // Trips without a line run in the zone of the first agency, so some may leave the window.
            let saved = try DepartureTests.imported(model).context().departures(request)
            #expect(try context.departures(request).map(TimetableModel.line) == saved.map(TimetableModel.line))
            for place in [request.place, .anywhere] {
                var ofLine = DepartureRequest(place, from: request.from, within: request.duration)
                ofLine.routes = [route.objectID]
                #expect(try context.departures(ofLine).isEmpty, "\(before)")
            }
        }
        #expect(ofLines > 0)
    }

    /// A trip whose last stop was deleted shows no headsign, as after an import without that stop.
    @Test func theNameOfADeletedLastStopIsNotShown() throws {
        var model = try Self.busyModel(seed: 5)
        for index in model.trips.indices { model.trips[index].headsign = "" }
        let context = try DepartureTests.imported(model).context()
        var compared = 0
        for id in ["p1", "x", "y", "z"] {
            let stop = try context.fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.stopID == id }))
            context.delete(try #require(stop))
            var changed = model
            changed.stops.removeAll { $0.id == id }
            let saved = try DepartureTests.imported(changed).context()
            let request = DepartureRequest(
                .stops(["top", "x", "y", "z"].filter { $0 != id }), from: Instant(unixSeconds: 1_792_800_000),
                within: .seconds(800_000))
            let found = try context.departures(request).map(TimetableModel.line)
            compared += found.count
            #expect(found == (try saved.departures(request).map(TimetableModel.line)), "without \(id)")
            context.rollback()
        }
        #expect(compared > 0)
    }

    /// The lines of a deleted agency run in the zone of the first agency that is left.
    @Test(arguments: ["a0", "a1"]) func aDeletedAgencyHasNoZone(id: String) throws {
        var model = try Self.busyModel(seed: 5)
        model.agencies = [
            TimetableModel.Agency(id: "a0", zone: "Europe/Berlin"), TimetableModel.Agency(id: "a1", zone: "Asia/Tokyo"),
            TimetableModel.Agency(id: "a2", zone: "America/New_York"),
        ]
        for (number, index) in model.routes.indices.enumerated() { model.routes[index].agency = "a\(number % 3)" }
        let context = try DepartureTests.imported(model).context()
        let agency = try context.fetchFirst(FetchRequest<Agency>(where: #Predicate { $0.agencyID == id }))
        context.delete(try #require(agency))
        model.agencies.removeAll { $0.id == id }
        let saved = try DepartureTests.imported(model).context()
        let request = DepartureRequest(
            .stops(["top", "x", "y", "z"]), from: Instant(unixSeconds: 1_792_800_000), within: .seconds(800_000))
        let found = try context.departures(request).map(TimetableModel.line)
        #expect(!found.isEmpty)
        #expect(found == (try saved.departures(request).map(TimetableModel.line)))
    }

    /// As when importing: of two exceptions with one date, the first counts; a type that is neither 1 nor 2 does
    /// nothing; and dates of a service that is not in calendar.txt do not make it run.
    @Test func exceptionsInMemoryCountAsWhenImporting() throws {
        var model = TimetableModel()
        model.stops = [TimetableModel.Stop(id: "a")]
        model.trips = [TimetableModel.Trip(id: "t", calls: [TimetableModel.Call(sequence: 1, stop: "a", departure: 5)])]
        let context = try DepartureTests.imported(model).context()
        let service = try #require(try context.fetchFirst(FetchRequest<Service>()))
        func add(_ type: Int, on date: Int) throws {
            let exception = context.insert(ServiceException.self)
            try exception.setValue(service, for: "service")
            try exception.setValue(ServiceDate(date), for: "date")
            try exception.setValue(type, for: "exceptionType")
        }
        for (date, types) in [(20_261_005, [2, 1]), (20_261_006, [3]), (20_261_231, [1, 2]), (20_270_101, [3])] {
            for type in types { try add(type, on: date) }
        }
        let dates = [20_261_005, 20_261_006, 20_261_231, 20_270_101].map { ServiceDate($0) }
        #expect(try dates.map(service.isRunning) == [false, true, true, false])
        try service.setValue(false, for: "inCalendar")
        #expect(try dates.map(service.isRunning) == [false, false, true, false])
        #expect(try service.days().count == 1)
    }

    /// A program may set any seconds. Times that no service day has start no trip, as in a store that has them.
    @Test(arguments: [(.min, 7_200), (3_600, .max), (.min, .max), (3_600, 7_200)] as [(Int, Int)])
    func frequenciesBeyondAllTimesStartNoTrip(start: Int, end: Int) throws {
        var model = TimetableModel()
        model.stops = [TimetableModel.Stop(id: "a")]
        let calls = [5, 65].map { TimetableModel.Call(sequence: $0, stop: "a", departure: $0) }
        model.trips = [TimetableModel.Trip(id: "t", calls: calls)]
        let context = try DepartureTests.imported(model).context()
        let frequency = context.insert(Frequency.self)
        let trip = try #require(try context.fetchFirst(FetchRequest<Trip>()))
        try frequency.setValue(trip, for: "trip")
        try frequency.set(\.headwaySecs, to: 600)
        try frequency.set(\.startTime, to: ServiceTime(seconds: start))
        try frequency.set(\.endTime, to: ServiceTime(seconds: end))
        let request = DepartureRequest(
            .stops(["a"]), from: Instant(unixSeconds: 1_792_800_000), within: .seconds(400_000))
        #expect(try context.departures(request).isEmpty == ((start, end) != (3_600, 7_200)))
    }

    /// The second call of the trip is two days before its first. Only a repeated trip can depart before its service
    /// day.
    @Test func `a frequency that is inserted makes departures before its day`() throws {
        let times = [("a", "55:33:20"), ("b", "00:00:00"), ("c", "80:00:00")]
        let context = try DepartureRuleTests.context {
            $0.trips = [TimetableModel.Trip(id: "t", calls: DepartureRuleTests.calls(times))]
        }
        let frequency = context.insert(Frequency.self)
        try frequency.setValue(try context.fetchFirst(FetchRequest<Trip>()), for: "trip")
        try frequency.setValue(ServiceTime(seconds: 21_600), for: "startTime")
        try frequency.setValue(ServiceTime(seconds: 21_601), for: "endTime")
        try frequency.setValue(600, for: "headwaySecs")
        let request = DepartureRequest(.stops(["b"]), on: ServiceDate(20_261_013))
        #expect(try context.departures(request).map(\.serviceTime.description) == ["-49:33:20"])
    }

    /// As after an import of such a row: riders call for the vehicle, so the call has no time of its own.
    @Test func `a call that gets a location group is on demand`() throws {
        let context = try DepartureRuleTests.context {
            let times = [("a", "08:00:00"), ("b", "09:00:00"), ("c", "10:00:00")]
            $0.trips = [TimetableModel.Trip(id: "t", calls: DepartureRuleTests.calls(times))]
        }
        let second = #Predicate<StopTime> { $0.stopSequence == 2 }
        let call = try #require(try context.fetchFirst(FetchRequest<StopTime>(where: second)))
        try call.setValue(1, for: "locationGroup")
        let request = DepartureRequest(.stops(["a", "b"]), on: ServiceDate(20_261_005))
        #expect(try context.departures(request).map(\.stopID) == ["a"])
    }

    /// `calendar.txt` has an unknown column with the name of one of `service_day`.
    @Test func `a trip that changes departs although its calendar has a column named date`() throws {
        var model = TimetableModel()
        model.stops = [TimetableModel.Stop(id: "a"), TimetableModel.Stop(id: "b")]
        let times = [("a", "08:00:00"), ("b", "09:00:00")]
        model.trips = [TimetableModel.Trip(id: "t", calls: DepartureRuleTests.calls(times))]
        let folder = try TemporaryFolder()
        try model.write(to: folder.path("feed"))
        let calendar = folder.path("feed/calendar.txt")
        let lines = try String(contentsOfFile: calendar, encoding: .utf8).split(separator: "\n")
        let widened = lines.enumerated().map { "\($1),\($0 == 0 ? "date" : "7")\n" }.joined()
        try widened.write(toFile: calendar, atomically: true, encoding: .utf8)
        let context = try ImportedStore(feed: folder.path("feed")).context()
        let trip = try #require(try context.fetchFirst(FetchRequest<Trip>()))
        try trip.setValue("Elsewhere", for: "headsign")
        let request = DepartureRequest(.stops(["a"]), on: ServiceDate(20_261_005))
        #expect(try context.departures(request).map(\.headsign) == ["Elsewhere"])
    }

    /// A line runs if one of its trips does, also in the second store of a context.
    @Test func linesAndTripsRunOnTheSameDays() throws {
        var random = SeededGenerator(seed: 5)
        let imported = try (0..<2).map { _ in try DepartureTests.imported(TimetableModel.random(&random)) }
        let stores = try imported.map { try $0.open() }
        let context = StoreCoordinator(stores).makeContext()
        var request = FetchRequest<Trip>(limit: 1)
        request.affectedStores = [stores[1]]
        let trip = try #require(try context.fetch(request).first)
        let monday = ServiceDate(20_270_104)
        #expect(try !trip.isRunning(on: monday) && !trip.route.isRunning(on: monday))
        let service = context.insert(Service.self)
        for property in ["inCalendar", "monday"] { try service.setValue(true, for: property) }
        try service.setValue(ServiceDate(20_270_101), for: "startDate")
        try service.setValue(ServiceDate(20_270_131), for: "endDate")
        try trip.setValue(service, for: "service")
        #expect(try trip.isRunning(on: monday) && trip.route.isRunning(on: monday))
        #expect(try trip.runs(on: monday).isEmpty == false)
        let line = context.insert(Route.self)
        try line.setValue("new", for: "routeID")
        try trip.setValue(line, for: "route")
        #expect(try line.isRunning(on: monday))
        context.delete(trip)
        #expect(try !trip.isRunning(on: monday) && trip.runs(on: monday).isEmpty && trip.serviceDays().isEmpty)
        #expect(try !line.isRunning(on: monday))
        context.delete(service)
        #expect(try !service.isRunning(on: monday) && service.days().isEmpty)
        #expect(context.lastError == nil)
    }

    @Test func departuresLeadToObjects() throws {
        let context = try DepartureTests.imported(Self.busyModel(seed: 5)).context()
        let request = DepartureRequest(
            .stops(["top", "x"]), from: Instant(unixSeconds: 1_792_800_000), within: .seconds(800_000))
        let departures = try context.departures(request)
        try #require(!departures.isEmpty)
        for departure in departures {
            #expect(departure.trip(in: context).tripID == departure.tripID)
            #expect(departure.stop(in: context).stopID == departure.stopID)
            #expect(departure.route(in: context)?.routeID == departure.routeID)
            let call = departure.stopTime(in: context)
            #expect(call.stopSequence == departure.stopSequence)
            #expect(call.trip.tripID == departure.tripID)
            let runs = try departure.trip(in: context).runs(on: departure.serviceDate)
            #expect(
                runs.contains {
                    $0.calls.contains { $0.departure == departure.instant && $0.stopSequence == departure.stopSequence }
                })
            let own = runs.first?.calls.first { $0.stopSequence == departure.stopSequence }
            #expect(own?.pickupType == call.pickupType && own?.dropOffType == call.dropOffType)
            #expect(try departure.trip(in: context).serviceDays().contains(departure.serviceDate))
            // Some of the trips have no line.
            #expect(try departure.route(in: context)?.isRunning(on: departure.serviceDate) != false)
        }
    }

    /// A delay that moves a call to the next day. What the context knows of changed trips is older than the loop.
    @Test func `a lazy loop shows no call again that moves to a later day`() throws {
        let context = try DepartureRuleTests.context {
            $0.trips = [("t0", "05:00:00"), ("t1", "06:00:00")].map { id, time in
                TimetableModel.Trip(id: id, calls: DepartureRuleTests.calls([("a", time), ("b", "07:00:00")]))
            }
        }
        let trips = try context.fetch(FetchRequest<Trip>())
        try trips[0].set(\.headsign, to: "East")
        let from = try #require(Instant("2026-10-05T00:00:00Z"))
        let request = DepartureRequest(.stops(["a"]), from: from, within: .seconds(3 * 86_400))
        let before = try context.departures(request).map(TimetableModel.line)
        var seen: [String] = []
        for departure in context.departures(lazily: request) {
            seen.append(TimetableModel.line(departure))
            guard seen.count == 2 else { continue }
            for call in trips[1].stopTimes {
                try call.set(\.departureTime, to: ServiceTime(hours: 30 + call.stopSequence))
                try call.set(\.arrivalTime, to: ServiceTime(hours: 30 + call.stopSequence))
            }
            #expect(try context.departures(request).map(TimetableModel.line) != before)
        }
        #expect(seen == before && seen.count == 6)
        #expect(Array(context.departures(lazily: request)) == (try context.departures(request)))
    }
}
