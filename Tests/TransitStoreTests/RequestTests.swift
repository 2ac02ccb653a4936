import FoundationEssentials
import Testing
import TransitStore

@Suite struct RequestTests {
    /// Tables that only an open store knows.
    @Test func requestsForOtherTablesAreComparedByTheirParts() throws {
        let name = { (name: String) in
            Condition<StoredRow>(.comparison(.equal, .property(.root, ["name"]), .value(.text(name))))
        }
        let one = FetchRequest<StoredRow>(entity: "feed_file", where: name("stops.txt"))
        #expect(one != FetchRequest<StoredRow>(entity: "feed_file", where: name("trips.txt")))
        #expect(one == FetchRequest<StoredRow>(entity: "feed_file", where: name("stops.txt")))
        #expect(one.hashValue == FetchRequest<StoredRow>(entity: "feed_file", where: name("stops.txt")).hashValue)
        var limited = one
        limited.fetchLimit = 1
        #expect(one != limited)
    }

    let fixture = Result { try TestStore.berlin() }

    @Test func allRowsWithoutPredicate() throws {
        let context = try fixture.get().context()
        let request = FetchRequest<Agency>()
        #expect(
            try request.sql().text
                == "SELECT t0.id, t0.agency_id, t0.name, t0.url, t0.timezone, t0.language, t0.phone, t0.fare_url, t0.email, "
                + "t0.cemv_support FROM agency AS t0")
        #expect(try context.fetch(request).map(\.name) == ["Berliner Verkehrsbetriebe"])
        #expect(request == FetchRequest<Agency>(where: Condition(.all([]))))
        #expect(request == FetchRequest<Agency>(where: .all && .all))
        #expect(try context.fetch(FetchRequest<Stop>(where: .none)).isEmpty)
    }

    @Test func entityByName() throws {
        let context = try fixture.get().context()
        let byName = FetchRequest<Stop>(entity: "stop")
        #expect(byName == FetchRequest<Stop>())
        #expect(try context.count(for: byName) == 8)
        #expect(throws: StoreError(.unknownEntity, "The store has no entity ship")) {
            try context.fetch(FetchRequest<StoredRow>(entity: "ship"))
        }
        #expect(throws: StoreError(.unknownEntity, "The store has no entity stops; stops.txt is Stop here")) {
            try context.fetch(FetchRequest<Stop>(entity: "stops"))
        }
        #expect(throws: StoreError(.unknownEntity, "Rows of Trip are Trips, not Stops")) {
            try context.fetch(FetchRequest<Stop>(entity: "Trip"))
        }
        // Objects of the entity's own type, also when it is named; never silently none.
        #expect(try context.fetch(FetchRequest<StoreObject>(entity: "stop")).count == 8)
        #expect(throws: StoreError(.unknownEntity, "Rows of Stop are Stops, not StoredRows")) {
            try context.fetch(FetchRequest<StoredRow>(entity: "stop"))
        }
    }

    @Test func requestsAreEqualWhenTheirSQLAndValuesAre() throws {
        let eight = ServiceTime(hours: 8)
        let one = FetchRequest<StopTime>(where: #Predicate { $0.departureTime >= eight })
        let same = FetchRequest<StopTime>(where: #Predicate { eight <= $0.departureTime })
        let nine = ServiceTime(hours: 9)
        let other = FetchRequest<StopTime>(where: #Predicate { $0.departureTime >= nine })
        #expect(one == same)
        #expect(one.hashValue == same.hashValue)
        #expect(one != other)
        #expect(one.description.hasSuffix("FROM stop_time AS t0 WHERE t0.departure_time >= 28800"))
    }

    @Test func sortingLimitAndOffset() throws {
        let context = try fixture.get().context()
        var request = FetchRequest<Stop>()
        request.sortDescriptors = [.ascending(\.name, nulls: .last), .descending(\.id)]
        request.fetchLimit = 3
        request.fetchOffset = 1
        #expect(
            try request.sql().text.hasSuffix(
                "FROM stop AS t0 ORDER BY t0.name NULLS LAST, t0.id DESC LIMIT ? OFFSET ?"))
        #expect(try request.sql().bindings == [3, 1])
        #expect(try context.fetch(request).map(\.id) == [4, 0, 2])
        request.fetchLimit = 0
        #expect(try request.sql().bindings == [-1, 1])
        #expect(try context.fetch(request).count == 7)
        request.fetchLimit = 3
        request.fetchOffset = 7
        #expect(try context.count(for: request) == 1)
    }

    @Test func foldedAndLocaleSorting() throws {
        let context = try fixture.get().context()
        var request = FetchRequest<Stop>(where: #Predicate { $0.name != "" })
        request.sortDescriptors = [.ascending(\.name, .folded), .ascending(\.id)]
        #expect(try request.sql().text.hasSuffix("ORDER BY t0.normalized_name, t0.id"))
        #expect(try context.fetch(request).map(\.id) == [3, 6, 4, 0, 1, 2, 7])
        request.sortDescriptors = [.ascending(\.name), .ascending(\.id)]
        #expect(try context.fetch(request).map(\.id) == [3, 4, 0, 1, 2, 7, 6])
        request.sortDescriptors = [.ascending(\.name, .locale("de")), .ascending(\.id)]
        #expect(try request.sql().text.hasSuffix("ORDER BY t0.name COLLATE locale_de, t0.id"))
        #expect(try context.fetch(request).map(\.id) == [3, 6, 4, 0, 1, 2, 7])
        request.sortDescriptors = [.ascending(\.name, .locale("sv"))]
        #expect(try context.fetch(request).last?.name == "Ölmühle")
    }

    @Test func sortingThroughRelationships() throws {
        let context = try fixture.get().context()
        var request = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 0 })
        request.sortDescriptors = [.descending(\.stop.name)]
        #expect(
            try request.sql().text.hasSuffix(
                "FROM stop_time AS t0 LEFT JOIN stop AS t1 ON t1.id = t0.stop WHERE t0.trip = ? ORDER BY t1.name DESC"))
        #expect(try context.fetch(request).map(\.stop.id) == [2, 0, 4])
        var optional = FetchRequest<Stop>()
        optional.sortDescriptors = [.ascending(\.parentStation?.name, nulls: .last), .ascending(\.id)]
        #expect(try context.fetch(optional).map(\.id) == [2, 5, 0, 1, 3, 4, 6, 7])
    }

    @Test func propertiesOfEqualNamesAreRefused() throws {
        let context = try fixture.get().context()
        var request = FetchRequest<Stop>()
        request.propertiesToFetch = [.attribute(\.name), .attribute(\.stopID), .count(as: "name")]
        request.propertiesToGroupBy = [.attribute(\.name), .attribute(\.stopID)]
        let error = StoreError(
            .ambiguousName, "the properties 1 and 3 to fetch are both called name; give one another name")
        #expect(throws: error) { try context.dictionaries(request) }
    }

    @Test func sortByWhatIsNoColumnIsRefused() throws {
        let context = try fixture.get().context()
        var request = FetchRequest<Stop>()
        request.sortDescriptors = [.ascending(\.name.count)]
        #expect(throws: StoreError.self) { try context.fetch(request) }
        #expect(request.description.contains("it is not one column of Stop"))
    }
}
