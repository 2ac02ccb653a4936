import FoundationEssentials
import Testing
import TransitStore

/// Conditions on groups, typed and in words, and predicates that are set and narrowed.
@Suite struct HavingTests {
    let fixture = Result { try TestStore.berlin() }

    private func request() -> FetchRequest<StopTime> {
        var request = FetchRequest<StopTime>()
        request.resultType = .dictionaries
        request.propertiesToFetch = [.attribute(\.stop), .count()]
        request.propertiesToGroupBy = [.attribute(\.stop)]
        request.sortDescriptors = [.ascending(\.stop)]
        return request
    }

    @Test func aggregatesAreComparedWithValues() throws {
        let calls = FetchedProperty<StopTime>.count(as: "calls")
        var (named, plain, words) = (request(), request(), request())
        named.havingPredicate = calls > 2
        plain.havingPredicate = .count() > 2
        words.havingPredicate = try Condition(having: "@count > %@", 2)
        #expect(named.description.contains(" GROUP BY t0.stop HAVING count(*) > 2 "))
        #expect(named == plain && plain == words)
        #expect(try fixture.get().context().fetchRows(named).map { $0["stop"] } == [2, 4])
        let late = ServiceTime(hours: 10)
        named.havingPredicate = calls != 3 && .max(\.departureTime) >= late
        words.havingPredicate = try Condition(having: "@count != 3 AND @max.departureTime >= '10:00'")
        #expect(named == words)
        #expect(try fixture.get().context().fetchRows(named).map { $0["stop"] } == [2, 3, 7])
        named.havingPredicate = Condition(#Predicate { $0.stop.id > 3 }) && calls < 3
        #expect(try fixture.get().context().fetchRows(named).map { $0["stop"] } == [7])
        named.havingPredicate = .count() == 3 || .min(\.departureTime?.seconds) <= 28_000
        #expect(try fixture.get().context().fetchRows(named).map { $0["stop"] } == [3, 4])
    }

    @Test func aPropertyThatIsNoColumnIsRefused() throws {
        var request = request()
        request.havingPredicate = .max(\.stopSequence.description) > "9"
        let error = #expect(throws: StoreError.self) { try fixture.get().context().fetchRows(request) }
        #expect(error?.code == .untranslatable)
    }

    @Test func aggregatesInAPredicateSayWhereTheyBelong() throws {
        let error = #expect(throws: StoreError.self) { try Condition<StopTime>(format: "@count > 5") }
        #expect(error?.message.contains("Condition(having:)") == true, "\(error?.message ?? "")")
    }

    @Test func requestsAreNarrowed() throws {
        let context = try fixture.get().context()
        var request = FetchRequest<Stop>(where: .name(hasWords: "kottbusser"))
        request = request.filter(#Predicate { $0.locationType == 1 })
        #expect(try context.fetch(request).map(\.id) == [1])
        request = request.filter(.within(meters: 1, of: Coordinate(latitude: 0, longitude: 0)))
        #expect(try context.fetchCount(request) == 0)
        request.predicate = .init(#Predicate { $0.locationType == 1 })
        #expect(try context.fetch(request).map(\.id) == [1])
        request.predicate = .all
        #expect(try context.fetchCount(request) == 8)
    }
}
