import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import TransitStore

/// The facts kept about unsaved changes are updated with each change, and not collected anew for each fetch.
@Suite struct FollowedChangesTests {
    let fixture = Result { try TestStore.berlin() }

    /// A program may insert thousands of calls and ask for others between them. If each fetch looked at all of them,
    /// twice as many calls would take four times as long.
    @Test func insertedObjectsAreFollowed() throws {
        let context = try fixture.get().context()
        let calls = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 0 })
        let before = try context.fetchCount(calls)
        let trip = try #require(try context.object(Trip.self, id: 0))
        let first = context.insert(StopTime.self)
        try first.set(\.trip, to: trip)
        #expect(try context.fetchCount(calls) == before + 1)
        #expect(context.changes.known.values.count == 1)
        let second = context.insert(StopTime.self)
        #expect(try context.fetchCount(calls) == before + 1)
        try second.set(\.trip, to: trip)
        try second.set(\.departureTime, to: ServiceTime(hours: 9))
        let known = context.changes.known
        #expect(known.values.count == 1 && known.tables != nil)
        #expect(known.tables?.values.allSatisfy { $0.keys.isEmpty } == true, "no row of the store was changed")
        #expect(try context.fetchCount(calls) == before + 2)
        try first.setValue(1, for: "trip")
        #expect(try context.fetchCount(calls) == before + 1)
        context.delete(second)
        #expect(try context.fetchCount(calls) == before)
    }

    /// A program may also take changes back one by one, with fetches in between.
    @Test func objectsThatLoseTheirChangesAreFollowed() throws {
        let context = try fixture.get().context()
        let calls = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 0 })
        let found = try context.fetch(calls)
        for call in found { try call.setValue(1, for: "trip") }
        #expect(try context.fetchCount(calls) == 0)
        for (number, call) in found.enumerated() {
            context.refresh(call, mergeChanges: false)
            #expect(context.changes.known.values.count == 1 && context.changes.known.tables != nil)
            #expect(try context.fetchCount(calls) == number + 1)
            context.refresh(call, mergeChanges: false)
            #expect(number + 1 == found.count || context.changes.known.values.count == 1)
        }
        #expect(try context.changes.isEmpty && context.fetch(calls) == found)
    }

    /// A program may also change stop after stop, and search by place and by name in turn.
    @Test func changedStopsAreFollowed() throws {
        let context = try fixture.get().context()
        var stops = try context.fetch(FetchRequest<Stop>())
        for _ in 0..<30 { stops.append(context.insert(Stop.self)) }
        for stop in stops { try Self.change(stop, 1) }
        let before = try Self.search(context)
        for (number, stop) in stops.enumerated() {
            try Self.change(stop, number)
            try stop.set(\.wheelchairBoarding, to: 1)
            #expect(try Self.search(context) == before + 2 * (number + 1))
        }
        try stops[4].set(\.parentStation, to: stops[1])
        #expect(context.changes.known.movedDepartures == nil)
        context.delete(stops[30])
        context.refresh(stops[0], mergeChanges: false)
        #expect(try Self.search(context) == before + 2 * (stops.count + 3))
    }

    private static func change(_ stop: Stop, _ number: Int) throws {
        try stop.set(\.name, to: "Neue Straße \(number)")
        try stop.set(\.latitude, to: 52 + Double(number % 5))
        try stop.set(\.longitude, to: 13)
    }

    /// How many entries of stops were made for searches by place and by name.
    private static func search(_ context: StoreContext) throws -> Int {
        _ = try context.nearestStops(to: Coordinate(latitude: 52, longitude: 13), limit: 1)
        _ = try context.searchStops("neu", limit: 1)
        let known = context.changes.known
        #expect(known.movedDepartures != nil)
        return (known.places["stop"]?.places.madeCount ?? 0) + (known.names?.terms.madeCount ?? 0)
    }

    /// Searches after random changes find the same as those that collect all changes anew.
    @Test(arguments: SeededGenerator.seeds(12))
    func followedStopsAreAllChangedStops(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let context = try fixture.get().context()
        let names = ["U Görlitzer Bahnhof", "L'Hospitalet", "東京駅西口", "Πελοποννησ", "Zoo", "S+U Zoo", ""]
        var stops = try context.fetch(FetchRequest<Stop>())
        var foundCount = 0
        for _ in 0..<150 {
            let stop = try #require(stops.randomElement(using: &generator))
            let isGone = stop.isDeleted && stop.objectID.isTemporary
            switch Int.random(in: 0...11, using: &generator) {
            case 0: stops.append(context.insert(Stop.self))
            case 1 where Bool.random(using: &generator): context.delete(stop)
            case 2: context.refresh(stop, mergeChanges: Bool.random(using: &generator))
            case 3 where Int.random(in: 0...9, using: &generator) == 0: context.rollback()
            case 4...6 where !isGone: try stop.set(\.name, to: #require(names.randomElement(using: &generator)))
            case 7 where !isGone:
                try stop.set(\.code, to: ["Zoo", "7", nil].randomElement(using: &generator) ?? nil)
            case 8 where !isGone:
                let parent = stops.filter { $0.id < stop.id && !$0.isDeleted }.randomElement(using: &generator)
                try stop.set(\.parentStation, to: parent)
            case 9...11 where !isGone:
                let degrees: [Double?] = [52.4993, 52.5, 0, -0.0, nil, .nan, 91]
                try stop.set(\.latitude, to: degrees.randomElement(using: &generator) ?? nil)
                try stop.set(\.longitude, to: .random(in: 13.4...13.42, using: &generator))
            default: continue
            }
            let found = try Self.searches(context)
            context.changes.known = PendingChanges.Known()
            #expect(try found == Self.searches(context))
            foundCount += found.reduce(0) { $0 + $1.count }
        }
        #expect(foundCount > 1_000, "\(foundCount)")
    }

    private static func searches(_ context: StoreContext) throws -> [[ObjectID]] {
        let place = Coordinate(latitude: 52.4993, longitude: 13.41)
        let box = FetchRequest<Stop>(where: .within(BoundingBox(around: place, meters: 500)))
        let nearest = try [1, 5].map { try context.nearestStops(to: place, limit: $0).map(\.objectID) }
        let texts = ["zoo", "zo bah", "hospitalet", "京駅", "西口", "πελοποννης", "7", "gorlizter", "s"]
        let named = try texts.flatMap { text in
            try [1, 20].map { try context.searchStops(text, limit: $0).map(\.objectID) }
        }
        return try nearest + named + [context.fetchIDs(box.sorted(by: .ascending(\.id)))]
    }

    /// A fetch after each of many random changes finds the same as one that collects all changes anew.
    @Test(arguments: SeededGenerator.seeds(12))
    func followedChangesAreAllChanges(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let context = try fixture.get().context()
        var calls = try context.fetch(FetchRequest<StopTime>())
        var stops = try context.fetch(FetchRequest<Stop>())
        let trips = try context.fetch(FetchRequest<Trip>())
        for _ in 0..<120 {
            let call = try #require(calls.randomElement(using: &generator))
            let stop = try #require(stops.randomElement(using: &generator))
            // Objects that were inserted and deleted again cannot be set.
            let isGone = call.isDeleted && call.objectID.isTemporary
            switch Int.random(in: 0...9, using: &generator) {
            case 0: calls.append(context.insert(StopTime.self))
            case 1: stops.append(context.insert(Stop.self))
            case 2 where Int.random(in: 0...3, using: &generator) == 0: context.delete(call)
            case 3 where Int.random(in: 0...3, using: &generator) == 0: context.delete(stop)
            case 4: context.refresh(call, mergeChanges: Bool.random(using: &generator))
            case 5 where Int.random(in: 0...9, using: &generator) == 0: context.rollback()
            case 6 where !isGone: try call.setValue(.null, for: "stop")
            case 7 where !isGone && !(stop.isDeleted && stop.objectID.isTemporary): try call.set(\.stop, to: stop)
            default:
                guard !isGone else { continue }
                try call.setValue(trips.randomElement(using: &generator), for: "trip")
                try call.setValue(.integer(.random(in: 0...9, using: &generator)), for: "stopSequence")
            }
            let found = try Self.answers(context, trips, stops)
            context.changes.known = PendingChanges.Known()
            #expect(try found == Self.answers(context, trips, stops))
        }
    }

    /// Trips and stops are inserted, changed and deleted one after the other, with departures in between. These are
    /// those of a context that collects all changes anew. The calls of a new trip may come before it knows its line and
    /// service. Until then, it counts in both stores of the context.
    @Test(arguments: SeededGenerator.seeds(6))
    func departuresFollowTripsThatComeAndGo(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let fixtures = try [Self.timed(), Self.timed()]
        let context = StoreCoordinator(try fixtures.map { try $0.open() }).makeContext()
        var stops = try context.fetch(FetchRequest<Stop>())
        let lines = try context.fetch(FetchRequest<Route>())
        let services = try context.fetch(FetchRequest<Service>())
        // The store has no days of service; those of changed services are found in memory.
        for service in services { try service.setValue(1, for: "monday") }
        var trips = try context.fetch(FetchRequest<Trip>())
        var departureCount = 0
        for step in 0..<60 {
            let trip = try #require(trips.randomElement(using: &generator))
            let isGone = trip.isDeleted && trip.objectID.isTemporary
            switch Int.random(in: 0...7, using: &generator) {
            case 0: trips.append(context.insert(Trip.self))
            case 1 where step % 3 == 0: context.delete(trip)
            case 2 where !isGone:
                // Lines, services and stops of the other store are refused.
                try? trip.set(\.route, to: #require(lines.randomElement(using: &generator)))
                try? trip.set(\.service, to: #require(services.randomElement(using: &generator)))
                try trip.set(\.tripID, to: "trip \(step)")
                try trip.set(\.headsign, to: [nil, "Zoo"].randomElement(using: &generator) ?? nil)
            case 3 where step % 5 == 0:
                if let call = trip.stopTimes.objects.randomElement(using: &generator) { context.delete(call) }
            case 4 where step % 16 == 0: context.delete(try #require(stops.randomElement(using: &generator)))
            case 5 where step % 8 == 0: stops.append(context.insert(Stop.self))
            case 5...6:
                // Trips without a headsign show the names of their last stops.
                let last = trip.isDeleted ? nil : trip.stopTimes.objects.last?.stop
                let left = stops.filter { !$0.isDeleted }
                let some = left.randomElement(using: &generator)
                let stop = try #require(step % 2 == 0 ? left.first { $0 === last } ?? some : some)
                try Self.change(stop, step, among: stops, using: &generator)
            default:
                guard !trip.isDeleted else { continue }
                let call = context.insert(StopTime.self)
                let isFirst = Bool.random(using: &generator)
                if isFirst { try call.set(\.trip, to: trip) }
                try? call.set(\.stop, to: #require(stops.randomElement(using: &generator)))
                if !isFirst { try? call.set(\.trip, to: trip) }
                try call.set(\.stopSequence, to: 100 + step)
                try call.set(\.departureTime, to: ServiceTime(seconds: 36_000 + step * 60))
            }
            let found = try Self.departures(context, stops)
            context.changes.known = PendingChanges.Known()
            let anew = try Self.departures(context, stops)
            #expect(found == anew, "seed \(seed), step \(step): \(Set(found).symmetricDifference(anew))")
            departureCount += found.count
        }
        #expect(departureCount > 400)
    }

    /// Gives a stop another name, zone or station.
    private static func change(
        _ stop: Stop, _ step: Int, among stops: [Stop], using generator: inout SeededGenerator
    ) throws {
        switch Int.random(in: 0...3, using: &generator) {
        case 0: try stop.set(\.timezone, to: ["Europe/Athens", nil].randomElement(using: &generator) ?? nil)
        case 1:
            let parent = stops.filter { $0.id < stop.id && !$0.isDeleted }.randomElement(using: &generator)
            // Stops of the other store are refused.
            try? stop.set(\.parentStation, to: parent)
        default: try stop.set(\.name, to: "stop \(step)")
        }
    }

    /// A program may change stop after stop while thousands of trips have changes. These are not expanded again.
    @Test func changedStopsLeaveTripsExpanded() throws {
        let context = try Self.timed().open().makeContext()
        let stops = try context.fetch(FetchRequest<Stop>())
        for trip in try context.fetch(FetchRequest<Trip>()) { try trip.set(\.headsign, to: "Zoo") }
        for service in try context.fetch(FetchRequest<Service>()) { try service.setValue(1, for: "monday") }
        let before = try Self.departures(context, stops)
        let calls = Self.changedCalls(context, stops)
        for (number, stop) in stops.enumerated() { try stop.set(\.name, to: "stop \(number)") }
        let after = try Self.departures(context, stops)
        #expect(!before.isEmpty && before.count == after.count && before != after)
        #expect(!calls.isEmpty && calls == Self.changedCalls(context, stops))
    }

    /// The calls of the changed trips, which are other objects once a trip is expanded again.
    private static func changedCalls(_ context: StoreContext, _ stops: [Stop]) -> [ObjectIdentifier] {
        let calls = stops.flatMap { context.changes.known.timetables[0]?.calls(atStop: Int64($0.id)) ?? [] }
        return calls.map { ObjectIdentifier($0) }
    }

    /// Berlin with times at all calls: the tests' stores lack those that an import would fill in.
    private static func timed() throws -> TestStore {
        try TestStore.berlin { connection in
            try connection.execute(
                "UPDATE stop_time SET (arrival_time, departure_time) = (30000 + 60 * stop_sequence, 30000 + 60 * stop_sequence)"
            )
            try connection.execute("DELETE FROM frequency")
            try connection.execute("UPDATE trip SET headsign = NULL WHERE id % 2 = 0")
            // Departures are read up to the latest time that the feed's row names.
            try connection.execute(
                "INSERT INTO feed SELECT 1, '', '', '', NULL, NULL, 0, 0, 0, 0, max(departure_time), 0, 0, 0, "
                    + "'Europe/Berlin', 0, '', 0, '', '', '' FROM stop_time")
        }
    }

    private static func departures(_ context: StoreContext, _ stops: [Stop]) throws -> [String] {
        let places = stops.filter { !$0.isDeleted }.map(\.objectID)
        return try context.departures(DepartureRequest(.objects(places), on: ServiceDate(20_261_123))).map {
            departure in
            "\(departure.instant) \(departure.tripID) \(departure.stopSequence) \(departure.headsign ?? "-") "
                + "\(departure.stopName ?? "-") \(departure.timeZone)"
        }
    }

    /// What a context finds along each relationship that the changes affect.
    private static func answers(_ context: StoreContext, _ trips: [Trip], _ stops: [Stop]) throws -> [Set<ObjectID>] {
        var found: [Set<ObjectID>] = []
        for trip in trips.prefix(4) {
            found.append(Set(trip.stopTimes.map(\.objectID)))
            found.append(try Set(context.fetchIDs(FetchRequest<StopTime>(where: #Predicate { $0.trip == trip }))))
        }
        for stop in stops.suffix(4) {
            let calls = FetchRequest<StopTime>(where: #Predicate { $0.stop == stop })
            found.append(try Set(context.fetchIDs(calls)))
            found.append(Set(stop.stopTimes.map(\.objectID)))
        }
        let nowhere = FetchRequest<StopTime>(where: try Condition(format: "stop = NIL"))
        found.append(try Set(context.fetchIDs(nowhere)))
        let served = FetchRequest<Stop>(where: #Predicate { $0.stopTimes.contains { $0.trip.id == 0 } })
        found.append(try Set(context.fetchIDs(served)))
        return found
    }
}
