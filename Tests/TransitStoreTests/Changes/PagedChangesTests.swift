import SQLite
import TestSupport
import Testing

@testable import TransitStore

/// A program that reads page after page, with a limit and an offset, gets each row once, also while rows have unsaved
/// changes and many are equal in the order.
@Suite struct PagedChangesTests {
    /// Two changed stops come to lie among equal ones. The second page's statement reads one of them, the first page's
    /// reads neither.
    @Test func changedRowsKeepTheirPlaceAmongEqualOnes() throws {
        let context = try TestStore { connection in
            for id in 0..<20 {
                let type = id < 3 ? 1 : id == 3 ? 9 : id == 4 ? 3 : id < 9 ? 2 : 5
                try connection.insertStop(id, "\(id)", 52.5, 13.4, type: type)
            }
        }.context()
        for id in [3, 4] { try #require(try context.object(Stop.self, id: id)).set(\.locationType, to: 1) }
        var page = FetchRequest<Stop>(sortedBy: .ascending(\.locationType))
        let all = try context.fetch(page).map(\.id)
        page.fetchLimit = 4
        var pages: [Int] = []
        for offset in stride(from: 0, to: 20, by: 4) {
            page.fetchOffset = offset
            pages += try context.fetch(page).map(\.id)
        }
        #expect(pages == all && Set(pages).count == 20)
    }

    /// A program that changes the rows of each page before it reads the next one also gets each row once, as long as
    /// it does not change what they are sorted by.
    @Test(arguments: [true, false]) func changingEachPageLosesNoRow(isRead: Bool) async throws {
        let opened = try TestStore { connection in
            for id in 0..<20 { try connection.insertStop(id, "\(id)", 52.5, 13.4, type: id % 2) }
        }.open()
        let methods: [@Sendable (StoreContext, FetchRequest<Stop>) async throws -> [Stop]] = [
            { context, request in try context.fetch(request) },
            { context, request in try await context.fetchInBackground(request) },
            { context, request in Array(try context.fetchBatches(request)) },
            { context, request in try context.fetchIDs(request).compactMap { context.object(Stop.self, with: $0) } },
            { context, request -> [Stop] in
                try context.fetchRows(request).compactMap { try context.object(Stop.self, id: Int($0[0].integer ?? 0)) }
            },
        ]
        let orders: [[Sort<Stop>]] = [
            [.ascending(\.locationType)], [.descending(\.parentStation)],
            [.ascending(\.latitude), .descending(\.locationType)],
        ]
        for (method, order) in methods.indices.flatMap({ method in orders.map { (method, $0) } }) {
            let context = opened.makeContext()
            var page = FetchRequest<Stop>(where: try Condition(format: "latitude > 50"))
            (page.sortDescriptors, page.fetchLimit) = (order, 4)
            page.propertiesToFetch = [.attribute(\.id)]
            var found: [Int] = []
            for offset in stride(from: 0, to: 20, by: 4) {
                page.fetchOffset = offset
                for stop in try await methods[method](context, page) {
                    found.append(stop.id)
                    if isRead { _ = stop.name }
                    try stop.setValue("New", for: "name")
                }
            }
            #expect(Set(found).count == 20 && found.count == 20, "method \(method), \(page)")
        }
    }

    @Test(arguments: SeededGenerator.seeds(2, from: 2)) func pagesPutTogetherAreTheWhole(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let fixtures = try [0, 1].map { _ in try RandomPredicateTests.randomStore(&generator) }
        let stores = try fixtures.map { try $0.open() }
        for context in [stores[0].makeContext(), StoreCoordinator(stores).makeContext()] {
            try RandomRequestTests.change(context, &generator)
            for call in try context.fetch(FetchRequest<StopTime>()).shuffled(using: &generator).prefix(8) {
                try call.setValue(.integer(.random(in: 0...5, using: &generator) * 3_600), for: "departureTime")
            }
            let orders: [[Sort<StopTime>]] = [
                [.ascending(\.departureTime)], [.descending(\.stop.name)],
                [.ascending(\.stop.locationType), .descending(\.trip.headsign)],
            ]
            for order in orders {
                var request = FetchRequest<StopTime>(where: try Condition(format: "stop.locationType < 3"))
                request.sortDescriptors = order
                request.propertiesToFetch = [.attribute(\.trip.id), .attribute(\.stopSequence)]
                try await check(request, limit: .random(in: 25...60, using: &generator), context, "seed \(seed)")
            }
        }
    }

    private func check(
        _ request: FetchRequest<StopTime>, limit: Int, _ context: StoreContext, _ seed: String
    ) async throws {
        let all = try context.fetch(request).map(\.objectID)
        let (ids, rows) = (try context.fetchIDs(request), try context.fetchRows(request).map { [$0[0], $0[1]] })
        var page = request
        page.fetchLimit = limit
        var found: (objects: [ObjectID], background: [ObjectID], ids: [ObjectID], rows: [[QueryValue]])
        found = ([], [], [], [])
        for offset in stride(from: 0, through: all.count, by: limit) {
            page.fetchOffset = offset
            found.objects += try context.fetch(page).map(\.objectID)
            found.background += try await context.fetchInBackground(page).map(\.objectID)
            found.ids += try context.fetchIDs(page)
            found.rows += try context.fetchRows(page).map { [$0[0], $0[1]] }
        }
        #expect(found.objects == all, "\(seed), limit \(limit): \(request)")
        #expect(found.background == all, "\(seed), limit \(limit): \(request)")
        #expect(found.ids == ids, "\(seed), limit \(limit): \(request)")
        #expect(found.rows == rows, "\(seed), limit \(limit): \(request)")
    }
}
