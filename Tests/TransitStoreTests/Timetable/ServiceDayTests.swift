import Foundation
import Testing

@testable import TransitStore

/// Requests about one service day.
@Suite struct ServiceDayTests {
    /// A trip each ten minutes from 05:00 to 28:50, every day of two months.
    private static func imported() throws -> ImportedStore {
        var model = TimetableModel()
        model.stops = ["a", "b"].map { TimetableModel.Stop(id: $0) }
        model.trips = stride(from: 5 * 3_600, to: 29 * 3_600, by: 600).map { time in
            let calls = [("a", time), ("b", time + 60)].enumerated().map { place, call in
                TimetableModel.Call(sequence: place + 1, stop: call.0, arrival: call.1, departure: call.1)
            }
            return TimetableModel.Trip(id: "t\(time)", calls: calls)
        }
        return try DepartureTests.imported(model)
    }

    /// A day has 144 departures. Those of the first hours are enough to find the first one.
    @Test func `the first departure of a day takes few rows to find`() throws {
        let log = StatementLog()
        let imported = try Self.imported()
        var configuration = TransitStore.Configuration()
        configuration.sqlDebug = log.debug
        let context = try TransitStore(path: imported.path, configuration: configuration).makeContext()
        let date = ServiceDate(20_261_024)
        _ = try context.firstDeparture(at: .stops(["a"]), on: ServiceDate(20_261_023))
        log.clear()
        #expect(try context.firstDeparture(at: .stops(["a"]), on: date)?.serviceTime.description == "05:00:00")
        #expect(log.rows.reduce(0, +) < 20, "\(log.rows)")
        log.clear()
        #expect(try context.lastDeparture(at: .stops(["a"]), on: date)?.serviceTime.description == "28:50:00")
        #expect(log.rows.reduce(0, +) < 20, "\(log.rows)")
        #expect(try context.departures(DepartureRequest(.stops(["a"]), on: date)).count == 144)
        #expect(try context.departures(DepartureRequest(.stops(["a"]), on: ServiceDate(20_270_101))).isEmpty)
    }

    /// Many trips share a service. Without the prefetching, each trip would read its own.
    @Test func `prefetched exceptions tell for all trips whether they run`() throws {
        let context = try Self.imported().context()
        let trips = try context.fetch(FetchRequest<Trip>().prefetching(\.service.exceptions))
        context.statistics.statements = 0
        for trip in trips { #expect(try trip.isRunning(on: ServiceDate(20_261_024))) }
        #expect(trips.count == 144 && context.statistics.statements == 0)
    }

    /// A change of a trip leaves the dates of services known; a change of an exception does not.
    @Test func `the exceptions of a service are read once for all its trips`() throws {
        let context = try Self.imported().context()
        let date = ServiceDate(20_261_024)
        let trips = try context.fetch(FetchRequest<Trip>(limit: 3).prefetching(\.service))
        context.statistics.statements = 0
        for trip in trips {
            try trip.setValue("elsewhere", for: "headsign")
            #expect(try trip.isRunning(on: date))
        }
        #expect(context.statistics.statements == 1)
        let exception = context.insert(ServiceException.self)
        try exception.setValue(date, for: "date")
        try exception.setValue(2, for: "exceptionType")
        try exception.setValue(trips[0].service, for: "service")
        #expect(try trips.allSatisfy { try !$0.isRunning(on: date) })
        context.rollback()
        #expect(try trips.allSatisfy { try $0.isRunning(on: date) })
    }

    @Test func `the zone of a whole feed is that of its clocks, if there is one`() throws {
        var model = TimetableModel()
        model.stops = [TimetableModel.Stop(id: "a")]
        model.trips = [TimetableModel.Trip(id: "t", calls: [TimetableModel.Call(sequence: 1, stop: "a", departure: 5)])]
        #expect(try DepartureTests.imported(model).open().timeZone(at: .anywhere)?.name == "Europe/Berlin")
        model.stops.append(TimetableModel.Stop(id: "c", zone: "Europe/Berlin"))
        #expect(try DepartureTests.imported(model).open().timeZone(at: .anywhere)?.name == "Europe/Berlin")
        model.stops.append(TimetableModel.Stop(id: "b", zone: "Europe/London"))
        #expect(try DepartureTests.imported(model).open().timeZone(at: .anywhere) == nil)
        model.stops.removeLast()
        model.agencies.append(TimetableModel.Agency(id: "a1", zone: "Europe/London"))
        model.routes.append(TimetableModel.Route(id: "r1", agency: "a1"))
        #expect(try DepartureTests.imported(model).open().timeZone(at: .anywhere) == nil)
    }

    @Test func `the zone of stops without one is that of the trips at each, if they agree`() throws {
        var model = TimetableModel()
        model.agencies.append(TimetableModel.Agency(id: "a1", zone: "Europe/London"))
        model.agencies.append(TimetableModel.Agency(id: "a2", zone: "Asia/Tokyo"))
        model.routes.append(TimetableModel.Route(id: "r1", agency: "a1"))
        model.routes.append(TimetableModel.Route(id: "r2", agency: "a2"))
        model.stops = [
            TimetableModel.Stop(id: "station", kind: 1), TimetableModel.Stop(id: "platform", parent: "station"),
            TimetableModel.Stop(id: "other"), TimetableModel.Stop(id: "shared"), TimetableModel.Stop(id: "unused"),
        ]
        model.trips = [("r1", ["platform", "shared"]), ("r2", ["other", "shared"])].map { route, stops in
            TimetableModel.Trip(
                id: "of " + route, route: route,
                calls: stops.enumerated().map { TimetableModel.Call(sequence: $0, stop: $1, departure: 5) })
        }
        let store = try DepartureTests.imported(model).open()
        func zone(_ stops: String...) throws -> String? { try store.timeZone(ofStops: stops)?.name }
        #expect(try zone("station") == "Europe/London")
        #expect(try zone("other") == "Asia/Tokyo")
        #expect(try zone("other", "unused") == "Asia/Tokyo")
        #expect(try zone("station", "other") == nil)
        #expect(try zone("shared") == "Europe/Berlin")
        #expect(try zone("unused") == "Europe/Berlin")
    }

    /// A row that is missing is an error, and not a trip or line that rests on that day.
    @Test func `a trip or line that the store does not have has no days`() throws {
        let context = try Self.imported().context()
        let (date, number) = (ServiceDate(20_261_024), context.stores[0].number)
        let trip = try #require(context.object(Trip.self, with: ObjectID(Trip.entity, .row(9_999), store: number)))
        let line = try #require(context.object(Route.self, with: ObjectID(Route.entity, .row(9_999), store: number)))
        #expect(throws: StoreError.unknownRow(trip.objectID)) { try trip.isRunning(on: date) }
        #expect(throws: StoreError.unknownRow(trip.objectID)) { try trip.serviceDays() }
        #expect(throws: StoreError.unknownRow(line.objectID)) { try line.isRunning(on: date) }
        #expect(context.lastError == nil)
    }
}
