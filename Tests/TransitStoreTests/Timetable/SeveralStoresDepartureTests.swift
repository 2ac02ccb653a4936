import Foundation
import TestSupport
import Testing

@testable import TransitStore

/// Departures of several stores are those of each store, put together by instant.
@Suite struct SeveralStoresDepartureTests {
    /// Feeds of the same stops and similar trips, so that vehicles of several stores leave at the same instants.
    private static func feeds(_ count: Int, _ random: inout SeededGenerator) -> [TimetableModel] {
        let first = TimetableModel.random(&random)
        return (0..<count).map { number in
            guard number > 0 else { return first }
            var model = Bool.random(using: &random) ? first : TimetableModel.random(&random)
            for trip in model.trips.indices { model.trips[trip].id = "\(number)-\(model.trips[trip].id)" }
            return model
        }
    }

    /// Opens stores in an order of their own, and returns them in the order of their feeds.
    private static func opened(_ imported: [ImportedStore], _ random: inout SeededGenerator) throws -> [TransitStore] {
        var stores: [Int: TransitStore] = [:]
        for place in imported.indices.shuffled(using: &random) { stores[place] = try imported[place].open() }
        return imported.indices.compactMap { stores[$0] }
    }

    /// What all feeds together answer: by instant, then in the order of the stores.
    private static func expected(_ models: [TimetableModel], _ question: DepartureQuestion) -> [String] {
        let lines = models.enumerated().flatMap { store, model in
            model.departures(question).enumerated().map { place, line in
                (key: [Int(line.prefix { $0 != " " }) ?? 0, store, place], line: line)
            }
        }
        return lines.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.line)
    }

    /// Asks the context and the models the same questions. Returns how many departures were compared.
    private static func compare(
        _ context: StoreContext, _ models: [TimetableModel], questions: Int, _ random: inout SeededGenerator,
        _ comment: Comment
    ) throws -> Int {
        var compared = 0
        for _ in 0..<questions {
            let place = Int.random(in: models.indices, using: &random)
            let question = DepartureQuestion.random(models[place], &random)
            var request = try question.request(context)
            let asksOne = Int.random(in: 0..<4, using: &random) == 0
            if asksOne { request.affectedStores = [context.stores[place]] }
            let expected = expected(asksOne ? [models[place]] : models, question)
            try #require(
                try context.departures(request).map(TimetableModel.line) == expected, "\(comment), \(question)")
            #expect(Array(context.departures(lazily: request)).map(TimetableModel.line) == expected, comment)
            request.limit = Int.random(in: 1...6, using: &random)
            let limited = try context.departures(request).map(TimetableModel.line)
            #expect(limited == Array(expected.prefix(request.limit)), comment)
            compared += expected.count
        }
        return compared
    }

    /// The order in which a program opened the stores does not matter.
    @Test func departuresAtOneInstantAreInTheOrderOfTheStores() throws {
        var compared = 0
        for seed in 1...6 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed &* 104_729)
            let models = Self.feeds(3, &random)
            let imported = try models.map(DepartureTests.imported)
            let context = StoreCoordinator(try Self.opened(imported, &random)).makeContext()
            compared += try Self.compare(context, models, questions: 30, &random, "seed \(seed)")
        }
        #expect(compared > 1_000, "\(compared)")
    }

    /// Keys of one store mean other rows in another one, also for rows that were inserted. Random timetables may be
    /// short: further ones follow until enough departures were compared.
    @Test func changesOfOneStoreDoNotReachTheOthers() throws {
        var compared = 0
        for seed in 1...20 as ClosedRange<UInt64> where seed <= 4 || compared <= 1_000 {
            var random = SeededGenerator(seed: seed &* 15_485_863)
            var models = Self.feeds(2, &random)
            let imported = try models.map(DepartureTests.imported)
            let stores = try Self.opened(imported, &random)
            let context = StoreCoordinator(stores).makeContext()
            let place = Int(seed % 2)
            var changer = TimetableChanger(models[place], context, random, store: stores[place])
            for change in 1...8 {
                try changer.change()
                models[place] = changer.model
                compared += try Self.compare(
                    context, models, questions: 5, &random, "seed \(seed), change \(change) in store \(place)")
            }
        }
        #expect(compared > 1_000)
    }

    /// A trip of which no store has anything, neither its line nor its service nor its stops.
    @Test func aTripThatIsWhollyInsertedLeavesOnce() throws {
        var random = SeededGenerator(seed: 5)
        let imported = try Self.feeds(2, &random).map(DepartureTests.imported)
        let context = StoreCoordinator(try Self.opened(imported, &random)).makeContext()
        let (line, stop) = (context.insert(Route.self), context.insert(Stop.self))
        let service = context.insert(Service.self)
        try line.set(\.routeID, to: "new line")
        for property in ["inCalendar", "monday"] { try service.setValue(true, for: property) }
        try service.set(\.startDate, to: ServiceDate(20_261_026))
        try service.set(\.endDate, to: ServiceDate(20_261_026))
        try stop.set(\.stopID, to: "new stop")
        let trip = context.insert(Trip.self)
        try trip.set(\.tripID, to: "new trip")
        try trip.setValue(line, for: "route")
        try trip.setValue(service, for: "service")
        for sequence in 1...2 {
            let call = context.insert(StopTime.self)
            try call.setValue(trip, for: "trip")
            try call.setValue(stop, for: "stop")
            try call.set(\.stopSequence, to: sequence)
            try call.set(\.departureTime, to: ServiceTime(hours: 8 + sequence))
        }
        for place in [.stops(["new stop"]), .objects([stop.objectID]), .anywhere] as [DepartureRequest.Place] {
            var request = DepartureRequest(place, on: ServiceDate(20_261_026))
            request.routes = [line.objectID]
            #expect(try context.departures(request).map(\.tripID) == ["new trip"], "\(place)")
        }
    }

    /// The runs of a trip that was inserted into the second store have the times of its line's zone and the stops of
    /// its store.
    @Test func theRunsOfATripInsertedIntoTheSecondStore() throws {
        let random = SeededGenerator(seed: 5)
        let zones = ["Asia/Tokyo", "America/New_York"]
        let models = zones.map { zone in
            var (model, random) = (TimetableModel(), random)
            model.agencies[0].zone = zone
            model.stops = ["x", "y"].map { TimetableModel.Stop(id: "\($0) of \(zone)") }
            model.trips = [TimetableModel.trip(1, &random)]
            model.trips[0].route = "r0"
            model.trips[0].service = "s0"
            for call in model.trips[0].calls.indices { model.trips[0].calls[call].stop = "x of \(zone)" }
            return model
        }
        let imported = try models.map(DepartureTests.imported)
        let stores = try imported.map { try $0.open() }
        let context = StoreCoordinator(stores).makeContext()
        var (line, service, stop) = (FetchRequest<Route>(), FetchRequest<Service>(), FetchRequest<Stop>())
        line.affectedStores = [stores[1]]
        service.affectedStores = [stores[1]]
        stop.affectedStores = [stores[1]]
        stop.predicate = Condition(#Predicate { $0.stopID == "y of America/New_York" })
        let trip = context.insert(Trip.self)
        try trip.setValue(try context.fetchFirst(line), for: "route")
        try trip.setValue(try context.fetchFirst(service), for: "service")
        let places = [try #require(try context.fetchFirst(stop)), context.insert(Stop.self)]
        for (sequence, place) in places.enumerated() {
            let call = context.insert(StopTime.self)
            try call.setValue(trip, for: "trip")
            try call.setValue(place, for: "stop")
            try call.set(\.stopSequence, to: sequence)
            try call.set(\.departureTime, to: ServiceTime(hours: 8 + sequence))
        }
        let runs = try trip.runs(on: ServiceDate(20_261_026))
        #expect(runs.flatMap(\.calls).map(\.departure.description) == ["2026-10-26T12:00:00Z", "2026-10-26T13:00:00Z"])
        #expect(runs.flatMap(\.calls).map(\.stopObjectID) == places.map(\.objectID))
        let request = DepartureRequest(.objects([places[0].objectID]), on: ServiceDate(20_261_026))
        let departures = try context.departures(request)
        #expect(departures.map(\.instant) == [runs[0].calls[0].departure])
        // An inserted stop may belong to any store, so each is asked.
        var atInserted = DepartureRequest(.objects([places[1].objectID]), on: ServiceDate(20_261_026))
        atInserted.event = .arrivals
        #expect(try context.departures(atInserted).map(\.instant) == [runs[0].calls[1].departure])
        #expect(try trip.isRunning(on: ServiceDate(20_261_026)) && trip.route.isRunning(on: ServiceDate(20_261_026)))
    }
}
