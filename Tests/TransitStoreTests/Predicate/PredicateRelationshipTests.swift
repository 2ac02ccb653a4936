import FoundationEssentials
import Testing
import TransitStore

/// Questions about to-many relationships become correlated subqueries.
@Suite struct PredicateRelationshipTests {
    let fixture = Result { try TestStore.berlin() }
    private func context() throws -> StoreContext { try fixture.get().context() }

    @Test func containsBecomesExists() throws {
        let (eight, halfPastEight) = (ServiceTime(hours: 8), ServiceTime(hours: 8, minutes: 30))
        try expect(
            #Predicate<Stop> {
                $0.stopTimes.contains { eight <= $0.departureTime && $0.departureTime <= halfPastEight }
            },
            becomes: "EXISTS (SELECT 1 FROM stop_time AS t1 WHERE t1.stop = t0.id AND t1.departure_time >= 28800 "
                + "AND t1.departure_time <= 30600)", finds: ["stop/0", "stop/4", "stop/7"], in: context())
    }

    @Test func allSatisfyBecomesNotExists() throws {
        try expect(
            #Predicate<Trip> { $0.stopTimes.allSatisfy { $0.stop.locationType == 0 } },
            becomes: "NOT EXISTS (SELECT 1 FROM stop_time AS t1 LEFT JOIN stop AS t2 ON t2.id = t1.stop "
                + "WHERE t1.trip = t0.id AND NOT (COALESCE(t2.location_type, 0) = 0))",
            finds: ["trip/0", "trip/1", "trip/2", "trip/3", "trip/4", "trip/5"], in: context())
    }

    @Test func countsAndEmptiness() throws {
        let context = try context()
        try expect(
            #Predicate<Stop> { $0.stopTimes.isEmpty },
            becomes: "NOT EXISTS (SELECT 1 FROM stop_time AS t1 WHERE t1.stop = t0.id)",
            finds: ["stop/1", "stop/5", "stop/6"], in: context)
        try expect(
            #Predicate<Stop> { $0.stopTimes.count > 4 },
            becomes: "(SELECT count(*) FROM stop_time AS t1 WHERE t1.stop = t0.id) > 4", finds: ["stop/2"],
            in: context)
        try expect(
            #Predicate<Stop> { $0.childStops.count == 0 && $0.stopTimes.count != 0 },
            becomes: "NOT EXISTS (SELECT 1 FROM stop AS t1 WHERE t1.parent_station = t0.id) "
                + "AND EXISTS (SELECT 1 FROM stop_time AS t2 WHERE t2.stop = t0.id)",
            finds: ["stop/0", "stop/2", "stop/3", "stop/4", "stop/7"], in: context)
    }

    @Test func filtersAreCounted() throws {
        let context = try context()
        let ten = ServiceTime(hours: 10)
        try expect(
            #Predicate<Stop> { $0.stopTimes.filter { $0.departureTime >= ten }.count >= 2 },
            becomes: "(SELECT count(*) FROM stop_time AS t1 WHERE t1.stop = t0.id AND t1.departure_time >= 36000) >= 2",
            finds: ["stop/2"], in: context)
        try expect(
            #Predicate<Stop> { $0.stopTimes.filter { $0.departureTime >= ten }.contains { $0.trip.route.id == 1 } },
            becomes: "EXISTS (SELECT 1 FROM stop_time AS t1 JOIN trip AS t2 ON t2.id = t1.trip "
                + "WHERE t1.stop = t0.id AND t1.departure_time >= 36000 AND t2.route = 1)", finds: ["stop/3"],
            in: context)
    }

    @Test func nestedRelationshipsBecomeNestedSubqueries() throws {
        try expect(
            #Predicate<Route> { $0.trips.contains { $0.stopTimes.contains { $0.stop.name == "Zoo" } } },
            becomes:
                "EXISTS (SELECT 1 FROM trip AS t1 WHERE t1.route = t0.id AND EXISTS (SELECT 1 FROM stop_time AS t2 "
                + "JOIN stop AS t3 ON t3.id = t2.stop WHERE t2.trip = t1.id AND t3.name = 'Zoo'))",
            finds: ["route/1", "route/2"], in: context())
    }

    @Test func relationshipsOfToOneRelationshipsNeedNoJoin() throws {
        try expect(
            #Predicate<StopTime> { $0.trip.frequencies.isEmpty == false },
            becomes: "EXISTS (SELECT 1 FROM frequency AS t1 WHERE t1.trip = t0.trip)",
            finds: ["stop_time/5/1", "stop_time/5/2"], in: context())
    }

    @Test func cheapConditionsComeFirst() throws {
        try expect(
            #Predicate<Stop> { $0.stopTimes.count != 0 && $0.name.contains("Tor") && $0.id > 0 },
            becomes: "t0.id > 0 AND instr(COALESCE(t0.name, ''), 'Tor') > 0 "
                + "AND EXISTS (SELECT 1 FROM stop_time AS t1 WHERE t1.stop = t0.id)", finds: ["stop/2"], in: context())
    }

    @Test func whatCannotBeTranslatedIsRefusedByName() throws {
        let context = try context()
        let byLength = FetchRequest<Stop>(where: #Predicate { $0.name.count > 3 })
        #expect(
            throws: StoreError(
                .untranslatable, "key path \\String.count has no SQL translation: a store has no column for it")
        ) { try context.fetch(byLength) }
        let byPlace = FetchRequest<Stop>(where: #Predicate { $0.coordinate == nil })
        #expect(throws: StoreError.self) { try byPlace.predicate.validate() }
        #expect(
            byPlace.description
                == "key path \\Stop.<computed Coordinate?> that reads latitude, longitude has no SQL translation: "
                + "it is not one column of Stop")
        let nothingRan = context.statistics.statements
        #expect(nothingRan == 0)
    }
}
