import Foundation
import TestSupport
import Testing

@testable import TransitStore

/// Random `#Predicate`s: SQL, evaluation in memory and Foundation's own `Predicate.evaluate` must agree.
///
///     RANDOM_PREDICATES=100000 swift test --filter ThreeTruths      // as many trees instead of 2,000
///     RANDOM_SEED=10 swift test --filter ThreeTruths                // others
@Suite struct ThreeTruthsTests {
    private static let count = ProcessInfo.processInfo.environment["RANDOM_PREDICATES"].flatMap { Int($0) } ?? 2_000
    private static let treesOfAStore = 250

    @Test func sqlMemoryAndFoundationAgree() throws {
        var generator = SeededGenerator(seed: 9)
        var found = 0
        for _ in 0..<(Self.count + Self.treesOfAStore - 1) / Self.treesOfAStore {
            let store = try RandomPredicateTests.randomStore(&generator, named: RandomPredicateTests.plainName)
            let (plain, changed) = (try store.context(), try store.context())
            try change(changed, &generator)
            let (stops, current) = (try plain.fetch(FetchRequest<Stop>()), try changed.fetch(FetchRequest<Stop>()))
            var predicates = RandomPredicates(generator: generator)
            for _ in 0..<min(Self.treesOfAStore, Self.count) {
                let predicate = predicates.predicate()
                let request = FetchRequest<Stop>(where: predicate)
                let query = try request.predicate.query()
                let bySwift = try stops.filter { try predicate.evaluate($0) }.map(\.id)
                let bySQL = try plain.fetch(request).map(\.id).sorted()
                #expect(bySQL == bySwift.sorted(), "\(request) of \(query)")
                #expect(try held(query, by: stops).map(\.id).sorted() == bySwift.sorted(), "\(query)")
                // The printed condition reads back as the same condition.
                #expect(try Condition<Stop>(format: "\(query)") == request.predicate, "\(query)")
                let withChanges = try changed.fetch(request).map(\.id).sorted()
                #expect(
                    withChanges == (try current.filter { try predicate.evaluate($0) }.map(\.id).sorted()), "\(query)")
                found += bySQL.isEmpty || bySQL.count == stops.count ? 0 : 1
            }
            generator = predicates.generator
            #expect(plain.hasMetMissingRowsOnly && changed.hasMetMissingRowsOnly)
        }
        // More than a third of the trees match some rows, but not all.
        #expect(found > Self.count / 3)
    }

    /// Divisions by 0 and sums of absent times have no result in SQL. Foundation's evaluation would trap or give
    /// infinity, so only SQL and memory are compared.
    @Test func sqlAndMemoryAgreeWhereSwiftTraps() throws {
        var generator = SeededGenerator(seed: 10)
        var found = 0
        for _ in 0..<(Self.count + Self.treesOfAStore - 1) / Self.treesOfAStore {
            let store = try RandomPredicateTests.randomStore(&generator, named: RandomPredicateTests.plainName)
            let (plain, changed) = (try store.context(), try store.context())
            try change(changed, &generator)
            let (stops, current) = (try plain.fetch(FetchRequest<Stop>()), try changed.fetch(FetchRequest<Stop>()))
            var predicates = RandomPredicates(generator: generator, mayTrap: true)
            for _ in 0..<min(Self.treesOfAStore, Self.count) {
                let predicate = predicates.predicate()
                let request = FetchRequest<Stop>(where: predicate)
                let query = try request.predicate.query()
                let bySQL = try plain.fetch(request).map(\.id).sorted()
                #expect(bySQL == (try held(query, by: stops).map(\.id).sorted()), "\(request) of \(query)")
                let negated = FetchRequest<Stop>(where: !request.predicate)
                let others = Set(stops.map(\.id)).subtracting(bySQL)
                #expect(try plain.fetch(negated).map(\.id).sorted() == others.sorted(), "not \(query)")
                let changedAndHeld = try held(query, by: current).map(\.id).sorted()
                #expect(try changed.fetch(request).map(\.id).sorted() == changedAndHeld, "\(query)")
                found += bySQL.isEmpty || bySQL.count == stops.count ? 0 : 1
            }
            generator = predicates.generator
            #expect(plain.hasMetMissingRowsOnly && changed.hasMetMissingRowsOnly)
        }
        #expect(found > Self.count / 3)
    }

    /// Stop times lead to stops, routes and services that may be missing although they are required.
    @Test func sqlMemoryAndFoundationAgreeOverMissingReferences() throws {
        var generator = SeededGenerator(seed: 11)
        var found = 0
        // A quarter of the trees, because there are five times as many rows to judge.
        let count = (Self.count + 3) / 4
        for _ in 0..<(count + Self.treesOfAStore - 1) / Self.treesOfAStore {
            let store = try RandomPredicateTests.randomStore(&generator, named: RandomPredicateTests.plainName)
            let (plain, changed) = (try store.context(), try store.context())
            try change(changed, &generator)
            let (times, current) = (
                try plain.fetch(FetchRequest<StopTime>()), try changed.fetch(FetchRequest<StopTime>())
            )
            var predicates = RandomPredicates(generator: generator)
            for _ in 0..<min(Self.treesOfAStore, count) {
                let predicate = predicates.predicateOfTimes()
                let request = FetchRequest<StopTime>(where: predicate)
                let query = try request.predicate.query()
                let wanted = Set(try times.filter { try predicate.evaluate($0) }.map(\.objectID))
                #expect(Set(try plain.fetch(request).map(\.objectID)) == wanted, "\(request) of \(query)")
                #expect(Set(try held(query, by: times).map(\.objectID)) == wanted, "\(query)")
                let now = Set(try current.filter { try predicate.evaluate($0) }.map(\.objectID))
                #expect(Set(try changed.fetch(request).map(\.objectID)) == now, "\(query)")
                found += wanted.isEmpty || wanted.count == times.count ? 0 : 1
            }
            generator = predicates.generator
            #expect(plain.hasMetMissingRowsOnly && changed.hasMetMissingRowsOnly)
        }
        #expect(found > count / 3)
    }

    private func held<Row: StoreObject>(_ query: QueryExpression, by rows: [Row]) throws -> [Row] {
        try rows.filter { row in
            var evaluator = ExpressionEvaluator(row)
            return try evaluator.holds(query)
        }
    }

    private func change(_ context: StoreContext, _ generator: inout SeededGenerator) throws {
        let stops = try context.fetch(FetchRequest<Stop>())
        for _ in 0..<8 {
            let stop = stops.randomElement(using: &generator) ?? stops[0]
            switch Int.random(in: 0...5, using: &generator) {
            case 0:
                try stop.setValue([.null, "Zoo", ""].randomElement(using: &generator) ?? .null, for: "platformCode")
            case 1: try stop.setValue(.integer(.random(in: 0...6, using: &generator)), for: "locationType")
            case 2: try stop.setValue([.null, 52.5].randomElement(using: &generator) ?? .null, for: "latitude")
            case 3: try stop.setValue(.null, for: "parentStation")
            case 4: context.delete(stop)
            default: try stop.setValue(.integer(.random(in: 0...39, using: &generator)), for: "parentStation")
            }
        }
    }
}
