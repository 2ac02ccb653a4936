import Foundation
import Testing

@testable import TransitStore

/// Rules about time zones and nights on which clocks change, with figures worked out by hand.
@Suite struct DepartureClockTests {
    private typealias Model = TimetableModel
    private typealias Rules = DepartureRuleTests

    /// On 25 October 2026, the clock shows 02:30 twice. Trips of the evening before run on through that night.
    @Test func theNightOnWhichClocksArePutBackHasAnHourTwice() throws {
        let context = try Rules.context {
            $0.trips = [
                Model.Trip(
                    id: "evening", calls: Rules.calls([("a", "25:30:00"), ("b", "26:30:00"), ("c", "27:30:00")])),
                Model.Trip(
                    id: "morning", calls: Rules.calls([("a", "01:30:00"), ("b", "02:30:00"), ("c", "03:30:00")])),
            ]
        }
        #expect(
            try Rules.found(context, ["a", "b"], "2026-10-24T22:00:00Z", 6 * 3_600) == [
                // Midnight of the 25th is at 22:00 UTC; its service day begins an hour later.
                "2026-10-25T01:30:00+02:00 20261024 25:30:00 evening",
                "2026-10-25T02:30:00+02:00 20261024 26:30:00 evening",
                "2026-10-25T02:30:00+02:00 20261025 01:30:00 morning",
                "2026-10-25T02:30:00+01:00 20261025 02:30:00 morning",
            ])
    }

    @Test func theNightOnWhichClocksArePutForwardLacksAnHour() throws {
        let context = try Rules.context {
            $0.services[0].start = 20_260_301
            $0.services[0].end = 20_260_430
            $0.trips = [
                Model.Trip(id: "t", calls: Rules.calls([("a", "02:30:00"), ("b", "03:30:00"), ("c", "12:00:00")]))
            ]
        }
        #expect(
            try Rules.found(context, ["a", "b"], "2026-03-28T12:00:00Z", 86_400) == [
                "2026-03-29T01:30:00+01:00 20260329 02:30:00 t", "2026-03-29T03:30:00+02:00 20260329 03:30:00 t",
            ])
    }

    /// Lord Howe Island's clocks are put back by half an hour on 5 April 2026.
    @Test func aClockMayShiftByHalfAnHour() throws {
        let context = try Rules.context {
            $0.agencies[0].zone = "Australia/Lord_Howe"
            $0.services[0].start = 20_260_404
            $0.services[0].end = 20_260_406
            $0.trips = [Model.Trip(id: "t", calls: Rules.calls([("a", "01:45:00"), ("b", "03:00:00")]))]
        }
        #expect(
            try Rules.found(context, ["a"], "2026-04-03T00:00:00Z", 4 * 86_400) == [
                "2026-04-04T01:45:00+11:00 20260404 01:45:00 t", "2026-04-05T01:45:00+10:30 20260405 01:45:00 t",
                "2026-04-06T01:45:00+10:30 20260406 01:45:00 t",
            ])
    }

    /// The zone of a platform is that of its station. Stations are read together, however many there are.
    @Test func stationsWithZonesAreReadTogether() throws {
        let statements = try [2, 12].map { count in
            let stations = (0..<count).map { "s\($0)" }
            let context = try Rules.context { model in
                model.stops = stations.flatMap { station in
                    [
                        Model.Stop(id: station, kind: 1, zone: "Asia/Tokyo"),
                        Model.Stop(id: station + "-1", parent: station, zone: "Europe/Paris"),
                        Model.Stop(id: station + "-2", parent: station),
                        Model.Stop(id: station + "-2a", kind: 4, parent: station + "-2"),
                    ]
                }
                let calls = stations.flatMap { [($0 + "-1", "08:00:00"), ($0 + "-2", "09:00:00")] }
                model.trips = [Model.Trip(id: "t", calls: Rules.calls(calls))]
            }
            let place = DepartureRequest.Place.near(Coordinate(latitude: 52.5, longitude: 13.4), meters: 100)
            let from = try #require(Instant("2026-10-05T00:00:00Z"))
            let before = context.statistics.statements
            let found = try context.departures(DepartureRequest(place, from: from, within: .seconds(86_400)))
            let times = Set(found.map { "\($0.localTime)" })
            #expect(found.count == 2 * count - 1)
            #expect(times == ["2026-10-05T15:00:00+09:00", "2026-10-05T16:00:00+09:00"])
            return context.statistics.statements - before
        }
        #expect(statements[0] == statements[1], "\(statements)")
    }

    /// The zones are six hours apart, so within twenty minutes their service times of one date do not overlap.
    @Test func frequenciesInTwoZonesLeaveOnce() throws {
        let context = try Rules.context {
            $0.agencies = [
                Model.Agency(id: "a0", zone: "Europe/Berlin"), Model.Agency(id: "a1", zone: "America/New_York"),
            ]
            $0.routes = [Model.Route(id: "r0", agency: "a0"), Model.Route(id: "r1", agency: "a1")]
            $0.trips = ["r0", "r1"].map {
                Model.Trip(id: "of " + $0, route: $0, calls: Rules.calls([("a", "00:00:00"), ("b", "00:10:00")]))
            }
            for trip in $0.trips.indices { $0.trips[trip].bands = [Model.Band(start: 0, end: 90_000, headway: 600)] }
        }
        #expect(
            try Rules.found(context, ["a"], "2026-10-05T12:00:00Z", 1_200) == [
                "2026-10-05T14:00:00+02:00 20261005 14:00:00 of r0",
                "2026-10-05T08:00:00-04:00 20261005 08:00:00 of r1",
                "2026-10-05T14:10:00+02:00 20261005 14:10:00 of r0",
                "2026-10-05T08:10:00-04:00 20261005 08:10:00 of r1",
            ])
    }

    /// A boarding area is in a platform, and that in the station.
    @Test func theClocksOfAStationApplyTwoLevelsBelow() throws {
        let context = try Rules.context {
            $0.stops = [
                Model.Stop(id: "S", kind: 1, zone: "Asia/Tokyo"), Model.Stop(id: "p", parent: "S"),
                Model.Stop(id: "a", kind: 4, parent: "p"), Model.Stop(id: "b"),
            ]
            $0.trips = [Model.Trip(id: "t", calls: Rules.calls([("a", "08:00:00"), ("b", "09:00:00")]))]
        }
        let expected = ["2026-10-05T15:00:00+09:00 20261005 08:00:00 t"]
        #expect(try Rules.found(context, ["a"], "2026-10-05T00:00:00+02:00", 86_400) == expected)
        let stop = try #require(try context.fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.stopID == "b" })))
        try stop.set(\.name, to: "Renamed")
        #expect(try Rules.found(context, ["a"], "2026-10-05T00:00:00+02:00", 86_400) == expected)
    }

    /// Stored departures are read for the ranges of each zone, so a zone that only changes bring needs its own.
    @Test(arguments: ["America/New_York", "Asia/Tokyo"]) func anAgencyMayMoveToAnotherZone(zone: String) throws {
        var model = Model()
        model.stops = ["a", "b"].map { Model.Stop(id: $0) }
        model.trips = [Model.Trip(id: "t", calls: Rules.calls([("a", "08:00:00"), ("b", "09:00:00")]))]
        let context = try DepartureTests.imported(model).context()
        let agency = try #require(try context.fetchFirst(FetchRequest<Agency>()))
        try agency.set(\.timezone, to: zone)
        model.agencies[0].zone = zone
        let anew = try DepartureTests.imported(model).context()
        for hour in 0..<24 {
            let from = "2026-10-05T\(hour < 10 ? "0" : "")\(hour):00:00Z"
            #expect(try Rules.found(context, ["a"], from, 3_600) == Rules.found(anew, ["a"], from, 3_600), "\(from)")
        }
        let runs = try [context, anew].map { context in
            try #require(try context.fetchFirst(FetchRequest<Trip>())).runs(on: ServiceDate(20_261_005))
                .flatMap(\.calls).map(\.departure)
        }
        #expect(runs[0] == runs[1] && runs[0].count == 2)
    }

    /// As in searches, such a stop counts as its own station.
    @Test func stopsWhoseParentsFormACycleHaveTheirOwnClocks() throws {
        let context = try Rules.context {
            $0.stops = [
                Model.Stop(id: "a", parent: "b", zone: "America/New_York"),
                Model.Stop(id: "b", parent: "c", zone: "Asia/Tokyo"), Model.Stop(id: "c", parent: "a"),
            ]
            $0.trips = [
                Model.Trip(id: "t", calls: Rules.calls([("a", "08:00:00"), ("b", "09:00:00"), ("c", "10:00:00")]))
            ]
        }
        let ownClocks = [
            "2026-10-05T02:00:00-04:00 20261005 08:00:00 t", "2026-10-05T16:00:00+09:00 20261005 09:00:00 t",
        ]
        #expect(try Rules.found(context, ["a", "b"], "2026-10-05T00:00:00+02:00", 86_400) == ownClocks)
        let stop = try #require(try context.fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.stopID == "c" })))
        try stop.set(\.name, to: "Renamed")
        #expect(try Rules.found(context, ["a", "b"], "2026-10-05T00:00:00+02:00", 86_400) == ownClocks)
    }

    @Test func aZoneThatDoesNotExistIsUTCAndEachLineHasItsOwn() throws {
        let context = try Rules.context {
            $0.agencies = [
                Model.Agency(id: "zag", zone: "Europe/Zag"), Model.Agency(id: "ny", zone: "America/New_York"),
            ]
            $0.routes = [Model.Route(id: "r0", agency: "ny"), Model.Route(id: "r1", agency: "nobody")]
            $0.stops[0].zone = "Asia/Tokyo"
            let calls = Rules.calls([("a", "08:00:00"), ("b", "08:10:00")])
            $0.trips = [Model.Trip(id: "t", route: "r0", calls: calls), Model.Trip(id: "u", route: "r1", calls: calls)]
        }
        #expect(
            try Rules.found(context, ["a"], "2026-10-05T00:00:00Z", 86_400) == [
                // The local time is that of the stop; the service time counts in the agency's zone.
                "2026-10-05T17:00:00+09:00 20261005 08:00:00 u", "2026-10-05T21:00:00+09:00 20261005 08:00:00 t",
            ])
        #expect(try context.stores[0].timeZone(ofStops: ["a"])?.name == "Asia/Tokyo")
        // The trips there run in two zones, so the first agency's zone counts, here UTC.
        #expect(try context.stores[0].timeZone(ofStops: ["b"])?.name == "UTC")
        #expect(try context.stores[0].timeZone(ofStops: ["a", "b"]) == nil)
    }
}
