import FoundationEssentials
import TestSupport
import Testing

@testable import TransitStore

/// Unsaved changes empty references, fill them, and delete the rows they lead to. Fetches find what Swift finds.
@Suite struct MissingReferenceChangesTests {
    /// A reference whose id the conditions ask for.
    struct Asked: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expect: @Sendable (StoreContext) async throws -> Void

        init<Entity: StoreEntity>(_ name: String, _ id: @escaping @Sendable (Erased<Entity>) -> Erased<Int>) {
            testDescription = name
            expect = { context in
                for (shape, condition) in MissingReferenceChangesTests.shapes {
                    try await MissingReferenceChangesTests.expect(
                        Predicate<Entity> { condition(id(Erased($0))) }, in: context, "\(name), \(shape)")
                }
            }
        }
    }

    /// The conditions on an id.
    private static let shapes: [(String, @Sendable (Erased<Int>) -> Erased<Bool>)] = [
        ("== -1", { $0.equals(.value(-1)) }),
        ("-1 ==", { Erased<Int>.value(-1).equals($0) }),
        ("!= -1", { $0.differs(.value(-1)) }),
        ("-1 !=", { Erased<Int>.value(-1).differs($0) }),
        ("! == -1", { $0.equals(.value(-1)).not }), ("== -2", { $0.equals(.value(-2)) }),
        ("< 0", { $0.compared(.lessThan, .value(0)) }), ("<= -1", { $0.compared(.lessThanOrEqual, .value(-1)) }),
        ("> -1", { $0.compared(.greaterThan, .value(-1)) }),
        ("0 >", { Erased<Int>.value(0).compared(.greaterThan, $0) }),
        ("== 0", { $0.equals(.value(0)) }), ("!= 1", { $0.differs(.value(1)) }),
        ("[-1]", { contains([-1], $0) }), ("[2, -1]", { contains([2, -1], $0) }),
        ("[0, 1, 2]", { contains([0, 1, 2], $0) }), ("![0, -1]", { contains([0, -1], $0).not }),
        ("== -1 && < 5", { $0.equals(.value(-1)).and($0.compared(.lessThan, .value(5))) }),
        ("== -1 || == 2", { $0.equals(.value(-1)).or($0.equals(.value(2))) }),
        ("== -1 && == 0", { $0.equals(.value(-1)).and($0.equals(.value(0))) }),
        ("[0, -1] && [-1, 1]", { contains([0, -1], $0).and(contains([-1, 1], $0)) }),
        ("? :", { $0.equals(.value(-1)).choose($0, .value(3)).compared(.lessThan, .value(1)) }),
    ]

    private static func contains(_ list: [Int], _ id: Erased<Int>) -> Erased<Bool> {
        Erased<Bool>(PredicateExpressions.build_contains(PredicateExpressions.build_Arg(list), id))
    }

    static let asked = [
        Asked("StopTime.stop") { (row: Erased<StopTime>) in row.path(\.stop).path(\.id) },
        Asked("StopTime.trip") { (row: Erased<StopTime>) in row.path(\.trip).path(\.id) },
        Asked("StopTime.trip.route") { (row: Erased<StopTime>) in row.path(\.trip).path(\.route).path(\.id) },
        Asked("Trip.route") { (row: Erased<Trip>) in row.path(\.route).path(\.id) },
        Asked("Trip.service") { (row: Erased<Trip>) in row.path(\.service).path(\.id) },
        Asked("Frequency.trip") { (row: Erased<Frequency>) in row.path(\.trip).path(\.id) },
        Asked("Frequency.trip.service") { (row: Erased<Frequency>) in row.path(\.trip).path(\.service).path(\.id) },
        Asked("Pathway.fromStop") { (row: Erased<Pathway>) in row.path(\.fromStop).path(\.id) },
        Asked("Pathway.toStop") { (row: Erased<Pathway>) in row.path(\.toStop).path(\.id) },
        Asked("Stop.parentStation") { (row: Erased<Stop>) in
            row.path(\.parentStation).then { $0.path(\.id) }.otherwise(.value(-1))
        },
    ]

    /// A few rows of each table; about one reference in four is empty.
    private static func store(_ generator: inout SeededGenerator) throws -> TestStore {
        func any(_ count: Int) -> String {
            Int.random(in: 0..<4, using: &generator) == 0 ? "NULL" : "\(Int.random(in: 0..<count, using: &generator))"
        }
        return try TestStore { connection in
            for id in 0..<6 { try connection.insertStop(id, "Stop \(id)", 52.5, 13.4, parent: id % 3 == 0 ? nil : 0) }
            try connection.insert("route", "id, route_id, short_name", (0..<4).map { "\($0), 'r\($0)', '\($0)'" })
            try connection.insert("service", "id, service_id", (0..<4).map { "\($0), 's\($0)'" })
            try connection.insert(
                "trip", "id, trip_id, route, service", (0..<12).map { "\($0), 't\($0)', \(any(4)), \(any(4))" })
            try connection.insert(
                "stop_time", "trip, stop_sequence, stop", (0..<36).map { "\($0 / 3), \($0 % 3), \(any(6))" })
            try connection.insert("frequency", "id, trip", (0..<8).map { "\($0), \(any(12))" })
            try connection.insert(
                "pathway", "id, pathway_id, from_stop, to_stop",
                (0..<8).map { "\($0), 'p\($0)', \(any(6)), \(any(6))" })
        }
    }

    /// Inserts and deletes rows, and empties and fills references, at random.
    private static func change(_ context: StoreContext, _ generator: inout SeededGenerator) throws -> [StoreObject] {
        var rows: [StoreObject] = try context.fetch(FetchRequest<StopTime>()) + context.fetch(FetchRequest<Trip>())
        rows += try context.fetch(FetchRequest<Frequency>()) + context.fetch(FetchRequest<Pathway>())
        rows += try context.fetch(FetchRequest<Stop>()) + context.fetch(FetchRequest<Route>())
        rows += try context.fetch(FetchRequest<Service>())
        for _ in 0..<Int.random(in: 0...1, using: &generator) {
            rows += [
                context.insert(StopTime.self), context.insert(Trip.self), context.insert(Frequency.self),
                context.insert(Pathway.self), context.insert(Stop.self), context.insert(Route.self),
            ]
        }
        let count = [2, 8, 30].randomElement(using: &generator) ?? 1
        for row in rows.shuffled(using: &generator).prefix(count) { try change(row, rows, &generator) }
        for row in rows.suffix(6) where row.isInserted && Bool.random(using: &generator) { context.delete(row) }
        return rows
    }

    private static func change(_ row: StoreObject, _ rows: [StoreObject], _ generator: inout SeededGenerator) throws {
        let references = row.objectID.entity.columns.filter { column in
            column.target != nil && column.absence != .never
                && rows.contains { $0.objectID.entity.table == column.target }
        }
        guard let reference = references.randomElement(using: &generator), Int.random(in: 0..<4, using: &generator) > 0
        else { return row.context?.delete(row) ?? () }
        let targets = rows.filter { $0.objectID.entity.table == reference.target && !$0.isDeleted }
        let isEmptied = Bool.random(using: &generator)
        try row.setValue(isEmptied ? nil : targets.randomElement(using: &generator), for: reference.property)
    }

    private static func expect<Entity: StoreEntity>(
        _ predicate: Predicate<Entity>, in context: StoreContext, _ what: Comment
    ) async throws {
        let all = try context.fetch(FetchRequest<Entity>())
        let wanted = Set(try all.filter { try predicate.evaluate($0) }.map(\.objectID))
        var request = FetchRequest<Entity>(where: predicate)
        let found = try context.fetch(request).map(\.objectID)
        #expect(Set(found) == wanted && found.count == wanted.count, what)
        #expect(try context.fetchCount(request) == wanted.count, what)
        #expect(Set(try context.fetchIDs(request)) == wanted, what)
        #expect(try context.fetchRows(request).count == wanted.count, what)
        #expect(Set(try context.fetchBatches(request).map(\.objectID)) == wanted, what)
        #expect(Set(try await context.fetchInBackground(request).map(\.objectID)) == wanted, what)
        #expect(try await context.fetchCountInBackground(request) == wanted.count, what)
        (request.fetchLimit, request.fetchOffset) = (3, 1)
        let page = try context.fetch(request).map(\.objectID)
        #expect(page.count == min(3, max(wanted.count - 1, 0)) && wanted.isSuperset(of: page), what)
        #expect(try context.fetchCount(request) == page.count, what)
    }

    @Test(arguments: asked, SeededGenerator.seeds(6))
    func fetchesFindWhatSwiftFinds(asked: Asked, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let context = try Self.store(&generator).context()
        let held = try Self.change(context, &generator)
        try await asked.expect(context)
        #expect(context.lastError == nil)
        withExtendedLifetime(held) {}
    }

    /// Groups calls by their stops. Calls without a stop form one group.
    @Test(arguments: SeededGenerator.seeds(12))
    func groupsHaveTheRowsThatSwiftFinds(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let context = try Self.store(&generator).context()
        let held = try Self.change(context, &generator)
        let some = [2, -1]
        let predicates: [Predicate<StopTime>] = [
            #Predicate { $0.stop.id == -1 }, #Predicate { some.contains($0.stop.id) }, #Predicate { $0.stop.id < 3 },
        ]
        for predicate in predicates {
            let calls = try context.fetch(FetchRequest<StopTime>()).filter { try predicate.evaluate($0) }
            let wanted = Dictionary(grouping: calls, by: \.stop.id).mapValues(\.count)
            var request = FetchRequest<StopTime>(where: predicate)
            request.propertiesToFetch = [.attribute(\.stop), .count(as: "calls")]
            request.propertiesToGroupBy = [.attribute(\.stop)]
            let rows = try context.fetchRows(request).map { (Int($0[0].integer ?? -1), Int($0[1].integer ?? 0)) }
            #expect(Dictionary(rows) { $0 + $1 + 1_000 } == wanted)
            #expect(try context.fetchCount(request) == wanted.count)
        }
        withExtendedLifetime(held) {}
    }

    /// Setting a reference to the object that stands for a missing row empties the reference.
    @Test func aMissingObjectEmptiesAReference() throws {
        var generator = SeededGenerator(seed: 3)
        let context = try Self.store(&generator).context()
        let calls = try context.fetch(FetchRequest<StopTime>())
        let lost = try #require(calls.first { $0.stop.id == -1 }).stop
        let call = try #require(calls.first { $0.stop.id > 0 })
        let stop = call.stop
        try call.set(\.stop, to: lost)
        try stop.set(\.parentStation, to: lost)
        #expect(call.value(of: "stop") == .null && call.stop.id == -1 && stop.parentStation == nil)
        #expect(try context.fetch(FetchRequest<StopTime>(where: try Condition(format: "stop = NIL"))).contains(call))
        #expect(try context.fetch(FetchRequest<StopTime>(where: #Predicate { $0.stop.id == -1 })).contains(call))
        #expect(try context.fetch(FetchRequest<Stop>(where: #Predicate { $0.parentStation == nil })).contains(stop))
        #expect(lost.stopTimes.isEmpty && lost.childStops.isEmpty)
        try call.setValue(stop, for: "stop")
        try call.setValue(lost.objectID, for: "stop")
        #expect(call.value(of: "stop") == .null)
        try call.setValue(-1, for: "stop")
        #expect(call.value(of: "stop") == .null)
        let error = #expect(throws: StoreError.self) { try call.setValue(-1, for: "trip") }
        #expect(error?.message == "StopTime.trip takes a row of trip, or its id, not the number -1")
    }
}
