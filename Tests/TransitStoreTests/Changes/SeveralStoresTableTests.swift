import SQLite
import TestSupport
import Testing

@testable import TransitStore

/// Compares groups, aggregates and orders over several stores with SQL over one store that has all the rows.
@Suite struct SeveralStoresTableTests {
    /// The same rows once in several stores and once in a single store. Keys differ from store to store, or are the
    /// same ones in each.
    private struct Stores {
        /// What the keys of the next store begin with.
        static let step = 100
        let apart: [TestStore]
        let together: TestStore

        init(_ count: Int, sameKeys: Bool = false, _ generator: inout SeededGenerator) throws {
            let names = ["Zoo", "Markt", "Ölmühle", "e\u{301}", "\u{E9}", "", nil, "zoo"]
            var stops: [(store: Int, id: Int, name: String?, type: Int?, parent: Int?)] = []
            var calls: [(store: Int, trip: Int, stop: Int?, rest: String)] = []
            for store in 0..<count {
                for id in 0..<8 {
                    stops.append(
                        (
                            store, id, names.randomElement(using: &generator) ?? nil,
                            [nil, 0, 1].randomElement(using: &generator) ?? nil,
                            id > 2 && Bool.random(using: &generator) ? id % 3 : nil
                        ))
                }
                for index in 0..<(store == 1 ? 5 : 30) {
                    let stop = [nil, Int.random(in: 0..<8, using: &generator)].randomElement(using: &generator) ?? nil
                    let time =
                        [nil, Int.random(in: 0...9, using: &generator) * 3_600].randomElement(using: &generator) ?? nil
                    let rest =
                        "\(index % 6), \(time.map(String.init) ?? "NULL"), \(Int.random(in: 0...2, using: &generator))"
                    calls.append((store, index / 6, stop, rest))
                }
            }
            /// One store's rows, or all rows.
            func make(_ wanted: Int?) throws -> TestStore {
                func key(_ id: Int, _ store: Int) -> Int { sameKeys && wanted != nil ? id : store * Self.step + id }
                return try TestStore { connection in
                    for stop in stops where wanted == nil || stop.store == wanted {
                        try connection.insertStop(
                            key(stop.id, stop.store), stop.name, nil, nil, type: stop.type,
                            parent: stop.parent.map { key($0, stop.store) })
                    }
                    try connection.insert(
                        "stop_time", "trip, stop, stop_sequence, departure_time, pickup_type",
                        calls.filter { wanted == nil || $0.store == wanted }.map { call in
                            "\(key(call.trip, call.store)), \(call.stop.map { "\(key($0, call.store))" } ?? "NULL"), "
                                + call.rest
                        })
                }
            }
            apart = try (0..<count).map { try make($0) }
            together = try make(nil)
        }
    }

    @Test(arguments: SeededGenerator.seeds(6))
    func randomTablesAreThoseOfOneStore(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let stores = try Stores(Int.random(in: 2...3, using: &generator), &generator)
        let apart = StoreCoordinator(try stores.apart.map { try $0.open() }).makeContext()
        let together = try stores.together.context()
        for _ in 0..<150 {
            let request = Self.request(&generator)
            #expect(
                try apart.fetchRows(request).map(\.dictionary) == together.fetchRows(request).map(\.dictionary),
                "\(request)")
            #expect(try apart.fetchCount(request) == together.fetchCount(request), "\(request)")
        }
        #expect(apart.lastError == nil)
    }

    /// The same with equal keys in all stores, which stand for different rows. Rows sorted by a key are compared
    /// without their order, because the keys of the single store are others.
    @Test(arguments: SeededGenerator.seeds(6, from: 11))
    func randomTablesWithEqualKeysAreThoseOfOneStore(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let stores = try Stores(Int.random(in: 2...3, using: &generator), sameKeys: true, &generator)
        let apart = StoreCoordinator(try stores.apart.map { try $0.open() }).makeContext()
        let together = try stores.together.context()
        for _ in 0..<150 {
            var request = Self.request(&generator)
            let keys = request.propertiesToFetch.indices.filter {
                if case .success(.property(.root, ["stop"])) = request.propertiesToFetch[$0].expression {
                    true
                } else {
                    false
                }
            }
            // Which rows are within a limit depends on the order.
            let isSorted = try request.sortDescriptors.contains {
                try $0.term.get().expression == .property(.root, ["stop"])
            }
            if isSorted { (request.fetchLimit, request.fetchOffset) = (0, 0) }
            let expected = try together.fetchRows(request).map { row in
                row.names.indices.map { position -> QueryValue in
                    guard keys.contains(position), let key = row[position].integer else { return row[position] }
                    return .integer(key % Int64(Stores.step))
                }
            }
            let found = try apart.fetchRows(request).map { row in row.names.indices.map { row[$0] } }
            if isSorted {
                #expect(Self.counts(found) == Self.counts(expected), "\(request)")
            } else {
                #expect(found == expected, "\(request)")
            }
            #expect(try apart.fetchCount(request) == together.fetchCount(request), "\(request)")
        }
        #expect(apart.lastError == nil)
    }

    private static func counts(_ rows: [[QueryValue]]) -> [[QueryValue]: Int] {
        Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// A request for rows whose order is fully determined.
    static func request(_ generator: inout SeededGenerator) -> FetchRequest<StopTime> {
        func pick<Element>(_ elements: [Element], _ count: ClosedRange<Int>) -> [Element] {
            Array(elements.shuffled(using: &generator).prefix(Int.random(in: count, using: &generator)))
        }
        func path(_ names: String...) -> QueryExpression { .property(.root, PropertyPath(names)) }
        let departure = path("departureTime")
        let values = [
            path("stop", "name"), .folded(path("stop", "name")), path("stop", "locationType"), path("pickupType"),
            path("stopSequence"), path("stop", "parentStation", "name"), departure,
            .arithmetic(.divide, path("stopSequence"), .value(2.0)), path("stop"),
        ]
        let aggregates: [QueryExpression] = [
            .aggregate(.count, nil), .aggregate(.count, departure), .aggregate(.min, departure),
            .aggregate(.max, path("stop", "name")), .aggregate(.sum, path("stopSequence")),
            .aggregate(.average, path("stopSequence")), .aggregate(.average, departure),
            .aggregate(.sum, .arithmetic(.divide, path("stopSequence"), .value(2.0))),
            .arithmetic(.multiply, .aggregate(.count, departure), .aggregate(.average, path("pickupType"))),
            .arithmetic(.subtract, .aggregate(.max, departure), .aggregate(.min, departure)),
        ]
        var request = FetchRequest<StopTime>()
        if Bool.random(using: &generator) {
            request.predicate = Condition(
                .comparison(.less, path("stopSequence"), .value(.integer(.random(in: 0...4, using: &generator)))))
        }
        let grouping = Int.random(in: 0...3, using: &generator) == 0 ? [] : pick(values, 1...2)
        let found = Int.random(in: 0...3, using: &generator) == 0 ? [] : pick(aggregates, 1...3)
        let isTable = !grouping.isEmpty || !found.isEmpty
        // Equal results of different groups: with DISTINCT, the first in the order stays.
        let isPart = grouping.count + found.count > 1 && Bool.random(using: &generator)
        let columns = isTable ? grouping.dropFirst(isPart ? 1 : 0) + found : pick(values, 1...3)
        request.propertiesToFetch = columns.enumerated().map { .expression($1, as: "c\($0)") }
        request.propertiesToGroupBy = grouping.enumerated().map { .expression($1, as: "g\($0)") }
        request.returnsDistinctResults = Bool.random(using: &generator)
        if !grouping.isEmpty, Bool.random(using: &generator) {
            let least = QueryValue.integer(.random(in: 0...4, using: &generator))
            request.havingPredicate = Condition(
                .comparison(.greaterOrEqual, pick(aggregates.filter { $0 != aggregates[3] }, 1...1)[0], .value(least)))
        }
        let order = pick(isTable ? aggregates + grouping : columns, 0...2) + columns + grouping
        request.sortDescriptors = order.map { expression in
            Sort(
                term: .success(
                    SortTerm(
                        expression: expression, isAscending: .random(using: &generator),
                        nulls: [.standard, .first, .last].randomElement(using: &generator) ?? .standard)))
        }
        request.fetchLimit = [0, 0, 1, 4].randomElement(using: &generator) ?? 0
        request.fetchOffset = [0, 0, 2].randomElement(using: &generator) ?? 0
        return request
    }

    @Test func groupsAreSortedByWhatTheyCount() throws {
        var generator = SeededGenerator(seed: 9)
        let stores = try Stores(3, &generator)
        let context = StoreCoordinator(try stores.apart.map { try $0.open() }).makeContext()
        var request = FetchRequest<StopTime>(where: try Condition(format: "stop.name != ''"))
        request.propertiesToFetch = [.attribute(\.stop.name), .count(), .max(\.departureTime, as: "last")]
        request.propertiesToGroupBy = [.attribute(\.stop.name)]
        request.havingPredicate = Condition(.comparison(.greater, .aggregate(.count, nil), .value(1)))
        request.sortDescriptors = [
            .by(.aggregate(.count, nil), ascending: false), .ascending(\.stop.name, .locale("de")),
        ]
        let rows = try context.fetchRows(request).map { [$0[0], $0[1], $0["last"]] }
        #expect(try rows == stores.together.context().fetchRows(request).map { [$0[0], $0[1], $0["last"]] })
        #expect(rows.map { $0[1].integer ?? 0 } == rows.map { $0[1].integer ?? 0 }.sorted(by: >))
        #expect(rows.count > 2)
    }

    /// Of equal results, the first in the order of the groups stays, even if they are sorted by a value that is not
    /// fetched.
    @Test func distinctGroupsStandWhereTheirFirstStands() throws {
        let calls = [
            [(0, 7, 100), (1, 8, 100), (2, 7, 200), (3, 7, 200)], [(4, 8, 100), (5, 7, 200)],
        ]
        func make(_ rows: [(Int, Int, Int)]) throws -> TestStore {
            try TestStore { connection in
                try connection.insert(
                    "stop_time", "trip, stop_sequence, pickup_type, departure_time",
                    rows.map { "\($0.0), 0, \($0.1), \($0.2)" })
            }
        }
        var request = FetchRequest<StopTime>(sortedBy: .by(.aggregate(.count, nil), ascending: false))
        request.sortDescriptors += [.ascending(\.departureTime), .ascending(\.pickupType)]
        request.propertiesToFetch = [.attribute(\.pickupType)]
        request.propertiesToGroupBy = [.attribute(\.pickupType), .attribute(\.departureTime)]
        request.returnsDistinctResults = true
        let context = StoreCoordinator(try calls.map { try make($0).open() }).makeContext()
        #expect(try context.fetchRows(request).map { $0[0] } == [7, 8])
        #expect(try make(calls.flatMap { $0 }).context().fetchRows(request).map { $0[0] } == [7, 8])
        request.fetchOffset = 1
        #expect(try context.fetchRows(request).map { $0[0] } == [8])
        request.sortDescriptors[0] = .by(.aggregate(.count, nil), ascending: true)
        request.fetchOffset = 0
        #expect(try context.fetchRows(request).map { $0[0] } == [7, 8])
    }

    /// Paths cost a statement for each step and store, not one for each row.
    @Test func pathsAreReadTogether() throws {
        var generator = SeededGenerator(seed: 11)
        let stores = try Stores(3, &generator)
        let context = StoreCoordinator(try stores.apart.map { try $0.open() }).makeContext()
        var request = FetchRequest<StopTime>()
        request.propertiesToFetch = [.attribute(\.stop.name), .attribute(\.stop.parentStation?.name), .count()]
        request.propertiesToGroupBy = [.attribute(\.stop.name), .attribute(\.stop.parentStation?.name)]
        _ = try context.fetchRows(request)
        #expect(context.statistics.statements <= 3 * 3)
        let sorting = StoreCoordinator(try stores.apart.map { try $0.open() }).makeContext()
        var sorted = FetchRequest<StopTime>()
        sorted.sortDescriptors = [.ascending(\.stop.name), .ascending(\.trip.id), .ascending(\.stopSequence)]
        let calls = try sorting.fetch(sorted)
        #expect(sorting.statistics.statements <= 3 * 2)
        #expect(
            calls.map(\.objectID.keyValues) == (try stores.together.context().fetch(sorted).map(\.objectID.keyValues)))
    }

    /// Without rows, aggregates give one row, and groups give none.
    @Test func nothingIsCountedAsNothing() throws {
        var generator = SeededGenerator(seed: 9)
        let stores = try Stores(2, &generator)
        let context = StoreCoordinator(try stores.apart.map { try $0.open() }).makeContext()
        var request = FetchRequest<StopTime>(where: Condition.none)
        request.propertiesToFetch = [.count(), .max(\.departureTime, as: "last")]
        #expect(try context.fetchRows(request).map { [$0[0], $0[1]] } == [[0, nil]])
        request.propertiesToGroupBy = [.attribute(\.stop.name)]
        #expect(try context.fetchRows(request).isEmpty)
    }

    /// Also over paths through tables without a class, which only the stores know.
    @Test func nothingIsAggregatedOverTablesWithoutAClass() throws {
        var generator = SeededGenerator(seed: 9)
        let stores = try Stores(2, &generator)
        for contexts in [[stores.together], stores.apart] {
            let context = StoreCoordinator(try contexts.map { try $0.open() }).makeContext()
            var text = RequestText(entity: "fare_rule")
            text.properties = "@count, @max.fare.agency.name, @sum.fare.price"
            let rules: FetchRequest<StoredRow> = try text.request(in: context.stores[0])
            #expect(try context.fetchRows(rules).map { [$0[0], $0[1], $0[2]] } == [[0, nil, nil]])
            (text.entity, text.predicate, text.properties) = ("Route", "FALSEPREDICATE", "@max.fareRules.@count")
            let routes: FetchRequest<Route> = try text.request(in: context.stores[0])
            #expect(try context.fetchRows(routes).map { $0[0] } == [nil])
        }
    }

    /// Objects of different stores count as different, even if all their values are equal.
    @Test func distinctObjectsAreCountedAsTheyAreFetched() throws {
        let berlin = [try TestStore.berlin(), try TestStore.berlin()]
        let context = StoreCoordinator(try berlin.map { try $0.open() }).makeContext()
        var request = FetchRequest<Stop>()
        request.returnsDistinctResults = true
        #expect(try context.fetch(request).count == 16)
        #expect(try context.fetchCount(request) == 16)
        request.propertiesToFetch = [.attribute(\.stopID)]
        #expect(try context.fetchCount(request) == 8)
        #expect(try context.fetchRows(request).count == 8)
    }
}
