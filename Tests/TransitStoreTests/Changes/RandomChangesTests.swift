import FoundationEssentials
import SQLite
import SearchText
import TestSupport
import Testing

@testable import TransitStore

/// Random changes over random rows: a fetch must find what a store that contains the changed rows would give.
@Suite struct RandomChangesTests {
    /// A context with changes, and a second store that contains the changed rows.
    private struct Fixture {
        let original: TestStore
        let context: StoreContext
        let twin: TestStore
    }

    private static let names: [QueryValue] = ["Zoo", "Alt-Tegel", "Ölmühle", "u bahn", "", .null, "Zoo Nord", "*"]

    private static func fixture(_ generator: inout SeededGenerator) throws -> Fixture {
        let original = try RandomPredicateTests.randomStore(&generator)
        let context = try original.context()
        let stops = try context.fetch(FetchRequest<Stop>())
        let times = try context.fetch(FetchRequest<StopTime>())
        let trips = try context.fetch(FetchRequest<Trip>())
        var (newStops, newTimes): ([Stop], [StopTime]) = ([], [])
        for number in 0..<Int.random(in: 0...3, using: &generator) {
            newStops.append(context.insert(Stop.self))
            newTimes.append(context.insert(StopTime.self))
            try newTimes[number].setValue(.integer(Int64(1_000 + number)), for: "trip")
            try newTimes[number].setValue(.integer(Int64(number)), for: "stopSequence")
        }
        // What changes: stops alone, stop times alone, both, or next to nothing.
        let (mostStops, mostTimes) = [(6, 0), (0, 10), (8, 20), (1, 1)].randomElement(using: &generator) ?? (1, 1)
        var changedStops = newStops
        for _ in 0..<mostStops { changedStops.append(stops.randomElement(using: &generator) ?? stops[0]) }
        for stop in changedStops { try change(stop, stops + newStops, &generator) }
        var changedTimes = newTimes
        for _ in 0..<mostTimes { changedTimes.append(times.randomElement(using: &generator) ?? times[0]) }
        for time in changedTimes { try change(time, stops + newStops, &generator) }
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            try change(trips.randomElement(using: &generator) ?? trips[0], &generator)
        }
        let objects: [StoreObject] = stops + times + trips + newStops + newTimes
        return Fixture(
            original: original, context: context,
            twin: try twin(objects.filter { context.changes.deleted[$0.objectID] == nil && !isGone($0, context) }))
    }

    /// Whether an object was inserted and deleted again.
    private static func isGone(_ object: StoreObject, _ context: StoreContext) -> Bool {
        object.objectID.isTemporary && context.changes.inserted[object.objectID] == nil
    }

    private static func change(_ stop: Stop, _ stops: [Stop], _ generator: inout SeededGenerator) throws {
        switch Int.random(in: 0...8, using: &generator) {
        case 0: stop.context?.delete(stop)
        case 1:
            try stop.setValue(.double(.random(in: 52...53, using: &generator)), for: "latitude")
            try stop.setValue(.double(.random(in: 13...14, using: &generator)), for: "longitude")
        case 2: try stop.setValue(.integer(.random(in: 0...5, using: &generator)), for: "locationType")
        case 3:
            let parent = Bool.random(using: &generator) ? stops.randomElement(using: &generator) : nil
            try stop.setValue(parent.map { .integer(Int64($0.id)) } ?? .null, for: "parentStation")
        case 4: try stop.setValue([.null, "Zoo", "u"].randomElement(using: &generator) ?? .null, for: "code")
        case 5: try stop.setValue(.text(RandomTexts.text(&generator) + "\(stop.id)"), for: "stopID")
        case 6: try exchangeIDs(stop, stops.randomElement(using: &generator) ?? stop)
        default: try stop.setValue(names.randomElement(using: &generator) ?? .null, for: "name")
        }
    }

    /// Each gets the id that the other one had.
    private static func exchangeIDs(_ one: Stop, _ other: Stop) throws {
        guard !one.isDeleted, !other.isDeleted, let id = one.value(of: "stopID"),
            let otherID = other.value(of: "stopID")
        else { return }
        try one.setValue(otherID, for: "stopID")
        try other.setValue(id, for: "stopID")
    }

    private static func change(_ time: StopTime, _ stops: [Stop], _ generator: inout SeededGenerator) throws {
        switch Int.random(in: 0...3, using: &generator) {
        case 0: time.context?.delete(time)
        case 1: try time.setValue(.integer(.random(in: 0...20, using: &generator) * 3_600), for: "departureTime")
        default:
            let stop = Int.random(in: 0...4, using: &generator) == 0 ? nil : stops.randomElement(using: &generator)
            try time.setValue(stop.map { .integer(Int64($0.id)) } ?? .null, for: "stop")
        }
    }

    /// New ids end with the row's number, because a store has each id once. Trips are not deleted, because the twin
    /// cannot hold stop times without a trip.
    private static func change(_ trip: Trip, _ generator: inout SeededGenerator) throws {
        switch Int.random(in: 0...4, using: &generator) {
        case 1: try trip.setValue(names.randomElement(using: &generator) ?? .null, for: "headsign")
        case 2: try trip.setValue(.integer(.random(in: 0...1, using: &generator)), for: "directionID")
        default: try trip.setValue(.text(RandomTexts.text(&generator) + "\(trip.id)"), for: "tripID")
        }
    }

    /// A store that contains the objects' current values.
    private static func twin(_ objects: [StoreObject]) throws -> TestStore {
        try TestStore { connection in
            for object in objects {
                let entity = object.objectID.entity
                let columns = entity.columns.filter { $0.name != "normalized_name" }
                var values = columns.map { object.value(of: $0.name) ?? .null }
                var names = columns.map(\.name)
                if let name = (object as? Stop)?.value(of: "name")?.text {
                    names.append("normalized_name")
                    values.append(.text(SearchText.normalize(name)))
                }
                let marks = values.map { _ in "?" }.joined(separator: ", ")
                let insert = try connection.prepare(
                    "INSERT INTO \(entity.table)(\(names.joined(separator: ", "))) VALUES (\(marks))")
                for (position, value) in values.enumerated() { insert.bind(position + 1, value.sqliteValue) }
                try insert.run()
                guard let stop = object as? Stop else { continue }
                for word in Set(SearchText.words(stop.name)) {
                    let term = try connection.prepare("INSERT INTO search_term(normalized_word, stop) VALUES (?, ?)")
                    term.bind(1, word)
                    term.bind(2, Int64(stop.id))
                    try term.run()
                }
            }
        }
    }

    private func key(_ object: StoreObject) -> String {
        object.objectID.entity.keyColumns.map { object.value(of: object.objectID.entity.columns[$0].name) ?? .null }
            .map(\.description).joined(separator: "/")
    }

    private func compare<Entity: StoreEntity>(
        _ request: FetchRequest<Entity>, _ context: StoreContext, _ twin: StoreContext, _ seed: UInt64
    ) throws {
        var plain = request
        (plain.fetchLimit, plain.fetchOffset) = (0, 0)
        for request in [plain, request] {
            let found = try context.fetch(request)
            // By ids, because an object with a negative id would count as inserted.
            let wanted = try twin.fetchIDs(request).map { $0.keyValues.map(\.description).joined(separator: "/") }
            #expect(found.map(key) == wanted, "seed \(seed): \(request)")
            #expect(try context.fetchCount(request) == wanted.count, "seed \(seed): \(request)")
            #expect(try context.fetchIDs(request) == found.map(\.objectID))
            #expect(try context.fetchBatches(request).map(key) == wanted, "seed \(seed): \(request)")
        }
    }

    @Test(arguments: SeededGenerator.seeds(5))
    func fetchesFindWhatTheChangedRowsGive(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let fixture = try Self.fixture(&generator)
        let twin = try fixture.twin.context()
        var conditions = RandomConditions(generator: generator)
        for round in 0..<24 {
            var stops = FetchRequest<Stop>(where: Condition(conditions.stop(.root, depth: 3)))
            if round % 8 == 0 { stops = FetchRequest(kind: .station, where: stops.predicate) }
            stops.sortDescriptors =
                [
                    [.ascending(\.name, .folded), .descending(\.id)],
                    [.ascending(\.parentStation?.name), .ascending(\.id)],
                    [.descending(\.latitude), .ascending(\.id)],
                    [.descending(\.parentStation?.stopID, nulls: .first), .ascending(\.stopID), .ascending(\.id)],
                ][round % 4]
            (stops.fetchLimit, stops.fetchOffset) = (round % 7 + 1, round % 4)
            try compare(stops, fixture.context, twin, seed)
            var times = FetchRequest<StopTime>(where: Condition(conditions.stopTime(.root, depth: 3)))
            times.sortDescriptors =
                [
                    [.ascending(\.departureTime, nulls: .last)], [.descending(\.stop.name)], [.ascending(\.stop.id)],
                    [.descending(\.trip.tripID)], [.ascending(\.stop.stopID)],
                ][round % 5]
            times.sortDescriptors += [.ascending(\.trip.id), .ascending(\.stopSequence)]
            (times.fetchLimit, times.fetchOffset) = (round % 5, round % 6)
            try compare(times, fixture.context, twin, seed)
            var trips = FetchRequest<Trip>(where: Condition(conditions.trip(.root, depth: 2)))
            trips.sortDescriptors =
                [[.descending(\.tripID)], [.ascending(\.stopTimes.count), .ascending(\.id)]][round % 2]
            (trips.fetchLimit, trips.fetchOffset) = (round % 6, round % 3)
            try compare(trips, fixture.context, twin, seed)
        }
        // Stop times may be of trips that are in no store.
        #expect(fixture.context.hasMetMissingRowsOnly)
    }

    /// A few calls move to other stops or are deleted. Conditions over calls follow, both at stops that lost a call and
    /// at those that got one.
    @Test(arguments: SeededGenerator.seeds(8)) func conditionsOverCallsFollowMovedCalls(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed &+ 400)
        let context = try RandomPredicateTests.randomStore(&generator).context()
        let stops = try context.fetch(FetchRequest<Stop>())
        let trips = try context.fetch(FetchRequest<Trip>())
        let times = try context.fetch(FetchRequest<StopTime>())
        for time in times.shuffled(using: &generator).prefix(Int(seed) % 3 + 1) {
            try Self.change(time, stops, &generator)
        }
        let objects: [StoreObject] = stops + trips + times
        let store = try Self.twin(objects.filter { context.changes.deleted[$0.objectID] == nil })
        let twin = try store.context()
        var conditions = RandomConditions(generator: generator)
        for _ in 0..<40 {
            let ofStop = Condition<Stop>(conditions.ofCalls(depth: 2))
            try compare(FetchRequest(where: ofStop, sortedBy: .ascending(\.id)), context, twin, seed)
            let ofTrip = Condition<Trip>(conditions.ofCalls(depth: 2))
            try compare(FetchRequest(where: ofTrip, sortedBy: .ascending(\.id)), context, twin, seed)
        }
    }

    /// Groups, aggregates and distinct rows are those of the changed rows, also in the background.
    @Test(arguments: SeededGenerator.seeds(12))
    func tablesAreThoseOfTheChangedRows(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed &+ 200)
        let fixture = try Self.fixture(&generator)
        let (context, twin) = (fixture.context, try fixture.twin.context())
        var conditions = RandomConditions(generator: generator)
        for _ in 0..<40 {
            var request = SeveralStoresTableTests.request(&conditions.generator)
            if Bool.random(using: &conditions.generator) {
                request.predicate = Condition(conditions.stopTime(.root, depth: 2))
            }
            let wanted = try twin.fetchRows(request).map(\.dictionary)
            #expect(try context.fetchRows(request).map(\.dictionary) == wanted, "seed \(seed): \(request)")
            #expect(try context.fetchCount(request) == twin.fetchCount(request), "seed \(seed): \(request)")
            let found = try await context.fetchRowsInBackground(request).map(\.dictionary)
            #expect(found == wanted, "seed \(seed): \(request)")
        }
    }

    /// Ids of the feed name rows: those that have them now, and not those that had them before.
    @Test(arguments: SeededGenerator.seeds(5)) func idsNameTheRowsThatHaveThemNow(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed &+ 100)
        let fixture = try Self.fixture(&generator)
        let (context, twin) = (fixture.context, try fixture.twin.context())
        let now =
            try context.fetch(FetchRequest<Stop>()).map(\.stopID) + context.fetch(FetchRequest<Trip>()).map(\.tripID)
        let ids = (0..<40).flatMap { ["s\($0)", "t\($0)"] } + now + now
        var conditions = RandomConditions(generator: generator)
        for _ in 0..<12 {
            let ofStop = conditions.stop(.root, depth: 1)
            let stop = Self.naming(["stopID"], ["parentStation", "stopID"], among: ids, ofStop, &conditions.generator)
            try compare(FetchRequest<Stop>(where: Condition(stop), sortedBy: .ascending(\.id)), context, twin, seed)
            let ofTime = conditions.stopTime(.root, depth: 1)
            let time = Self.naming(
                ["stop", "stopID"], ["trip", "tripID"], ["stop", "parentStation", "stopID"], among: ids, ofTime,
                &conditions.generator)
            var times = FetchRequest<StopTime>(where: Condition(time))
            times.sortDescriptors = [.ascending(\.trip.id), .ascending(\.stopSequence)]
            try compare(times, context, twin, seed)
            let ofTrip = conditions.trip(.root, depth: 1)
            let trip = Self.naming(["tripID"], among: ids, ofTrip, &conditions.generator)
            try compare(FetchRequest<Trip>(where: Condition(trip), sortedBy: .ascending(\.id)), context, twin, seed)
        }
    }

    /// A condition that some of the ids are at the end of a path, half of the time together with another condition.
    private static func naming(
        _ paths: PropertyPath..., among ids: [String], _ other: QueryExpression, _ generator: inout SeededGenerator
    ) -> QueryExpression {
        let named = (0...2).map { _ in QueryValue.text(ids.randomElement(using: &generator) ?? "") }
        let property = QueryExpression.property(.root, paths.randomElement(using: &generator) ?? [])
        let isOne = Bool.random(using: &generator)
        let naming: QueryExpression =
            isOne ? .comparison(.equal, property, .value(named[0])) : .membership(property, named)
        return Bool.random(using: &generator) ? naming : .all([naming, other])
    }

    /// After each change, the facts kept about the changes equal those that another context with these changes collects
    /// anew.
    @Test(arguments: SeededGenerator.seeds(4)) func whatIsKnownFollowsEachChange(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let context = try RandomPredicateTests.randomStore(&generator).context()
        let stops = try context.fetch(FetchRequest<Stop>())
        var times = try context.fetch(FetchRequest<StopTime>())
        let trips = try context.fetch(FetchRequest<Trip>())
        let added = (0..<2).map { _ in context.insert(Stop.self) }
        for _ in 0..<120 {
            if Int.random(in: 0...4, using: &generator) == 0 {
                times.removeAll { Self.isGone($0, context) }
                // Half of the changes are of objects that were inserted meanwhile.
                times += Array(repeating: context.insert(StopTime.self), count: times.count / 8)
            } else if Int.random(in: 0...2, using: &generator) == 0 {
                try Self.change(stops.randomElement(using: &generator) ?? stops[0], stops + added, &generator)
            } else {
                let time = times.randomElement(using: &generator) ?? times[0]
                if !Self.isGone(time, context) { try Self.change(time, stops + added, &generator) }
            }
            if Int.random(in: 0...9, using: &generator) == 0 {
                try context.delete(#require(trips.randomElement(using: &generator)))
            } else if Bool.random(using: &generator) {
                try Self.change(trips.randomElement(using: &generator) ?? trips[0], &generator)
            }
            try expectSameFacts(in: context, seed)
        }
    }

    private func expectSameFacts(in context: StoreContext, _ seed: UInt64) throws {
        let anew = PendingChanges()
        anew.belong(to: context)
        anew.take(context.changes.snapshot)
        for column in ["stop", "trip", "departure_time", "filled_times"] {
            try expectSame(context.changes, anew, StopTime.entity, column, seed)
        }
        for column in ["parent_station", "location_type", "name", "stop_id"] {
            try expectSame(context.changes, anew, Stop.entity, column, seed)
        }
        for column in ["trip_id", "headsign"] { try expectSame(context.changes, anew, Trip.entity, column, seed) }
        // A table may stay without its last inserted object, which was deleted.
        #expect(Set(anew.tables.keys).isSubset(of: context.changes.tables.keys))
        for (table, reached) in anew.tables {
            let known = try #require(context.changes.tables[table])
            #expect(known.keys == reached.keys && known.deleted == reached.deleted, "seed \(seed): \(table.text)")
            #expect(known.unknown == reached.unknown)
            for (column, rows) in reached.references {
                #expect(rows.isSubset(of: known.references[column] ?? []), "seed \(seed): \(table.text).\(column)")
            }
        }
    }

    private func expectSame(
        _ one: PendingChanges, _ other: PendingChanges, _ entity: EntityDescription, _ column: String, _ seed: UInt64
    ) throws {
        let index = try #require(entity.columnIndex(column))
        let (known, anew) = (one.changedValues(of: entity, index), other.changedValues(of: entity, index))
        let text = "seed \(seed): \(entity.table).\(column)"
        #expect(known.now.mapValues(Set.init) == anew.now.mapValues(Set.init), "\(text)")
        #expect(Set(known.emptyNow) == Set(anew.emptyNow) && known.before == anew.before, "\(text)")
        #expect(known.emptyBefore == anew.emptyBefore && known.unknown == anew.unknown, "\(text)")
        // Texts that no object has any more may stay with an empty set.
        let (named, namedAnew) = (known.named.filter { !$0.value.isEmpty }, anew.named.filter { !$0.value.isEmpty })
        #expect(named == namedAnew, "\(text)")
    }

    /// The same with more changes than a statement has parameters for.
    @Test func fetchesAgreeWithMoreChangesThanAStatementHasParametersFor() throws {
        var generator = SeededGenerator(seed: 77)
        let fixture = try Self.fixture(&generator)
        let context = fixture.context
        let lonely = (0...Membership.mostSlots).map { _ in context.insert(Level.self) }
        for level in lonely { try level.setValue(.integer(Int64(level.id)), for: "levelIndex") }
        let twin = try fixture.twin.context()
        var conditions = RandomConditions(generator: generator)
        for _ in 0..<6 {
            var request = FetchRequest<Stop>(where: Condition(conditions.stop(.root, depth: 2)))
            request.sortDescriptors = [.ascending(\.id)]
            try compare(request, context, twin, 77)
        }
    }
}
