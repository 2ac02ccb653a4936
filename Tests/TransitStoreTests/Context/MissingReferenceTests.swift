import FoundationEssentials
import Testing

@testable import TransitStore

/// A required reference that a feed leaves empty leads to an object without a row. SQL, memory and Swift agree on it.
@Suite struct MissingReferenceTests {
    /// At least two rows for each required reference: one refers to the row with the id 0, another to nothing.
    private func store() throws -> TestStore {
        try TestStore { connection in
            try connection.insertStop(0, "Zoo", 52.5, 13.4)
            try connection.insertStop(1, "", 52.6, 13.5)
            try connection.insert("route", "id, route_id, short_name", ["0, 'r', '1'"])
            try connection.insert("service", "id, service_id", ["0, 'daily'"])
            try connection.insert(
                "trip", "id, trip_id, route, service", ["0, 'a', 0, NULL", "1, 'b', NULL, 0", "2, 'c', 0, 0"])
            try connection.insert(
                "stop_time", "trip, stop_sequence, stop",
                ["0, 0, 0", "0, 1, NULL", "0, 2, NULL", "1, 0, NULL", "1, 1, 1", "2, 0, 0"])
            try connection.insert("frequency", "id, trip", ["0, 0", "1, NULL", "2, 1"])
            try connection.insert(
                "pathway", "id, pathway_id, from_stop, to_stop", ["0, 'p', 0, NULL", "1, 'q', NULL, 0"])
            try connection.insert("service_exception", "id, service, date", ["0, 0, 20260101", "1, NULL, 20260101"])
            try connection.insert(
                "transfer", "id, from_trip, to_trip", ["0, 0, 1", "1, 1, NULL", "2, NULL, 0"])
        }
    }

    /// A section has the name that its key path reads, which is -1 without a row.
    @Test func rowsWithoutAReferenceAreASectionOfTheirOwn() throws {
        let context = try store().context()
        let routes = try FetchedResults(FetchRequest<Trip>(), sectionedBy: \.route.id, in: context)
        #expect(routes.sections.map(\.name) == [-1, 0])
        for section in routes.sections {
            #expect(section.range.allSatisfy { .integer(Int64(routes[$0].route.id)) == section.name })
        }
    }

    private func expect<Entity: StoreEntity>(
        _ predicate: Predicate<Entity>, in context: StoreContext, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Int {
        let request = FetchRequest<Entity>(where: predicate)
        let all = try context.fetch(FetchRequest<Entity>())
        let wanted = Set(try all.filter { try predicate.evaluate($0) }.map(\.objectID))
        #expect(Set(try context.fetch(request).map(\.objectID)) == wanted, "\(request)", sourceLocation: sourceLocation)
        let query = try request.predicate.query()
        let inMemory = try all.filter { object in
            var evaluator = ExpressionEvaluator(object)
            return try evaluator.holds(query)
        }
        #expect(Set(inMemory.map(\.objectID)) == wanted, "\(request)", sourceLocation: sourceLocation)
        #expect(context.lastError == nil, sourceLocation: sourceLocation)
        return wanted.count
    }

    /// Compares all kinds of conditions on an id.
    private func compareIDs<Entity: StoreEntity>(
        _ id: (Erased<Entity>) -> Erased<Int>, of type: Entity.Type, _ context: StoreContext,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for order in [Order.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual] {
            for value in [-3, -2, -1, 0, 1, 5] {
                _ = try expect(
                    Predicate<Entity> { id(Erased($0)).compared(order, .value(value)) }, in: context,
                    sourceLocation: sourceLocation)
            }
        }
        for value in [-2, -1, 0, 5] {
            _ = try expect(Predicate<Entity> { id(Erased($0)).equals(.value(value)) }, in: context)
            _ = try expect(Predicate<Entity> { id(Erased($0)).differs(.value(value)) }, in: context)
        }
        for list in [[0, 1], [-1], [-2, 5]] {
            _ = try expect(
                Predicate<Entity> {
                    Erased<Bool>(
                        PredicateExpressions.build_contains(
                            PredicateExpressions.build_Arg(list), id(Erased($0))))
                }, in: context)
        }
        let isNone = Predicate<Entity> { id(Erased($0)).equals(.value(-1)) }
        #expect(try expect(isNone, in: context) > 0, "some reference is missing", sourceLocation: sourceLocation)
    }

    @Test func theIDOfEveryRequiredReferenceIsComparedAsInSwift() throws {
        let context = try store().context()
        try compareIDs({ $0.path(\.stop).path(\.id) }, of: StopTime.self, context)
        try compareIDs({ $0.path(\.route).path(\.id) }, of: Trip.self, context)
        try compareIDs({ $0.path(\.service).path(\.id) }, of: Trip.self, context)
        try compareIDs({ $0.path(\.trip).path(\.id) }, of: Frequency.self, context)
        try compareIDs({ $0.path(\.trip).path(\.route).path(\.id) }, of: Frequency.self, context)
        try compareIDs({ $0.path(\.trip).path(\.service).path(\.id) }, of: StopTime.self, context)
        try compareIDs({ $0.path(\.fromStop).path(\.id) }, of: Pathway.self, context)
        try compareIDs({ $0.path(\.toStop).path(\.id) }, of: Pathway.self, context)
        try compareIDs({ $0.path(\.service).path(\.id) }, of: ServiceException.self, context)
        // References in keys are never missing, and every search term has a stop.
        let required = StoreModel.typed.entities.flatMap { entity in
            entity.columns.filter { $0.isRequiredReference && $0.absence != .never }.map { "\(entity.name).\($0.name)" }
        }
        #expect(
            required.sorted() == [
                "Frequency.trip", "Pathway.from_stop", "Pathway.to_stop", "ServiceException.service",
                "StopTime.stop", "Trip.route", "Trip.service",
            ])
    }

    @Test func idsComparedWithEachOtherAgreeWithSwift() throws {
        let context = try store().context()
        // The first trip has one call at stop 0 and two without a stop. Only those two match each other.
        let alike = #Predicate<StopTime> { time in
            time.trip.stopTimes.contains { $0.stop.id == time.stop.id && $0.stopSequence != time.stopSequence }
        }
        #expect(try expect(alike, in: context) == 2)
        #expect(try expect(#Predicate<Pathway> { $0.fromStop.id == $0.toStop.id }, in: context) == 0)
        #expect(try expect(#Predicate<Pathway> { $0.fromStop.id < $0.toStop.id }, in: context) == 1)
        #expect(try expect(#Predicate<Trip> { $0.route.id == $0.service.id }, in: context) == 1)
    }

    /// A required reference behind an optional one is nil only if the optional one is nil.
    @Test func idsBehindAnOptionalReferenceAreComparedAsInSwift() throws {
        let context = try store().context()
        #expect(try expect(#Predicate<Transfer> { $0.fromTrip?.route.id == nil }, in: context) == 1)
        let none = -1
        #expect(try expect(#Predicate<Transfer> { $0.fromTrip?.route.id == none }, in: context) == 1)
        #expect(try expect(#Predicate<Transfer> { ($0.fromTrip?.route.id ?? 7) < 0 }, in: context) == 1)
        #expect(try expect(#Predicate<Transfer> { $0.fromTrip?.route.shortName == "" }, in: context) == 1)
        #expect(try expect(#Predicate<Transfer> { $0.fromTrip?.route.shortName == nil }, in: context) == 1)
        #expect(try expect(#Predicate<Transfer> { ($0.fromTrip?.route.routeType ?? 9) == 9 }, in: context) == 3)
        #expect(
            try expect(#Predicate<Transfer> { $0.fromTrip?.service.id != $0.toTrip?.service.id }, in: context) == 3)
    }

    /// Dates behind an optional reference are nil if the reference or the date is missing.
    @Test func datesBehindAnOptionalReferenceAreComparedAsInSwift() throws {
        let store = try TestStore { connection in
            try connection.insert("service", "id, service_id, start_date", ["0, 'a', 20260101", "1, 'b', NULL"])
            try connection.insert("trip", "id, trip_id, service", ["0, 'a', 0", "1, 'b', 1", "2, 'c', NULL"])
            let trips = ["NULL", "0", "1", "2"]
            let rows = trips.flatMap { one in trips.map { "\(one), \($0)" } }
            try connection.insert("transfer", "id, from_trip, to_trip", rows.enumerated().map { "\($0), \($1)" })
        }
        let context = try store.context()
        let (noDate, day): (ServiceDate?, ServiceDate) = (nil, ServiceDate(20_260_101))
        for (predicate, count) in [
            (#Predicate { $0.fromTrip?.service.startDate == $0.toTrip?.service.startDate }, 10),
            (#Predicate { $0.fromTrip?.service.startDate != $0.toTrip?.service.startDate }, 6),
            (#Predicate { $0.fromTrip?.service.startDate == nil }, 12),
            (#Predicate { $0.fromTrip?.service.startDate == noDate }, 12),
            (#Predicate { if let trip = $0.fromTrip { trip.service.startDate == nil } else { false } }, 8),
            (#Predicate { ($0.fromTrip?.service.startDate ?? day) == day }, 16),
            (#Predicate { ($0.fromTrip?.service.startDate?.number ?? 7) < 8 }, 12),
            (#Predicate { $0.fromTrip?.service.startDate == $0.fromTrip?.service.endDate }, 12),
            (#Predicate { $0.fromTrip?.service.startDate <= day }, 4),
            (#Predicate { !($0.fromTrip?.service.startDate > $0.toTrip?.service.startDate) }, 16),
        ] as [(Predicate<Transfer>, Int)] {
            #expect(try expect(predicate, in: context) == count, "\(FetchRequest(where: predicate))")
        }
    }

    @Test func whatIsAskedOfNoRow() throws {
        let context = try store().context()
        let times = try context.fetch(FetchRequest<StopTime>())
        let lost = try #require(times.first { $0.objectID.description == "stop_time/0/1" }).stop
        #expect(lost.id == -1 && lost.name == "" && lost.latitude == nil && lost.parentStation == nil)
        #expect(lost.stopTimes.isEmpty && lost.childStops.count == 0 && lost.locationType == .platform)
        #expect(try expect(#Predicate<StopTime> { $0.stop.name == "" }, in: context) == 4)
        #expect(try expect(#Predicate<StopTime> { $0.stop.name.isEmpty && $0.stop.id < 0 }, in: context) == 3)
        #expect(try expect(#Predicate<StopTime> { $0.stop.stopTimes.isEmpty }, in: context) == 3)
        #expect(try expect(#Predicate<StopTime> { $0.stop.stopTimes.count == 0 }, in: context) == 3)
        #expect(try expect(#Predicate<StopTime> { ($0.stop.latitude ?? 90) < 90 }, in: context) == 3)
        #expect(try expect(#Predicate<StopTime> { $0.stop.parentStation == nil }, in: context) == 6)
    }

    /// Requests that differ only in values share a statement, except across -1, the id of a missing row.
    @Test func statementsAreNotSharedAcrossTheMissingID() throws {
        let context = try store().context()
        for value in [5, 1, 0, -1, -2, -3, -1, 0, 5] {
            _ = try expect(#Predicate<StopTime> { $0.stop.id > value }, in: context)
            _ = try expect(#Predicate<StopTime> { $0.stop.id != value }, in: context)
        }
    }

    /// References to a deleted stop count as missing.
    @Test func theIDOfADeletedRowIsThatOfNone() throws {
        let context = try store().context()
        context.delete(try #require(try context.object(Stop.self, id: 0)))
        for value in [-2, -1, 0, 1] {
            let predicate = #Predicate<StopTime> { $0.stop.id <= value }
            let all = try context.fetch(FetchRequest<StopTime>())
            let wanted = Set(try all.filter { try predicate.evaluate($0) }.map(\.objectID))
            #expect(Set(try context.fetch(FetchRequest(where: predicate)).map(\.objectID)) == wanted, "\(value)")
            #expect(wanted.count == [0, 5, 5, 6][value + 2])
        }
    }

    /// Missing ids sort first. They are NULL among plain values; in words, NIL finds them.
    @Test func missingIDsAreSortedAndAskedForInWords() throws {
        let context = try store().context()
        var request = FetchRequest<StopTime>()
        request.sortDescriptors = [.ascending(\.stop.id), .ascending(\.trip.id), .ascending(\.stopSequence)]
        #expect(try context.fetch(request).map(\.stop.id) == [-1, -1, -1, 0, 0, 1])
        for (words, count) in [("stop = NIL", 3), ("stop.id = NIL", 3), ("stop.id = -1", 3), ("stop.id != 0", 4)] {
            #expect(try context.fetchCount(FetchRequest<StopTime>(where: try Condition(format: words))) == count)
        }
    }
}
