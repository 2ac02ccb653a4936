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
}
