import FoundationEssentials
import SQLite
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

    @Test func aRequestWithoutPredicateFindsAllRows() throws {
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

    @Test func entitiesAreFoundByNameAndOthersRefusedWithAHint() throws {
        let context = try fixture.get().context()
        let byName = FetchRequest<Stop>(entity: "stop")
        #expect(byName == FetchRequest<Stop>())
        #expect(try context.fetchCount(byName) == 8)
        #expect(throws: StoreError(.unknownEntity, "The store has no entity ship")) {
            try context.fetch(FetchRequest<StoredRow>(entity: "ship"))
        }
        #expect(throws: StoreError(.unknownEntity, "The store has no entity stops; stops.txt is Stop here")) {
            try context.fetch(FetchRequest<Stop>(entity: "stops"))
        }
        let own = try TestStore { try $0.execute("CREATE TABLE extra_directions(id INTEGER PRIMARY KEY, name TEXT)") }
        for name in ["directions", "directions.txt", "gtfs_directions"] {
            let message = "The store has no entity \(name); directions.txt is extra_directions here"
            #expect(throws: StoreError(.unknownEntity, message)) {
                try own.context().fetch(FetchRequest<StoredRow>(entity: name))
            }
        }
        #expect(throws: StoreError(.unknownEntity, "Rows of Trip are Trips, not Stops")) {
            try context.fetch(FetchRequest<Stop>(entity: "Trip"))
        }
        // An entity by name also gives objects of its own type. A wrong type throws instead of finding nothing.
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

    /// Asking for a missing value is the same condition in words and in Swift.
    @Test func conditionsOnWhatIsMissingAreEqual() throws {
        let nowhere = try Condition<Stop>(format: "latitude = NIL")
        for same in [
            try Condition<Stop>(format: "NAN = latitude"), Condition<Stop>(#Predicate<Stop> { $0.latitude == nil }),
        ] {
            #expect(same == nowhere && same.hashValue == nowhere.hashValue)
            #expect(FetchRequest<Stop>(where: same) == FetchRequest<Stop>(where: nowhere))
            #expect(FetchRequest<Stop>(where: !same) == FetchRequest<Stop>(where: !nowhere))
        }
        let never = try Condition<StopTime>(format: "departureTime = NIL")
        let noTime: ServiceTime? = nil
        #expect(Condition(#Predicate<StopTime> { $0.departureTime == nil }) == never)
        #expect(Condition(#Predicate<StopTime> { $0.departureTime == noTime }) == never)
        // NIL asks whether there is a station; '' asks for the station's name.
        let ofStation = try ["parentStation.name = NIL", "parentStation.name = ''"].map {
            FetchRequest<Stop>(where: try Condition(format: $0))
        }
        #expect(ofStation[0] != ofStation[1])
    }

    /// Two requests are equal when every method gives the same for both, and only then.
    @Test func everyPartTellsRequestsApart() throws {
        let store = try fixture.get().open()
        let changes: [(inout FetchRequest<Stop>) -> Void] = [
            { $0.predicate = .none }, { $0.sortDescriptors = [.ascending(\.name)] }, { $0.fetchLimit = 1 },
            { $0.fetchOffset = 1 }, { $0.fetchBatchSize = 10 }, { $0.affectedStores = [store] },
            { $0.affectedStores = [] }, { $0.relationshipKeyPathsForPrefetching = [\.stopTimes] },
            { $0.relationshipNamesForPrefetching = ["childStops"] }, { $0.resultType = .count },
            { $0.propertiesToFetch = [.attribute(\.name)] }, { $0.returnsDistinctResults = true },
            { $0.propertiesToGroupBy = [.attribute(\.name)] },
            { $0.havingPredicate = .none }, { $0.includesPropertyValues = false },
            { $0.returnsObjectsAsFaults = false },
            { $0.shouldRefreshRefetchedObjects = true }, { $0.includesSubentities = false },
            { $0.includesPendingChanges = false },
        ]
        var requests = [FetchRequest<Stop>(), FetchRequest<Stop>(entity: "Station")]
        for change in changes {
            var request = FetchRequest<Stop>()
            change(&request)
            requests.append(request)
        }
        #expect(Set(requests).count == requests.count)
        for (position, request) in requests.enumerated() {
            #expect(requests.firstIndex(of: request) == position)
        }
        var (usual, none) = (FetchRequest<Stop>(), FetchRequest<Stop>(entity: "stop"))
        (usual.fetchBatchSize, usual.fetchLimit, none.fetchLimit) = (50, 0, -1)
        #expect(usual == none && usual.hashValue == none.hashValue)
        let typed = FetchRequest<Stop>(
            where: #Predicate { $0.stopTimes.contains { $0.stopSequence > 3 } && $0.stopTimes.count > 1 })
        let text = try Condition<Stop>(format: "ANY stopTimes.stopSequence > 3 AND stopTimes.@count > 1")
        #expect(typed == FetchRequest(where: text))
        #expect(typed.hashValue == FetchRequest(where: text).hashValue)
    }

    /// A relationship is the same by key path and by name. Prefetching a path includes the relationships along it.
    @Test func requestsToPrefetchAreEqualByKeyPathsAndNames() throws {
        var (paths, names, both) = (FetchRequest<Stop>(), FetchRequest<Stop>(), FetchRequest<Stop>())
        paths.relationshipKeyPathsForPrefetching = [\.parentStation, \.stopTimes]
        names.relationshipNamesForPrefetching = ["stopTimes", "parent_station"]
        both.relationshipKeyPathsForPrefetching = [\.stopTimes]
        both.relationshipNamesForPrefetching = ["parentStation"]
        #expect(paths == names && names == both && Set([paths, names, both]).count == 1)
        names.relationshipNamesForPrefetching = ["stopTimes", "stopTimes.trip"]
        both.relationshipKeyPathsForPrefetching = []
        both.relationshipNamesForPrefetching = ["stopTimes.trip"]
        #expect(names == both && names != paths && names.hashValue == both.hashValue)
        // A request with an unknown relationship differs from one without it.
        both.relationshipNamesForPrefetching = ["stopTimes.trip", "nowhere"]
        #expect(names != both)
    }

    /// A request prints the statement of the method that its properties imply.
    @Test func eachMethodHasItsStatement() throws {
        var request = FetchRequest<Stop>(where: #Predicate { $0.id > 3 })
        #expect(request.description.hasPrefix("SELECT t0.id, t0.stop_id, "))
        request.propertiesToFetch = [.attribute(\.name)]
        #expect(request.description == "SELECT t0.name FROM stop AS t0 WHERE t0.id > 3")
        #expect(try request.sql(for: .count).description == "SELECT count(*) FROM stop AS t0 WHERE t0.id > 3")
        #expect(try request.sql(for: .objectIDs).description == "SELECT t0.id FROM stop AS t0 WHERE t0.id > 3")
        #expect(try request.sql(for: .objects).text.hasPrefix("SELECT t0.id, t0.stop_id, "))
        request.propertiesToGroupBy = [.attribute(\.name)]
        #expect(request.description == "SELECT t0.name FROM stop AS t0 WHERE t0.id > 3 GROUP BY t0.name")
        let context = try fixture.get().context()
        #expect(try context.explain(request).sql.text == request.sql().text)
        #expect(try context.explain(request, for: .objectIDs).sql.text == request.sql(for: .objectIDs).text)
        request.resultType = .count
        #expect(try request.sql() == request.sql(for: .count))
    }

    /// fetchCount(_:) counts the rows of fetchRows(_:), also with groups, limits, distinct rows and unsaved changes.
    @Test func countsAreTheNumberOfDictionaries() throws {
        let context = try fixture.get().context()
        var requests = [FetchRequest<StopTime>(), FetchRequest<StopTime>(where: #Predicate { $0.stopSequence > 1 })]
        requests = requests.flatMap { request in
            let columns: [[FetchedProperty<StopTime>]] = [
                [], [.attribute(\.stop.name)], [.count()], [.max(\.departureTime), .count()],
            ]
            return columns.map { columns in
                var request = request
                request.propertiesToFetch = columns
                return request
            }
        }
        requests = requests.flatMap { request in
            var (distinct, limited, grouped) = (request, request, request)
            distinct.returnsDistinctResults = true
            (limited.fetchLimit, limited.fetchOffset) = (2, 1)
            grouped.propertiesToGroupBy = [.attribute(\.stop.name)]
            return [request, distinct, limited, grouped]
        }
        for _ in 0..<2 {
            for request in requests {
                let rows = Result { () throws(StoreError) in try context.fetchRows(request) }
                switch rows {
                case .success(let rows): #expect(try context.fetchCount(request) == rows.count, "\(request)")
                case .failure(let error):
                    #expect(throws: error, "\(request)") { try context.fetchCount(request) }
                }
            }
            try #require(try context.fetch(FetchRequest<StopTime>()).first).setValue(.integer(7), for: "departureTime")
        }
    }

    @Test func sortingLimitAndOffsetBecomeSQL() throws {
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
        #expect(try context.fetchCount(request) == 1)
    }

    @Test func rowsAreSortedFoldedAndByLocales() throws {
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
        let last = try context.fetchRows(sql: "SELECT id FROM stop ORDER BY name COLLATE locale_sv DESC LIMIT 1")
        #expect(try last.map { $0["id"] } == [context.fetch(request).last?.id.queryValue])
    }

    /// SQLite asks for collations by name. A locale that ICU does not know has none, and other locales still work.
    @Test func aLocaleThatIsNoneIsRefused() throws {
        let context = try fixture.get().context()
        var request = FetchRequest<Stop>()
        let unknown = StoreError(
            .unsuitableValue, "There is no locale deutsch; one is written as a language tag: de, sv, de-AT")
        request.sortDescriptors = [.ascending(\.name, .locale("deutsch"))]
        for _ in 0..<2 { #expect(throws: unknown) { try context.fetch(request) } }
        request.sortDescriptors = [.ascending(\.name, .locale("fi"))]
        #expect(try context.fetch(request).count == 8)
        #expect(throws: StoreError.self) { try context.fetchRows(sql: "SELECT 1 ORDER BY 'a' COLLATE nowhere") }
    }

    @Test func sortingMayLeadThroughRelationships() throws {
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
        for _ in 0..<2 {
            #expect(throws: error) { try context.fetchRows(request) }
            #expect(throws: error) { try context.fetchCount(request) }
            try #require(try context.object(Stop.self, id: 7)).setValue("x", for: "code")
        }
    }

    @Test func sortByWhatIsNoColumnIsRefused() throws {
        let context = try fixture.get().context()
        var request = FetchRequest<Stop>()
        request.sortDescriptors = [.ascending(\.name.count)]
        #expect(throws: StoreError.self) { try context.fetch(request) }
        #expect(request.description.contains("it is not one column of Stop"))
    }
}
