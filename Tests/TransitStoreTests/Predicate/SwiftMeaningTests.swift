import Foundation
import SQLite
import SearchText
import Testing

@testable import TransitStore

/// A `#Predicate` finds what `Predicate.evaluate` finds: by SQL, and in memory with unsaved changes.
@Suite struct SwiftMeaningTests {
    /// Expects the same `count` rows by SQL, in memory, and by Foundation's evaluation.
    private func expect<Entity: StoreEntity>(
        _ predicate: Predicate<Entity>, finds count: Int, in context: StoreContext,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let request = FetchRequest<Entity>(where: predicate)
        let all = try context.fetch(FetchRequest<Entity>())
        let wanted = try all.filter { try predicate.evaluate($0) }.map(\.objectID)
        #expect(wanted.count == count, sourceLocation: sourceLocation)
        let found = Set(try context.fetch(request).map(\.objectID))
        #expect(found == Set(wanted), "\(request)", sourceLocation: sourceLocation)
        let query = try request.predicate.query()
        let inMemory = try all.filter { object in
            var evaluator = ExpressionEvaluator(object)
            return try evaluator.holds(query)
        }
        #expect(inMemory.map(\.objectID) == wanted, "\(request)", sourceLocation: sourceLocation)
        #expect(try context.fetchCount(request) == count, sourceLocation: sourceLocation)
        #expect(context.lastError == nil, sourceLocation: sourceLocation)
    }

    private func sample() throws -> StoreContext { try ImportedStore.sample.get().context() }

    @Test func chainsAreNilWhereTheirRowIsNot() throws {
        let context = try sample()
        try expect(
            #Predicate<Stop> { stop in
                if let p = stop.parentStation { p.wheelchairBoarding == 1 } else { stop.wheelchairBoarding == 1 }
            }, finds: 18, in: context)
        try expect(#Predicate<Stop> { $0.code?.isEmpty == false }, finds: 21, in: context)
        try expect(#Predicate<Stop> { $0.code?.isEmpty ?? true }, finds: 1, in: context)
        try expect(
            #Predicate<Stop> { if let p = $0.parentStation { p.id < 0 } else { true } }, finds: 17, in: context)
        try expect(#Predicate<Stop> { $0.parentStation?.stopTimes.count == 0 }, finds: 5, in: context)
        try expect(#Predicate<Stop> { $0.parentStation?.stopTimes.isEmpty == true }, finds: 5, in: context)
        try expect(#Predicate<Stop> { ($0.parentStation?.childStops.count ?? 99) > 50 }, finds: 17, in: context)
        try expect(#Predicate<Stop> { $0.parentStation?.name != nil }, finds: 5, in: context)
        let kinds: [LocationType] = [.station, .other(9)]
        try expect(#Predicate<Stop> { kinds.contains($0.locationType) }, finds: 2, in: context)
        try expect(#Predicate<Stop> { $0.locationType.isStation }, finds: 2, in: context)
        try expect(#Predicate<Stop> { $0.locationType == $0.parentStation?.locationType ?? 9 }, finds: 0, in: context)
    }

    @Test func missingTextsOfAChainAreNil() throws {
        let context = try TestStore.berlin().context()
        try expect(#Predicate<Trip> { $0.headsign?.starts(with: "Z") == false }, finds: 4, in: context)
        try expect(#Predicate<Trip> { $0.headsign?.starts(with: "Z") ?? true }, finds: 2, in: context)
        try expect(#Predicate<Trip> { $0.headsign?.isEmpty != true }, finds: 6, in: context)
        try expect(#Predicate<Trip> { $0.headsign?.isEmpty == nil }, finds: 1, in: context)
    }

    @Test func placesAndTimesThatAreMissingMeetNoOrder() throws {
        let context = try TestStore.berlin().context()
        let (noNumber, noTime): (Double, ServiceTime?) = (.nan, nil)
        try expect(#Predicate<Stop> { $0.latitude == $0.latitude }, finds: 8, in: context)
        try expect(#Predicate<Stop> { $0.latitude != $0.latitude }, finds: 0, in: context)
        try expect(#Predicate<Stop> { $0.latitude ?? noNumber == $0.latitude ?? noNumber }, finds: 7, in: context)
        try expect(#Predicate<Stop> { $0.latitude == noNumber }, finds: 0, in: context)
        try expect(#Predicate<Stop> { $0.latitude != noNumber }, finds: 8, in: context)
        try expect(#Predicate<Stop> { [52.6, noNumber].contains($0.latitude ?? noNumber) }, finds: 1, in: context)
        try expect(#Predicate<StopTime> { ($0.departureTime?.seconds ?? 0) < 100 }, finds: 1, in: context)
        try expect(#Predicate<StopTime> { $0.departureTime?.seconds != 28_000 }, finds: 13, in: context)
        try expect(#Predicate<StopTime> { $0.departureTime == noTime }, finds: 1, in: context)
        try expect(#Predicate<Stop> { $0.parentStation?.latitude == nil }, finds: 6, in: context)
        try expect(#Predicate<Stop> { ($0.parentStation?.latitude ?? 52.6) > 52.5 }, finds: 6, in: context)
        let late = FetchRequest<StopTime>(where: #Predicate { ($0.departureTime?.seconds ?? 0) >= 60_000 })
        #expect(try late.sql().text.hasSuffix("WHERE t0.departure_time >= ?"), "\(late)")
    }

    /// Comparing the order of optional moments uses its own node, which gives the same results as Foundation's nodes.
    @Test func theOrderOfMomentsIsFoundations() throws {
        let moments: [ServiceTime?] = [nil, ServiceTime(seconds: 0), ServiceTime(seconds: 5), ServiceTime(seconds: 9)]
        for (one, other) in moments.flatMap({ one in moments.map { (one, $0) } }) {
            #expect(
                try Self.orders(one, other) == Self.foundationsOrders(one, other), "\(String(describing: (one, other)))"
            )
        }
        let context = try TestStore.berlin().context()
        let noTime: ServiceTime? = nil
        try expect(#Predicate<StopTime> { $0.departureTime < noTime }, finds: 0, in: context)
        try expect(#Predicate<StopTime> { !(noTime >= $0.departureTime) }, finds: 14, in: context)
        try expect(#Predicate<StopTime> { $0.arrivalTime <= $0.departureTime }, finds: 13, in: context)
        try expect(#Predicate<StopTime> { !($0.arrivalTime <= $0.departureTime) }, finds: 1, in: context)
    }

    private static func orders(_ one: ServiceTime?, _ other: ServiceTime?) throws -> [Bool] {
        typealias Nodes = PredicateExpressions
        let (one, other) = (Nodes.build_Arg(one), Nodes.build_Arg(other))
        return [
            try Nodes.build_Comparison(lhs: one, rhs: other, op: .lessThan).evaluate(PredicateBindings()),
            try Nodes.build_Comparison(lhs: one, rhs: other, op: .lessThanOrEqual).evaluate(PredicateBindings()),
            try Nodes.build_Comparison(lhs: one, rhs: other, op: .greaterThan).evaluate(PredicateBindings()),
            try Nodes.build_Comparison(lhs: one, rhs: other, op: .greaterThanOrEqual).evaluate(PredicateBindings()),
        ]
    }

    /// `one.flatMap { a in other.flatMap { b in a < b } } ?? false`, for each of the four operators.
    private static func foundationsOrders(_ one: ServiceTime?, _ other: ServiceTime?) throws -> [Bool] {
        typealias Nodes = PredicateExpressions
        let operators: [Nodes.ComparisonOperator] = [
            .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
        ]
        return try operators.map { op in
            let both = Nodes.build_flatMap(Nodes.build_Arg(one)) { a in
                Nodes.build_flatMap(Nodes.build_Arg(other)) { b in Nodes.build_Comparison(lhs: a, rhs: b, op: op) }
            }
            return try Nodes.build_NilCoalesce(lhs: both, rhs: Nodes.build_Arg(false)).evaluate(PredicateBindings())
        }
    }

    @Test func aCountBehindAMissingReferenceIsSortedAsNil() throws {
        let context = try TestStore.berlin().context()
        var request = FetchRequest<Stop>()
        request.sortDescriptors = [
            .ascending(\.parentStation?.childStops.count, nulls: .last), .ascending(\.id),
        ]
        #expect(try context.fetch(request).map(\.id) == [2, 5, 0, 1, 3, 4, 6, 7])
        #expect(request.description.contains("ORDER BY CASE WHEN t0.parent_station IS NOT NULL THEN (SELECT count(*)"))
        try #require(try context.object(Stop.self, id: 7)).setValue("Zoo", for: "code")
        #expect(try context.fetch(request).map(\.id) == [2, 5, 0, 1, 3, 4, 6, 7])
    }

    /// A division by zero has no result; a comparison with it does not hold, and its negation does.
    @Test func aDivisionByZeroHasNoResult() throws {
        for isChanged in [false, true] {
            let context = try TestStore.berlin().context()
            if isChanged { try #require(try context.object(Stop.self, id: 7)).setValue("x", for: "code") }
            for (text, count) in [
                ("id / 0 = 0", 0), ("NOT (id / 0 = 0)", 8), ("id / 0 != 0", 8), ("NOT (latitude / 0 > 1)", 8),
                ("latitude / 0 > 1", 0), ("id / 0 = id / 0", 0), ("NOT (NOT (id / 0 = 0))", 0),
            ] {
                let request = FetchRequest<Stop>(where: try Condition(format: text))
                #expect(try context.fetchCount(request) == count, "\(text): \(request)")
                #expect(try context.fetch(request).count == count, "\(text): \(request)")
            }
        }
    }

    /// Greek has another sigma at the end of a word. A typed prefix may end there or in the middle of a word.
    @Test func greekPrefixesFindBothSigmas() throws {
        let names = ["ΠΕΛΟΠΟΝΝΗΣ", "Πελοποννήσου", "Οδός Αθηνάς", "ΟΔΟΣΗΜΑ", "Αθήνα"]
        let store = try TestStore { connection in
            for (id, name) in names.enumerated() { try connection.insertStop(id, name, 37, 23) }
        }
        for isChanged in [false, true] {
            let context = try store.context()
            if isChanged { try #require(try context.object(Stop.self, id: 4)).setValue("Αθήναι", for: "name") }
            func found(_ condition: Condition<Stop>) throws -> [Int] {
                try context.fetch(FetchRequest<Stop>(where: condition)).map(\.id).sorted()
            }
            for typed in ["ΠΕΛΟΠΟΝΝΗΣ", "πελοποννησ", "Πελοποννής"] {
                #expect(try found(.name(hasWords: typed)) == [0, 1], "\(typed)")
                #expect(try found(.name(beginsWith: typed)) == [0, 1], "\(typed)")
                let folded = typed.folded
                #expect(try found(Condition(#Predicate { $0.name.folded.starts(with: folded) })) == [0, 1])
                #expect(try found(Condition(#Predicate { $0.name.folded.contains(folded) })) == [0, 1])
                for op in ["BEGINSWITH", "CONTAINS"] {
                    #expect(try found(Condition(format: "name \(op)[cd] %@", typed)) == [0, 1], "\(op) \(typed)")
                }
                #expect(try found(Condition(format: "name LIKE[cd] %@", typed + "*")) == [0, 1], "\(typed)")
            }
            for typed in ["ΟΔΟΣ", "οδός", "οδοσ"] {
                #expect(try found(Condition(format: "name CONTAINS[cd] %@", typed)) == [2, 3], "\(typed)")
                #expect(try found(.name(hasWords: typed)) == [2, 3], "\(typed)")
            }
            #expect(try found(Condition(format: "name ENDSWITH[cd] 'ΝΑΣ'")) == [2])
            #expect(try found(Condition(format: "name =[cd] 'πελοποννης'")) == [0])
        }
    }

    @Test func boxesWithOpenEdgesAndWholeNumbersUseTheIndex() throws {
        let context = try TestStore.berlin().context()
        let (low, high) = (52.4, 52.6)
        let open = FetchRequest<Stop>(
            where: #Predicate {
                $0.latitude ?? 0 > low && $0.latitude ?? 99 < high && $0.longitude ?? 0 > 13.4
                    && $0.longitude ?? 99 < 13.43
            })
        #expect(try context.fetch(open).map(\.id).sorted() == [0, 1, 2])
        #expect(try open.predicate.query().conjuncts.contains { if case .box = $0 { true } else { false } })
        try expect(
            #Predicate<Stop> {
                $0.latitude ?? 0 > low && $0.latitude ?? 99 < high && $0.longitude ?? 0 > 13.4
                    && $0.longitude ?? 99 < 13.43
            }, finds: 3, in: context)
        let whole = try Condition<Stop>(format: "latitude BETWEEN {52, 53} AND longitude BETWEEN {13, 14}")
        #expect(
            try whole.query()
                == .box(.root, [], BoundingBox(minLatitude: 52, maxLatitude: 53, minLongitude: 13, maxLongitude: 14)))
        #expect(try context.fetchCount(FetchRequest<Stop>(where: whole)) == 7)
    }

    /// Rows that a condition requires get an inner join, so SQLite may begin with them.
    @Test func aStrictPathBeginsAtItsEnd() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try GrownFeed.write(to: folder)
        let imported = try ImportedStore(feed: folder)
        let context = try imported.context()
        let request = FetchRequest<StopTime>(where: try Condition(format: "trip.route.shortName = '3'"))
        let plan = try context.explain(request)
        #expect(
            plan.sql.text.hasSuffix(
                "FROM stop_time AS t0 JOIN trip AS t1 ON t1.id = t0.trip JOIN route AS t2 ON t2.id = t1.route "
                    + "WHERE t2.short_name = ?"))
        #expect(
            plan.steps == [
                "SCAN t2", "SEARCH t1 USING COVERING INDEX trip_route (route=?)",
                "SEARCH t0 USING PRIMARY KEY (trip=?)",
            ])
    }

    /// The reference alone says whether there is a station, so the station is not joined.
    @Test func nothingIsJoinedThatIsNotRead() throws {
        let request = FetchRequest<Stop>(where: #Predicate { $0.parentStation?.name != nil })
        #expect(
            try request.sql(for: .count).text
                == "SELECT count(*) FROM stop AS t0 WHERE t0.parent_station IS NOT NULL")
        try expect(#Predicate<Stop> { $0.parentStation?.name != nil }, finds: 5, in: sample())
    }

    @Test func thousandsOfTermsAndValuesAreAllowed() throws {
        let context = try TestStore.berlin().context()
        let terms = (0..<2_000).map { "id = \($0)" }
        #expect(
            try context.fetchCount(FetchRequest<Stop>(where: try Condition(format: terms.joined(separator: " OR "))))
                == 8)
        let ids = Array(2..<300_002)
        #expect(try context.fetchCount(FetchRequest<Stop>(where: #Predicate { ids.contains($0.id) })) == 6)
        let names = (0..<2_000).map { "\($0)\"\\\n" } + ["Zoo", "Ölmühle"]
        let request = FetchRequest<Stop>(where: #Predicate { names.contains($0.name) })
        #expect(try context.fetchCount(request) == 2)
        try #require(try context.object(Stop.self, id: 7)).setValue("x", for: "code")
        #expect(try context.fetchCount(request) == 2)
        // Another list of the same length must not find the rows of the first.
        let none = (0..<2_002).map { "\($0)" }
        #expect(try context.fetchCount(FetchRequest<Stop>(where: #Predicate { none.contains($0.name) })) == 0)
    }

    @Test func numbersOfEveryWidthAndRangesWithOneBound() throws {
        let context = try TestStore.berlin().context()
        for number: Any in [
            Int8(7), Int16(7), Int32(7), Int64(7), UInt(7), UInt8(7), UInt16(7), UInt32(7), UInt64(7), Float(7),
        ] {
            let request = FetchRequest<Stop>(where: try Condition(format: "id = %@", number))
            #expect(try context.fetch(request).map(\.id) == [7], "\(type(of: number))")
        }
        #expect(try context.fetchCount(FetchRequest<Stop>(where: try Condition(format: "id < %@", UInt64.max))) == 8)
        let (from, through, before) = (5..., ...5, ..<5)
        try expect(#Predicate<Stop> { from.contains($0.id) }, finds: 3, in: context)
        try expect(#Predicate<Stop> { through.contains($0.id) }, finds: 6, in: context)
        try expect(#Predicate<Stop> { before.contains($0.id) }, finds: 5, in: context)
    }

    @Test func localesMayBeSpelledInBothWays() throws {
        let context = try TestStore.berlin().context()
        var (one, other) = (FetchRequest<Stop>(), FetchRequest<Stop>())
        one.sortDescriptors = [.ascending(\.name, .locale("de_DE"))]
        other.sortDescriptors = [.ascending(\.name, .locale("de-DE"))]
        #expect(try context.fetch(one).map(\.id) == context.fetch(other).map(\.id))
        #expect(one == other)
    }
}
