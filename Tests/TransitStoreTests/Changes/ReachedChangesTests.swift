import FoundationEssentials
import Testing

@testable import TransitStore

/// What unsaved changes cost a fetch: nothing if they cannot affect it, else as many rows as were changed.
@Suite struct ReachedChangesTests {
    private static let trips = 2_000
    private let fixture = Result { try ManyObjectsTests.store(trips: trips) }

    @Test func changesElsewhereCostNothing() throws {
        let log = StatementLog()
        let store = try fixture.get().open { $0.sqlDebug = log.debug }
        let context = store.makeContext()
        try context.insert(Level.self).setValue(1, for: "levelIndex")
        try #require(try context.object(Agency.self, id: 0)).setValue("Other", for: "name")
        log.clear()
        var request = FetchRequest<StopTime>()
        #expect(try context.fetchFirst(request) != nil)
        #expect(log.rows == [1])
        request.fetchLimit = 7
        request.sortDescriptors = [.descending(\.trip.route.shortName), .ascending(\.trip.id)]
        #expect(try context.fetch(request).count == 7)
        #expect(try context.fetchIDs(request).count == 7)
        #expect(try context.fetchRows(request).count == 7)
        #expect(try context.fetchCount(FetchRequest<StopTime>()) == Self.trips * 5)
        #expect(log.rows == [1, 7, 7, 7, 1])
        // A request that leads to the changed agency does see the change.
        let byAgency = FetchRequest<Route>(where: #Predicate { $0.agency?.name == "Other" })
        #expect(try context.fetchCount(byAgency) == 10)
    }

    @Test func `a change of a row that an aggregate leads to counts`() throws {
        let context = try fixture.get().open().makeContext()
        let request = FetchRequest<Trip>(where: try Condition(format: "stopTimes.@max.stop.latitude > 80"))
        #expect(try context.fetchCount(request) == 0)
        let call = try #require(try context.fetchFirst(FetchRequest<StopTime>()))
        try call.stop.set(\.latitude, to: 85)
        let all = try context.fetch(FetchRequest<Trip>()).filter { $0.stopTimes.contains { $0.stop == call.stop } }
        #expect(!all.isEmpty)
        #expect(try context.fetch(request).map(\.objectID) == all.map(\.objectID))
    }

    @Test func aLimitReadsAsManyRowsAndThoseThatWereChanged() throws {
        let log = StatementLog()
        let store = try fixture.get().open { $0.sqlDebug = log.debug }
        let context = store.makeContext()
        var request = FetchRequest<StopTime>()
        request.sortDescriptors = [.ascending(\.trip.id), .ascending(\.stopSequence)]
        request.fetchLimit = 20
        let times = try context.fetch(request)
        for time in times[0..<5] { try time.setValue(90_000, for: "departureTime") }
        for time in times[5..<8] { context.delete(time) }
        try times[9].setValue(5_000, for: "trip")
        log.clear()
        let found = try context.fetch(request)
        #expect(log.rows == [29])
        #expect(found.count == 20 && found[0...4].elementsEqual(times[0...4]) && found[5] === times[8])
        #expect(found[6] === times[10])
        log.clear()
        #expect(try context.fetchCount(FetchRequest<StopTime>()) == Self.trips * 5 - 3)
        #expect(log.rows.allSatisfy { $0 < 30 })
    }

    /// Of 500 changed stop times, the fetch looks only at those of the requested stop.
    @Test func changesOfOtherStopsCostNothing() throws {
        let log = StatementLog()
        let store = try fixture.get().open { $0.sqlDebug = log.debug }
        let context = store.makeContext()
        let times = try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.trip.id < 200 }))
        for time in times where time.stop.id < 50 { try time.setValue(40_000, for: "departureTime") }
        let changed = context.updatedObjects.count
        #expect(changed == 500)
        let from = ServiceTime(seconds: 20_100)
        func next(_ stop: Int) -> FetchRequest<StopTime> {
            var request = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == stop && $0.departureTime >= from })
            request.sortDescriptors = [.ascending(\.departureTime), .ascending(\.trip.id)]
            request.fetchLimit = 5
            return request
        }
        log.clear()
        _ = try context.fetch(next(77))
        #expect(log.rows == [5])
        log.clear()
        let found = try context.fetch(next(7))
        // Ten calls at this stop are changed. The store may return them in vain, so the fetch reads ten rows more.
        #expect(log.rows == [15])
        #expect(found.count == 5 && found.allSatisfy { $0.departureTime >= from && $0.stop.id == 7 })
        context.rollback()
        #expect(found != (try context.fetch(next(7))))
    }

    /// A stop gets another name. The fetch finds the calls at it by their reference and reads no others.
    @Test func changesOfRelatedObjectsCostTheRowsThatLeadThere() throws {
        let log = StatementLog()
        let store = try fixture.get().open { $0.sqlDebug = log.debug }
        let context = store.makeContext()
        try #require(try context.object(Stop.self, id: 7)).setValue("Zoo", for: "name")
        var request = FetchRequest<StopTime>(where: #Predicate { $0.stop.name == "Zoo" || $0.stop.name == "Stop 8" })
        request.sortDescriptors = [.ascending(\.trip.id)]
        request.fetchLimit = 10
        log.clear()
        let found = try context.fetch(request)
        #expect(log.rows == [10, Self.trips * 5 / 100])
        #expect(Set(found.map(\.stop.id)) == [7, 8])
        let all = FetchRequest<StopTime>(where: request.predicate)
        #expect(try context.fetchCount(all) == 2 * Self.trips * 5 / 100)
    }

    /// A call moves from one stop to another. The fetch tests these two stops, with all their calls, and no others.
    @Test(arguments: [1, 1_200]) func changesOfToManyRowsCostTheirOwners(count: Int) throws {
        let log = StatementLog()
        let store = try fixture.get().open { $0.sqlDebug = log.debug }
        let context = store.makeContext()
        let calls = try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 7 }))
        let late = ServiceTime(hours: 30)
        let request = FetchRequest<Stop>(where: #Predicate { $0.stopTimes.contains { $0.departureTime >= late } })
        #expect(try context.fetchCount(request) == 0)
        let moved = try #require(calls.first)
        try moved.set(\.departureTime, to: late)
        try moved.setValue(8, for: "stop")
        // More owners than a statement has parameters are listed as one value.
        for number in 1..<count {
            try context.insert(StopTime.self).setValue(.integer(Int64(10_000 + number)), for: "stop")
        }
        log.clear()
        #expect(try context.fetch(request).map(\.id) == [8])
        let (certain, reached) = (0, 2)
        let callsOfBoth = [calls.count, calls.count]
        #expect(log.rows == [certain, reached] + callsOfBoth)
    }

    /// The program deletes a call that it has not read. Its stop is found by the call's key.
    @Test func aDeletedRowThatWasNotReadLeadsToItsOwner() throws {
        let context = try fixture.get().open().makeContext()
        var ids = FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 7 })
        let count = try context.fetchCount(ids)
        ids.includesPropertyValues = false
        let call = try #require(try context.fetchFirst(ids))
        #expect(call.isFault)
        context.delete(call)
        let request = FetchRequest<Stop>(where: #Predicate { $0.stopTimes.count == count - 1 })
        #expect(try context.fetch(request).map(\.id) == [7])
    }

    @Test func batchesReadTheirRowsInBatches() throws {
        let log = StatementLog()
        let store = try fixture.get().open { $0.sqlDebug = log.debug }
        let context = store.makeContext()
        var request = FetchRequest<StopTime>()
        request.sortDescriptors = [.descending(\.trip.id), .ascending(\.stopSequence)]
        request.fetchBatchSize = 10
        context.delete(try #require(try context.fetchFirst(request)))
        let extra = context.insert(StopTime.self)
        try extra.setValue(1_999, for: "trip")
        try extra.setValue(2, for: "stopSequence")
        let times = try context.fetchBatches(request)
        log.clear()
        #expect(times.count == Self.trips * 5)
        #expect(times.prefix(5).map(\.stopSequence) == [1, 2, 2, 3, 4])
        #expect(times.prefix(5).contains { $0 === extra })
        #expect(log.rows == [9])
        let (batched, fetched) = (times.map(\.objectID), try context.fetch(request).map(\.objectID))
        #expect(batched == fetched)
    }
}
