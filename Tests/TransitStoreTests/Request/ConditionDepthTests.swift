import Foundation
import Testing
import TransitStore

/// Conditions of any depth: SQLite and the process's stack bound it, so a deeper condition is refused.
struct ConditionDepthTests {
    private typealias Build = @Sendable (Int) -> Condition<Stop>

    private static let leaf = Condition<Stop>(#Predicate { $0.name != "a" })
    private static let builds: [(name: String, build: Build)] = [
        ("&& and ||", { count in (0..<count).reduce(leaf) { $1 % 2 == 0 ? $0 && leaf : $0 || leaf } }),
        ("|| and &&, to the right", { count in (0..<count).reduce(leaf) { $1 % 2 == 0 ? leaf || $0 : leaf && $0 } }),
        ("!(… && leaf)", { count in (0..<count).reduce(leaf) { condition, _ in !(condition && leaf) } }),
        ("!(… || leaf)", { count in (0..<count).reduce(leaf) { condition, _ in !(condition || leaf) } }),
        (
            "!(… || leaf) && leaf",
            { count in (0..<count).reduce(leaf) { condition, _ in !(condition || leaf) && leaf } }
        ),
        (
            "predicates",
            { count in
                let leaf: Predicate<Stop> = #Predicate { $0.name != "a" }
                return (0..<count).reduce(!leaf) { $1 % 2 == 0 ? $0 && leaf : leaf || $0 }
            }
        ),
    ]

    @Test(arguments: builds.indices) func `a deep condition is refused`(number: Int) throws {
        let context = try TestStore.berlin().context()
        let changed = try TestStore.berlin().context()
        try changed.fetch(FetchRequest<Stop>())[0].set(\.name, to: "Kai")
        let (name, build) = Self.builds[number]
        for depth in [1_000, 20_000] {
            let condition = build(depth)
            #expect(#expect(throws: StoreError.self) { try condition.validate() }?.code == .tooComplex, "\(name)")
            let request = FetchRequest<Stop>(where: condition)
            for context in [context, changed] {
                #expect(#expect(throws: StoreError.self) { try context.fetch(request) }?.code == .tooComplex)
                #expect(#expect(throws: StoreError.self) { try context.fetchCount(request) }?.code == .tooComplex)
            }
            #expect(request.description.contains("deep") && request == FetchRequest<Stop>(where: build(depth)))
        }
    }

    /// SQLite's own limit comes first. Until then, a condition also works with unsaved changes.
    @Test(arguments: builds.indices) func `what SQLite takes is not refused`(number: Int) throws {
        let (context, changed) = (try TestStore.berlin().context(), try TestStore.berlin().context())
        try changed.fetch(FetchRequest<Stop>())[0].set(\.code, to: "1")
        for depth in 1...40 {
            let request = FetchRequest<Stop>(where: Self.builds[number].build(depth))
            let found: [Int]
            do throws(StoreError) {
                found = try context.fetch(request).map(\.id)
            } catch {
                #expect(error.code == .tooComplex && depth > 12, "\(depth): \(error)")
                break
            }
            #expect(try context.fetchCount(request) == found.count)
            #expect(try changed.fetch(request).map(\.id).sorted() == found)
            #expect(try changed.fetchCount(request) == found.count)
        }
    }

    /// Each level of a subquery takes a tenth of what SQLite's parser can hold.
    @Test(arguments: 1...10) func `nested subqueries work with unsaved changes`(depth: Int) throws {
        let store = try TestStore.berlin().open()
        let request = FetchRequest<Stop>(where: try Condition(format: Self.nested(depth)))
        let found = try store.makeContext().fetch(request).map(\.id)
        #expect(!found.isEmpty)
        let changes: [(StoreContext) throws -> Void] = [
            { try $0.fetch(FetchRequest<Agency>())[0].set(\.name, to: "X") },
            { try $0.fetch(FetchRequest<Stop>())[0].set(\.name, to: "X") },
            { try $0.fetch(FetchRequest<StopTime>())[0].set(\.stopSequence, to: 4) },
            { try $0.fetch(FetchRequest<Trip>())[0].set(\.headsign, to: "X") },
            { $0.delete(try $0.fetch(FetchRequest<Trip>())[4]) },
        ]
        for change in changes {
            let context = store.makeContext()
            try change(context)
            #expect(try context.fetch(request).map(\.id).sorted() == found)
            #expect(try context.fetchCount(request) == found.count)
            #expect(try context.fetchIDs(request).count == found.count)
            var rows = request
            rows.propertiesToFetch = [.attribute(\.id)]
            #expect(try context.fetchRows(rows).count == found.count)
        }
    }

    /// `SUBQUERY(stopTimes, $x1, SUBQUERY($x1.trip.stopTimes, $x2, …).@count != 0).@count != 0`
    private static func nested(_ depth: Int) -> String {
        var text = "$x\(depth).stopSequence > 0"
        for level in stride(from: depth, to: 0, by: -1) {
            let owner = level == 1 ? "stopTimes" : "$x\(level - 1).\(level % 2 == 0 ? "trip" : "stop").stopTimes"
            text = "SUBQUERY(\(owner), $x\(level), \(text)).@count != 0"
        }
        return text
    }

    @Test func `a wide condition is not deep`() throws {
        let context = try TestStore.berlin().context()
        let all = try context.fetchCount(FetchRequest<Stop>())
        let both = (0..<500).reduce(Self.leaf) { condition, _ in condition && Self.leaf }
        #expect(try context.fetchCount(FetchRequest<Stop>(where: both)) == all)
        let either = (0..<500).reduce(Self.leaf) { condition, _ in condition || Self.leaf }
        #expect(try context.fetchCount(FetchRequest<Stop>(where: either)) == all)
        let negated = (0..<501).reduce(Self.leaf) { condition, _ in !condition }
        #expect(try context.fetchCount(FetchRequest<Stop>(where: negated)) == 0)
    }

    @Test func `a deep condition on groups is refused`() throws {
        let count = FetchedProperty<StopTime>.count()
        var request = FetchRequest<StopTime>()
        request.propertiesToFetch = [.attribute(\.stop), count]
        request.propertiesToGroupBy = [.attribute(\.stop)]
        request.havingPredicate = (0..<20_000).reduce(count > 1) { $1 % 2 == 0 ? $0 || count > 2 : $0 && count > 1 }
        let context = try TestStore.berlin().context()
        #expect(#expect(throws: StoreError.self) { try context.fetchRows(request) }?.code == .tooComplex)
        _ = context.insert(StopTime.self)
        #expect(#expect(throws: StoreError.self) { try context.fetchRows(request) }?.code == .tooComplex)
    }

    /// The operators of `#Predicate` make a type for each level.
    @Test(arguments: [10, 1_000]) func `a deep predicate is refused`(depth: Int) throws {
        let condition = Condition(Predicate<Stop> { _ in Self.negated(PredicateExpressions.build_Arg(true), depth) })
        #expect(
            Result { () throws(StoreError) in try condition.validate() }.failure?.code
                == (depth > 10 ? .tooComplex : nil))
    }

    /// A predicate made by hand nests what lies side by side in a condition.
    @Test func `a wide predicate is not deep`() throws {
        let condition = Condition(
            Predicate<Stop> { _ in Self.joined(PredicateExpressions.build_Arg(false), 300) })
        let context = try TestStore.berlin().context()
        #expect(try context.fetchCount(FetchRequest<Stop>(where: condition)) == 0)
    }

    private static func joined(
        _ inner: some StandardPredicateExpression<Bool>, _ count: Int
    ) -> any StandardPredicateExpression<Bool> {
        guard count > 0 else { return inner }
        let leaf = PredicateExpressions.build_Arg(false)
        return joined(PredicateExpressions.build_Disjunction(lhs: inner, rhs: leaf), count - 1)
    }

    private static func negated(
        _ inner: some StandardPredicateExpression<Bool>, _ count: Int
    ) -> any StandardPredicateExpression<Bool> {
        count == 0 ? inner : negated(PredicateExpressions.build_Negation(inner), count - 1)
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
