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
        #expect(try context.fetch(request).map(\.departureTime?.seconds) == [29_160, 29_500, 29_900])
        #expect(try context.fetchCount(request) == 3)
        request.fetchLimit = 2
        #expect(try context.fetch(request).map(\.departureTime?.seconds) == [29_160, 29_500])
        request.fetchLimit = 0
        request.includesPendingChanges = false
        #expect(try context.fetchCount(request) == 1)
        #expect(extra.stop.name == "Zoo")
    }

    /// As `stopSequence` of the object does. No row of a store lacks it, so SQL need not ask whether it is empty.
    @Test func `the sequence of a new stop time is 0 in conditions as well`() throws {
        let context = try context()
        let new = context.insert(StopTime.self)
        try new.setValue(0, for: "trip")
        #expect(new.stopSequence == 0)
        let predicates: [Predicate<StopTime>] = [
            #Predicate { $0.stopSequence == 0 }, #Predicate { $0.stopSequence != 5 },
            #Predicate { $0.stopSequence < 1 },
            #Predicate { $0.stopSequence + 1 == 1 }, #Predicate { [0, 7].contains($0.stopSequence) },
            #Predicate { (0...5).contains($0.stopSequence) }, #Predicate { !($0.stopSequence != 3) },
        ]
        let all = try context.fetch(FetchRequest<StopTime>())
        #expect(all.contains(new))
        for predicate in predicates {
            let found = Set(try context.fetch(FetchRequest<StopTime>(where: predicate)))
            #expect(found == Set(try all.filter { try predicate.evaluate($0) }), "\(predicate)")
        }
        let words = [
            "stopSequence = stopSequence", "stopSequence BETWEEN {0, 0}", "(trip.service.sunday + stopSequence) < 2",
        ]
        for text in words {
            #expect(try context.fetch(FetchRequest<StopTime>(where: Condition(format: text))).contains(new), "\(text)")
        }
        let trips = FetchRequest<Trip>(where: try Condition(format: "ANY stopTimes.stopSequence = 0"))
        #expect(try context.fetch(trips).map(\.id) == [0])
        let groups = FetchRequest<StopTime>().selecting(.attribute(\.stopSequence), .count()).groups(
            by: .attribute(\.stopSequence))
        #expect(try context.fetchRows(groups).contains { $0[0] == 0 && $0[1] == 1 })
    }

    /// Conditions on changed rows are tested in memory, where SQLite cannot stop them.
    @Test(arguments: [false, true]) func `the time limit holds for rows in memory`(isInBackground: Bool) async throws {
        let context = try fixture.get().open { $0.timeLimit = 0.2 }.makeContext()
        for number in 0..<400 {
            let stop = context.insert(Stop.self)
            try stop.set(\.name, to: String(repeating: "a", count: 22) + "\(number)")
        }
        let request = FetchRequest<Stop>(where: try Condition(format: "name MATCHES '(a|aa)+b'"))
        let error = await #expect(throws: StoreError.self) {
            if isInBackground { _ = try await context.fetchInBackground(request) }
            if !isInBackground { _ = try context.fetch(request) }
        }
        #expect(error?.code == .timedOut && error?.message == "The fetch took longer than 0.2 s and was stopped.")
        #expect(try context.fetchCount(FetchRequest<Stop>(where: Condition(format: "name BEGINSWITH 'aaa'"))) == 400)
    }

    @Test func changesOfRelatedRowsAreSeen() throws {
        let context = try context()
        let zoo = try #require(try context.object(Stop.self, id: 7))
        try zoo.setValue("Hauptbahnhof", for: "name")
        let request = FetchRequest<StopTime>(where: #Predicate { $0.stop.name == "Hauptbahnhof" })
        #expect(try context.fetch(request).map(\.objectID.description) == ["stop_time/3/9", "stop_time/5/1"])
    }

    /// For changes of other entities, a fetch reads only the rows that lead to them, not the whole table.
    @Test func onlyRowsThatLeadToChangesAreReadAlong() throws {
        let log = StatementLog()
        let store = try fixture.get().open { $0.sqlDebug = log.debug }
        let context = store.makeContext()
        let zoo = try #require(try context.object(Stop.self, id: 7))
        try zoo.setValue("Hauptbahnhof", for: "name")
        func rowsRead<Entity>(_ request: FetchRequest<Entity>) throws -> [Int] {
            log.clear()
            _ = try context.fetch(request)
            return log.rows
        }
        // A condition that does not lead to a stop takes one statement, as without changes.
        #expect(try rowsRead(FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 0 })) == [3])
        // Two calls lead to the stop; the other condition holds for one of them.
        let inTrip = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 3 && $0.stop.name == "Hauptbahnhof" })
        #expect(try rowsRead(inTrip) == [0, 1])
        #expect(try context.fetch(inTrip).map(\.objectID.description) == ["stop_time/3/9"])
        let byCalls = FetchRequest<Trip>(
            where: #Predicate { $0.stopTimes.contains { $0.stop.name == "Hauptbahnhof" } })
        #expect(try rowsRead(byCalls).prefix(2) == [0, 2])
        #expect(try context.fetch(byCalls).map(\.id) == [3, 5])
        #expect(try context.fetchCount(byCalls) == 2)
    }

    /// A stop's parent is a stop, so the change of one stop may make other stops match.
    @Test func changesReachRowsOfTheSameEntity() throws {
        let context = try context()
        let station = try #require(try context.object(Stop.self, id: 1))
        try station.setValue("Kotti", for: "name")
        let request = FetchRequest<Stop>(where: #Predicate { $0.parentStation?.name == "Kotti" })
        #expect(try context.fetch(request).map(\.id) == [2, 5])
        context.delete(station)
        #expect(try context.fetch(request).isEmpty)
        #expect(try context.fetchCount(FetchRequest<Stop>(where: #Predicate { $0.parentStation?.id == 1 })) == 0)
        #expect(try context.fetchCount(FetchRequest<Stop>(where: #Predicate { $0.parentStation == nil })) == 7)
    }

    /// Owners are found by the rows they have now, even if these were moved, inserted or deleted.
    @Test func ownersOfMovedRowsAreFound() throws {
        let context = try context()
        let called = FetchRequest<Stop>(where: #Predicate { $0.stopTimes.contains { $0.stopSequence > 0 } })
        let childless = FetchRequest<Stop>(where: #Predicate { $0.childStops.isEmpty && $0.locationType == 1 })
        let ofMill = FetchRequest<StopTime>(
            where: #Predicate { $0.stop.stopTimes.count == 2 && $0.stop.name == "Ölmühle" })
        #expect(try context.fetch(called).map(\.id).sorted() == [0, 2, 3, 4, 7])
        let moved = try #require(try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 7 })).first)
        try moved.setValue(6, for: "stop")
        #expect(try context.fetch(called).map(\.id).sorted() == [0, 2, 3, 4, 6, 7])
        let extra = context.insert(StopTime.self)
        for (name, value) in ["trip": 9, "stop": 6, "stopSequence": 1] as [String: QueryValue] {
            try extra.setValue(value, for: name)
        }
        #expect(Set(try context.fetch(ofMill)) == [moved, extra])
        for time in try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 7 })) {
            context.delete(time)
        }
        #expect(try context.fetch(called).map(\.id).sorted() == [0, 2, 3, 4, 6])
        #expect(try context.fetchCount(childless) == 0)
        for stop in try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.parentStation?.id == 1 })) {
            try stop.setValue(.null, for: "parentStation")
        }
        #expect(try context.fetch(childless).map(\.id) == [1])
    }

    @Test func aKindIsThatOfNow() throws {
        let context = try context()
        let zoo = try #require(try context.object(Stop.self, id: 7))
        try zoo.setValue("Hauptbahnhof", for: "name")
        let stations = FetchRequest<Stop>(kind: .station)
        #expect(try context.fetch(stations).map(\.id) == [1])
        try zoo.setValue(1, for: "locationType")
        #expect(try context.fetch(stations).map(\.id) == [1, 7])
        #expect(try context.fetchCount(FetchRequest<Stop>(kind: .platform)) == 5)
    }

    /// Words that only the store knows, such as those of translations, stay findable.
    @Test func searchTermsOfUnchangedStopsAreTheStores() throws {
        let test = try TestStore { connection in
            try connection.insertStop(0, "Görlitzer Bahnhof", 52, 13)
            try connection.insertStop(1, "Zoo", 52, 14)
            try connection.insert("search_term", "normalized_word, stop", ["'zgorzelec', 0"])
        }
        let context = try test.context()
        try #require(try context.object(Stop.self, id: 1)).setValue("Zgorzelec West", for: "name")
        #expect(try context.fetch(FetchRequest<Stop>(where: .name(hasWords: "zgor"))).map(\.id) == [0, 1])
        #expect(try context.fetch(FetchRequest<Stop>(where: .name(hasWords: "zoo"))).isEmpty)
    }

    @Test func insertedObjectsComeInTheOrderInWhichTheyWereMade() throws {
        let context = try context()
        for number in 0..<20 { try context.insert(Level.self).setValue(.text("\(number)"), for: "name") }
        let names = try context.fetch(FetchRequest<Level>()).map { $0.value(of: "name")?.text }
        #expect(names == ["Straße", "Bahnsteig"] + (0..<20).map { "\($0)" })
    }

    @Test func dictionariesSeeChanges() throws {
        let context = try context()
        var request = FetchRequest<StopTime>()
        request.propertiesToFetch = [.attribute(\.stop.name), .count(as: "calls")]
        request.propertiesToGroupBy = [.attribute(\.stop.name)]
        let before = try context.fetchRows(request).map { [$0[0], $0[1]] }
        let zoo = try #require(try context.object(Stop.self, id: 7))
        try zoo.setValue("Zoologischer Garten", for: "name")
        let expected = before.map { [$0[0] == "Zoo" ? "Zoologischer Garten" : $0[0], $0[1]] }
        #expect(before.count == 5)
        #expect(Set(try context.fetchRows(request).map { [$0[0], $0[1]] }) == Set(expected))
        #expect(try context.fetchCount(request) == 5)
        request.sortDescriptors = [.by(.aggregate(.count, nil), ascending: false), .ascending(\.stop.name)]
        request.fetchLimit = 2
        let most = try context.fetchRows(request).map { [$0[0], $0[1]] }
        context.rollback()
        #expect(try context.fetchRows(request).map { [$0[0], $0[1]] } == most)
        #expect(most == [["U Kottbusser Tor (Berlin)", 5], ["S+U Warschauer Str. (Berlin)", 3]])
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

    @Test func savingWithoutStoresSaysThatThereAreNone() throws {
        let context = StoreCoordinator([]).makeContext()
        _ = context.insert(Stop.self)
        #expect(
            throws: StoreError(
                .readOnly,
                "The context has no store to save to: 1 inserted, 0 updated and 0 deleted objects stay in memory")
        ) { try context.save() }
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

    /// Like Core Data's nullify rule: rows that refer to a deleted row stay, and their reference becomes empty.
    @Test func referencesToDeletedObjectsAreEmpty() throws {
        let context = try context()
        let calls = try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 7 }))
        let (zoo, platform) = (calls[0].stop, try #require(try context.object(Stop.self, id: 2)))
        let station = try #require(platform.parentStation)
        #expect(station.childStops.count == 2)
        context.delete(zoo)
        context.delete(station)
        context.delete(platform)
        #expect(calls.map(\.stop.name) == ["", ""] && calls[0].stop !== zoo)
        #expect(calls[0].value(of: "stop") == .null)
        #expect(platform.parentStation == nil)
        // A deleted object keeps its own values, and leads to those related objects that still exist.
        #expect(station.childStops.map(\.id) == [5])
        let nowhere = FetchRequest<StopTime>(where: try Condition(format: "stop = NIL"))
        #expect(try context.fetch(nowhere).count == 7)
        #expect(Set(calls).isSubset(of: try context.fetch(nowhere)))
        #expect(try context.fetchCount(FetchRequest<StopTime>(where: #Predicate { $0.stop.id == 7 })) == 0)
        #expect(try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.parentStation == nil })).count == 5)
        var stops = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 5 })
        stops.propertiesToFetch = [.attribute(\.stop), .attribute(\.stop.name)]
        #expect(try context.fetchRows(stops).map { [$0[0], $0[1]] } == [[nil, nil], [nil, nil]])
        context.rollback()
        #expect(calls.map(\.stop) == [zoo, zoo] && platform.parentStation === station)
    }

    /// A deleted object keeps the values that were set before; a fetch that prefetches it must not hand them on.
    @Test func rollbackForgetsTheValuesOfDeletedObjects() throws {
        let context = try context()
        let zoo = try #require(try context.object(Stop.self, id: 7))
        let request = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 5 }).prefetching(\.stop)
        try zoo.set(\.name, to: "Other")
        context.delete(zoo)
        let calls = try context.fetch(request)
        #expect(zoo.name == "Other" && calls.map(\.stop.name).contains(""))
        context.rollback()
        #expect(calls.map(\.stop).contains(zoo) && zoo.name == "Zoo")
    }

    /// The object stands for its row. What the other context has set does not count: here the call is still at its
    /// stop.
    @Test func anObjectOfAnotherContextDeletesItsRow() throws {
        let store = try fixture.get().open()
        let (context, other) = (store.makeContext(), store.makeContext())
        let call = try #require(try other.fetchFirst(FetchRequest<StopTime>()))
        let stop = try #require(context.object(Stop.self, with: call.stop.objectID))
        let calls = FetchRequest<StopTime>(where: #Predicate { $0.stop == stop })
        let left = Set(try context.fetchIDs(calls)).subtracting([call.objectID])
        try call.set(\.stop, to: #require(try other.fetch(FetchRequest<Stop>()).first { $0.id != stop.id }))
        context.delete(call)
        #expect(Set(stop.stopTimes.map(\.objectID)) == left && stop.stopTimes.count == left.count)
        #expect(try context.fetchCount(calls) == left.count && Set(context.fetchIDs(calls)) == left)
        #expect(context.deletedObjects.allSatisfy { $0.context === context })
        #expect(!call.isDeleted && call.stop.id != stop.id && other.hasChanges)
        context.delete(other.insert(Stop.self))
        #expect(context.deletedObjects.count == 1 && other.insertedObjects.count == 1)
    }

    @Test func objectsThatWereInsertedAndDeletedAreGone() throws {
        let context = try context()
        let extra = context.insert(Stop.self)
        let child = context.insert(Stop.self)
        try child.setValue(extra, for: "parentStation")
        #expect(child.parentStation === extra && extra.childStops.map(\.id) == [child.id])
        context.delete(extra)
        #expect(child.parentStation == nil && extra.isDeleted && !extra.isInserted)
        #expect(context.insertedObjects == [child] && context.deletedObjects.isEmpty)
    }

    @Test func objectsKnowWhetherTheyWereChanged() throws {
        let context = try context()
        let stops = try context.fetch(FetchRequest<Stop>())
        let extra = context.insert(Stop.self)
        try stops[0].setValue("Görlitzer Park", for: "name")
        context.delete(stops[1])
        #expect([stops[0], stops[1], stops[2], extra].map(\.isUpdated) == [true, false, false, false])
        #expect([stops[0], stops[1], stops[2], extra].map(\.isDeleted) == [false, true, false, false])
        #expect([stops[0], stops[1], stops[2], extra].map(\.isInserted) == [false, false, false, true])
        #expect(context.insertedObjects == [extra] && context.updatedObjects == [stops[0]])
        #expect(context.deletedObjects == [stops[1]])
        context.rollback()
        #expect(!context.hasChanges && !stops[0].isUpdated && !stops[1].isDeleted)
    }
}
