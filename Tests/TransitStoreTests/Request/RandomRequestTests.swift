import Foundation
import TestSupport
import Testing

@testable import TransitStore

/// Compares random requests with plain Swift: it filters all objects by `Predicate.evaluate`, sorts, cuts and groups.
///
/// One store and two, with and without unsaved changes. `RANDOM_REQUESTS=5000` asks for that many instead of 120.
@Suite struct RandomRequestTests {
    private static let count = ProcessInfo.processInfo.environment["RANDOM_REQUESTS"].flatMap { Int($0) } ?? 120

    /// A property that requests sort by, group by and fetch, and its value read from an object.
    private struct Property {
        let sort: (_ ascending: Bool, NullOrder) -> Sort<Stop>
        let fetched: FetchedProperty<Stop>
        let value: (Stop) -> QueryValue
        /// The value by which stops are grouped.
        let group: (Stop) -> QueryValue

        init<Value>(
            _ keyPath: KeyPath<Stop, Value>, group: ((Stop) -> QueryValue)? = nil,
            _ value: @escaping (Stop) -> QueryValue
        ) {
            self.group = group ?? value
            sort = { $0 ? .ascending(keyPath, nulls: $1) : .descending(keyPath, nulls: $1) }
            fetched = .attribute(keyPath)
            self.value = value
        }
    }

    private static var properties: [Property] {
        [
            Property(\.name) { $0.value(of: "name") ?? .null },
            Property(\.platformCode) { $0.value(of: "platformCode") ?? .null },
            Property(\.locationType, group: { $0.locationType.queryValue }) { $0.value(of: "locationType") ?? .null },
            Property(\.latitude) { $0.value(of: "latitude") ?? .null },
            Property(\.parentStation?.name) { $0.parentStation?.value(of: "name") ?? .null },
            Property(\.level?.levelIndex, group: { $0.level.map { .double($0.levelIndex) } ?? .null }) {
                $0.level?.value(of: "levelIndex") ?? .null
            },
            Property(\.stopTimes.count) { .integer(Int64($0.stopTimes.count)) },
            Property(\.parentStation?.childStops.count) {
                $0.parentStation.map { .integer(Int64($0.childStops.count)) } ?? .null
            },
            Property(\.name.folded) { $0.value(of: "name")?.text.map { .text($0.folded) } ?? .null },
        ]
    }

    @Test func requestsGiveWhatSwiftMakesOfAllObjects() throws {
        var generator = SeededGenerator(seed: 21)
        var left = Self.count
        while left > 0 {
            let stores = try (0..<2).map { _ in
                try RandomPredicateTests.randomStore(&generator, named: RandomPredicateTests.plainName)
            }
            let opened = try stores.map { try $0.open() }
            for contextNumber in 0..<4 {
                let context =
                    contextNumber < 2 ? opened[0].makeContext() : StoreCoordinator(opened).makeContext()
                if contextNumber % 2 == 1 { try Self.change(context, &generator) }
                let stops = try context.fetch(FetchRequest<Stop>())
                for _ in 0..<min(8, left) { try check(context, stops, &generator) }
                #expect(context.hasMetMissingRowsOnly)
            }
            left -= 8
        }
    }

    static func change(_ context: StoreContext, _ generator: inout SeededGenerator) throws {
        let stops = try context.fetch(FetchRequest<Stop>())
        let names: [QueryValue] = ["Zoo", "", .null, "Neu"]
        for number in 0..<10 {
            let stop = stops.randomElement(using: &generator) ?? stops[0]
            switch number % 5 {
            case 0: try stop.setValue(names.randomElement(using: &generator) ?? .null, for: "name")
            case 1: try stop.setValue(.integer(.random(in: 0...5, using: &generator)), for: "locationType")
            case 2: try stop.setValue(.null, for: "parentStation")
            case 3: context.delete(stop)
            default:
                try context.insert(Stop.self).setValue(names.randomElement(using: &generator) ?? .null, for: "name")
            }
        }
    }

    private static func values(_ row: ResultRow) -> [QueryValue] { row.names.indices.map { row[$0] } }

    private func check(_ context: StoreContext, _ stops: [Stop], _ generator: inout SeededGenerator) throws {
        var predicates = RandomPredicates(generator: generator)
        let predicate = predicates.predicate()
        generator = predicates.generator
        let found = try stops.filter { try predicate.evaluate($0) }
        var request = FetchRequest<Stop>(where: predicate)
        var order: [(property: Property, isAscending: Bool, nullsFirst: Bool)] = []
        for property in Self.properties.shuffled(using: &generator).prefix(Int.random(in: 0...2, using: &generator)) {
            let isAscending = Bool.random(using: &generator)
            let nulls = [NullOrder.first, .last, .standard].randomElement(using: &generator) ?? .standard
            request.sortDescriptors.append(property.sort(isAscending, nulls))
            order.append((property, isAscending, nulls == .first || nulls == .standard && isAscending))
        }
        // Several stores use the same ids for different stops. The test compares sort keys.
        request.sortDescriptors.append(.ascending(\.id))
        order.append((Property(\.id) { .integer(Int64($0.id)) }, true, true))
        let keys = found.map { stop in order.map { $0.property.value(stop) } }.sorted { one, other in
            for (position, term) in order.enumerated() {
                let (a, b) = (one[position], other[position])
                if a == b { continue }
                if a.isNull || b.isNull { return a.isNull == term.nullsFirst }
                return (a.compare(b) < 0) == term.isAscending
            }
            return false
        }
        request.fetchOffset = [0, 0, 3].randomElement(using: &generator) ?? 0
        request.fetchLimit = [0, 0, 5].randomElement(using: &generator) ?? 0
        request.fetchBatchSize = [0, 3].randomElement(using: &generator) ?? 0
        let slice = Array(
            keys.dropFirst(request.fetchOffset).prefix(request.fetchLimit > 0 ? request.fetchLimit : .max))
        func keysOf(_ stops: some Sequence<Stop>) -> [[QueryValue]] {
            stops.map { stop in order.map { $0.property.value(stop) } }
        }
        #expect(keysOf(try context.fetch(request)) == slice, "\(request)")
        #expect(keysOf(try context.fetchBatches(request)) == slice, "\(request)")
        #expect(try context.fetchCount(request) == slice.count, "\(request)")
        #expect(try context.fetchIDs(request).count == slice.count, "\(request)")
        #expect(try context.fetchFirst(request).map { keysOf([$0]) } == slice.first.map { [$0] }, "\(request)")
        try checkRows(request, slice, order.map(\.property), context)
        try checkDistinctRows(request, keys, order.map(\.property), context)
        try checkGroups(predicate, found, context, &generator)
    }

    /// Compares the same values as rows, first all of them and then distinct ones.
    private func checkRows(
        _ request: FetchRequest<Stop>, _ slice: [[QueryValue]], _ properties: [Property], _ context: StoreContext
    ) throws {
        var rows = request
        rows.propertiesToFetch = properties.map(\.fetched)
        #expect(try context.fetchRows(rows).map(Self.values) == slice, "\(rows)")
        rows.returnsDistinctResults = true
        #expect(try context.fetchRows(rows).count == context.fetchCount(rows), "\(rows)")
        if rows.fetchLimit == 0, rows.fetchOffset == 0 {
            #expect(try Set(context.fetchRows(rows).map(Self.values)) == Set(slice), "\(rows)")
        }
    }

    /// Distinct rows of one property, in an order by all of them: the first of equal rows stays. The last property is
    /// the id, which is another stop's in each store.
    private func checkDistinctRows(
        _ request: FetchRequest<Stop>, _ keys: [[QueryValue]], _ properties: [Property], _ context: StoreContext
    ) throws {
        var rows = request
        rows.returnsDistinctResults = true
        for (place, property) in properties.enumerated() {
            rows.propertiesToFetch = [property.fetched]
            var seen: Set<QueryValue> = []
            let isID = place == properties.count - 1
            let wanted = keys.map { $0[place] }.filter { isID || seen.insert($0).inserted }.dropFirst(rows.fetchOffset)
            let slice = Array(wanted.prefix(rows.fetchLimit > 0 ? rows.fetchLimit : .max))
            #expect(try context.fetchRows(rows).map { $0[0] } == slice, "\(rows)")
            #expect(try context.fetchCount(rows) == slice.count, "\(rows)")
        }
    }

    private func checkGroups(
        _ predicate: Predicate<Stop>, _ found: [Stop], _ context: StoreContext, _ generator: inout SeededGenerator
    ) throws {
        let property = Self.properties.randomElement(using: &generator) ?? Self.properties[0]
        let isAscending = Bool.random(using: &generator)
        var request = FetchRequest<Stop>(where: predicate)
        request.propertiesToGroupBy = [property.fetched]
        request.propertiesToFetch = [property.fetched, .count(), .max(\.id), .sum(\.wheelchairBoarding)]
        request.sortDescriptors = [property.sort(isAscending, .standard)]
        let least = Int.random(in: 0...2, using: &generator)
        request.havingPredicate = FetchedProperty<Stop>.count() > least
        let groups = Dictionary(grouping: found, by: property.group).filter { $0.value.count > least }
        let wanted = groups.sorted { ($0.key.compare($1.key) < 0) == isAscending }.map { key, stops in
            let boarding = stops.compactMap { $0.value(of: "wheelchairBoarding")?.integer }
            // A level's index that is empty is the whole number 0.
            return [
                key == 0.0 ? 0 : key, .integer(Int64(stops.count)), .integer(Int64(stops.map(\.id).max() ?? 0)),
                boarding.isEmpty ? .null : .integer(boarding.reduce(0, +)),
            ]
        }
        let rows = try context.fetchRows(request).map { [$0[0] == 0.0 ? 0 : $0[0]] + Self.values($0).dropFirst() }
        #expect(rows == wanted, "\(request)")
        #expect(try context.fetchCount(request) == wanted.count, "\(request)")
        try checkSections(predicate, groups.isEmpty ? [] : found, property, isAscending, context)
    }

    private func checkSections(
        _ predicate: Predicate<Stop>, _ found: [Stop], _ property: Property, _ isAscending: Bool,
        _ context: StoreContext
    ) throws {
        var request = FetchRequest<Stop>(where: predicate)
        request.sortDescriptors = [.ascending(\.platformCode), property.sort(isAscending, .standard)]
        let results = try FetchedResults(request, in: context) { property.value($0) }
        if !found.isEmpty { #expect(Set(results.sections.map(\.name)) == Set(found.map(property.value)), "\(request)") }
        for section in results.sections {
            #expect(section.range.allSatisfy { property.value(results[$0]) == section.name }, "\(request)")
        }
    }
}
