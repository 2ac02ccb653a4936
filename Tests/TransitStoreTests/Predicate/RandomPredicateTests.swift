import Foundation
import SQLite
import TestSupport
import Testing

@testable import TransitStore

/// Random conditions on random rows: SQL and evaluation in memory must agree.
@Suite struct RandomPredicateTests {
    /// Names on whose equality, order and parts Swift and SQLite agree.
    static func plainName(_ generator: inout SeededGenerator) -> String? {
        let names: [String?] = ["Zoo", "Alt-Tegel", "Ölmühle", "u bahn", "", nil, "Zoo Nord", "%_*?", "ẞtraße"]
        return names.randomElement(using: &generator) ?? nil
    }

    /// Names of any kind, many of them alike.
    static func anyName(_ generator: inout SeededGenerator) -> String? {
        Int.random(in: 0...9, using: &generator) == 0 ? nil : RandomTexts.text(&generator)
    }

    /// Stops and stop times in which every optional value is sometimes missing.
    static func randomStore(
        _ generator: inout SeededGenerator, named name: (inout SeededGenerator) -> String? = anyName
    ) throws -> TestStore {
        var stops: [() throws -> Void] = []
        var rows: [String] = []
        return try TestStore { connection in
            for id in 0..<40 {
                let (name, platform) = (name(&generator), name(&generator))
                let latitude = Bool.random(using: &generator) ? Double.random(in: 52...53, using: &generator) : nil
                let type = Bool.random(using: &generator) ? Int.random(in: 0...5, using: &generator) : nil
                let parent =
                    Int.random(in: 0...3, using: &generator) == 0 ? Int.random(in: 0...39, using: &generator) : nil
                stops.append {
                    try connection.insertStop(
                        id, name, latitude, latitude.map { $0 - 39 }, type: type, parent: parent, platform: platform)
                }
            }
            for stop in stops { try stop() }
            for index in 0..<200 {
                let stop =
                    Int.random(in: 0...9, using: &generator) == 0
                    ? "NULL" : "\(Int.random(in: 0...39, using: &generator))"
                let time =
                    Int.random(in: 0...5, using: &generator) == 0
                    ? "NULL" : "\(Int.random(in: 0...20, using: &generator) * 3_600)"
                rows.append("\(index / 5), \(index % 5), \(stop), \(time)")
            }
            try connection.insert("stop_time", "trip, stop_sequence, stop, departure_time", rows)
            try fillAround(connection, &generator, named: name)
        }
    }

    /// Levels, agencies, services, routes, trips, and the stops' levels and wheelchair boarding. Values may be missing.
    private static func fillAround(
        _ connection: Connection, _ generator: inout SeededGenerator, named name: (inout SeededGenerator) -> String?
    ) throws {
        func number(_ range: ClosedRange<Int>) -> String {
            Int.random(in: 0...2, using: &generator) == 0 ? "NULL" : "\(Int.random(in: range, using: &generator))"
        }
        func text() -> String {
            // U+0000 would end the text of the statement, also if an accent follows it.
            let text = name(&generator).flatMap { $0.utf8.contains(0) ? nil : $0 }
            return text.map { QueryValue.text($0).description } ?? "NULL"
        }
        try connection.insert("level", "id, level_index", (0..<3).map { "\($0), \(number(-1...1))" })
        try connection.insert("agency", "id, name, timezone", (0..<2).map { "\($0), 'a', \(text())" })
        // Trips name three services, and one of these has no row.
        try connection.insert(
            "service", "id, service_id, monday, in_calendar, start_date, end_date, day_set",
            (0..<2).map { id in
                let dates = [number(20_260_101...20_260_103), number(20_260_101...20_260_103)].joined(separator: ", ")
                return "\(id), 's\(id)', \(number(0...1)), \(id), \(dates), \(number(0...2))"
            })
        try connection.insert(
            "route", "id, route_id, agency, short_name, route_type",
            (0..<6).map { "\($0), 'r\($0)', \(number(0...2)), \(text()), \(number(0...3))" })
        try connection.insert(
            "trip", "id, trip_id, route, headsign, direction_id, service",
            (0..<40).map { "\($0), 't\($0)', \(number(0...5)), \(text()), \(number(0...1)), \(number(0...2))" })
        for id in 0..<40 {
            try connection.execute(
                "UPDATE stop SET wheelchair_boarding = \(number(0...2)), level = \(number(0...2)) WHERE id = \(id)")
        }
    }

    @Test(arguments: SeededGenerator.seeds(5))
    func randomConditionsAgree(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let context = try Self.randomStore(&generator).context()
        let stops = try context.fetch(FetchRequest<Stop>())
        let times = try context.fetch(FetchRequest<StopTime>())
        var (ofStops, ofTimes) = (0, 0)
        for _ in 0..<400 {
            var conditions = RandomConditions(generator: generator)
            let ofStop = conditions.stop(.root, depth: 3)
            ofStops += try compare(FetchRequest<Stop>(where: Condition(ofStop)), ofStop, stops, context)
            let ofTime = conditions.stopTime(.root, depth: 3)
            ofTimes += try compare(FetchRequest<StopTime>(where: Condition(ofTime)), ofTime, times, context)
            generator = conditions.generator
        }
        // Conditions that all rows meet, or none, would tell little.
        #expect(ofStops > 400 / 3 && ofTimes > 400 / 3, "\(ofStops), \(ofTimes)")
        #expect(context.hasMetMissingRowsOnly)
    }

    /// Returns 1 if the condition finds some rows but not all, otherwise 0.
    private func compare<Entity: StoreEntity>(
        _ request: FetchRequest<Entity>, _ expression: QueryExpression, _ all: [Entity], _ context: StoreContext
    ) throws -> Int {
        let bySQL = Set(try context.fetch(request).map(\.objectID))
        let inMemory = Set(
            try all.filter { object in
                var evaluator = ExpressionEvaluator(object)
                return try evaluator.holds(expression)
            }.map(\.objectID))
        #expect(bySQL == inMemory, "\(request)")
        #expect(try context.fetchCount(request) == inMemory.count)
        return bySQL.isEmpty || bySQL.count == all.count ? 0 : 1
    }

    static let textCount = ProcessInfo.processInfo.environment["RANDOM_TEXTS"].flatMap { Int($0) } ?? 600

    /// Conditions over texts alone; `RANDOM_TEXTS=20000` asks for that many with each seed.
    @Test(arguments: SeededGenerator.seeds(3, from: 61))
    func randomConditionsOverTextsAgree(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let context = try Self.randomStore(&generator).context()
        let stops = try context.fetch(FetchRequest<Stop>())
        var partial = 0
        for _ in 0..<Self.textCount {
            var conditions = RandomConditions(generator: generator)
            let condition = conditions.textOfStop(.root)
            partial += try compare(FetchRequest<Stop>(where: Condition(condition)), condition, stops, context)
            generator = conditions.generator
        }
        #expect(partial > Self.textCount / 4, "\(partial)")
        #expect(context.hasMetMissingRowsOnly)
    }

    @Test(arguments: SeededGenerator.seeds(3, from: 71))
    func ordersByTextsAgree(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let context = try Self.randomStore(&generator).context()
        let stops = try context.fetch(FetchRequest<Stop>())
        let sorts: [Sort<Stop>] = [
            .ascending(\.name), .descending(\.name, .folded), .ascending(\.platformCode, nulls: .last),
            .descending(\.parentStation?.name, nulls: .first), .ascending(\.name, .locale("de")),
            .ascending(\.platformCode, .locale("sv")),
        ]
        for sort in sorts {
            var request = FetchRequest<Stop>()
            request.sortDescriptors = [sort, .ascending(\.id)]
            let terms = try request.sortDescriptors.map { try $0.term.get() }
            let order = try SortOrder(terms)
            let inMemory = try stops.map { stop in
                var evaluator = ExpressionEvaluator(stop)
                return (stop.id, try terms.map { try evaluator.bareValue($0.expression) })
            }.sorted { order.compare($0.1, $1.1) < 0 }
            #expect(try context.fetch(request).map(\.id) == inMemory.map(\.0), "\(request)")
        }
    }

    /// Texts are equal if their bytes are equal, also in counts, groups and sets.
    @Test func valuesAreEqualWhenTheirBytesAre() throws {
        let (one, two) = (QueryValue.text("\u{E9}"), QueryValue.text("e\u{301}"))
        #expect(one != two && Set([one, two, one]).count == 2)
        #expect(one.compare(two) > 0 && two.isOrderedBefore(one))
        let requests = ["\u{E9}", "e\u{301}"].map { name in FetchRequest<Stop>(where: #Predicate { $0.name == name }) }
        #expect(requests[0] != requests[1])
        #expect(
            QueryValue.text("'\u{301}").description.unicodeScalars.elementsEqual(("''" + "'\u{301}'").unicodeScalars))
    }

    /// The same, compared with Foundation's own evaluation of #Predicate.
    @Test(arguments: SeededGenerator.seeds(3, from: 11))
    func randomPredicatesAgree(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let context = try Self.randomStore(&generator, named: Self.plainName).context()
        let stops = try context.fetch(FetchRequest<Stop>())
        var partial = 0
        for _ in 0..<60 {
            let number = Int.random(in: -1...6, using: &generator)
            let name = ["Zoo", "", "Z", "u bahn", "ö"].randomElement(using: &generator) ?? ""
            let degrees = Double.random(in: 52...53, using: &generator)
            let time = ServiceTime(hours: .random(in: 0...20, using: &generator))
            for predicate in Self.predicates(number, name, degrees, time) {
                let bySQL = Set(try context.fetch(FetchRequest<Stop>(where: predicate)).map(\.id))
                let inMemory = Set(try stops.filter { try predicate.evaluate($0) }.map(\.id))
                #expect(bySQL == inMemory, "\(FetchRequest<Stop>(where: predicate))")
                partial += bySQL.isEmpty || bySQL.count == stops.count ? 0 : 1
            }
        }
        #expect(partial > 60 * 14 / 2, "\(partial)")
    }

    private static func predicates(
        _ number: Int, _ name: String, _ degrees: Double, _ time: ServiceTime
    ) -> [Predicate<Stop>] {
        [
            #Predicate { $0.locationType.rawValue == number || !($0.name < name) },
            #Predicate { !(($0.latitude ?? degrees) < degrees && $0.locationType.rawValue >= number) },
            #Predicate { $0.name != name && $0.parentStation == nil },
            #Predicate { $0.parentStation?.name == name },
            #Predicate { ($0.parentStation?.locationType.rawValue ?? number) > number },
            #Predicate { !($0.parentStation?.name == name) || ($0.latitude ?? 99) > degrees },
            #Predicate { $0.stopTimes.contains { !($0.departureTime < time) } },
            #Predicate { $0.stopTimes.allSatisfy { $0.departureTime <= time } },
            #Predicate { $0.stopTimes.filter { $0.stopSequence == number }.count > 1 },
            #Predicate { $0.name.starts(with: name) && $0.id * number > $0.locationType.rawValue },
            #Predicate { $0.name.contains(name) != ($0.locationType.rawValue == number) },
            #Predicate { ($0.locationType.rawValue > number ? $0.name : $0.stopID) <= name },
            #Predicate { $0.name.folded.contains(name.folded) },
            #Predicate { $0.childStops.contains { $0.stopTimes.isEmpty && $0.locationType.rawValue != number } },
        ]
    }
}
