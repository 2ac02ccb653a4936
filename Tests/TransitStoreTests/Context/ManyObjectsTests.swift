import FoundationEssentials
import SQLite
import Testing

@testable import TransitStore

/// More objects than the row cache can hold. Counts statements to show what runs one and what does not.
@Suite(.serialized) struct ManyObjectsTests {
    private static let rows = 300_000
    private static let trips = 60_000
    private static let small = 100

    /// 300,000 calls of 60,000 trips, which is more than a row cache keeps.
    static func store(trips: Int = trips) throws -> TestStore {
        try TestStore { connection in
            for id in 0..<100 { try connection.insertStop(id, "Stop \(id)", 52, 13 + Double(id) / 100) }
            try connection.insert("agency", "id, agency_id, name", ["0, 'a', 'BVG'"])
            for id in 0..<10 {
                try connection.insert("route", "id, route_id, short_name, agency", ["\(id), 'r\(id)', 'U\(id)', 0"])
            }
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(trips))
                INSERT INTO trip(id, trip_id, route) SELECT i, 't' || i, i % 10 FROM n
                """)
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(trips * 5))
                INSERT INTO stop_time(trip, stop_sequence, stop, arrival_time, departure_time)
                SELECT i / 5, i % 5, i * 7 % 100, 20000 + i / 5, 20000 + i / 5 FROM n
                """)
        }
    }

    @Test func faultsOfAFetchRunNoStatement() throws {
        let context = try Self.store().context()
        var request = FetchRequest<StopTime>()
        request.relationshipKeyPathsForPrefetching = [\.trip.route]
        let times = try context.fetch(request)
        #expect(times.count == Self.rows)
        #expect(times[0].isFault && times[Self.rows - 1].isFault)
        #expect(context.statistics.statements == 3)
        var sum = 0
        for time in times { sum += time.departureTime?.seconds ?? 0 }
        #expect(sum == (0..<Self.trips).reduce(0) { $0 + 5 * (20_000 + $1) })
        // Backwards: when the walk reaches the first trips, every cache has long dropped them.
        let found = times.reversed().count { $0.trip.tripID.hasPrefix("t") && $0.trip.route.shortName.hasPrefix("U") }
        #expect(found == Self.rows)
        #expect(context.statistics.statements == 3)
        #expect(context.statistics.faultsFilled == context.statistics.faultsFilledFromCache)
    }

    /// A fault's row and prefetched rows are freed with it: contexts and objects form no reference cycle.
    @Test func rowsGoWithTheirObjects() throws {
        let context = try Self.store(trips: Self.small).context()
        weak var kept: PrefetchedRows?
        do {
            var request = FetchRequest<Trip>()
            request.relationshipKeyPathsForPrefetching = [\.stopTimes, \.route.agency]
            let trips = try context.fetch(request)
            kept = trips[0].prefetchedRows
            #expect(kept != nil && trips[3].stopTimes.first?.trip === trips[3])
        }
        #expect(kept == nil && context.registeredObjects.isEmpty)
    }

    /// Nobody holds the trips. When they are made again, their prefetched calls come with them.
    @Test func toManyBehindToOneIsKept() throws {
        let store = try Self.store(trips: Self.small).open { $0.rowCacheCapacity = 1 }
        let context = store.makeContext()
        var request = FetchRequest<StopTime>(where: #Predicate { $0.stopSequence == 0 })
        request.relationshipNamesForPrefetching = ["trip.stopTimes.stop", "trip.route"]
        let times = try context.fetch(request)
        #expect(context.statistics.statements == 5)
        #expect(times.map { $0.trip.stopTimes.map(\.stop.name.count).count } == Array(repeating: 5, count: Self.small))
        #expect(times.allSatisfy { $0.trip.stopTimes.first?.trip.route.shortName.isEmpty == false })
        #expect(context.statistics.statements == 5)
    }

    @Test func childrenOfStationsAreKept() throws {
        let fixture = try TestStore { connection in
            for id in 0..<50 { try connection.insertStop(id, "Station \(id)", 52, 13, type: 1) }
            for id in 50..<150 { try connection.insertStop(id, "Platform \(id)", 52, 13, parent: id % 50) }
        }
        let context = try fixture.open { $0.rowCacheCapacity = 1 }.makeContext()
        var request = FetchRequest<Stop>(where: #Predicate { $0.locationType == 1 })
        request.relationshipKeyPathsForPrefetching = [\.childStops]
        let stations = try context.fetch(request)
        #expect(stations.map { $0.childStops.map(\.name).count } == Array(repeating: 2, count: 50))
        #expect(stations.allSatisfy { $0.childStops.first?.name.hasPrefix("Platform") == true })
        #expect(context.statistics.statements == 2)
    }

    @Test func refreshedObjectsReadTheirRowsAgain() throws {
        let context = try Self.store(trips: Self.small).context()
        var request = FetchRequest<StopTime>()
        request.relationshipKeyPathsForPrefetching = [\.trip]
        let times = try context.fetch(request)
        context.refreshAll()
        #expect(times[7].departureTime?.seconds == 20_001 && times[7].trip.tripID == "t1")
        #expect(context.statistics.statements == 2 + 2)
    }

    @Test func changedObjectsKeepTheirValues() throws {
        let context = try Self.store(trips: Self.small).context()
        var request = FetchRequest<StopTime>()
        request.relationshipKeyPathsForPrefetching = [\.trip]
        let times = try context.fetch(request)
        try times[0].setValue(7, for: "departureTime")
        try times[0].trip.setValue("other", for: "tripID")
        _ = try context.fetch(request)
        #expect(times[0].departureTime?.seconds == 7 && times[0].trip.tripID == "other")
        context.rollback()
        #expect(times[0].departureTime?.seconds == 20_000 && times[0].trip.tripID == "t0")
    }

    @Test func fetchesInTheBackgroundKeepTheirRowsToo() async throws {
        let context = try Self.store(trips: Self.small).open { $0.rowCacheCapacity = 1 }.makeContext()
        var request = FetchRequest<StopTime>()
        request.relationshipKeyPathsForPrefetching = [\.trip.route]
        let times = try await context.fetchInBackground(request)
        #expect(context.statistics.statements == 3 && times[0].isFault)
        #expect(times.allSatisfy { $0.trip.route.shortName.hasPrefix("U") && $0.departureTime!.seconds > 0 })
        #expect(context.statistics.statements == 3)
    }
}
