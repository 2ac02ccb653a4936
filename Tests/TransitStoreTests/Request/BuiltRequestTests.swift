import FoundationEssentials
import Testing
import TransitStore

/// Requests built as expressions equal requests whose properties are set.
struct BuiltRequestTests {
    @Test func `each function sets what its properties hold`() {
        var plain = FetchRequest<Stop>(where: .name(beginsWith: "u"))
        let built = FetchRequest<Stop>(
            where: .name(beginsWith: "u"), sortedBy: .ascending(\.name), .descending(\.id), limit: 3)
        plain.sortDescriptors = [.ascending(\.name), .descending(\.id)]
        plain.fetchLimit = 3
        #expect(built == plain)
        #expect(
            FetchRequest<Stop>(where: .name(beginsWith: "u")).sorted(by: .ascending(\.name), .descending(\.id)).limit(3)
                == plain)

        plain.predicate = plain.predicate && Condition(#Predicate { $0.locationType == 1 })
        #expect(built.filter(#Predicate { $0.locationType == 1 }) == plain)
        (plain.fetchLimit, plain.fetchOffset) = (5, 2)
        #expect(built.filter(#Predicate { $0.locationType == 1 }).limit(5, offset: 2) == plain)

        plain.relationshipKeyPathsForPrefetching = [\.stopTimes, \.parentStation]
        let prefetching = built.filter(#Predicate { $0.locationType == 1 }).limit(5, offset: 2)
        #expect(prefetching.prefetching(\.stopTimes).prefetching(\.parentStation) == plain)
        #expect(built.fetchLimit == 3 && built.fetchOffset == 0, "the first request stays as it is")
    }

    @Test func `a list of conditions is joined as its elements are`() throws {
        let context = try TestStore.berlin().context()
        let named: [Condition<Stop>] = [
            .name(beginsWith: "u"), Condition(#Predicate { $0.id > 2 }), .name(beginsWith: "k"),
        ]
        #expect(Condition.all(of: named) == (named[0] && named[1] && named[2]))
        #expect(Condition.any(of: named) == (named[0] || named[1] || named[2]))
        #expect(Condition.all(of: named.prefix(1)) == named[0] && Condition.any(of: named.suffix(1)) == named[2])
        let none: [Condition<Stop>] = []
        #expect(Condition.all(of: none) == .all && Condition.any(of: none) == .none)
        let ids = (0..<5_000).map { id in Condition<Stop>(#Predicate { $0.id == id }) }
        #expect(
            try context.fetchCount(FetchRequest<Stop>(where: .any(of: ids))) == context.fetchCount(FetchRequest<Stop>())
        )
        #expect(try context.fetchCount(FetchRequest<Stop>(where: .all(of: ids))) == 0)
        let refused = Condition<Stop>(#Predicate { $0.name.count > 40 })
        #expect(throws: StoreError.self) { try Condition<Stop>.any(of: [named[0], refused]).validate() }
    }

    @Test func `columns and groups are the same by functions and by properties`() throws {
        var plain = FetchRequest<Trip>()
        plain.propertiesToFetch = [.attribute(\.route.shortName), .count()]
        plain.propertiesToGroupBy = [.attribute(\.route.shortName)]
        plain.havingPredicate = .count() > 1
        let built = FetchRequest<Trip>().selecting(.attribute(\.route.shortName), .count())
            .groups(by: .attribute(\.route.shortName), having: .count() > 1)
        #expect(built == plain)
        #expect(
            try built.sql(for: .dictionaries).description
                == "SELECT t1.short_name, count(*) FROM trip AS t0 LEFT JOIN route AS t1 ON t1.id = t0.route "
                + "GROUP BY t1.short_name HAVING count(*) > 1")
    }

    @Test func `arrays of terms are the same as the terms one by one`() {
        let order: [Sort<Trip>] = [.ascending(\.route.shortName), .descending(\.id)]
        let columns: [FetchedProperty<Trip>] = [.attribute(\.route.shortName), .attribute(\.route.routeType)]
        let trips = FetchRequest<Trip>()
        #expect(trips.sorted(by: order) == trips.sorted(by: .ascending(\.route.shortName), .descending(\.id)))
        #expect(trips.prefetching([\.stopTimes, \.route]) == trips.prefetching(\.stopTimes, \.route))
        let groups = trips.selecting(columns).groups(by: columns, having: .count() > 1)
        #expect(
            groups
                == trips.selecting(.attribute(\.route.shortName), .attribute(\.route.routeType))
                .groups(by: .attribute(\.route.shortName), .attribute(\.route.routeType), having: .count() > 1))
        #expect(groups.propertiesToGroupBy == columns && groups.sorted(by: []).sortDescriptors.isEmpty)
    }

    @Test func `an id gives an object of its type`() throws {
        let context = try TestStore.berlin().context()
        let request = FetchRequest<Stop>(sortedBy: .ascending(\.id))
        let ids = try context.fetchIDs(request)
        #expect(ids.compactMap { context.object(Stop.self, with: $0) } == (try context.fetch(request)))
        #expect(ids.compactMap { context.object(Trip.self, with: $0) }.isEmpty)
    }
}
