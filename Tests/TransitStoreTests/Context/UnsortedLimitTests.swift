import FoundationEssentials
import SQLite
import Testing

@testable import TransitStore

/// Without a sort order, SQLite decides which rows a limit takes. Every way to objects, ids and dictionaries takes the
/// same ones.
@Suite struct UnsortedLimitTests {
    private static let conditions = [
        "TRUEPREDICATE", "latitude > 52.2", "latitude BETWEEN {52.1, 52.8} AND longitude BETWEEN {13.1, 13.9}",
        "name BEGINSWITH 'M'", "name BEGINSWITH[cd] 'm'", "locationType = 0", "parentStation = NIL",
        "parentStation.id < 9",
        "stopID > 's2'", "code != NIL", "code = 'c1'", "platformCode = '1' OR id < 30", "stopTimes.@count > 1",
        "ANY stopTimes.departureTime >= 30000", "id IN {5, 90, 7, 33, 8}", "zoneID = 'z1' AND longitude > 13.2",
        "parentStation.name = 'Markt 3'", "distance(52.5, 13.5) < 30000", "NOT code = 'c2'",
    ]
    private static let conditionsOfCalls = [
        "TRUEPREDICATE", "stop = 3", "stop.id < 9", "departureTime >= 30000", "stop.name BEGINSWITH 'M'",
        "trip.headsign = 'h1'", "trip.route.shortName = '1'", "stopSequence = 2", "stop = 3 AND departureTime > 28000",
        "trip.id < 10",
    ]
    private static let pages = [(1, 0), (3, 2), (7, 11), (0, 5), (4, 1_000)]

    /// 120 stops whose rows, names, places and codes are each in another order, and 30 trips that call at them.
    private static func store() throws -> TestStore {
        try TestStore { connection in
            for id in 0..<120 {
                let place = Double(id * 37 % 120)
                let name = ["Zoo", "Markt", "Hafen", "März"][id % 4] + " \(id * 53 % 120 % 10)"
                try connection.insertStop(
                    id, name, 52 + place / 130, 13 + Double(id * 71 % 120) / 125, type: id % 5 == 0 ? 1 : nil,
                    parent: id % 3 == 0 ? nil : id * 7 % 120 / 5 * 5, platform: id % 2 == 0 ? "1" : nil)
                try connection.execute(
                    "UPDATE stop SET code = 'c' || (\(id) * 11 % 4), zone_id = 'z' || (\(id) % 3) WHERE id = \(id)")
            }
            try connection.insert("route", "id, route_id, short_name", (0..<4).map { "\($0), 'r\($0)', '\(3 - $0)'" })
            try connection.insert(
                "trip", "id, trip_id, route, headsign",
                (0..<30).map { "\($0), 't\($0)', \($0 * 7 % 4), 'h\($0 * 5 % 3)'" })
            try connection.insert(
                "stop_time", "trip, stop_sequence, stop, departure_time",
                (0..<240).map { "\($0 / 8), \($0 % 8), \($0 * 29 % 40), \(40_000 - $0 * 77)" })
        }
    }

    @Test(arguments: [false, true])
    func `every route takes the same rows`(isChanged: Bool) async throws {
        let store = try Self.store().open()
        let other = try Self.store().open()
        for stores in [[store], [store, other]] {
            let context = StoreCoordinator(stores).makeContext()
            if isChanged {
                try context.object(Stop.self, id: 33)?.set(\.name, to: "Markt 3")
                context.delete(try #require(try context.object(Stop.self, id: 7)))
                try context.fetchFirst(FetchRequest<StopTime>())?.set(\.departureTime, to: ServiceTime(hours: 9))
                try context.insert(Stop.self).set(\.name, to: "Markt 9")
            }
            for (limit, offset) in Self.pages {
                try await check(Stop.self, Self.conditions, limit, offset, context)
                try await check(StopTime.self, Self.conditionsOfCalls, limit, offset, context)
            }
        }
    }

    private func check<Entity: StoreEntity>(
        _ type: Entity.Type, _ conditions: [String], _ limit: Int, _ offset: Int, _ context: StoreContext
    ) async throws {
        for text in conditions {
            var request = FetchRequest<Entity>(where: try Condition(format: text))
            let all = try Set(context.fetchIDs(request))
            (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (limit, offset, 4)
            let comment = Comment("\(request), \(context.stores.count) stores, changes: \(context.hasChanges)")
            let ids = try context.fetch(request).map(\.objectID)
            #expect(Set(ids).isSubset(of: all) && Set(ids).count == ids.count, comment)
            #expect(ids.count == min(max(all.count - offset, 0), limit == 0 ? .max : limit), comment)
            #expect(try context.fetchIDs(request) == ids, comment)
            #expect(try context.fetchBatches(request).map(\.objectID) == ids, comment)
            #expect(try context.fetchCount(request) == ids.count, comment)
            #expect(try await context.fetchInBackground(request).map(\.objectID) == ids, comment)
            #expect(try await context.fetchIDsInBackground(request) == ids, comment)
            #expect(try await context.fetchCountInBackground(request) == ids.count, comment)
            var inBatches: [ObjectID] = []
            for try await batch in context.batchesInBackground(request) { inBatches += batch.map(\.objectID) }
            #expect(inBatches == ids, comment)
            request.includesPropertyValues = false
            #expect(try context.fetch(request).map(\.objectID) == ids, comment)
            if offset == 0 { #expect(try context.fetchFirst(request)?.objectID == ids.first, comment) }
            try await expectRows(of: request, ids, context, comment)
        }
    }

    /// Keys alone might come from another index, in another order; so might properties behind a relationship.
    private func expectRows<Entity: StoreEntity>(
        of request: FetchRequest<Entity>, _ ids: [ObjectID], _ context: StoreContext, _ comment: Comment
    ) async throws {
        var table = request
        let keys = Entity.entity.keyColumns.map { Entity.entity.columns[$0].property }
        let paths =
            keys.map { [$0] } + (Entity.entity.name == "Stop" ? [["parentStation", "name"]] : [["stop", "name"]])
        for count in [keys.count, paths.count] {
            table.propertiesToFetch = paths[..<count].map { .expression(.property(.root, PropertyPath($0)), as: $0[0]) }
            let rows = try context.fetchRows(table)
            #expect(rows.map { row in keys.indices.map { row[$0] } } == ids.map(\.keyValues), comment)
            #expect(rows.allSatisfy { $0.names.count == count && $0[count] == .null }, comment)
            #expect(try await context.fetchRowsInBackground(table) == rows, comment)
            var inPieces: [ResultRow] = []
            for try await row in context.rowsInBackground(of: table) { inPieces.append(row) }
            try context.forEachRow(of: table) { #expect($0 == inPieces.removeFirst(), comment) }
        }
        table.propertiesToFetch = []
        #expect(try context.fetchRows(table).map { row in keys.map { row[$0] } } == ids.map(\.keyValues), comment)
        table.propertiesToFetch = [.expression(.property(.root, [keys[0]]), as: "key")]
        table.returnsDistinctResults = true
        #expect(try context.fetchRows(table).count == context.fetchCount(table), comment)
    }

    /// Whole rows are needed only if the limit decides which rows are found; otherwise keys are enough.
    @Test func `statements for keys read whole rows only with an unsorted limit`() throws {
        let store = try Self.store().open()
        let above = 52.2
        var request = FetchRequest<Stop>(where: #Predicate { ($0.latitude ?? 0) > above })
        func keys() throws -> String { try request.sql(for: .objectIDs).text }
        #expect(try keys() == "SELECT t0.id FROM stop AS t0 WHERE t0.latitude > ?")
        request.fetchLimit = 3
        #expect(try keys().hasPrefix("SELECT t0.id, t0.id, t0.stop_id, t0.code, "))
        #expect(
            try request.sql(for: .count).text
                == "SELECT count(*) FROM (SELECT t0.id FROM stop AS t0 WHERE t0.latitude > ? LIMIT ?)")
        let objects = try request.sql(for: .objects).text
        request.propertiesToFetch = [.attribute(\.name), .attribute(\.parentStation?.name)]
        let columns = "t0.id" + (objects.firstRange(of: " FROM").map { objects[..<$0.lowerBound].dropFirst(12) } ?? "")
        #expect(
            try request.sql(for: .dictionaries).text
                == "SELECT t0.name, t1.name, \(columns) FROM (\(objects)) AS t0 LEFT JOIN stop AS t1 ON t1.id = t0.parent_station"
        )
        request.propertiesToFetch = [.attribute(\.name)]
        #expect(
            try request.sql(for: .count).text
                == "SELECT count(*) FROM (SELECT t0.name FROM stop AS t0 WHERE t0.latitude > ? LIMIT ?)")
        request.sortDescriptors = [.ascending(\.name)]
        #expect(
            try request.sql(for: .dictionaries).text
                == "SELECT t0.name FROM stop AS t0 WHERE t0.latitude > ? ORDER BY t0.name LIMIT ?")
        #expect(try keys() == "SELECT t0.id FROM stop AS t0 WHERE t0.latitude > ? ORDER BY t0.name LIMIT ?")
        withExtendedLifetime(store) {}
    }
}
