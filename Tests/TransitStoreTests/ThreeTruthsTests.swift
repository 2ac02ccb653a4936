import Foundation
import Testing

@testable import TransitStore

/// Random `#Predicate`s: SQL, evaluation in memory and Foundation's own `Predicate.evaluate` must agree.
///
///     RANDOM_PREDICATES=100000 swift test --filter ThreeTruths      // as many trees instead of 2,000
///     RANDOM_SEED=10 swift test --filter ThreeTruths                // others
@Suite struct ThreeTruthsTests {
    private static let count = ProcessInfo.processInfo.environment["RANDOM_PREDICATES"].flatMap { Int($0) } ?? 2_000
    private static let seed = ProcessInfo.processInfo.environment["RANDOM_SEED"].flatMap { UInt64($0) } ?? 9
    private static let treesOfAStore = 250

    @Test func sqlMemoryAndFoundationAgree() throws {
        var generator = SplitMix(state: Self.seed)
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
                #expect(try held(query, by: stops) == bySwift.sorted(), "\(query)")
                // What is printed is read as the same condition.
                #expect(try Condition<Stop>(format: "\(query)") == request.predicate, "\(query)")
                let withChanges = try changed.fetch(request).map(\.id).sorted()
                #expect(
                    withChanges == (try current.filter { try predicate.evaluate($0) }.map(\.id).sorted()), "\(query)")
                found += bySQL.isEmpty || bySQL.count == stops.count ? 0 : 1
            }
            generator = predicates.generator
            #expect(plain.lastError == nil && changed.lastError == nil)
        }
        // Most trees tell rows apart.
        #expect(found > Self.count / 3)
    }

    /// Divisions by 0 and sums of absent times have no result in SQL. Foundation's evaluation would trap or call them
    /// infinite, so that SQL and memory are compared alone.
    @Test func sqlAndMemoryAgreeWhereSwiftTraps() throws {
        var generator = SplitMix(state: Self.seed + 1)
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
                #expect(bySQL == (try held(query, by: stops)), "\(request) of \(query)")
                let negated = FetchRequest<Stop>(where: !request.predicate)
                let others = Set(stops.map(\.id)).subtracting(bySQL)
                #expect(try plain.fetch(negated).map(\.id).sorted() == others.sorted(), "not \(query)")
                #expect(try changed.fetch(request).map(\.id).sorted() == (try held(query, by: current)), "\(query)")
                found += bySQL.isEmpty || bySQL.count == stops.count ? 0 : 1
            }
            generator = predicates.generator
            #expect(plain.lastError == nil && changed.lastError == nil)
        }
        #expect(found > Self.count / 3)
    }

    private func held(_ query: QueryExpression, by stops: [Stop]) throws -> [Int] {
        try stops.filter { stop in
            var evaluator = ExpressionEvaluator(stop)
            return try evaluator.holds(query)
        }.map(\.id).sorted()
    }

    private func change(_ context: StoreContext, _ generator: inout SplitMix) throws {
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
