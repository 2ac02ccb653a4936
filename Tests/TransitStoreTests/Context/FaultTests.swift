import FoundationEssentials
import Testing
import TransitStore

/// Counts statements to show what runs one and what does not.
@Suite struct FaultTests {
    let fixture = Result { try TestStore.berlin() }
    private func context() throws -> StoreContext { try fixture.get().context() }

    @Test func faultsFireFromTheRowCache() throws {
        let context = try context()
        let stops = try context.fetch(FetchRequest<Stop>())
        #expect(stops.filter(\.isFault).count == 8)
        #expect(context.statistics.statements == 1)
        #expect(stops[7].name == "Zoo")
        #expect(!stops[7].isFault)
        #expect(stops.map(\.stopID).count == 8)
        #expect(context.statistics.statements == 1)
        #expect(context.statistics.faultsFilled == 8)
        #expect(context.statistics.faultsFilledFromCache == 8)
    }

    @Test func objectsFetchedAsNoFaultsReadNothingLater() throws {
        let context = try context()
        var request = FetchRequest<Stop>()
        request.returnsObjectsAsFaults = false
        let stops = try context.fetch(request)
        #expect(stops.filter(\.isFault).isEmpty)
        #expect(stops[7].name == "Zoo")
        #expect(context.statistics.statements == 1 && context.statistics.faultsFilled == 0)
    }

    @Test func withoutPropertyValuesEveryFaultReadsItsRow() throws {
        let context = try context()
        var request = FetchRequest<Stop>()
        request.includesPropertyValues = false
        #expect(request.description == "SELECT t0.id FROM stop AS t0")
        let stops = try context.fetch(request)
        #expect(stops.map(\.name).contains("Zoo"))
        #expect(context.statistics.statements == 9)
        #expect(context.statistics.faultsFilledFromCache == 0)
    }

    @Test func theRowCacheIsSharedByContexts() throws {
        let store = try fixture.get().open()
        let one = store.makeContext()
        _ = try one.fetch(FetchRequest<Stop>())
        let two = store.makeContext()
        let stop = try #require(two.object(with: ObjectID(Stop.entity, row: 7)) as? Stop)
        #expect(stop.name == "Zoo")
        #expect(two.statistics.statements == 0)
    }

    @Test func staleRowsAreReadAgain() throws {
        let store = try fixture.get().open { $0.stalenessInterval = 0 }
        let context = store.makeContext()
        let stops = try context.fetch(FetchRequest<Stop>())
        _ = stops[0].name
        #expect(context.statistics.statements == 2)
    }

    @Test func toOnePrefetchTakesOneStatement() throws {
        let context = try context()
        var request = FetchRequest<StopTime>()
        request.returnsObjectsAsFaults = false
        let without = try context.fetch(request)
        #expect(Set(without.map(\.stop.name)).count == 5)
        #expect(context.statistics.statements == 1 + 5)
        let other = try fixture.get().context()
        request.relationshipKeyPathsForPrefetching = [\.stop]
        let with = try other.fetch(request)
        #expect(other.statistics.statements == 2)
        #expect(Set(with.map(\.stop.name)).count == 5)
        #expect(other.statistics.statements == 2)
    }

    @Test func toManyAndNestedPrefetch() throws {
        let context = try context()
        var request = FetchRequest<Trip>()
        request.relationshipKeyPathsForPrefetching = [\.stopTimes, \.route.agency]
        let trips = try context.fetch(request)
        #expect(context.statistics.statements == 4)
        #expect(trips.map(\.stopTimes.count) == [3, 3, 2, 3, 1, 2])
        #expect(trips.map { $0.stopTimes.map(\.stopSequence) }[3] == [1, 5, 9])
        #expect(trips.map { $0.route.agency?.name.count } == [25, 25, 25, 25, 25, nil])
        #expect(context.statistics.statements == 4)
    }

    @Test func refetchedObjectsAreRefreshedWhenAsked() throws {
        let context = try context()
        let zoo = try #require(try context.object(Stop.self, id: 7))
        _ = zoo.stopTimes.objects
        var request = FetchRequest<Stop>()
        let before = context.statistics.statements
        _ = try context.fetch(request)
        #expect(zoo.stopTimes.count == 2)
        #expect(context.statistics.statements == before + 1)
        request.shouldRefreshRefetchedObjects = true
        _ = try context.fetch(request)
        #expect(zoo.stopTimes.count == 2)
        #expect(context.statistics.statements == before + 3)
    }

    @Test func refetchedObjectsAreRefreshedInTheBackgroundToo() async throws {
        let context = try context()
        let zoo = try #require(try context.object(Stop.self, id: 7))
        _ = zoo.stopTimes.objects
        var request = FetchRequest<Stop>(where: #Predicate { $0.id == 7 })
        let before = context.statistics.statements
        #expect(try await context.fetchInBackground(request) == [zoo])
        #expect(zoo.stopTimes.count == 2 && context.statistics.statements == before + 1)
        request.shouldRefreshRefetchedObjects = true
        #expect(try await context.fetchInBackground(request) == [zoo])
        #expect(zoo.stopTimes.count == 2 && context.statistics.statements == before + 3)
    }

    @Test func refetchedObjectsAreRefreshedInBatchesToo() async throws {
        let context = try context()
        let zoo = try #require(try context.object(Stop.self, id: 7))
        var request = FetchRequest<Stop>()
        /// Whether counting the stop's calls takes a statement, because they have to be read again.
        func isRefreshed() -> Bool {
            let before = context.statistics.statements
            #expect(zoo.stopTimes.count == 2)
            return context.statistics.statements > before
        }
        for refreshes in [false, true] {
            request.shouldRefreshRefetchedObjects = refreshes
            _ = zoo.stopTimes.objects
            #expect(try Array(context.fetchBatches(request)).contains(zoo))
            #expect(isRefreshed() == refreshes)
            _ = zoo.stopTimes.objects
            for try await batch in context.batchesInBackground(request) { #expect(batch.contains(zoo)) }
            #expect(isRefreshed() == refreshes)
        }
    }

    @Test func refreshingMakesFaults() throws {
        let context = try context()
        let zoo = try #require(try context.object(Stop.self, id: 7))
        try zoo.setValue("Zoologischer Garten", for: "name")
        context.refresh(zoo, mergeChanges: true)
        #expect(zoo.name == "Zoologischer Garten")
        context.refresh(zoo, mergeChanges: false)
        #expect(zoo.isFault)
        let before = context.statistics.statements
        #expect(zoo.name == "Zoo")
        #expect(context.statistics.statements == before + 1)
        context.refreshAll()
        #expect(zoo.isFault)
        try zoo.setValue("Tiergarten", for: "name")
        context.refreshAll()
        #expect(zoo.name == "Tiergarten")
    }
}
