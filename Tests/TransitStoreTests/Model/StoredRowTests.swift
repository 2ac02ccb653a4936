import FoundationEssentials
import Testing
import TransitStore

/// Relationships of tables without a class, by name and both ways.
@Suite struct StoredRowTests {
    let fixture = Result {
        try TestStore { connection in
            try connection.insertStop(0, "Markt", 52, 13)
            try connection.insertStop(1, "Hafen", 52, 14)
            try connection.insert(
                "agency", "id, agency_id, name, url, timezone",
                ["0, 'a', 'Mondbahn', 'u', 'Europe/Berlin'", "1, 'b', 'Seebahn', 'u', 'Europe/Berlin'"])
            try connection.insert(
                "route", "id, route_id, agency, short_name, route_type", ["0, 'r', 0, '1', 3", "1, 's', 1, '2', 3"])
            try connection.insert(
                "fare_attribute", "id, fare_id, price, currency_type, agency",
                ["0, 'short', 1.8, 'EUR', 0", "1, 'long', 2.8, 'EUR', 0", "2, 'boat', 9, 'EUR', NULL"])
            try connection.insert(
                "fare_rule", "id, fare, route, origin_id",
                ["0, 0, 0, 'A'", "1, 1, 0, 'A'", "2, 1, 1, 'B'", "3, 2, NULL, NULL"])
            try connection.insert("area", "id, area_id, name", ["0, 'x', 'Mitte'", "1, 'y', 'Ufer'"])
            try connection.insert("stop_area", "id, area, stop", ["0, 0, 0", "1, 1, 1", "2, 0, 1"])
            try connection.insert(
                "fare_leg_rule", "id, leg_group_id, from_area, to_area, fare_product_id",
                ["0, 'g', 0, 1, 'p'", "1, 'g', 1, 0, 'p'", "2, 'h', 0, 0, 'p'"])
            try connection.insert("booking_rule", "id, booking_rule_id, phone_number", ["0, 'call', '030 1'"])
            try connection.insert(
                "trip", "id, route, service, trip_id", ["0, 0, NULL, 't'"])
            try connection.insert(
                "stop_time", "trip, stop_sequence, stop, departure_time, pickup_booking_rule",
                ["0, 1, 0, 3600, 0", "0, 2, 1, 7200, NULL"])
        }
    }
    private func context() throws -> StoreContext { try fixture.get().context() }

    private func rows(
        _ context: StoreContext, _ entity: String, _ format: String = "TRUEPREDICATE"
    ) throws -> [StoredRow] {
        let condition = try Condition<StoredRow>(format: format, entity: entity, in: context.stores[0])
        return try context.fetch(FetchRequest(entity: entity, where: condition))
    }

    @Test func rowsKnowWhatTheyReferToAndWhatRefersToThem() throws {
        let context = try context()
        let fares = try rows(context, "fare_attribute")
        #expect(try fares[0].object(of: "agency")?.value(of: "name") == "Mondbahn")
        #expect(try fares[0].object(of: "agency") === context.object(Agency.self, id: 0))
        #expect(try fares[2].object(of: "agency") == nil)
        #expect(try fares.map { try $0.objects(of: "fareRules").count } == [1, 2, 1])
        let rules = try fares[1].objects(of: "fare_rules").objects
        #expect(rules.map { $0.value(of: "origin_id") } == ["A", "B"])
        #expect(try rules[1].object(of: "fare") === fares[1])
        #expect(try (rules[1].object(of: "route") as? Route)?.shortName == "2")
        let areas = try rows(context, "area")
        #expect(
            try areas[0].objects(of: "stopAreas").compactMap { try $0.object(of: "stop") as? Stop }.map(\.name)
                == ["Markt", "Hafen"])
        #expect(
            try areas[0].objects(of: "fareLegRulesFrom").map(\.objectID.description)
                == ["fare_leg_rule/0", "fare_leg_rule/2"])
        #expect(try areas[0].objects(of: "fare_leg_rules_to").count == 2)
        #expect(context.lastError == nil)
    }

    @Test func typedObjectsReachTablesWithoutAClass() throws {
        let context = try context()
        let route = try #require(try context.object(Route.self, id: 0))
        #expect(
            try route.objects(of: "fareRules").compactMap { try $0.object(of: "fare")?.value(of: "price") }
                == [1.8, 2.8])
        #expect(try route.objects(of: "trips").objects == route.trips.objects)
        let time = try #require(try context.fetchFirst(FetchRequest<StopTime>()))
        #expect(try time.object(of: "pickupBookingRule")?.value(of: "phone_number") == "030 1")
        #expect(time.pickupBookingRule?["phone_number"] == "030 1")
        #expect(try time.object(of: "locationGroup") == nil)
        #expect(try time.object(of: "trip") === time.trip)
        let rule = try rows(context, "booking_rule")[0]
        #expect(try rule.objects(of: "stopTimesByPickupBookingRule").objects == [time])
        #expect(try rule.objects(of: "stopTimesByDropOffBookingRule").isEmpty)
    }

    @Test func predicatesFollowThem() throws {
        let context = try context()
        let ids = { (entity: String, format: String) in
            try rows(context, entity, format).compactMap { $0["id"].integer }
        }
        #expect(try ids("fare_rule", "fare.agency.name == 'Mondbahn' AND route.shortName == '2'") == [2])
        #expect(try ids("fare_attribute", "ANY fareRules.route.agency.name == 'Seebahn'") == [1])
        #expect(try ids("fare_attribute", "fareRules.@count > 1") == [1])
        #expect(try ids("area", "SUBQUERY(stopAreas, $x, $x.stop.name BEGINSWITH 'H').@count != 0") == [0, 1])
        let routes = try Condition<Route>(
            format: "SUBQUERY(fare_rules, $x, $x.fare.price > 2).@count == 1 AND agency.name == 'Mondbahn'",
            entity: "Route", in: context.stores[0])
        let request = FetchRequest<Route>(where: routes)
        #expect(
            try request.sql().text.split(separator: " FROM ", maxSplits: 1).last
                == "route AS t0 JOIN agency AS t1 ON t1.id = t0.agency WHERE t1.name = ? AND (SELECT count(*) "
                + "FROM fare_rule AS t2 JOIN fare_attribute AS t3 ON t3.id = t2.fare WHERE t2.route = t0.id "
                + "AND t3.price > ?) = ?")
        #expect(try context.fetch(request).map(\.id) == [0])
        #expect(try context.explain(request, bigTable: 1).steps.contains { $0.contains("fare_rule_route") })
        let calls = try Condition<StopTime>(format: "pickupBookingRule.phoneNumber == '030 1'", arguments: [])
        #expect(try context.fetch(FetchRequest<StopTime>(where: calls)).map(\.stopSequence) == [1])
        #expect(try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.pickupBookingRule != nil })).count == 1)
    }

    @Test func unsavedChangesTakePart() throws {
        let context = try context()
        let fares = try rows(context, "fare_attribute")
        let rules = try rows(context, "fare_rule")
        try rules[0].setValue(1, for: "fare")
        context.delete(rules[2])
        #expect(try fares.map { try $0.objects(of: "fareRules").objects } == [[], [rules[0], rules[1]], [rules[3]]])
        #expect(try rows(context, "fare_attribute", "fareRules.@count == 0") == [fares[0]])
        #expect(try rows(context, "fare_rule", "fare.price < 2").isEmpty)
        try fares[1].setValue(0.5, for: "price")
        #expect(try rows(context, "fare_rule", "fare.price < 2") == [rules[0], rules[1]])
        let route = try #require(try context.object(Route.self, id: 0))
        #expect(try route.objects(of: "fareRules").count == 2)
    }

    @Test func prefetchingByNameRunsOneStatementAStep() throws {
        let context = try context()
        var request = FetchRequest<StoredRow>(entity: "fare_attribute")
        request.relationshipNamesForPrefetching = ["fareRules.route", "agency"]
        let fares = try context.fetch(request)
        #expect(context.statistics.statements == 4)
        let lines = try fares.flatMap { try $0.objects(of: "fareRules").compactMap { try $0.object(of: "route") } }
            .map { $0.value(of: "shortName") }
        #expect(lines == ["1", "1", "2"])
        #expect(try fares[1].object(of: "agency")?.value(of: "name") == "Mondbahn")
        #expect(context.statistics.statements == 4)

        var stops = FetchRequest<Stop>()
        stops.relationshipNamesForPrefetching = ["stop_areas.area", "stopTimes"]
        let fetched = try context.fetch(stops)
        let before = context.statistics.statements
        #expect(try fetched.map { try $0.objects(of: "stopAreas").count } == [1, 2])
        #expect(fetched.map(\.stopTimes.count) == [1, 1])
        #expect(context.statistics.statements == before)
    }

    @Test func `key paths to prefetch are checked before anything is read`() throws {
        let context = try context()
        for paths: [any PartialKeyPath<Stop> & Sendable] in [
            [\.name], [\.stopTimes.count], [\.stopTimes, \.name.folded],
        ] {
            let none = FetchRequest<Stop>(where: #Predicate { $0.id < 0 }).prefetching(paths)
            let code: StoreError.Code =
                paths.count == 1 && paths[0] == \Stop.stopTimes.count ? .untranslatable : .unknownProperty
            let error = #expect(throws: StoreError.self) { try context.fetch(none) }
            #expect(error?.code == code, "\(error?.message ?? "")")
            #expect(throws: StoreError.self) { try context.fetchBatches(none) }
        }
        #expect(context.statistics.statements == 0)
    }

    @Test func relationshipsToPrefetchMayBeWords() throws {
        let store = try fixture.get().open()
        var text = RequestText(entity: "fare_attribute")
        text.sort = "price DESC"
        text.prefetch = "fareRules.route, agency"
        let request: FetchRequest<StoredRow> = try text.request(in: store)
        #expect(request.relationshipNamesForPrefetching == ["fareRules.route", "agency"])
        let context = store.makeContext()
        #expect(try context.fetch(request).map { $0["id"] } == [2, 1, 0])
        #expect(context.statistics.statements == 4)
        let file = try TemplateFile(
            text: "[a]\nentity = Trip\nprefetch = stopTimes.stop,\n  route", name: "t.ini")
        let trips: FetchRequest<Trip> = try file.request(named: "a").request(in: store)
        #expect(trips.relationshipNamesForPrefetching == ["stopTimes.stop", "route"])
        for (prefetch, message) in [
            (
                "fareRule",
                "prefetch: fare_attribute has no relationship fareRule; did you mean fareRules?\n  fareRule\n  ^~~~~~~~"
            ),
            (
                "agency.name",
                "prefetch: Agency has no relationship name; it has routes, fareAttributes, attributions\n  agency.name\n         ^~~~"
            ),
            ("agency,", "prefetch: expected a relationship's name\n  agency,\n         ^"),
        ] {
            text.prefetch = prefetch
            let error = try #require(throws: StoreError.self) {
                let _: FetchRequest<StoredRow> = try text.request(in: store)
            }
            #expect(error.message == message)
        }
    }

    @Test func unknownNamesAreRefused() throws {
        let context = try context()
        let fare = try rows(context, "fare_attribute")[0]
        #expect(
            throws: StoreError(
                .unknownProperty, "fare_attribute has no relationship price; it has agency, fareRules")
        ) { try fare.object(of: "price") }
        #expect(
            throws: StoreError(.unknownProperty, "fare_attribute has no relationship fareRule; did you mean fareRules?")
        ) { try fare.objects(of: "fareRule") }
        #expect(
            throws: StoreError(.unknownProperty, "agency of fare_attribute leads to one object; ask for object(of:)")
        ) {
            try fare.objects(of: "agency")
        }
        #expect(
            throws: StoreError(
                .unknownProperty, "fareRules of fare_attribute leads to many objects; ask for objects(of:)")
        ) { try fare.object(of: "fareRules") }
        var request = FetchRequest<StoredRow>(entity: "fare_attribute", where: .none)
        request.relationshipNamesForPrefetching = ["fareRules.zone"]
        #expect(throws: StoreError(.unknownProperty, "fare_rule has no relationship zone; it has fare, route")) {
            try context.fetch(request)
        }
        #expect(context.statistics.statements == 1)
    }

    @Test func requestsByNameAreEqualWhenTheirSQLIs() throws {
        #expect(FetchRequest<StoredRow>(entity: "fare_rule") == FetchRequest<StoredRow>(entity: "fare_rule"))
        #expect(FetchRequest<StoredRow>(entity: "fare_rule") != FetchRequest<StoredRow>(entity: "fare_attribute"))
        #expect(FetchRequest<StoredRow>(entity: "ship") != FetchRequest<StoredRow>(entity: "boat"))
        #expect("\(FetchRequest<StoredRow>(entity: "area"))" == "SELECT t0.id, t0.area_id, t0.name FROM area AS t0")
    }
}
