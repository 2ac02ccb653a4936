import Foundation
import Testing

@testable import TransitStore

/// Each rule by itself, with figures worked out by hand.
@Suite struct DepartureRuleTests {
    typealias Model = TimetableModel

    static func time(_ text: String) -> Int { ServiceTime(text)?.seconds ?? -1 }

    static func calls(_ times: [(String, String)]) -> [Model.Call] {
        times.enumerated().map { place, call in
            Model.Call(sequence: place + 1, stop: call.0, arrival: time(call.1), departure: time(call.1))
        }
    }

    /// Everything runs every day from 1 October to 30 November 2026, in Berlin.
    static func context(_ change: (inout Model) -> Void) throws -> StoreContext {
        var model = Model()
        model.stops = ["a", "b", "c"].map { Model.Stop(id: $0) }
        change(&model)
        return try DepartureTests.imported(model).context()
    }

    static func found(
        _ context: StoreContext, _ stops: [String], _ from: String, _ seconds: Int64, arrivals: Bool = false
    ) throws -> [String] {
        let from = try #require(Instant(from))
        var request = DepartureRequest(.stops(stops), from: from, within: .seconds(seconds))
        if arrivals { request.event = .arrivals }
        return try context.departures(request).map {
            "\($0.localTime) \($0.serviceDate) \($0.serviceTime) \($0.tripID)"
        }
    }

    /// The trip's second call is more than two days before its first.
    @Test func aRepeatedTripWhoseTimesGoBackwards() throws {
        let context = try Self.context {
            $0.trips = [
                Model.Trip(
                    id: "t", calls: Self.calls([("a", "55:33:20"), ("b", "00:00:00"), ("c", "80:00:00")]))
            ]
            $0.trips[0].bands = [Model.Band(start: 21_600, end: 21_601, headway: 600)]
        }
        #expect(
            try Self.found(context, ["b"], "2026-10-10T00:00:00+02:00", 86_400) == [
                "2026-10-10T22:26:40+02:00 20261013 -49:33:20 t"
            ])
    }

    /// Stored departures end at noon and begin at midnight; the frequency makes some far outside of these hours.
    @Test(arguments: [
        ("2026-10-05T22:00:00+02:00", "a", [("a", "08:00:00"), ("b", "12:00:00")], 79_200),
        ("2026-10-10T22:00:00+02:00", "b", [("a", "55:33:20"), ("b", "00:00:00"), ("c", "80:00:00")], 21_600),
    ])
    func aFrequencyThatIsInsertedWidensTheHours(from: String, stop: String, calls: [(String, String)], start: Int)
        throws
    {
        let trip = Model.Trip(id: "t", calls: Self.calls(calls))
        let context = try Self.context { $0.trips = [trip] }
        let frequency = context.insert(Frequency.self)
        try frequency.setValue(try context.fetchFirst(FetchRequest<Trip>()), for: "trip")
        try frequency.setValue(ServiceTime(seconds: start), for: "startTime")
        try frequency.setValue(ServiceTime(seconds: start + 1), for: "endTime")
        try frequency.setValue(600, for: "headwaySecs")
        let anew = try Self.context {
            $0.trips = [trip]
            $0.trips[0].bands = [Model.Band(start: start, end: start + 1, headway: 600)]
        }
        let found = try Self.found(context, [stop], from, 3_600)
        let expected = try Self.found(anew, [stop], from, 3_600)
        #expect(found == expected && found.count == 1)
    }

    @Test func aWindowIsHalfOpen() throws {
        let context = try Self.context {
            $0.trips = [Model.Trip(id: "t", calls: Self.calls([("a", "08:00:00"), ("b", "08:10:00")]))]
        }
        let at = "2026-10-05T08:00:00+02:00"
        #expect(try Self.found(context, ["a"], at, 1).count == 1)
        #expect(try Self.found(context, ["a"], at, 0).count == 0)
        #expect(try Self.found(context, ["a"], "2026-10-05T07:59:59+02:00", 1).count == 0)
        #expect(try Self.found(context, ["a"], at, 86_400).count == 1)
        #expect(try Self.found(context, ["a"], at, 86_401).count == 2)
    }

    @Test func tripsThatBeganDaysAgoAreFound() throws {
        let context = try Self.context {
            $0.services[0].start = 20_261_001
            $0.services[0].end = 20_261_001
            $0.trips = [
                Model.Trip(id: "t", calls: Self.calls([("a", "23:00:00"), ("b", "250:00:00"), ("c", "251:00:00")]))
            ]
        }
        #expect(
            try Self.found(context, ["b"], "2026-10-11T10:00:00+02:00", 1) == [
                "2026-10-11T10:00:00+02:00 20261001 250:00:00 t"
            ])
    }

    @Test func aTripWithFrequenciesStartsAtTheirHeadways() throws {
        let context = try Self.context {
            var trip = Model.Trip(
                id: "t", calls: Self.calls([("a", "10:00:00"), ("b", "10:07:00"), ("c", "10:20:00")]))
            trip.bands = [
                Model.Band(start: Self.time("06:00:00"), end: Self.time("07:00:00"), headway: 1_200, exact: 1),
                Model.Band(start: Self.time("07:00:00"), end: Self.time("07:30:01"), headway: 1_800),
            ]
            $0.trips = [trip]
        }
        let request = DepartureRequest(
            .stops(["b"]), from: try #require(Instant("2026-10-05T00:00:00+02:00")), within: .seconds(86_400))
        let found = try context.departures(request)
        #expect(found.map { "\($0.serviceTime)" } == ["06:07:00", "06:27:00", "06:47:00", "07:07:00", "07:37:00"])
        #expect(found.map { $0.repetition } == [.exact, .exact, .exact, .headway, .headway])
    }

    /// A date without a day number must not find services around 1970.
    @Test func aServiceDayThatIsNotADateHasNoDepartures() throws {
        let context = try Self.context {
            $0.services = [Model.Service(id: "s0", start: 19_691_201, end: 19_710_131)]
            $0.trips = [Model.Trip(id: "t", calls: Self.calls([("a", "10:00:00"), ("b", "10:07:00")]))]
        }
        #expect(try context.departures(DepartureRequest(.stops(["a"]), on: ServiceDate(19_700_102))).count == 1)
        let request = DepartureRequest(.stops(["a"]), on: ServiceDate(20_261_399))
        #expect(try context.departures(request).isEmpty)
        try #require(try context.fetchFirst(FetchRequest<StopTime>())).set(\.departureTime, to: ServiceTime(seconds: 5))
        #expect(try context.departures(request).isEmpty)
    }

    /// An error that an earlier property or loop has left does not end a later call, and a program can clear it.
    @Test func anEarlierErrorDoesNotEndLaterCalls() throws {
        let context = try Self.context {
            $0.trips = [Model.Trip(id: "t", calls: Self.calls([("a", "08:00:00"), ("b", "08:07:00")]))]
        }
        let trip = try #require(try context.fetch(FetchRequest<Trip>()).first)
        let date = ServiceDate(20_261_005)
        let runs = try trip.runs(on: date)
        let days = try trip.serviceDays()
        for _ in context.departures(lazily: DepartureRequest(.stops(["nowhere"]), on: date)) {}
        let error = try #require(context.lastError)
        #expect(error.code == .unknownRow)
        #expect(try trip.runs(on: date) == runs && trip.serviceDays() == days && trip.isRunning(on: date))
        try trip.setValue("Elsewhere", for: "headsign")
        #expect(try context.departures(DepartureRequest(.stops(["a"]), on: date)).count == 1)
        #expect(context.lastError == error)
        context.lastError = nil
        for _ in context.departures(lazily: DepartureRequest(.stops(["a"]), on: date)) {}
        #expect(context.lastError == nil)
    }

    /// A headway of one second for days: a limited request is answered, and a list of all runs of a day is refused.
    @Test func aTripThatRepeatsEverySecond() throws {
        let context = try Self.context {
            var trip = Model.Trip(id: "t", calls: Self.calls([("a", "00:00:00"), ("b", "00:07:00")]))
            trip.bands = [Model.Band(start: 0, end: Self.time("900:00:00"), headway: 1)]
            $0.trips = [trip]
        }
        let from = try #require(Instant("2026-10-05T00:00:00+02:00"))
        var request = DepartureRequest(.stops(["a"]), from: from, within: .seconds(86_400))
        request.limit = 5
        #expect(try context.departures(request).count == 5)
        let trip = try #require(try context.fetch(FetchRequest<Trip>()).first)
        let error = #expect(throws: StoreError.self) { try trip.runs(on: ServiceDate(20_261_005)) }
        #expect(error?.code == .tooComplex)
        #expect(
            error?.message == "The trip \"t\" runs 3240000 times on 20261005, more than 100000; "
                + "ask for the departures of one of its stops")
    }

    /// Many rows repeat a trip every second at the same time: a limit gives the first departures of all rows, and a
    /// whole day without a limit is refused.
    @Test func aTripThatManyRowsRepeatEverySecond() throws {
        let context = try Self.context {
            var trip = Model.Trip(id: "t", calls: Self.calls([("a", "00:00:00"), ("b", "00:07:00")]))
            let row = Model.Band(start: 0, end: Self.time("900:00:00"), headway: 1)
            trip.bands = Array(repeating: row, count: 24)
            $0.trips = [trip]
        }
        let from = try #require(Instant("2026-10-05T00:00:00+02:00"))
        var request = DepartureRequest(.stops(["a"]), from: from, within: .seconds(60))
        let all = try context.departures(request)
        request.limit = 600
        #expect(try context.departures(request).elementsEqual(all.prefix(600)) { $0.instant == $1.instant })
        request.duration = .seconds(86_400)
        #expect(try context.departures(request).elementsEqual(all.prefix(600)) { $0.instant == $1.instant })
        request.limit = 0
        let error = #expect(throws: StoreError.self) { try context.departures(request) }
        #expect(
            error
                == StoreError(
                    .tooComplex,
                    "frequencies.txt repeats trips more than 2000000 times in that time; ask for fewer stops, less "
                        + "time, or the first few departures"))
    }

    @Test func lastCallsAndCallsWithoutPickupAreNoDepartures() throws {
        let context = try Self.context {
            var loop = Self.calls([
                ("a", "08:00:00"), ("b", "08:10:00"), ("a", "08:20:00"), ("c", "08:30:00"), ("a", "08:40:00"),
            ])
            loop[1].pickup = 1
            loop[3].dropOff = 1
            $0.trips = [Model.Trip(id: "t", calls: loop)]
        }
        func times(_ stops: [String], _ arrivals: Bool) throws -> [Substring] {
            try Self.found(context, stops, "2026-10-05T00:00:00+02:00", 80_000, arrivals: arrivals).map {
                $0.dropFirst(11).prefix(5)
            }
        }
        #expect(try times(["a"], false) == ["08:00", "08:20"])
        #expect(try times(["a"], true) == ["08:20", "08:40"])
        #expect(try times(["b"], false) == [])
        #expect(try times(["b"], true) == ["08:10"])
        #expect(try times(["c"], false) == ["08:30"])
        #expect(try times(["c"], true) == [])
    }

    @Test func aHeadwayOfAnyLengthLetsTheTripStartOnce() throws {
        let context = try Self.context {
            var trip = Model.Trip(id: "t", calls: Self.calls([("a", "10:00:00"), ("b", "10:07:00")]))
            trip.bands = [Model.Band(start: 8 * 3_600, end: 12 * 3_600, headway: 10_000_000_000_000)]
            $0.trips = [trip]
        }
        #expect(
            try Self.found(context, ["a"], "2026-10-05T00:00:00+02:00", 86_400) == [
                "2026-10-05T08:00:00+02:00 20261005 08:00:00 t"
            ])
    }

    /// The name of an earlier stop would be wrong: the trip goes on from there.
    @Test func aTripWhoseLastCallHasNoStopShowsNoHeadsign() throws {
        let context = try Self.context {
            $0.trips = [
                Model.Trip(id: "t", calls: Self.calls([("a", "08:00:00"), ("b", "09:00:00"), ("gone", "10:00:00")]))
            ]
        }
        let request = DepartureRequest(
            .stops(["a", "b"]), from: try #require(Instant("2026-10-05T00:00:00+02:00")), within: .seconds(86_400))
        #expect(try context.departures(request).map(\.headsign) == [nil, nil])
        let trip = try #require(try context.fetchFirst(FetchRequest<Trip>()))
        try trip.setValue(1, for: "directionID")
        #expect(try context.departures(request).map(\.headsign) == [nil, nil])
    }

    @Test func theLastArrivalOfTheFeedIsFoundByItsServiceDay() throws {
        let context = try Self.context {
            $0.trips = [Model.Trip(id: "t", calls: Self.calls([("a", "08:00:00"), ("b", "26:00:00")]))]
        }
        var request = DepartureRequest(.stops(["b"]), on: ServiceDate(20_261_005))
        request.event = .arrivals
        #expect(try context.departures(request).map(\.serviceTime.description) == ["26:00:00"])
    }

    @Test func ridesOfTwoFrequenciesAtOneTimeAreTwoDepartures() throws {
        let context = try Self.context {
            var trip = Model.Trip(id: "t", calls: Self.calls([("a", "08:00:00"), ("b", "09:00:00")]))
            trip.bands = [
                Model.Band(start: 28_800, end: 30_000, headway: 600),
                Model.Band(start: 28_800, end: 30_000, headway: 1_200),
            ]
            $0.trips = [trip]
        }
        let found = try context.departures(
            DepartureRequest(.stops(["a"]), on: ServiceDate(20_261_005)))
        #expect(found.count == 3 && Set(found).count == 3)
    }

    @Test func aWholeLineHasNoDeparturesWhereItsStopIsUnknown() throws {
        let context = try Self.context {
            $0.trips = [
                Model.Trip(id: "t", calls: Self.calls([("a", "08:00:00"), ("gone", "09:00:00"), ("b", "10:00:00")]))
            ]
        }
        var request = DepartureRequest(
            .anywhere, from: try #require(Instant("2026-10-05T00:00:00+02:00")), within: .seconds(86_400))
        request.routes = try context.fetchIDs(FetchRequest<Route>())
        #expect(try context.departures(request).map(\.stopID) == ["a"])
        request.event = .arrivals
        #expect(try context.departures(request).map(\.stopID) == ["b"])
    }

    /// The index has departure times only, so the search for arrivals is widened by the dwell times of the feed.
    @Test func anArrivalAfterItsDepartureIsFound() throws {
        let context = try Self.context {
            var calls = Self.calls([("a", "08:00:00"), ("b", "09:00:00"), ("c", "10:00:00")])
            calls[1].departure = Self.time("07:30:00")
            $0.trips = [Model.Trip(id: "t", calls: calls)]
        }
        #expect(
            try Self.found(context, ["b"], "2026-10-05T08:59:00+02:00", 120, arrivals: true) == [
                "2026-10-05T09:00:00+02:00 20261005 09:00:00 t"
            ])
    }

    /// A connection that keeps no rows keeps 64 lines a request. Lines whose keys differ by 64 share a place.
    @Test func linesThatShareAPlaceAreNotConfused() throws {
        var model = Model()
        model.stops = ["a", "b"].map { Model.Stop(id: $0) }
        model.routes = (0..<200).map { Model.Route(id: "r\($0)", agency: "a0") }
        model.trips = [0, 64, 128, 3, 67, 0, 128].enumerated().map { number, route in
            Model.Trip(
                id: "t\(number)", route: "r\(route)",
                calls: Self.calls([("a", "08:0\(number):00"), ("b", "09:00:00")]))
        }
        var configuration = TransitStore.Configuration()
        configuration.rowCacheCapacity = 0
        let imported = try DepartureTests.imported(model)
        let context = try TransitStore(path: imported.path, configuration: configuration).makeContext()
        let request = DepartureRequest(
            .stops(["a"]), from: try #require(Instant("2026-10-05T00:00:00+02:00")), within: .seconds(86_400))
        #expect(
            try context.departures(request).map(\.routeID) == ["r0", "r64", "r128", "r3", "r67", "r0", "r128"])
    }

    @Test func aStoreRefusesToLookInAnotherOne() throws {
        let trips = [Model.Trip(id: "t", calls: Self.calls([("a", "08:00:00"), ("b", "09:00:00")]))]
        let (one, two) = (try Self.context { $0.trips = trips }, try Self.context { $0.trips = trips })
        var request = DepartureRequest(.stops(["a"]), from: Instant(unixSeconds: 0), within: .zero)
        request.affectedStores = [two.stores[0]]
        let refused = #expect(throws: StoreError.self) { try one.stores[0].departures(request) }
        #expect(refused?.code == .unknownStore)
        #expect(#expect(throws: StoreError.self) { try one.departures(request) }?.code == .unknownStore)
    }

    @Test func aPlatformAnswersForItselfAndAStationForAllBelow() throws {
        let context = try Self.context {
            $0.stops = [
                Model.Stop(id: "s", kind: 1), Model.Stop(id: "p", parent: "s", platform: "7"),
                Model.Stop(id: "b", kind: 4, parent: "p"), Model.Stop(id: "x"),
            ]
            $0.trips = [
                Model.Trip(id: "t", calls: Self.calls([("p", "08:00:00"), ("b", "08:05:00"), ("x", "08:10:00")]))
            ]
        }
        func stops(_ id: String) throws -> [String] {
            let request = DepartureRequest(
                .stops([id]), from: try #require(Instant("2026-10-05T00:00:00Z")), within: .seconds(80_000))
            return try context.departures(request).map(\.stopID)
        }
        #expect(try stops("s") == ["p", "b"])
        #expect(try stops("p") == ["p"])
        #expect(try stops("b") == ["b"])
        #expect(
            throws: StoreError(
                .unknownRow, "The feed has no stop \"none\" (stop_id); search for the stop's name to find its stop_id")
        ) { try stops("none") }
    }

    /// Departures near a place, of a whole route, and in one direction.
    @Test func placesLinesAndDirectionsNarrowARequest() throws {
        let context = try Self.context {
            $0.routes = [Model.Route(id: "r0", agency: ""), Model.Route(id: "r1", agency: "")]
            $0.trips = [
                Model.Trip(id: "t", direction: "0", calls: Self.calls([("a", "08:00:00"), ("b", "08:10:00")])),
                Model.Trip(id: "u", direction: "1", calls: Self.calls([("b", "09:00:00"), ("a", "09:10:00")])),
                Model.Trip(id: "v", route: "r1", calls: Self.calls([("a", "10:00:00"), ("b", "10:10:00")])),
            ]
            $0.trips[2].bands = [Model.Band(start: 36_000, end: 36_601, headway: 600)]
        }
        let from = try #require(Instant("2026-10-05T00:00:00Z"))
        func trips(_ place: DepartureRequest.Place, _ change: (inout DepartureRequest) -> Void = { _ in }) throws
            -> [String]
        {
            var request = DepartureRequest(place, from: from, within: .seconds(80_000))
            change(&request)
            return try context.departures(request).map(\.tripID)
        }
        let place = Coordinate(latitude: 52.5, longitude: 13.4)
        #expect(try trips(.near(place, meters: 10)) == ["t", "u", "v", "v"])
        #expect(try trips(.near(Coordinate(latitude: 50, longitude: 13), meters: 10)) == [])
        let (first, second) = (try context.stores[0].routes(named: "r0"), try context.stores[0].routes(named: "R1"))
        #expect(try trips(.anywhere) { $0.routes = first } == ["t", "u"])
        #expect(try trips(.anywhere) { $0.routes = second } == ["v", "v"])
        #expect(
            try trips(.anywhere) {
                $0.routes = first; $0.directionID = 1
            } == ["u"])
        #expect(
            try trips(.stops(["a", "b"])) {
                $0.routes = first + second; $0.directionID = 0
            } == ["t"])
        #expect(throws: StoreError.self) { try trips(.anywhere) }
        #expect(throws: StoreError(.unknownRow, "The feed has no line \"r9\" (route_id or route_short_name)")) {
            try context.stores[0].routes(named: "r9")
        }
        let stop = try #require(try context.fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.stopID == "a" })))
        #expect(
            try context.departures(at: stop, from: from, within: .seconds(80_000), limit: 2).map(\.tripID) == [
                "t", "v",
            ])
        let day = ServiceDate(20_261_005)
        #expect(try context.firstDeparture(at: .stops(["a"]), on: day)?.tripID == "t")
        #expect(try context.lastDeparture(at: .stops(["a"]), on: day)?.serviceTime.description == "10:10:00")
    }
}
