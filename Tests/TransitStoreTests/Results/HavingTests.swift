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

    @Test func `only rows with a value are counted`() throws {
        var request = FetchRequest<Stop>()
        request.propertiesToFetch = [.count(), .count(\.parentStation), .count(\.parentStation?.name, as: "stations")]
        let children = try fixture.get().context().fetchCount(
            FetchRequest<Stop>(where: #Predicate { $0.parentStation != nil }))
        let rows = try fixture.get().context().fetchRows(request)
        #expect(
            rows.map { [$0["count"], $0["count(parentStation)"], $0["stations"]] }
                == [[8, QueryValue.integer(Int64(children)), QueryValue.integer(Int64(children))]])
        #expect(children > 0 && children < 8)
    }

    /// SQLite refuses an aggregate of the group in most subqueries.
    @Test func `a condition on related rows cannot ask about the group`() throws {
        var request = request()
        request.havingPredicate = try Condition(having: "ANY stop.stopTimes.stopSequence = @max.stopSequence")
        let error = #expect(throws: StoreError.self) { try fixture.get().context().fetchRows(request) }
        #expect(error?.code == .ungrouped)
        #expect(
            error?.message
                == "@max.stopSequence stands alone: a condition on related rows cannot ask about the group")
    }

    /// Simplifying gives these conditions another form before the request is checked. The check must still recognize
    /// the grouped value.
    @Test(arguments: [
        ("stopTimes.@count", "stopTimes.@count > 0"), ("stopTimes.@count", "stopTimes.@count = 0"),
        ("folded(name)", "folded(name) BEGINSWITH 'u'"), ("folded(name)", "folded(name) CONTAINS 'o'"),
    ])
    func `a condition on groups may use what is grouped`(grouped: String, having: String) throws {
        let store = try fixture.get().open()
        var text = RequestText(entity: "Stop")
        text.properties = "\(grouped) AS grouped, @count AS n"
        text.groupBy = grouped
        text.sort = "grouped"
        let all: FetchRequest<Stop> = try text.request(in: store)
        text.having = having
        let some: FetchRequest<Stop> = try text.request(in: store)
        text.having = ""
        text.predicate = having
        let narrowed: FetchRequest<Stop> = try text.request(in: store)
        let context = store.makeContext()
        #expect(try context.fetchRows(some) == context.fetchRows(narrowed))
        #expect(try context.fetchRows(some).count < context.fetchRows(all).count)
    }

    @Test func aPropertyThatIsNoColumnIsRefused() throws {
        var request = request()
        request.havingPredicate = .max(\.stopSequence.description) > "9"
        let error = #expect(throws: StoreError.self) { try fixture.get().context().fetchRows(request) }
        #expect(error?.code == .untranslatable)
    }

    /// SQLite would take any text for greater than any number, and add up the number that a text begins with.
    @Test func `texts are neither summed nor compared with numbers`() throws {
        func refusal(_ change: (inout FetchRequest<StopTime>) -> Void) throws -> String? {
            var request = self.request()
            change(&request)
            return #expect(throws: StoreError.self) { try fixture.get().context().fetchRows(request) }?.message
        }
        let taken = "has no SQL translation: it takes numbers and times, not"
        let compared = "has no SQL translation: it compares"
        #expect(
            try refusal { $0.propertiesToFetch = [.sum(\.stop.name, as: "all")] } == "sum(stop.name) \(taken) a text")
        #expect(
            try refusal { $0.havingPredicate = .average(\.trip.headsign) > 1 }
                == "average(trip.headsign) \(taken) a text")
        #expect(
            try refusal { $0.havingPredicate = .max(\.stop.name) > 5 }
                == "max(stop.name) > 5 \(compared) a text with a number")
        #expect(
            try refusal { $0.havingPredicate = .count() == "5" } == "count = '5' \(compared) a number with a text")
        #expect(
            try refusal { $0.havingPredicate = .min(\.departureTime) < "08:00" }
                == "min(departureTime) < '08:00' \(compared) a time with a text")
        var days = FetchRequest<Service>()
        days.propertiesToFetch = [.sum(\.startDate)]
        let error = #expect(throws: StoreError.self) { try fixture.get().context().fetchRows(days) }
        #expect(error?.message == "sum(startDate) \(taken) a date")
        // Numbers, times, and the absence of a value fit.
        var request = self.request()
        request.propertiesToFetch = [.sum(\.departureTime), .average(\.stop.latitude), .max(\.stop.name)]
        request.havingPredicate =
            .max(\.stop.name) > "A" && .max(\.departureTime) > 28_800
            && .max(\.stop.name) != String?.none
        #expect(try fixture.get().context().fetchRows(request).count == 5)
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
