import FoundationEssentials
import TestSupport
import Testing

@testable import TransitStore

/// Ids and objects in conditions in words mean rows of their own store, as they do in a `#Predicate`.
///
/// Random conditions are compared with the obvious way: fetch all stops, compare their ids in Swift.
@Suite struct FormatIDTests {
    private let berlin = Result { try TestStore.berlin() }
    /// Rows with the same numbers as in Berlin.
    private let mirror = Result {
        try TestStore { connection in
            for id in 0..<6 {
                try connection.insertStop(id, "Hafen \(id)", 54.1, 12.1, type: id % 2, parent: id > 2 ? id - 3 : nil)
            }
            let calls = (0..<6).map { "\($0 % 3), \($0), \($0), 28800" }
            try connection.insert("stop_time", "trip, stop_sequence, stop, departure_time", calls)
            try connection.insert(
                "trip", "id, route, service, trip_id", ["0, 0, 0, 'a'", "1, 0, 0, 'b'", "2, 0, 0, 'c'"])
        }
    }

    /// A condition in words, its arguments, and what it means.
    private struct Case {
        var format: String
        var arguments: [Any?]
        var holds: (Stop) -> Bool
    }

    private final class Cases {
        private let context: StoreContext
        private let stops: [ObjectID]
        private let trips: [ObjectID]
        private(set) var generator: SeededGenerator

        init(_ context: StoreContext, stops: [ObjectID], trips: [ObjectID], _ generator: SeededGenerator) {
            (self.context, self.stops, self.trips, self.generator) = (context, stops, trips, generator)
        }

        private func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &generator) }
        private func stop() -> ObjectID { stops[roll(stops.count)] }
        /// The id, or the object if the context has its row.
        private func argument(_ id: ObjectID) -> Any? {
            roll(2) == 0 ? id : (try? context.existingObject(with: id)) ?? id
        }

        private func isSame(_ object: StoreObject?, _ id: ObjectID) -> Bool {
            object.map { context.named($0.objectID) == context.named(id) } ?? false
        }

        func next(depth: Int) -> Case {
            guard depth > 0 else { return roll(3) == 0 ? ofMany() : ofOne() }
            let one = next(depth: depth - 1)
            if roll(3) == 0 {
                return Case(format: "NOT (\(one.format))", arguments: one.arguments) { !one.holds($0) }
            }
            let (other, isAnd) = (next(depth: depth - 1), roll(2) == 0)
            return Case(
                format: "(\(one.format)) \(isAnd ? "AND" : "OR") (\(other.format))",
                arguments: one.arguments + other.arguments
            ) { isAnd ? one.holds($0) && other.holds($0) : one.holds($0) || other.holds($0) }
        }

        private func ofOne() -> Case {
            let id = stop()
            let trip = trips[roll(trips.count)]
            let one = [argument(id)]
            switch roll(12) {
            case 0: return Case(format: "SELF == %@", arguments: one) { self.isSame($0, id) }
            case 1: return Case(format: "%@ != SELF", arguments: one) { !self.isSame($0, id) }
            case 2: return Case(format: "id == %@", arguments: one) { self.isSame($0, id) }
            case 3: return Case(format: "parentStation == %@", arguments: one) { self.isSame($0.parentStation, id) }
            case 4: return Case(format: "parentStation != %@", arguments: one) { !self.isSame($0.parentStation, id) }
            case 5: return Case(format: "parentStation != %@", arguments: [nil]) { $0.parentStation != nil }
            case 6:
                return Case(format: "TERNARY(locationType = 1, %@, NIL) == parentStation", arguments: one) {
                    $0.locationType.rawValue == 1 ? self.isSame($0.parentStation, id) : $0.parentStation == nil
                }
            case 7:
                return Case(format: "coalesce(parentStation, %@) == SELF", arguments: one) { stop in
                    stop.parentStation.map { $0 == stop } ?? self.isSame(stop, id)
                }
            case 8:
                return Case(
                    format: "SUBQUERY(stopTimes, $x, $x.trip == %@ AND $x.stop != %@).@count > 0",
                    arguments: [trip] + one
                ) { $0.stopTimes.contains { self.isSame($0.trip, trip) && !self.isSame($0.stop, id) } }
            case 9:
                return Case(format: "ANY stopTimes.trip == %@", arguments: [trip]) {
                    $0.stopTimes.contains { self.isSame($0.trip, trip) }
                }
            case 10:
                return Case(format: "NONE childStops == %@", arguments: one) {
                    !$0.childStops.contains { self.isSame($0, id) }
                }
            default:
                return Case(format: "%@ IN childStops", arguments: one) {
                    $0.childStops.contains { self.isSame($0, id) }
                }
            }
        }

        private func ofMany() -> Case {
            let ids = (0..<roll(5)).map { _ in stop() }
            let (one, other) = (stop(), stop())
            switch roll(6) {
            case 0:
                return Case(format: "SELF IN %@", arguments: [ids]) { stop in ids.contains { self.isSame(stop, $0) } }
            case 1:
                return Case(format: "SELF IN %@", arguments: [Set(ids)]) { stop in
                    ids.contains { self.isSame(stop, $0) }
                }
            case 2:
                return Case(format: "parentStation IN %@", arguments: [ids.map { argument($0) } + [nil]]) { stop in
                    stop.parentStation == nil || ids.contains { self.isSame(stop.parentStation, $0) }
                }
            case 3:
                return Case(format: "NOT parentStation IN {%@, %@}", arguments: [one, other]) {
                    !self.isSame($0.parentStation, one) && !self.isSame($0.parentStation, other)
                }
            case 4:
                return Case(format: "{%@, %@} CONTAINS SELF", arguments: [one, other]) {
                    self.isSame($0, one) || self.isSame($0, other)
                }
            default:
                return Case(format: "ANY stopTimes.stop IN %@", arguments: [ids]) { stop in
                    stop.stopTimes.contains { call in ids.contains { self.isSame(call.stop, $0) } }
                }
            }
        }
    }

    private func change(_ context: StoreContext) throws {
        let stops = try context.fetch(FetchRequest<Stop>())
        for (position, stop) in stops.enumerated() {
            try stop.set(\.code, to: "x\(position)")
            let others = stops.filter { $0.objectID.store == stop.objectID.store }
            if position % 2 == 0 { try stop.set(\.parentStation, to: others[position % others.count]) }
        }
        let inserted = context.insert(Stop.self)
        try inserted.set(\.parentStation, to: stops[1])
    }

    @Test func `words with ids mean what a comparison of ids says`() throws {
        let (one, other) = (try berlin.get().open(), try mirror.get().open())
        let again = try one.reopened()
        var known: [ObjectID] = try [one, other, again].flatMap { store in
            try store.makeContext().fetch(FetchRequest<Stop>(limit: 5)).map(\.objectID)
        }
        known += (0..<4).map { ObjectID(Stop.entity, row: $0) }
        let trips = try [one, other, again].flatMap { store in
            try store.makeContext().fetch(FetchRequest<Trip>(limit: 3)).map(\.objectID)
        }
        var (generator, found) = (SeededGenerator(seed: 5), 0)
        for isChanged in [false, true] {
            for stores in [[one], [other], [one, other], [other, one], [again, one], [other, again]] {
                let context = StoreCoordinator(stores).makeContext()
                if isChanged { try change(context) }
                let all = try context.fetch(FetchRequest<Stop>())
                let ids = known + all.map(\.objectID).filter(\.isTemporary)
                let cases = Cases(context, stops: ids, trips: trips, generator)
                for round in 0..<60 {
                    let question = cases.next(depth: round % 3)
                    let expected = Set(all.filter(question.holds).map(\.objectID))
                    try check(question, context, expected)
                    found += expected.isEmpty || expected.count == all.count ? 0 : 1
                }
                generator = cases.generator
                #expect(context.lastError == nil)
            }
        }
        #expect(found > 200, "\(found)")
    }

    /// Checks a condition with arguments, with variables that are bound at once, and with variables bound later.
    private func check(_ question: Case, _ context: StoreContext, _ expected: Set<ObjectID>) throws {
        var (open, variables) = ("", [String: Any]())
        for (position, part) in question.format.split(separator: "%@", omittingEmptySubsequences: false).enumerated() {
            if position > 0 {
                variables["V\(position)"] = question.arguments[position - 1] ?? QueryValue.null
                open += "$V\(position)"
            }
            open += part
        }
        let conditions = [
            try Condition<Stop>(format: question.format, arguments: question.arguments),
            try Condition<Stop>(format: open, arguments: [], variables: variables),
            try Condition<Stop>(format: open).substituting(variables),
        ]
        for (way, condition) in conditions.enumerated() {
            let request = FetchRequest(where: condition)
            let comment = "\(way): \(question.format) \(question.arguments) \(condition)"
            #expect(Set(try context.fetch(request).map(\.objectID)) == expected, "\(comment)")
            #expect(try context.fetchCount(request) == expected.count, "\(comment)")
            #expect(try context.fetchRows(request).count == expected.count, "\(comment)")
            #expect(Set(try context.fetchIDs(request)) == expected, "\(comment)")
        }
    }

    @Test func `words with ids make the request that a predicate makes`() throws {
        let context = StoreCoordinator([try berlin.get().open(), try mirror.get().open()]).makeContext()
        let stops = try context.fetch(FetchRequest<Stop>())
        let (one, other) = (stops[2], stops[9])
        let (id, ids) = (one.objectID, [one.objectID, other.objectID])
        let pairs: [(Condition<StopTime>, Predicate<StopTime>)] = [
            (try Condition(format: "stop == %@", one), #Predicate { $0.stop == one }),
            (try Condition(format: "stop == %@", id), #Predicate { $0.stop == one }),
            (try Condition(format: "stop != %@", one), #Predicate { $0.stop != one }),
            (try Condition(format: "NOT stop == %@", one), #Predicate { !($0.stop == one) }),
            (try Condition(format: "stop IN %@", ids), #Predicate { ids.contains($0.stop.objectID) }),
            (try Condition(format: "stop IN %@", [one, other]), #Predicate { ids.contains($0.stop.objectID) }),
        ]
        for (words, predicate) in pairs {
            let (read, written) = (FetchRequest(where: words), FetchRequest(where: predicate))
            #expect(read == written && read.description == written.description, "\(words)")
        }
        let ofOther = FetchRequest<StopTime>(where: try Condition(format: "stop == %@", stops[10]))
        #expect(ofOther != FetchRequest(where: try Condition(format: "stop == %@", one)))
    }

    /// In a list, too, a row of one table is not compared with those of another.
    @Test func `lists of rows of other tables are refused`() throws {
        let context = try berlin.get().context()
        let stop = try #require(try context.object(Stop.self, id: 2))
        let trip = try #require(try context.object(Trip.self, id: 2))
        for list: Any in [[trip.objectID], Set([trip.objectID]), [trip], [stop, trip], Set([trip])] {
            #expect(throws: StoreError.self) { try Condition<StopTime>(format: "stop IN %@", list) }
            #expect(throws: StoreError.self) {
                try Condition<StopTime>(format: "stop IN $L").substituting(["L": list])
            }
        }
        let calls = try context.fetchCount(FetchRequest<StopTime>(where: Condition(format: "stop = %@", stop)))
        for list: Any in [[stop], Set([stop]), [stop, nil], [stop, 2] as [Any]] {
            let condition = try Condition<StopTime>(format: "stop IN %@", list)
            #expect(try context.fetchCount(FetchRequest(where: condition)) == calls)
        }
    }

    /// A list of more ids than a statement has slots for.
    @Test func `a long list of ids finds only rows of their own store`() throws {
        let (one, other) = (try berlin.get().open(), try mirror.get().open())
        let context = StoreCoordinator([one, other]).makeContext()
        let stop = try #require(try other.makeContext().object(Stop.self, id: 3)).objectID
        let ids = [stop] + (100..<3_000).map { ObjectID(Stop.entity, row: $0) }
        for isChanged in [false, true] {
            if isChanged { try change(context) }
            let found = try context.fetch(FetchRequest<Stop>(where: Condition(format: "SELF IN %@", ids)))
            #expect(found.map(\.objectID) == [stop])
        }
    }
}
