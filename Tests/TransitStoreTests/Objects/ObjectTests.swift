import FoundationEssentials
import SQLite
import Testing
import TransitStore

@Suite struct ObjectTests {
    let fixture = Result { try TestStore.berlin() }
    private func context() throws -> StoreContext { try fixture.get().context() }

    @Test func aContextHasOneObjectPerRow() throws {
        let store = try fixture.get().open()
        let context = store.makeContext()
        let zoo = try #require(try context.fetchFirst(FetchRequest<Stop>(where: #Predicate { $0.name == "Zoo" })))
        let times = try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.stop.name == "Zoo" }))
        #expect(times.allSatisfy { $0.stop === zoo })
        #expect(context.registeredObject(for: zoo.objectID) === zoo)
        #expect(try context.object(Stop.self, id: 7) === zoo)
        let second = store.makeContext()
        let other = try #require(try second.object(Stop.self, id: 7))
        #expect(other !== zoo)
        #expect(other == zoo)
        // Opening a file twice gives two stores. Both may be in one context.
        #expect(try self.context().object(Stop.self, id: 7) != zoo)
    }

    /// The key of a stop time is two numbers.
    @Test func anIdOfTooFewValuesNamesNoRow() throws {
        let context = try context()
        #expect(try context.existingObject(with: ObjectID(StopTime.entity, row: 1)) == nil)
        #expect(try context.existingObject(with: ObjectID(Stop.entity, row: 1)) != nil)
        let noTime = context.object(with: ObjectID(StopTime.entity, row: 1))
        #expect(noTime.isFault && !noTime.objectID.isTemporary)
        let first = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 0 && $0.stopSequence == 1 })
        let time = try #require(try context.fetchFirst(first))
        #expect(time !== noTime && time.stop.id >= 0)
    }

    @Test func objectsAreHeldWeakly() throws {
        let context = try context()
        weak var gone: Stop?
        let id: ObjectID
        do {
            let stop = try #require(try context.object(Stop.self, id: 3))
            gone = stop
            id = stop.objectID
        }
        #expect(gone == nil)
        #expect(context.registeredObject(for: id) == nil)
    }

    @Test func relationshipsLeadBothWays() throws {
        let context = try context()
        let station = try #require(try context.object(Stop.self, id: 1))
        #expect(station.childStops.map(\.id) == [2, 5])
        #expect(station.childStops[0]?.parentStation === station)
        let trip = try #require(try context.object(Trip.self, id: 0))
        #expect(trip.route.agency?.name == "Berliner Verkehrsbetriebe")
        #expect(trip.stopTimes.map(\.stop.id) == [2, 0, 4])
        #expect(trip.service.exceptions.map(\.date) == [ServiceDate(20_260_501)])
        #expect(trip.service.monday && !trip.service.sunday)
        #expect(station.transfersFrom.first?.toStop?.id == 0)
        #expect(station.parentStation == nil)
        #expect(trip.shape == nil)
    }

    @Test func aStopsTimesComeByDepartureTime() throws {
        let stop = try #require(try context().object(Stop.self, id: 2))
        #expect(stop.stopTimes.count == 5)
        let expected: [ServiceTime?] = [nil] + [28_560, 30_660, 36_000, 92_100].map { ServiceTime(seconds: $0) }
        #expect(stop.stopTimes.map(\.departureTime) == expected)
        #expect(expected[4]?.description == "25:35:00")
    }

    @Test func missingValuesAreNilOrTheirDefault() throws {
        let context = try context()
        let nameless = try #require(try context.object(Stop.self, id: 5))
        #expect(nameless.name == "")
        #expect(nameless.latitude == nil)
        #expect(nameless.coordinate == nil)
        #expect(nameless.platformCode == nil)
        #expect(nameless.locationType == .genericNode)
        #expect(try context.object(Stop.self, id: 99) == nil)
        let trip = try #require(try context.object(Trip.self, id: 4))
        #expect(trip.directionID == nil)
    }

    @Test func tablesWithoutAClassAreFetchedByName() throws {
        let test = try TestStore { connection in
            try connection.execute("CREATE TABLE boat(id INTEGER PRIMARY KEY, name TEXT, my_column TEXT)")
            try connection.insert("boat", "id, name, my_column", ["1, 'Moby', 'white'", "2, 'Titanic', NULL"])
            try connection.insert(
                "agency", "id, agency_id, name, url, timezone", ["0, 'a', 'A', 'u', 'Europe/Berlin'"])
            try connection.insert(
                "fare_attribute", "id, fare_id, price, currency_type, agency", ["0, 'f', 2.8, 'EUR', 0"])
        }
        let context = try test.context()
        let boats = try context.fetch(
            FetchRequest<StoredRow>(
                entity: "boat", where: Condition(.comparison(.equal, .property(.root, ["my_column"]), .value("white"))))
        )
        #expect(boats.map { $0["name"] } == ["Moby"])
        let fares = try context.fetch(
            FetchRequest<StoredRow>(
                entity: "fare_attribute",
                where: Condition(.comparison(.equal, .property(.root, ["agency", "name"]), .value("A")))))
        #expect(fares.map { $0["price"] } == [2.8])
        #expect(try context.stores[0].model.entity(named: "boat")?.columns.count == 3)
    }

    @Test func everyTypedEntityCanBeFetched() throws {
        let context = try context()
        for entity in StoreModel.typedEntities {
            let count = try context.fetchCount(FetchRequest<StoreObject>(entity: entity.name))
            let objects = try context.fetch(FetchRequest<StoreObject>(entity: entity.name))
            #expect(objects.count == count)
        }
        let terms = try context.fetchCount(FetchRequest<SearchTerm>())
        #expect(terms == 23)
        #expect(try context.fetch(FetchRequest<Frequency>()).map(\.headwaySecs) == [1_800])
        #expect(try context.fetch(FetchRequest<Level>()).map(\.name) == ["Straße", "Bahnsteig"])
    }

    /// A feed with a single agency may leave `agency_id` empty in its routes.
    @Test func `a line without an agency has the only one of its feed`() throws {
        func store(agencies: Int, named: String) throws -> TestStore {
            try TestStore { connection in
                for id in 0..<agencies {
                    try connection.execute("INSERT INTO agency(id, agency_id, name) VALUES (\(id), 'a\(id)', 'A\(id)')")
                }
                try connection.execute("INSERT INTO route(id, route_id, agency) VALUES (0, 'r', \(named))")
            }
        }
        let (one, two, none) = (
            try store(agencies: 1, named: "NULL"), try store(agencies: 2, named: "NULL"),
            try store(agencies: 0, named: "NULL")
        )
        let named = try store(agencies: 2, named: "1")
        let coordinator = StoreCoordinator([try one.open(), try two.open(), try none.open(), try named.open()])
        let context = coordinator.makeContext()
        let routes = try context.fetch(FetchRequest<Route>())
        #expect(routes.map { $0.operatingAgency?.name } == ["A0", nil, nil, "A1"])
        #expect(routes.map { $0.agency?.name } == [nil, nil, nil, "A1"])
        #expect(context.lastError == nil)
        // No column holds it: a request must not take it for `agency`.
        #expect(throws: StoreError.self) {
            try context.fetchCount(FetchRequest<Route>(where: #Predicate { $0.operatingAgency?.name == "A0" }))
        }
        for request in [
            FetchRequest<Route>(sortedBy: .ascending(\.operatingAgency?.name)),
            FetchRequest<Route>().selecting(.attribute(\.operatingAgency?.name)),
        ] {
            let error = #expect(throws: StoreError.self) { try context.fetchRows(request) }
            #expect(error?.code == .untranslatable, "\(String(describing: error))")
        }
    }

    /// An object that was inserted belongs to the store that its references lead into.
    @Test func insertedObjectsBelongToOneStore() throws {
        let (one, other) = (try TestStore.berlin(), try TestStore.berlin())
        let stores = [try one.open(), try other.open()]
        let context = StoreCoordinator(stores).makeContext()
        let route = context.insert(Route.self)
        func count(in asked: [TransitStore]) throws -> Int {
            var request = FetchRequest<Route>()
            request.affectedStores = asked
            return try context.fetch(request).filter(\.isInserted).count
        }
        #expect(try stores.map { try count(in: [$0]) } == [1, 1])
        let agency = try #require(try context.fetch(FetchRequest<Agency>()).last)
        try route.set(\.agency, to: agency)
        #expect(try stores.map { try count(in: [$0]) } == [0, 1])
        #expect(try count(in: stores) == 1)
        try route.set(\.agency, to: nil)
        #expect(route.operatingAgency === agency)
        var request = DepartureRequest(.stops(["s0"]), on: ServiceDate(20_260_731))
        request.affectedStores = [stores[1]]
        let error = #expect(throws: StoreError.self) { try stores[0].departures(request) }
        #expect(error?.code == .unknownStore)
    }

    @Test func objectsOfOtherContextsStay() throws {
        let (test, foreign) = (try TestStore.berlin(), try TestStore.berlin())
        let store = try test.open()
        let (context, other) = (store.makeContext(), store.makeContext())
        let stop = try #require(try context.object(Stop.self, id: 7))
        try stop.setValue("Changed", for: "name")
        other.refresh(stop, mergeChanges: false)
        #expect(stop.name == "Changed" && stop.isUpdated)
        other.delete(try #require(try foreign.context().object(Stop.self, id: 7)))
        #expect(!other.hasChanges)
    }
}
