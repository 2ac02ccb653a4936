import FoundationEssentials
import Testing
import TransitStore

@Suite struct ResultTypeTests {
    let fixture = Result { try TestStore.berlin() }
    private func context() throws -> StoreContext { try fixture.get().context() }

    @Test func countObjectIDsAndObjects() throws {
        let context = try context()
        var request = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 0 })
        request.resultType = .count
        #expect(request.description == "SELECT count(*) FROM stop_time AS t0 WHERE t0.trip = 0")
        #expect(try context.fetchCount(request) == 3)
        request.fetchLimit = 2
        #expect(
            request.description
                == "SELECT count(*) FROM (SELECT t0.trip, t0.stop_sequence FROM stop_time AS t0 WHERE t0.trip = 0 LIMIT 2)"
        )
        #expect(try context.fetchCount(request) == 2)
        request.resultType = .objectIDs
        // All columns, so that a limit takes the rows that a fetch of objects takes.
        #expect(request.description.hasPrefix("SELECT t0.trip, t0.stop_sequence, t0.trip, t0.arrival_time, "))
        #expect(request.description.hasSuffix(" FROM stop_time AS t0 WHERE t0.trip = 0 LIMIT 2"))
        #expect(try context.fetchIDs(request).map(\.description) == ["stop_time/0/1", "stop_time/0/2"])
        guard case .objectIDs(let ids) = try context.execute(request) else { throw StoreError(.failed, "other type") }
        #expect(ids.count == 2)
        request.resultType = .objects
        guard case .objects(let objects) = try context.execute(request) else { throw StoreError(.failed, "other type") }
        #expect(objects.map(\.stop.id) == [2, 0])
    }

    @Test func dictionariesHaveAttributesAndPaths() throws {
        var request = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 1 })
        request.resultType = .dictionaries
        request.propertiesToFetch = [.attribute(\.stop.name), .attribute(\.departureTime), .attribute(\.stop)]
        request.sortDescriptors = [.ascending(\.stopSequence)]
        #expect(
            request.description
                == "SELECT t1.name, t0.departure_time, t0.stop FROM stop_time AS t0 LEFT JOIN stop AS t1 ON t1.id = t0.stop "
                + "WHERE t0.trip = 1 ORDER BY t0.stop_sequence")
        let rows = try context().fetchRows(request)
        #expect(rows[0].names == ["stop.name", "departureTime", "stop"])
        #expect(rows.map { $0["stop.name"].text?.prefix(5) } == ["S+U W", "U Gör", "U Kot"])
        #expect(rows.map { $0["stop"] } == [4, 0, 2])
        #expect(rows[1].dictionary["departureTime"] == 30_360)
        #expect(rows[1]["no such"] == .null)
    }

    @Test func distinctResultsComeOnce() throws {
        var request = FetchRequest<Stop>()
        request.resultType = .dictionaries
        request.propertiesToFetch = [.attribute(\.name)]
        request.returnsDistinctResults = true
        request.sortDescriptors = [.ascending(\.name)]
        #expect(request.description == "SELECT DISTINCT t0.name FROM stop AS t0 ORDER BY t0.name")
        #expect(try context().fetchRows(request).count == 7)
        request.resultType = .count
        #expect(try context().fetchCount(request) == 7)
    }

    /// SELECT DISTINCT would keep the row that it reads first, not the one that comes first in the order.
    @Test func distinctResultsMayBeSortedByWhatIsNotInThem() throws {
        var request = FetchRequest<StopTime>()
        request.propertiesToFetch = [.attribute(\.stop.name)]
        request.sortDescriptors = [.descending(\.departureTime), .ascending(\.trip.id)]
        var seen: Set<QueryValue> = []
        let all = try context().fetchRows(request).map { $0[0] }.filter { seen.insert($0).inserted }
        request.returnsDistinctResults = true
        #expect(
            request.description
                == "SELECT c0 FROM (SELECT t1.name AS c0, row_number() OVER (ORDER BY t0.departure_time DESC, t0.trip) "
                + "AS place FROM stop_time AS t0 LEFT JOIN stop AS t1 ON t1.id = t0.stop) "
                + "GROUP BY c0 ORDER BY min(place)")
        #expect(try context().fetchRows(request).map { $0[0] } == all)
        request.fetchLimit = 3
        #expect(try context().fetchRows(request).map { $0[0] } == Array(all.prefix(3)))
        let changed = try context()
        _ = changed.insert(Trip.self)
        #expect(try changed.fetchRows(request).map { $0[0] } == Array(all.prefix(3)))
    }

    @Test func groupsAreAggregatedAndFilteredByHaving() throws {
        var request = FetchRequest<StopTime>()
        request.resultType = .dictionaries
        request.propertiesToFetch = [
            .attribute(\.stop), .count(as: "calls"), .min(\.departureTime), .max(\.departureTime, as: "last"),
            .average(\.stopSequence), .sum(\.stopSequence),
        ]
        request.propertiesToGroupBy = [.attribute(\.stop)]
        request.havingPredicate = Condition(.comparison(.greater, .aggregate(.count, nil), .value(2)))
        request.sortDescriptors = [.by(.aggregate(.count, nil), ascending: false)]
        #expect(
            request.description
                == "SELECT t0.stop, count(*), min(t0.departure_time), max(t0.departure_time), avg(t0.stop_sequence), "
                + "sum(t0.stop_sequence) FROM stop_time AS t0 GROUP BY t0.stop HAVING count(*) > 2 ORDER BY count(*) DESC"
        )
        let rows = try context().fetchRows(request)
        #expect(rows.map { $0["stop"] } == [2, 4])
        #expect(rows[0]["calls"] == 5)
        #expect(rows[0]["min(departureTime)"] == 28_560)
        #expect(rows[0]["last"] == 92_100)
        #expect(rows[0]["average(stopSequence)"] == 2.4)
        #expect(rows[0]["sum(stopSequence)"] == 12)
        request.resultType = .count
        #expect(try context().fetchCount(request) == 2)
    }

    @Test func aKindOfStopIsAnEntityOfItsOwn() throws {
        let context = try context()
        let stations = FetchRequest<Stop>(kind: .station)
        #expect(stations.description.hasSuffix("FROM stop AS t0 WHERE t0.location_type = 1"))
        #expect(try context.fetch(stations).map(\.id) == [1])
        #expect(try context.fetch(FetchRequest<Stop>(kind: .platform)).map(\.id) == [0, 2, 3, 4, 6, 7])
        #expect(try context.fetch(FetchRequest<Stop>(entity: "GenericNode")).map(\.locationType) == [.genericNode])
        var none = FetchRequest<Stop>()
        none.includesSubentities = false
        #expect(none.description.hasSuffix("WHERE NOT (COALESCE(t0.location_type, 0) IN (0, 1, 2, 3, 4))"))
        #expect(try context.fetch(none).isEmpty)
    }

    @Test func aTemplateNeedsItsValues() throws {
        var templates = RequestTemplates()
        templates["at or after"] = FetchRequest<StopTime>(
            where: Condition(.comparison(.greaterOrEqual, .property(.root, ["departureTime"]), .parameter("TIME"))))
        let request: FetchRequest<StopTime> = try templates.request("at or after", ["TIME": 90_000])
        #expect(request.description.hasSuffix("WHERE t0.departure_time >= 90000"))
        #expect(try context().fetchCount(request) == 2)
        #expect(throws: StoreError(.missingVariable, "The template at or after has no value for its variable $TIME")) {
            let _: FetchRequest<StopTime> = try templates.request("at or after")
        }
        #expect(throws: StoreError(.unknownTemplate, "There is no template x; there are at or after")) {
            let _: FetchRequest<StopTime> = try templates.request("x")
        }
    }

    @Test func columnsHaveTheNamesTheyAreGiven() throws {
        var request = FetchRequest<StopTime>(where: #Predicate { $0.trip.id == 0 })
        request.propertiesToFetch = [.attribute(\.stop.name, as: "place"), .count(), .max(\.departureTime)]
        request.propertiesToGroupBy = [.attribute(\.stop.name)]
        let row = try #require(try context().fetchRows(request).first)
        #expect(row.names == ["place", "count", "max(departureTime)"])
        #expect(try row.value(of: "count") == 1)
        #expect(row["max"] == .null)
        #expect(
            throws: StoreError(
                .unknownProperty, "The result has no column max; it has place, count, max(departureTime)")
        ) { try row.value(of: "max") }
    }

    /// Equal rows answer alike, so the same values under other names make another row. Names are told apart by their
    /// bytes, as `row[name]` does.
    @Test func `rows are equal if their names and values are`() throws {
        let context = try context()
        func request(_ name: String) -> FetchRequest<Stop> {
            var request = FetchRequest<Stop>(where: #Predicate { $0.id == 0 })
            request.propertiesToFetch = [.attribute(\.name, as: name)]
            return request
        }
        for (name, other) in [("place", "place"), ("place", "name"), ("caf\u{E9}", "cafe\u{301}")] {
            let rows = try [name, other].map { try #require(try context.fetchRows(request($0)).first) }
            let areSame = name.utf8.elementsEqual(other.utf8)
            #expect((rows[0] == rows[1]) == areSame && rows[1][name].isNull != areSame, "\(other)")
            #expect((request(name) == request(other)) == areSame, "\(other)")
        }
    }

    /// A request can sort by the number of related objects and fetch it, like any property.
    @Test func countsOfRelationshipsAreSortedByAndFetched() throws {
        let context = try context()
        var request = FetchRequest<Trip>()
        request.sortDescriptors = [.descending(\.stopTimes.count), .ascending(\.id)]
        #expect(
            try request.sql().text.hasSuffix(
                "ORDER BY (SELECT count(*) FROM stop_time AS t1 WHERE t1.trip = t0.id) DESC, t0.id"))
        #expect(try context.fetch(request).map(\.id) == [0, 1, 3, 2, 5, 4])
        request.propertiesToFetch = [.attribute(\.stopTimes.count)]
        let counts = try context.fetchRows(request)
        #expect(counts.map { $0["stopTimes.count"] } == [3, 3, 3, 2, 2, 1])
        _ = context.insert(Level.self)
        #expect(try context.fetch(request).map(\.id) == [0, 1, 3, 2, 5, 4])
        #expect(try context.fetchRows(request) == counts)
        request.sortDescriptors = [.ascending(\.stopTimes.isEmpty)]
        #expect(throws: StoreError.self) { try context.fetch(request) }
    }

    @Test(arguments: [("8:30", 30_600), ("08:30", 30_600), ("25:10:05", 90_605)])
    func timesAreReadFromTexts(text: String, seconds: Int) { #expect(ServiceTime(text)?.seconds == seconds) }

    @Test(arguments: ["8", "8:3", "8:60", "8:30:", "8:30:5", ":30", "", "-8:30"])
    func otherTextsAreNoTimes(text: String) { #expect(ServiceTime(text) == nil) }
}
