import FoundationEssentials
import Testing
import TransitStore

/// A realtime overlay on a store that never changes.
@Suite struct PendingChangesTests {
    let fixture = Result { try TestStore.berlin() }
    private func context() throws -> StoreContext { try fixture.get().context() }

    @Test func fetchesSeeInsertsUpdatesAndDeletes() throws {
        let context = try context()
        let late = try #require(try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 0 })).first)
        try late.setValue(29_900, for: "departureTime")
        let extra = context.insert(StopTime.self)
        for (name, value) in ["trip": 0, "stop": 7, "stopSequence": 9, "departureTime": 29_500] as [String: QueryValue]
        {
            try extra.setValue(value, for: name)
        }
        let cancelled = try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 0 }))[1]
        context.delete(cancelled)

        let nine = ServiceTime(seconds: 29_000)
        var request = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 0 && $0.departureTime >= nine })
        request.sortDescriptors = [.ascending(\.departureTime)]
        #expect(try context.fetch(request).map(\.departureTime.seconds) == [29_160, 29_500, 29_900])
        #expect(try context.count(for: request) == 3)
        request.fetchLimit = 2
        #expect(try context.fetch(request).map(\.departureTime.seconds) == [29_160, 29_500])
        request.fetchLimit = 0
        request.includesPendingChanges = false
        #expect(try context.count(for: request) == 1)
        #expect(extra.stop.name == "Zoo")
    }

    @Test func changesOfRelatedRowsAreSeen() throws {
        let context = try context()
        let zoo = try #require(try context.object(Stop.self, id: 7))
        try zoo.setValue("Hauptbahnhof", for: "name")
        let request = FetchRequest<StopTime>(where: #Predicate { $0.stop.name == "Hauptbahnhof" })
        #expect(try context.fetch(request).map(\.objectID.description) == ["stop_time/3/9", "stop_time/5/1"])
    }

    @Test func toManyRelationshipsSeeChanges() throws {
        let context = try context()
        let trip = try #require(try context.object(Trip.self, id: 0))
        let calls = trip.stopTimes.objects
        #expect(calls.map(\.stopSequence) == [1, 2, 3])
        let extra = context.insert(StopTime.self)
        for (name, value) in ["trip": 0, "stop": 7, "stopSequence": 2] as [String: QueryValue] {
            try extra.setValue(value, for: name)
        }
        context.delete(calls[1])
        #expect(trip.stopTimes.objects == [calls[0], extra, calls[2]])
        #expect(trip.stopTimes.count == 3)
        try calls[2].setValue(1, for: "trip")
        #expect(trip.stopTimes.objects == [calls[0], extra])
        #expect(try context.object(Trip.self, id: 1)?.stopTimes.count == 4)
        context.rollback()
        #expect(trip.stopTimes.objects == calls)
    }

    @Test func savingSaysThatTheStoreIsReadOnly() throws {
        let context = try context()
        try context.save()
        let zoo = try #require(try context.object(Stop.self, id: 7))
        try zoo.setValue("Hauptbahnhof", for: "name")
        _ = context.insert(Stop.self)
        #expect(context.hasChanges)
        let path = try fixture.get().path
        #expect(
            throws: StoreError(
                .readOnly,
                "\(path) is read-only: 1 inserted, 1 updated and 0 deleted objects stay in memory")
        ) { try context.save() }
        context.rollback()
        #expect(!context.hasChanges)
        #expect(zoo.name == "Zoo")
        try context.save()
        #expect(throws: StoreError.self) { try zoo.setValue(1, for: "colour") }
    }
}
