import FoundationEssentials
import Testing
import TransitStore

/// An id identifies the store of its row, in whichever context it is used.
@Suite struct StoreIdentityTests {
    let berlin = Result { try TestStore.berlin() }
    let brandenburg = Result {
        try TestStore { connection in
            try connection.insertStop(0, "Bernau", 52.68, 13.59)
            try connection.insertStop(1, "Zeuthen", 52.35, 13.62, parent: 0)
            try connection.insert("stop_time", "trip, stop_sequence, stop, departure_time", ["0, 1, 0, 28800"])
        }
    }

    @Test func aStoreGivenTwiceCountsOnce() throws {
        let store = try berlin.get().open()
        let coordinator = StoreCoordinator([store, store])
        #expect(coordinator.stores == [store])
        #expect(try coordinator.makeContext().fetchCount(FetchRequest<Stop>()) == 8)
        #expect(try coordinator.makeContext().fetch(FetchRequest<Stop>()).map(\.id) == Array(0..<8))
    }

    @Test func idsLeadToTheirRowInOtherContexts() throws {
        let (one, two) = (try berlin.get().open(), try brandenburg.get().open())
        var request = FetchRequest<Stop>(where: #Predicate { $0.id == 0 })
        request.affectedStores = [two]
        let found = try #require(try StoreCoordinator([one, two]).makeContext().fetchFirst(request))
        #expect(found.name == "Bernau")
        let context = two.makeContext()
        let same = try #require(try context.existingObject(with: found.objectID) as? Stop)
        #expect(same.name == "Bernau" && same.stopTimes.count == 1 && same == found)
        #expect(try context.object(Stop.self, id: 0) === same)
        #expect(context.registeredObject(for: ObjectID(Stop.entity, row: 0)) === same)
        let reversed = StoreCoordinator([two, one]).makeContext()
        #expect((reversed.object(with: found.objectID) as? Stop)?.name == "Bernau")
        #expect(try reversed.object(Stop.self, id: 0)?.name == "Bernau")
    }

    /// Their SQL is the same, as each store has a stop 1.
    @Test func `requests that name rows of two stores differ`() throws {
        let requests = try [berlin.get().open(), brandenburg.get().open()].map { store in
            let stop = try #require(try store.makeContext().object(Stop.self, id: 1))
            return FetchRequest<StopTime>(where: try Condition(format: "stop = %@", stop))
        }
        #expect(requests[0].description == requests[1].description)
        #expect(requests[0] != requests[1])
        #expect(requests[0] == requests[0])
    }

    /// Using such an id never traps and never reads a row of another store.
    @Test func idsOfOtherStoresAreRefused() throws {
        let (one, two) = (try berlin.get().open(), try brandenburg.get().open())
        let id = try #require(try two.makeContext().object(Stop.self, id: 1)).objectID
        let context = one.makeContext()
        let expected = StoreError(
            .unknownStore,
            "stop/1 is a row of a store that the context does not read; a StoreCoordinator makes contexts that read several"
        )
        #expect(throws: expected) { try context.existingObject(with: id) }
        let stop = try #require(context.object(with: id) as? Stop)
        #expect(throws: expected) { try context.fill(stop) }
        #expect(throws: expected) { try stop.setValue("Zoo", for: "name") }
        #expect(stop.name == "" && stop.parentStation == nil && stop.stopTimes.isEmpty)
        #expect(stop.stopTimes.objects.isEmpty && stop.childStops.count == 0)
        #expect(context.lastError == expected)
        context.refresh(stop, mergeChanges: true)
        context.delete(stop)
        #expect(try context.fetchCount(FetchRequest<Stop>()) == 8)
    }

    @Test func rowsAreCachedOnceForAllContexts() throws {
        let (one, two) = (try berlin.get().open(), try brandenburg.get().open())
        _ = try StoreCoordinator([one, two]).makeContext().fetch(FetchRequest<Stop>())
        let context = two.makeContext()
        #expect((context.object(with: ObjectID(Stop.entity, row: 0)) as? Stop)?.name == "Bernau")
        #expect(context.statistics.statements == 0)
    }

    @Test func noStoresAnswerNothing() throws {
        let context = StoreCoordinator([]).makeContext()
        #expect(throws: StoreError(.unknownStore, "There is no store to explain the request for")) {
            try context.explain(FetchRequest<Stop>())
        }
        #expect(try context.object(Stop.self, id: 3) == nil)
        #expect((context.object(with: ObjectID(Stop.entity, row: 3)) as? Stop)?.name == "")
        let inserted = context.insert(Stop.self)
        #expect(inserted.stopTimes.isEmpty && inserted.parentStation == nil)
        context.refresh(inserted, mergeChanges: false)
        #expect(try context.fetch(FetchRequest<Stop>()) == [inserted])
        #expect(try context.fetchCount(FetchRequest<Stop>()) == 1)
        #expect(try context.fetchRows(FetchRequest<Stop>()).count == 1)
        context.refreshAll()
    }

    @Test func negativeLimitsAreNone() throws {
        var request = FetchRequest<Stop>()
        (request.fetchLimit, request.fetchOffset) = (-1, 3)
        let one = try berlin.get().open()
        #expect(try one.makeContext().fetch(request).count == 5)
        let two = StoreCoordinator([one, try brandenburg.get().open()]).makeContext()
        #expect(try two.fetch(request).count == 7)
        #expect(try two.fetchCount(request) == 7)
    }
}
