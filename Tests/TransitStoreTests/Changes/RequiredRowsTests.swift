import FoundationEssentials
import Testing

@testable import TransitStore

/// Conditions that name rows by their ids in the feed, as realtime messages do, while many objects are changed.
@Suite struct RequiredRowsTests {
    private static let trips = 2_000
    private let fixture = Result { try ManyObjectsTests.store(trips: trips) }

    @Test func `changes at other stops cost nothing when a condition names the stop by its id in the feed`() throws {
        let log = StatementLog()
        let store = try fixture.get().open { $0.sqlDebug = log.debug }
        let context = store.makeContext()
        let times = try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.trip.id < 200 }))
        for time in times where time.stop.id < 50 { try time.setValue(40_000, for: "departureTime") }
        #expect(context.updatedObjects.count == 500)
        let untouched = try #require(try context.object(Stop.self, id: 77)).stopID
        var request = FetchRequest<StopTime>(where: #Predicate { $0.stop.stopID == untouched })
        request.sortDescriptors = [.ascending(\.departureTime), .ascending(\.trip.id)]
        request.fetchLimit = 5
        log.clear()
        #expect(try context.fetch(request).count == 5)
        // The id's row, and the five calls.
        #expect(log.rows == [1, 5])
    }

    /// Trips and stops that were renamed, exchanged, deleted, inserted; calls that moved to other stops and trips.
    private func change(_ context: StoreContext, in store: TransitStore) throws {
        var sixty = FetchRequest<Trip>(where: #Predicate { $0.id < 60 }, sortedBy: .ascending(\.id))
        var twenty = FetchRequest<Stop>(sortedBy: .ascending(\.id), limit: 20)
        (sixty.affectedStores, twenty.affectedStores) = ([store], [store])
        let (trips, stops) = (try context.fetch(sixty), try context.fetch(twenty))
        for trip in trips[0..<15] {
            for call in trip.stopTimes { try call.set(\.departureTime, to: call.departureTime?.advanced(by: 60)) }
        }
        let names = (trips[3].tripID, trips[20].tripID)
        try trips[3].set(\.tripID, to: names.1)
        try trips[20].set(\.tripID, to: names.0)
        try trips[4].set(\.tripID, to: "renamed")
        try trips[5].set(\.tripID, to: "")
        for trip in trips[6..<9] + trips[30..<33] { context.delete(trip) }
        for call in trips[9].stopTimes { try call.set(\.trip, to: trips[40]) }
        for call in trips[41].stopTimes { context.delete(call) }
        let added = context.insert(Trip.self)
        try added.set(\.tripID, to: "added")
        try added.set(\.route, to: trips[0].route)
        for (sequence, stop) in stops[0..<4].enumerated() {
            let call = context.insert(StopTime.self)
            try call.set(\.trip, to: added)
            try call.set(\.stop, to: stop)
            try call.set(\.stopSequence, to: sequence)
        }
        let (first, second) = (stops[1].stopID, stops[2].stopID)
        try stops[1].set(\.stopID, to: second)
        try stops[2].set(\.stopID, to: first)
        context.delete(stops[3])
        try stops[4].set(\.stopID, to: "moved")
    }

    @Test func `conditions with ids of the feed find what a walk over all objects finds`() throws {
        let store = try fixture.get().open()
        let context = store.makeContext()
        let tripIDs = try context.fetch(FetchRequest<Trip>(where: #Predicate { $0.id < 60 })).map(\.tripID)
        let stopIDs = try context.fetch(FetchRequest<Stop>(sortedBy: .ascending(\.id), limit: 20)).map(\.stopID)
        try change(context, in: store)
        #expect(context.updatedObjects.count + context.insertedObjects.count >= RequiredRows.fewestChanges)
        let calls = try context.fetch(FetchRequest<StopTime>())
        let trips = try context.fetch(FetchRequest<Trip>())
        for id in tripIDs + ["renamed", "added", "none", ""] {
            let found = FetchRequest<StopTime>(where: #Predicate { $0.trip.tripID == id })
            let wanted = Set(calls.filter { $0.trip.tripID == id })
            #expect(try Set(context.fetch(found)) == wanted, "\(id)")
            #expect(try context.fetchCount(found) == wanted.count, "\(id)")
            #expect(try context.fetch(found.limit(2)).count == min(2, wanted.count), "\(id)")
            let named = FetchRequest<Trip>(where: #Predicate { $0.tripID == id })
            #expect(try Set(context.fetch(named)) == Set(trips.filter { $0.tripID == id }), "\(id)")
        }
        for id in stopIDs + ["moved", "none"] {
            let found = FetchRequest<StopTime>(
                where: #Predicate { $0.stop.stopID == id }, sortedBy: .descending(\.trip.tripID))
            let wanted = Set(calls.filter { $0.stop.stopID == id })
            #expect(try Set(context.fetch(found)) == wanted, "\(id)")
            #expect(try context.fetchCount(found) == wanted.count, "\(id)")
        }
        let some: Set = [tripIDs[0], "added", tripIDs[7], tripIDs[20]]
        let found = FetchRequest<StopTime>(where: #Predicate { some.contains($0.trip.tripID) && $0.stopSequence > 0 })
        let wanted = calls.filter { some.contains($0.trip.tripID) && $0.stopSequence > 0 }
        #expect(try Set(context.fetch(found)) == Set(wanted))
    }

    @Test func `background fetches and several stores find the same`() async throws {
        let stores = try [fixture.get().open(), fixture.get().open()]
        let context = StoreCoordinator(stores).makeContext()
        try change(context, in: stores[1])
        let calls = try context.fetch(FetchRequest<StopTime>())
        for id in ["renamed", "added", "none"] + (try context.fetch(FetchRequest<Trip>(limit: 20)).map(\.tripID)) {
            var found = FetchRequest<StopTime>(where: #Predicate { $0.trip.tripID == id })
            let wanted = Set(calls.filter { $0.trip.tripID == id })
            #expect(try await Set(context.fetchInBackground(found)) == wanted, "\(id)")
            #expect(try await context.fetchCountInBackground(found) == wanted.count, "\(id)")
            found.affectedStores = [stores[1]]
            let ofSecond = wanted.filter { $0.isInserted || $0.objectID.store == stores[1].number }
            #expect(try Set(context.fetch(found)) == ofSecond, "\(id)")
        }
    }
}
