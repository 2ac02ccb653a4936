import FoundationEssentials
import Testing

@testable import TransitStore

/// Objects keep their context alive, and no reference cycle keeps a context alive.
@Suite struct ContextLifetimeTests {
    let fixture = Result { try TestStore.berlin() }

    private func expectFreed(
        _ name: String, in test: TestStore? = nil, _ use: (StoreContext) throws -> Void
    ) throws {
        let store = try (test ?? fixture.get()).open()
        weak var context: StoreContext?
        do {
            let made = store.makeContext()
            context = made
            try use(made)
        }
        #expect(context == nil, "\(name)")
    }

    @Test func contextsAreFreedWithTheirChanges() throws {
        try expectFreed("insert") { _ = $0.insert(Stop.self) }
        try expectFreed("update") { try #require(try $0.object(Stop.self, id: 7)).setValue("Zoo 2", for: "name") }
        try expectFreed("delete") { $0.delete(try #require(try $0.object(Stop.self, id: 7))) }
        try expectFreed("fetch") { context in
            try context.insert(Stop.self).setValue("Extra", for: "name")
            try #require(try context.object(Stop.self, id: 7)).setValue("Zoo 2", for: "name")
            #expect(try context.fetch(FetchRequest<Stop>()).map(\.stopTimes.objects.count).count == 9)
        }
    }

    /// One stop that is its own parent, and two that are each other's parents.
    @Test func contextsAreFreedWithRelationshipsInCircles() throws {
        let test = try TestStore { connection in
            try connection.insertStop(0, "Self", 52, 13, parent: 0)
            try connection.insertStop(1, "One", 52, 13, parent: 2)
            try connection.insertStop(2, "Other", 52, 13, parent: 1)
        }
        try expectFreed("circle", in: test) { context in
            let stops = try context.fetch(FetchRequest<Stop>())
            #expect(stops.map { $0.childStops.map(\.id) } == [[0], [2], [1]])
            let before = context.statistics.statements
            #expect(stops.map { $0.childStops.map(\.name) } == [["Self"], ["Other"], ["One"]])
            #expect(stops.map(\.childStops.count) == [1, 1, 1])
            #expect(context.statistics.statements == before)
        }
        try expectFreed("prefetched circle", in: test) { context in
            var request = FetchRequest<Stop>()
            request.relationshipKeyPathsForPrefetching = [\.childStops]
            let counts = try context.fetch(request).map(\.childStops.count)
            #expect(counts == [1, 1, 1])
        }
    }

    @Test func anObjectKeepsItsContext() throws {
        let store = try fixture.get().open()
        let stop = try #require(
            try store.makeContext().fetch(FetchRequest<Stop>(where: #Predicate { $0.id == 7 })).first)
        #expect(stop.stopTimes.objects.count == 2)
    }

    /// Changes outlive the objects that they were made on.
    @Test func changesStayWhenNobodyHoldsTheObjects() throws {
        let context = try fixture.get().context()
        try #require(try context.object(Stop.self, id: 7)).setValue("Zoo 2", for: "name")
        context.delete(try #require(try context.object(Stop.self, id: 6)))
        let id: ObjectID
        do {
            let extra = context.insert(Stop.self)
            try extra.setValue("Extra", for: "name")
            id = extra.objectID
        }
        #expect(context.registeredObjects.isEmpty)
        #expect(try context.existingObject(with: id)?.value(of: "name") == "Extra")
        #expect(try context.object(Stop.self, id: 7)?.name == "Zoo 2")
        let names = try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.id >= 6 || $0.name == "Extra" })).map(
            \.name)
        #expect(names == ["Zoo 2", "Extra"])
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        #expect(try context.object(Stop.self, id: 7)?.name == "Zoo")
        #expect(try context.fetchCount(FetchRequest<Stop>()) == 8)
        #expect(try context.existingObject(with: id) == nil)
    }
}

/// Following a key path leaves no recorder behind.
@Suite struct PathRecorderTests {
    private func expectFreed<Root: StoreEntity>(_ keyPath: PartialKeyPath<Root>) {
        weak var recorder: PathRecorder?
        do {
            let made = PathRecorder(.values(0))
            recorder = made
            _ = made.follow(keyPath, Root.entity)
        }
        #expect(recorder == nil, "\(keyPath)")
    }

    /// The object at the end of a path that ends in a relationship holds the recorder that made it.
    @Test func recordersAreFreed() {
        expectFreed(\StopTime.trip as PartialKeyPath<StopTime>)
        expectFreed(\StopTime.stop.name as PartialKeyPath<StopTime>)
        expectFreed(\Stop.stopTimes as PartialKeyPath<Stop>)
        expectFreed(\Stop.name as PartialKeyPath<Stop>)
    }
}
