import FoundationEssentials
import Testing
import TransitStore

/// Every node of #Predicate that has a translation: the SQL, the rows, and the same rows in memory.
@Suite struct PredicateNodeTests {
    let fixture = Result { try TestStore.berlin() }
    let eight = ServiceTime(hours: 8)
    let halfPastEight = ServiceTime(hours: 8, minutes: 30)
    let zoo = "Zoo"
    let empty = ""
    let one = 1

    private func context() throws -> StoreContext { try fixture.get().context() }

    @Test func comparisonsBecomeSQL() throws {
        let context = try context()
        let (eight, one) = (eight, one)
        try expect(
            #Predicate<StopTime> { $0.departureTime < eight }, becomes: "t0.departure_time < 28800",
            finds: ["stop_time/0/1", "stop_time/3/1"], in: context)
        try expect(
            #Predicate<StopTime> { eight <= $0.departureTime && $0.stopSequence > one },
            becomes: "t0.departure_time >= 28800 AND t0.stop_sequence > 1",
            finds: [
                "stop_time/0/2", "stop_time/0/3", "stop_time/1/2", "stop_time/1/3", "stop_time/2/2", "stop_time/3/9",
                "stop_time/5/2",
            ], in: context)
        try expect(
            #Predicate<Route> { $0.routeType != 1 }, becomes: "t0.route_type IS NOT 1",
            finds: ["route/1", "route/2"], in: context)
    }

    @Test func missingTextsAreEmpty() throws {
        let context = try context()
        let (zoo, empty) = (zoo, empty)
        try expect(#Predicate<Stop> { $0.name == zoo }, becomes: "t0.name = 'Zoo'", finds: ["stop/7"], in: context)
        try expect(
            #Predicate<Stop> { $0.name == empty }, becomes: "COALESCE(t0.name, '') = ''", finds: ["stop/5"], in: context
        )
        try expect(
            #Predicate<Route> { $0.longName != empty }, becomes: "COALESCE(t0.long_name, '') <> ''", finds: ["route/1"],
            in: context)
        try expect(
            #Predicate<Route> { $0.longName.isEmpty }, becomes: "COALESCE(t0.long_name, '') = ''",
            finds: ["route/0", "route/2"], in: context)
        try expect(
            #Predicate<Stop> { $0.name < "H" && $0.id > 3 }, becomes: "COALESCE(t0.name, '') < 'H' AND t0.id > 3",
            finds: ["stop/5"], in: context)
    }

    @Test func missingNumbersAreZero() throws {
        let context = try context()
        try expect(
            #Predicate<Stop> { $0.locationType == 0 }, becomes: "COALESCE(t0.location_type, 0) = 0",
            finds: ["stop/0", "stop/2", "stop/3", "stop/4", "stop/6", "stop/7"], in: context)
        try expect(
            #Predicate<Stop> { $0.locationType == 1 }, becomes: "t0.location_type = 1", finds: ["stop/1"], in: context)
    }

    @Test func noOrderHoldsForAMissingTimeOrPlace() throws {
        let context = try context()
        let eight = eight
        try expect(
            #Predicate<StopTime> { !($0.departureTime >= eight) }, becomes: "(t0.departure_time >= 28800) IS NOT TRUE",
            finds: ["stop_time/0/1", "stop_time/3/1", "stop_time/3/5"], in: context)
        try expect(
            #Predicate<StopTime> { $0.departureTime == nil }, becomes: "t0.departure_time IS NULL",
            finds: ["stop_time/3/5"], in: context)
        try expect(
            #Predicate<Stop> { !(($0.latitude ?? 90) < 52.55) },
            becomes: "(t0.latitude IS NOT NULL AND t0.latitude < 52.55) IS NOT TRUE",
            finds: ["stop/5", "stop/6"], in: context)
        try expect(
            #Predicate<Stop> { $0.latitude == nil }, becomes: "t0.latitude IS NULL", finds: ["stop/5"], in: context)
    }

    @Test func comparisonsWithNilBecomeSQL() throws {
        let context = try context()
        try expect(
            #Predicate<Stop> { $0.platformCode == nil && $0.parentStation != nil },
            becomes: "t0.platform_code IS NULL AND t0.parent_station IS NOT NULL", finds: ["stop/5"], in: context)
        try expect(
            #Predicate<Trip> { $0.directionID == 1 }, becomes: "t0.direction_id = 1", finds: ["trip/1", "trip/5"],
            in: context)
        try expect(
            #Predicate<Trip> { $0.directionID != 1 }, becomes: "t0.direction_id IS NOT 1",
            finds: ["trip/0", "trip/2", "trip/3", "trip/4"], in: context)
        try expect(
            #Predicate<Trip> { ($0.headsign ?? "nowhere") == "nowhere" },
            becomes: "COALESCE(t0.headsign, 'nowhere') = 'nowhere'", finds: ["trip/4"], in: context)
    }

    /// References to tables without a class are objects as well.
    @Test func referencesToTablesWithoutAClassBecomeSQL() throws {
        let context = try context()
        try expect(
            #Predicate<StopTime> { $0.locationGroup != nil || $0.pickupBookingRule != nil },
            becomes: "t0.location_group IS NOT NULL OR t0.pickup_booking_rule IS NOT NULL", finds: [], in: context)
    }

    @Test func optionalChainsBecomeSQL() throws {
        let context = try context()
        try expect(
            #Predicate<Stop> { $0.parentStation?.name == "U Kottbusser Tor (Berlin)" },
            becomes: "t1.name = 'U Kottbusser Tor (Berlin)'", finds: ["stop/2", "stop/5"], in: context)
        try expect(
            #Predicate<Stop> { $0.parentStation?.id == 1 }, becomes: "t0.parent_station = 1",
            finds: ["stop/2", "stop/5"], in: context)
        try expect(
            #Predicate<Stop> { ($0.parentStation?.locationType ?? 9) == 9 },
            becomes: "COALESCE(CASE WHEN t0.parent_station IS NOT NULL THEN COALESCE(t1.location_type, 0) END, 9) = 9",
            finds: ["stop/0", "stop/1", "stop/3", "stop/4", "stop/6", "stop/7"], in: context)
    }

    @Test func logicBecomesSQL() throws {
        let context = try context()
        try expect(
            #Predicate<Stop> { $0.id == 1 || ($0.id > 5 && !($0.id == 6)) },
            becomes: "t0.id = 1 OR (t0.id > 5 AND NOT (t0.id = 6))", finds: ["stop/1", "stop/7"], in: context)
        let byID: Predicate<Stop> = #Predicate { $0.id > 2 }
        let byName: Predicate<Stop> = #Predicate { $0.name == "Zoo" }
        let request = FetchRequest<Stop>(where: byID && !byName || #Predicate { $0.id == 0 })
        #expect(request.description.hasSuffix("WHERE t0.id = 0 OR (t0.id > 2 AND (t0.name = 'Zoo') IS NOT TRUE)"))
        #expect(try context.fetch(request).map(\.id) == [0, 3, 4, 5, 6])
    }

    @Test func rangesBecomeSQL() throws {
        let context = try context()
        let (eight, halfPastEight) = (eight, halfPastEight)
        try expect(
            #Predicate<StopTime> { (eight...halfPastEight).contains($0.departureTime) },
            becomes: "t0.departure_time >= 28800 AND t0.departure_time <= 30600",
            finds: ["stop_time/0/2", "stop_time/0/3", "stop_time/1/1", "stop_time/1/2", "stop_time/3/9"], in: context)
        let captured = 2..<4
        try expect(
            #Predicate<Stop> { captured.contains($0.id) }, becomes: "t0.id >= 2 AND t0.id < 4",
            finds: ["stop/2", "stop/3"], in: context)
    }

    @Test func capturedListsAndSetsBecomeSQL() throws {
        let context = try context()
        let names = ["Zoo", "Ölmühle"]
        let types: Set<LocationType> = [.station, .genericNode]
        try expect(
            #Predicate<Stop> { names.contains($0.name) }, becomes: "t0.name IN ('Zoo', 'Ölmühle')",
            finds: ["stop/6", "stop/7"], in: context)
        try expect(
            #Predicate<Stop> { types.contains($0.locationType) }, becomes: "t0.location_type IN (1, 3)",
            finds: ["stop/1", "stop/5"], in: context)
        let withNothing: [String] = ["", "Zoo"]
        try expect(
            #Predicate<Stop> { withNothing.contains($0.name) }, becomes: "COALESCE(t0.name, '') IN ('', 'Zoo')",
            finds: ["stop/5", "stop/7"], in: context)
        let none: [Int] = []
        try expect(#Predicate<Stop> { none.contains($0.id) }, becomes: "t0.id IN ()", finds: [], in: context)
    }

    @Test func arithmeticAndTernariesBecomeSQL() throws {
        let context = try context()
        try expect(
            #Predicate<StopTime> { ($0.stopSequence * 2 + 1) % 5 == 0 },
            becomes: "(((t0.stop_sequence * 2) + 1) % 5) = 0",
            finds: ["stop_time/0/2", "stop_time/1/2", "stop_time/2/2", "stop_time/5/2"], in: context)
        try expect(
            #Predicate<Stop> { ($0.locationType == 1 ? $0.id + 10 : -$0.id) > 0 },
            becomes: "CASE WHEN t0.location_type = 1 THEN (t0.id + 10) ELSE (-t0.id) END > 0", finds: ["stop/1"],
            in: context)
        try expect(
            #Predicate<Stop> { $0.latitude.flatMap { $0 / 2 > 26.29 } ?? false },
            becomes: "(t0.latitude / 2.0) > 26.29", finds: ["stop/6"],
            in: context)
    }

    @Test func comparisonsOfTextsBecomeSQL() throws {
        let context = try context()
        try expect(
            #Predicate<Stop> { $0.name.starts(with: "U G") }, becomes: "t0.name >= 'U G' AND t0.name < 'U H'",
            finds: ["stop/0"], in: context)
        try expect(
            #Predicate<Stop> { $0.name.contains("Tor") }, becomes: "instr(COALESCE(t0.name, ''), 'Tor') > 0",
            finds: ["stop/1", "stop/2"], in: context)
        try expect(
            #Predicate<Stop> { $0.name.folded.starts(with: "U GÖRLI".folded) },
            becomes: "t0.normalized_name >= 'u gorli' AND t0.normalized_name < 'u gorlj'", finds: ["stop/0"],
            in: context)
        try expect(
            #Predicate<Stop> { $0.name.folded.contains("MÜHLE".folded) },
            becomes: "instr(COALESCE(t0.normalized_name, ''), 'muhle') > 0", finds: ["stop/6"], in: context)
        try expect(
            #Predicate<Agency> { $0.name.folded == "BERLINER VERKEHRSBETRIEBE".folded },
            becomes: "fold(t0.name) = 'berliner verkehrsbetriebe'", finds: ["agency/0"], in: context)
    }

    @Test func toOnePathsBecomeJoins() throws {
        let context = try context()
        try expect(
            #Predicate<StopTime> { $0.stop.name == "Zoo" }, becomes: "t1.name = 'Zoo'",
            finds: ["stop_time/3/9", "stop_time/5/1"], in: context)
        try expect(
            #Predicate<StopTime> { $0.trip.route.shortName == "U1" && $0.trip.service.saturday },
            becomes: "t2.short_name = 'U1' AND t3.saturday = 1", finds: ["stop_time/2/1", "stop_time/2/2"],
            in: context)
    }

    @Test func comparisonsOfEnumerationsBecomeSQL() throws {
        let context = try context()
        let station = LocationType.station
        try expect(
            #Predicate<Stop> { $0.locationType.isStation }, becomes: "t0.location_type = 1", finds: ["stop/1"],
            in: context)
        try expect(
            #Predicate<Stop> { !$0.locationType.isPlatform && $0.locationType != station },
            becomes: "NOT (COALESCE(t0.location_type, 0) = 0) AND t0.location_type IS NOT 1", finds: ["stop/5"],
            in: context)
        try expect(
            #Predicate<Stop> { $0.locationType.rawValue > 2 }, becomes: "t0.location_type > 2", finds: ["stop/5"],
            in: context)
        try expect(
            #Predicate<Stop> { $0.parentStation?.locationType == station },
            becomes: "t1.location_type = 1", finds: ["stop/2", "stop/5"], in: context)
    }
}
