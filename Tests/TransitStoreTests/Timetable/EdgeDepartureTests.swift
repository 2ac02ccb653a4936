import Foundation
import Testing

@testable import TransitStore

/// Departures at the edges of days, windows, feeds and rules, worked out by hand from the reference.
@Suite struct EdgeDepartureTests {
    private typealias Model = TimetableModel
    private typealias Rules = DepartureRuleTests

    /// As in a store that has such a row: it starts no trip, so the trip leaves at its own time.
    @Test(arguments: [(3_600, 7_200, 0), (3_600, 7_200, -600), (3_600, 3_600, 600), (7_200, 3_600, 600)])
    func `a frequency that starts no trip leaves the trip its own times`(start: Int, end: Int, headway: Int) throws {
        let context = try Rules.context {
            $0.trips = [Model.Trip(id: "t", calls: Rules.calls([("a", "08:00:00"), ("b", "09:00:00")]))]
        }
        let frequency = context.insert(Frequency.self)
        let trip = try #require(try context.fetchFirst(FetchRequest<Trip>()))
        try frequency.setValue(trip, for: "trip")
        try frequency.set(\.startTime, to: ServiceTime(seconds: start))
        try frequency.set(\.endTime, to: ServiceTime(seconds: end))
        try frequency.set(\.headwaySecs, to: headway)
        let date = ServiceDate(20_261_005)
        let found = try context.departures(DepartureRequest(.stops(["a"]), on: date))
        #expect(found.map(\.serviceTime.description) == ["08:00:00"] && found.map(\.repetition) == [nil])
        #expect(try trip.runs(on: date).map(\.calls.count) == [2])
    }

    /// Also in a store that has none of the lines.
    @Test(arguments: [(91.0, 100.0), (52.5, -1)]) func `a place out of range is refused without lines`(
        latitude: Double, meters: Double
    ) throws {
        let context = try ImportedStore.sample.get().context()
        let place = DepartureRequest.Place.near(Coordinate(latitude: latitude, longitude: 13), meters: meters)
        var request = DepartureRequest(place, on: ServiceDate(20_261_005))
        for routes in [nil, []] as [[ObjectID]?] {
            request.routes = routes
            #expect(#expect(throws: StoreError.self) { try context.departures(request) }?.code == .unsuitableValue)
        }
    }

    /// The ride that began at 08:00 the day before and repeats after 24 hours is another one than that of today.
    @Test func `rides of two days at one instant are two departures`() throws {
        let context = try Rules.context {
            var trip = Model.Trip(id: "t", calls: Rules.calls([("a", "00:00:00"), ("b", "00:10:00")]))
            trip.bands = [Model.Band(start: 28_800, end: 115_201, headway: 86_400)]
            $0.trips = [trip]
        }
        let request = DepartureRequest(
            .stops(["a"]), from: try #require(Instant("2026-10-06T08:00:00+02:00")), within: .seconds(1))
        let found = try context.departures(request)
        #expect(found.map(\.serviceDate.number) == [20_261_005, 20_261_006])
        #expect(found.map(\.serviceTime.description) == ["32:00:00", "08:00:00"])
        #expect(Set(found).count == 2 && found[0] != found[1])
    }

    /// The first row of frequencies.txt has the ride of the later day.
    @Test func `departures at one instant are in the order of their service days`() throws {
        let context = try Rules.context {
            var trip = Model.Trip(id: "t", calls: Rules.calls([("a", "00:00:00"), ("b", "00:10:00")]))
            trip.bands = [
                Model.Band(start: 28_800, end: 28_801, headway: 600),
                Model.Band(start: 115_200, end: 115_201, headway: 600),
            ]
            $0.trips = [trip]
        }
        let request = DepartureRequest(
            .stops(["a"]), from: try #require(Instant("2026-10-06T08:00:00+02:00")), within: .seconds(1))
        let days = [20_261_005, 20_261_006]
        #expect(try context.departures(request).map(\.serviceDate.number) == days)
        // The trip's rows come from its objects.
        try context.fetchFirst(FetchRequest<Trip>())?.set(\.shortName, to: "changed")
        #expect(try context.departures(request).map(\.serviceDate.number) == days)
    }

    /// West of Greenwich the last service day ends after that day in UTC, east of it the first begins before.
    @Test(arguments: [
        ("America/New_York", "2026-11-30T00:00:00-05:00", "2026-11-30T23:00:00-05:00 20261130 23:00:00 t"),
        ("Pacific/Auckland", "2026-10-01T00:00:00+13:00", "2026-10-01T00:30:00+13:00 20261001 00:30:00 u"),
    ])
    func `the first and the last day of a feed are whole`(zone: String, from: String, departure: String) throws {
        let context = try Rules.context {
            $0.agencies[0].zone = zone
            $0.trips = [
                Model.Trip(id: "t", calls: Rules.calls([("a", "23:00:00"), ("b", "23:10:00")])),
                Model.Trip(id: "u", calls: Rules.calls([("a", "00:30:00"), ("b", "00:40:00")])),
            ]
        }
        #expect(try Rules.found(context, ["a"], from, 86_400).contains(departure))
    }

    @Test func `the days of a service reach over a hundred years`() throws {
        let context = try Rules.context {
            $0.trips = [Model.Trip(id: "t", calls: Rules.calls([("a", "08:00:00"), ("b", "09:00:00")]))]
        }
        let service = try #require(try context.fetchFirst(FetchRequest<Service>()))
        try service.setValue(ServiceDate(20_000_101), for: "startDate")
        try service.setValue(ServiceDate(20_991_231), for: "endDate")
        let days = try service.days()
        #expect(days.count == 36_525 && days.last == ServiceDate(20_991_231))
    }

    @Test(arguments: [(100_000, true), (100_001, false)])
    func `a hundred thousand runs of a trip are listed, and no more`(runs: Int, isListed: Bool) throws {
        let context = try Rules.context {
            var trip = Model.Trip(id: "t", calls: Rules.calls([("a", "00:00:00"), ("b", "00:07:00")]))
            trip.bands = [Model.Band(start: 0, end: runs, headway: 1)]
            $0.trips = [trip]
        }
        let trip = try #require(try context.fetchFirst(FetchRequest<Trip>()))
        let date = ServiceDate(20_261_005)
        if isListed {
            #expect(try trip.runs(on: date).count == runs)
        } else {
            #expect(#expect(throws: StoreError.self) { try trip.runs(on: date) }?.code == .tooComplex)
        }
    }

    /// ISO 8601 allows a comma before the fraction.
    @Test func `a fraction of a second may follow a comma`() {
        #expect(Instant("2026-10-25T01:29:59,001Z")?.unixSeconds == 1_792_891_800)
        #expect(Instant("2026-10-25T01:30:00,000Z")?.unixSeconds == 1_792_891_800)
        #expect(Instant("2026-10-25T01:30:00,Z") == nil)
    }

    /// Day 59, counted from 0 with 29 February, is 29 February 2024 and 1 March 2023. Day J60 is always 1 March, and
    /// J300 27 October (POSIX, TZ).
    @Test func `clocks may change on days that are counted`() throws {
        let zeroBased = try #require(ZoneRule("EST5EDT,59/2,299/2"))
        let counted = try #require(ZoneRule("EST5EDT,J60/2,J300/2"))
        // 2024-02-29 07:00, 2023-03-01 07:00, 2024-03-01 07:00 and 2024-10-27 06:00 UTC.
        for (rule, change, before, after) in [
            (zeroBased, 1_709_190_000, -18_000, -14_400), (zeroBased, 1_677_654_000, -18_000, -14_400),
            (counted, 1_709_276_400, -18_000, -14_400), (counted, 1_677_654_000, -18_000, -14_400),
            (counted, 1_730_008_800, -14_400, -18_000),
        ] as [(ZoneRule, Int64, Int, Int)] {
            #expect(rule.period(at: change - 1) == ZonePeriod(offset: before, end: change))
            #expect(rule.period(at: change).offset == after)
        }
    }

    /// Such a trip runs in the zone of the first agency; its departures do, too.
    @Test func `a trip whose line the feed lacks runs in the zone of the first agency`() throws {
        let context = try Rules.context {
            let calls = Rules.calls([("a", "08:00:00"), ("b", "09:00:00")])
            $0.trips = [Model.Trip(id: "t", route: "gone", calls: calls)]
        }
        let trip = try #require(try context.fetchFirst(FetchRequest<Trip>()))
        let date = ServiceDate(20_261_005)
        let calls = try trip.runs(on: date).flatMap(\.calls)
        #expect(calls.map(\.departure.description) == ["2026-10-05T06:00:00Z", "2026-10-05T07:00:00Z"])
        let departures = try context.departures(DepartureRequest(.stops(["a"]), on: date))
        #expect(departures.map(\.instant) == [calls[0].departure])
    }

    /// As `anArrivalAfterItsDepartureIsFound`, for a whole line.
    @Test func `an arrival of a line after its departure is found`() throws {
        let context = try Rules.context {
            var calls = Rules.calls([("a", "08:00:00"), ("b", "09:00:00"), ("c", "10:00:00")])
            calls[1].departure = Rules.time("07:30:00")
            $0.trips = [Model.Trip(id: "t", calls: calls)]
        }
        var request = DepartureRequest(
            .anywhere, from: try #require(Instant("2026-10-05T08:59:00+02:00")), within: .seconds(120))
        request.routes = try context.fetchIDs(FetchRequest<Route>())
        request.event = .arrivals
        #expect(try context.departures(request).map(\.stopID) == ["b"])
    }

    /// A loop calls at its first stop again.
    @Test func `a repeated trip of a line leaves a stop once for each call`() throws {
        let context = try Rules.context {
            var trip = Model.Trip(
                id: "t",
                calls: Rules.calls([("a", "08:00:00"), ("b", "08:10:00"), ("a", "08:20:00"), ("c", "08:30:00")]))
            trip.bands = [Model.Band(start: 28_800, end: 30_001, headway: 1_200)]
            $0.trips = [trip]
        }
        let date = ServiceDate(20_261_005)
        func times(_ place: DepartureRequest.Place) throws -> [String] {
            var request = DepartureRequest(place, on: date)
            request.routes = try context.fetchIDs(FetchRequest<Route>())
            return try context.departures(request).map { "\($0.serviceTime) \($0.stopID) \($0.stopSequence)" }
        }
        let expected = [
            "08:00:00 a 1", "08:10:00 b 2", "08:20:00 a 1", "08:20:00 a 3", "08:30:00 b 2", "08:40:00 a 3",
        ]
        #expect(try times(.anywhere) == expected)
        #expect(try times(.stops(["a", "b", "c"])) == expected)
    }

    /// calendar_dates.txt may add days before start_date.
    @Test func `a day that is added before a service begins is one of its days`() throws {
        let context = try Rules.context {
            $0.trips = [Model.Trip(id: "t", calls: Rules.calls([("a", "08:00:00"), ("b", "09:00:00")]))]
        }
        let service = try #require(try context.fetchFirst(FetchRequest<Service>()))
        let exception = context.insert(ServiceException.self)
        try exception.setValue(service, for: "service")
        try exception.setValue(ServiceDate(20_260_915), for: "date")
        try exception.setValue(1, for: "exceptionType")
        #expect(try service.days().first == ServiceDate(20_260_915))
        let found = try context.departures(DepartureRequest(.stops(["a"]), on: ServiceDate(20_260_915)))
        #expect(found.map(\.localTime) == ["2026-09-15T08:00:00+02:00"])
        let window = try Rules.found(context, ["a"], "2026-09-15T00:00:00+02:00", 86_400)
        #expect(window == ["2026-09-15T08:00:00+02:00 20260915 08:00:00 t"])
    }

    /// An inserted line belongs to no store yet, so each store is asked for it.
    @Test func `departures of an inserted line are found in a context of two stores`() throws {
        func imported(_ name: String) throws -> ImportedStore {
            var model = Model()
            model.stops = ["a", "b"].map { Model.Stop(id: $0) }
            model.trips = [Model.Trip(id: name, calls: Rules.calls([("a", "08:00:00"), ("b", "09:00:00")]))]
            return try DepartureTests.imported(model)
        }
        let (one, two) = (try imported("one"), try imported("two"))
        let context = StoreCoordinator([try one.open(), try two.open()]).makeContext()
        let line = context.insert(Route.self)
        try line.set(\.routeID, to: "new")
        let trip = try #require(try context.fetchFirst(FetchRequest<Trip>(where: #Predicate { $0.tripID == "two" })))
        try trip.setValue(line, for: "route")
        for place in [.stops(["a"]), .anywhere] as [DepartureRequest.Place] {
            var request = DepartureRequest(place, on: ServiceDate(20_261_005))
            request.routes = [line.objectID]
            #expect(try context.departures(request).map(\.tripID) == ["two"])
        }
    }

    /// A time beside a window is a fault of the feed; riders call for the vehicle there.
    @Test func `a call on demand of a repeated trip has no departures`() throws {
        let context = try Rules.context {
            var trip = Model.Trip(
                id: "t", calls: Rules.calls([("a", "08:00:00"), ("b", "08:10:00"), ("c", "08:20:00")]))
            trip.calls[1].window = true
            trip.bands = [Model.Band(start: 28_800, end: 28_801, headway: 600)]
            $0.trips = [trip]
        }
        let request = DepartureRequest(.stops(["a", "b"]), on: ServiceDate(20_261_005))
        #expect(try context.departures(request).map(\.stopID) == ["a"])
        try context.fetchFirst(FetchRequest<Trip>())?.set(\.shortName, to: "changed")
        #expect(try context.departures(request).map(\.stopID) == ["a"])
    }

    /// The second call is an hour before the first; the frequency begins with the day.
    @Test func `a repeated trip that begins at midnight and goes back departs on the day before`() throws {
        let context = try Rules.context {
            var trip = Model.Trip(
                id: "t", calls: Rules.calls([("a", "10:00:00"), ("b", "09:00:00"), ("c", "11:00:00")]))
            trip.bands = [Model.Band(start: 0, end: 1, headway: 600)]
            $0.trips = [trip]
        }
        let found = try Rules.found(context, ["b"], "2026-10-04T12:00:00+02:00", 86_400)
        #expect(found == ["2026-10-04T23:00:00+02:00 20261005 -01:00:00 t"])
    }

    /// A trip of five weeks belongs to a service day before those that one statement asks for. Meanwhile the clock was
    /// put back.
    @Test func `trips of more weeks than one statement asks for are found beside those of today`() throws {
        let context = try Rules.context {
            $0.trips = [
                Model.Trip(id: "t", calls: Rules.calls([("a", "08:00:00"), ("b", "09:00:00")])),
                Model.Trip(id: "u", calls: Rules.calls([("a", "848:00:00"), ("b", "849:00:00")])),
            ]
        }
        let date = try #require(try context.fetchFirst(FetchRequest<Service>())).days()[40]
        let found = try context.departures(DepartureRequest(.stops(["a"]), on: date))
        #expect(Set(found.map(\.tripID)) == ["t", "u"])
        let noon = try Rules.found(context, ["a"], "2026-11-16T00:00:00+01:00", 86_400)
        #expect(
            noon == [
                "2026-11-16T07:00:00+01:00 20261012 848:00:00 u", "2026-11-16T08:00:00+01:00 20261116 08:00:00 t",
            ])
    }
}
