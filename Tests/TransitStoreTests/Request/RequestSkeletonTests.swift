import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import TransitStore

/// A statement reused from an earlier request of the same skeleton equals the statement that the request would get.
@Suite struct RequestSkeletonTests {
    @Test func aSkeletonBindsTheValuesOfRandomRequests() throws {
        var generator = SeededGenerator(seed: 5)
        var known: [RequestSkeleton] = []
        var taken = 0
        for traits in [StoreTraits.none, StoreTraits(hasLongitudeCells: true)] {
            known = []
            for _ in 0..<6_000 {
                let request = Self.request(&generator)
                let form: RequestSkeleton.Form = [.objects, .keys, .count].randomElement(using: &generator) ?? .keys
                let written = try Self.written(request, form, traits)
                for skeleton in known {
                    guard let bindings = skeleton.bindings(of: request, form, traits: traits) else { continue }
                    #expect(skeleton.select.sql.text == written.sql.text)
                    #expect(bindings == written.sql.bindings)
                    taken += 1
                }
                if known.count < 60, let skeleton = RequestSkeleton(request, form, written, traits: traits) {
                    known.append(skeleton)
                }
            }
        }
        #expect(taken > 800)
    }

    @Test func theSecondFetchOfASkeletonFindsTheSameRows() throws {
        let context = try TestStore.berlin().context()
        for prefix in ["u k", "u g", "zo", "xyz", ""] {
            let request = FetchRequest<Stop>(where: .name(beginsWith: prefix))
            let names = try context.fetch(request).map(\.name)
            let inMemory = try context.fetch(FetchRequest<Stop>()).filter { $0.normalizedName.hasPrefix(prefix) }
            #expect(Set(names) == Set(inMemory.map(\.name)))
            #expect(try context.fetchCount(request) == names.count)
        }
        for stop in try context.fetch(FetchRequest<Stop>(where: .name(beginsWith: "u k"))) {
            // A fetch within another of the same skeleton.
            #expect(try context.fetch(FetchRequest<Stop>(where: .name(beginsWith: "u k"))).contains(stop))
        }
    }

    /// If all rows of a request are cached, fetching keys gives the same objects, order and values as fetching rows.
    @Test func fetchesByKeysFindWhatFetchesOfRowsFind() throws {
        let fixture = try TestStore.berlin()
        let byKeys = Mutex(0)
        let context = try fixture.open {
            $0.sqlDebug = SQLDebug(level: 1) { line in
                if line.contains("SELECT t0.id FROM") { byKeys.withLock { $0 += 1 } }
            }
        }.makeContext()
        let plain = try fixture.open { $0.rowCacheCapacity = 0 }.makeContext()
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<400 {
            var request = Self.request(&generator)
            request.returnsObjectsAsFaults = Bool.random(using: &generator)
            let expected = try plain.fetch(request).map { [$0.stopID, $0.name, "\($0.latitude ?? 0)"] }
            for _ in 0..<7 {
                let stops = try context.fetch(request)
                #expect(stops.allSatisfy { $0.isFault == request.returnsObjectsAsFaults })
                #expect(stops.map { [$0.stopID, $0.name, "\($0.latitude ?? 0)"] } == expected, "\(request)")
            }
        }
        #expect(byKeys.withLock { $0 } > 20)
    }

    /// If one row turns out not to be cached, the fetch runs one more statement, which reads all rows.
    @Test func aRowThatIsNotCachedCostsOneMoreStatement() throws {
        let context = try TestStore.berlin().context()
        func statements(_ prefix: String, finding ids: [Int]) throws -> Int {
            let before = context.statistics.statements
            let stops = try context.fetch(FetchRequest<Stop>(where: .name(beginsWith: prefix)))
            let found = context.statistics.statements - before
            #expect(stops.map(\.id) == ids && stops.allSatisfy { !$0.name.isEmpty })
            #expect(context.statistics.statements - before == found)
            return found
        }
        for _ in 0..<6 { #expect(try statements("u g", finding: [0]) == 1) }
        #expect(try statements("u k", finding: [1, 2]) == 2)
        for _ in 0..<6 { #expect(try statements("u ", finding: [0, 1, 2]) == 1) }
    }

    /// An index may contain all keys, in its own order. The order of the rows must not change.
    @Test func allRowsComeInOneOrder() throws {
        let context = try TestStore.berlin(indexes: ["CREATE INDEX few ON stop(wheelchair_boarding, name)"]).context()
        let first = try context.fetch(FetchRequest<Stop>()).map(\.id)
        for _ in 0..<7 { #expect(try context.fetch(FetchRequest<Stop>()).map(\.id) == first) }
    }

    /// Two values may be equal by chance in the first request. Later requests still bind each in its own place.
    @Test func coincidingValuesDoNotMixUpTheOrder() throws {
        func request(_ direction: Int, _ sequence: Int) -> FetchRequest<Stop> {
            FetchRequest(
                where: #Predicate {
                    $0.stopTimes.contains { $0.trip.directionID?.rawValue == direction && $0.stopSequence >= sequence }
                })
        }
        let used = try TestStore.berlin().context()
        for (direction, sequence) in [(1, 1), (0, 2), (1, 2), (0, 0), (2, 1), (1, 0)] {
            let fresh = try TestStore.berlin().context()
            #expect(
                try used.fetchCount(request(direction, sequence)) == fresh.fetchCount(request(direction, sequence)),
                "\(direction) \(sequence)")
        }
    }

    /// With two boxes, one drives the search. If the same box appears twice, both drive it.
    @Test func theSameBoxTwiceIsAnotherSkeletonThanTwoBoxes() throws {
        func box(_ west: Double) -> Condition<Stop> {
            .within(BoundingBox(minLatitude: 52, maxLatitude: 53, minLongitude: west, maxLongitude: west + 0.035))
        }
        let (one, other) = (box(13.385), box(13.395))
        for order in [[one && one, one && other, other && other], [one && other, other && one, one && one]] {
            let used = try TestStore.berlin().context()
            for condition in order {
                let request = FetchRequest<Stop>(where: condition)
                #expect(try used.fetchCount(request) == TestStore.berlin().context().fetchCount(request))
            }
        }
    }

    /// Lists of the same length share a statement. Boxes and circles share one if both or neither cross the 180th
    /// meridian, and texts if both or neither have a sigma. In any order, each finds what a new context finds.
    @Test func conditionsThatAreAskedAgainFindWhatANewContextFinds() throws {
        let store = try Self.storeOfEdges()
        var generator = SeededGenerator(seed: 8)
        let used = try store.context()
        var partial = 0
        for condition in Self.edgeConditions.flatMap({ Array(repeating: $0, count: 3) }).shuffled(using: &generator) {
            let request = FetchRequest<Stop>(where: condition)
            let found = Set(try used.fetch(request).map(\.id))
            #expect(found == Set(try store.context().fetch(request).map(\.id)), "\(request)")
            let query = try condition.query()
            let inMemory = try store.context().fetch(FetchRequest<Stop>()).filter { stop in
                var evaluator = ExpressionEvaluator(stop)
                return try evaluator.holds(query)
            }
            #expect(found == Set(inMemory.map(\.id)), "\(request)")
            partial += found.isEmpty || found.count == 7 ? 0 : 1
        }
        #expect(partial > 60, "\(partial)")
    }

    /// No text comes after all texts that begin with U+10FFFF, the last code point. So the search for them has no upper
    /// bound, unlike that for "a" and U+10FFFF.
    @Test func prefixesOfTheLastCodePointHaveTheirOwnStatement() throws {
        let store = try TestStore { connection in
            for (id, name) in ["a\u{10FFFF}x", "b", "\u{10FFFF}"].enumerated() {
                try connection.insertStop(id, name, 52.5, 13.4)
            }
        }
        for prefixes in [["\u{10FFFF}", "a\u{10FFFF}"], ["a\u{10FFFF}", "\u{10FFFF}"]] {
            let context = try store.context()
            for prefix in prefixes {
                let request = FetchRequest<Stop>(where: #Predicate { $0.name.starts(with: prefix) })
                #expect(try context.fetch(request).map(\.id) == [prefix.hasPrefix("a") ? 0 : 2])
            }
        }
    }

    private static func storeOfEdges() throws -> TestStore {
        try TestStore { connection in
            try connection.insertStop(0, "Οδός", -17, 179.99)
            try connection.insertStop(1, "ΟΔΟΣ Σύρου", -17, -179.99)
            try connection.insertStop(2, "Zoo", -17, 180, platform: "")
            try connection.insertStop(3, nil, nil, nil)
            try connection.insertStop(4, "οδοσ", 52.5, 13.4, platform: "1")
            try connection.insertStop(5, "Ziegenhals", .infinity, 13.4, platform: "2")
            try connection.insertStop(6, "", -.infinity, 0)
        }
    }

    private static var edgeConditions: [Condition<Stop>] { edgesOfPlaces + edgesOfTexts + edgesOfNumbers }

    private static var edgesOfPlaces: [Condition<Stop>] {
        var conditions: [Condition<Stop>] = []
        for (longitude, meters) in [(179.995, 3_000.0), (-179.995, 3_000), (179.5, 3_000), (-179.5, 70_000), (0, 1e8)] {
            conditions.append(.within(meters: meters, of: Coordinate(latitude: -17, longitude: longitude)))
        }
        for (west, east) in [(179.9, -179.9), (179.98, 180.0), (-180, -179.95), (-180, 180), (13, 14), (170, -170)] {
            let box = BoundingBox(minLatitude: -18, maxLatitude: 60, minLongitude: west, maxLongitude: east)
            conditions.append(.within(box))
        }
        return conditions
    }

    private static var edgesOfTexts: [Condition<Stop>] {
        var conditions: [Condition<Stop>] = []
        for text in ["οδος", "οδοσ", "ΟΔΟΣ", "οδό", "ς", "σ", "z", "zo", ""] {
            conditions += [.name(beginsWith: text), .name(hasWords: text)]
            for op in [TextOperator.contains, .endsWith] {
                conditions.append(Condition(.text(op, .folded, .property(.root, ["name"]), .value(.text(text)))))
            }
        }
        let lists: [[QueryValue]] = [[], [""], [.null], ["1"], ["2"], ["", .null], ["1", "2"], ["1", .null]]
        for list in lists {
            let membership = QueryExpression.membership(.property(.root, ["platformCode"]), list)
            conditions += [Condition(membership), Condition(.not(membership))]
        }
        return conditions
    }

    /// Also in lists that are too long for a parameter each.
    private static var edgesOfNumbers: [Condition<Stop>] {
        let latitude = QueryExpression.property(.root, ["latitude"])
        let long = (0..<1_100).map { QueryValue.double(Double($0)) }
        var conditions: [Condition<Stop>] = []
        for number in [.double(.nan), .double(.infinity), .double(-.infinity), -17, 0, .null] as [QueryValue] {
            for op in [.less, .greaterOrEqual, .equal, .notEqual] as [ComparisonOperator] {
                conditions.append(Condition(.comparison(op, latitude, .value(number))))
            }
            conditions += [[number], long + [number]].map { Condition(.membership(latitude, $0)) }
        }
        return conditions
    }

    @Test func theWrongTypeIsRefusedWhateverWasAskedBefore() throws {
        let context = try TestStore.berlin().context()
        _ = try context.fetchCount(FetchRequest<Stop>())
        #expect(throws: StoreError.self) { try context.fetchCount(FetchRequest<Route>(entity: "Stop")) }
    }

    private static func written(
        _ request: FetchRequest<Stop>, _ form: RequestSkeleton.Form, _ traits: StoreTraits
    ) throws -> SelectStatement {
        switch form {
        case .objects: try request.selectObjects(.all, model: .typed, traits: traits)
        case .keys: try request.selectObjects(.keys, model: .typed, traits: traits)
        case .count: try request.selectCount(model: .typed, traits: traits)
        case .stopFacts:
            try request.select(columns: LinesAndStops.stopColumns, model: .typed, traits: traits)
        }
    }

    private static func request(_ generator: inout SeededGenerator) -> FetchRequest<Stop> {
        let parts = (0..<Int.random(in: 0...3, using: &generator)).map { _ in part(&generator) }
        let entity = ["Stop", "stop", "Station"].randomElement(using: &generator) ?? "Stop"
        var request = FetchRequest<Stop>(entity: entity, where: Condition(.all(parts)))
        if Bool.random(using: &generator) { request.fetchLimit = .random(in: 0...3, using: &generator) }
        if Bool.random(using: &generator) { request.fetchOffset = .random(in: 0...3, using: &generator) }
        request.includesSubentities = Int.random(in: 0...5, using: &generator) > 0
        return request
    }

    private static func place(_ generator: inout SeededGenerator) -> Coordinate {
        let near = Coordinate(latitude: 52.5, longitude: [13.4, 13.41].randomElement(using: &generator) ?? 0)
        // On both sides of the 180th meridian, where a box may cross it or not.
        let farEast = Coordinate(latitude: -17, longitude: .random(in: 179.9...180, using: &generator))
        let farWest = Coordinate(latitude: -17, longitude: .random(in: -180 ... -179.9, using: &generator))
        let anywhere = Coordinate(
            latitude: .random(in: -89...89, using: &generator), longitude: .random(in: -180...180, using: &generator))
        return [near, near, anywhere, farEast, farWest].randomElement(using: &generator) ?? near
    }

    /// Only a few values, so that some are equal by chance.
    private static let values: [QueryValue] = [
        .null, 0, 1, 2, -3, "", "u g", 2.5, 0.0, -1.5, "οδος", "οδός σ", .double(.nan), .double(.infinity),
        .double(-.infinity), .double(-0.0), .integer(.max),
    ]

    private static func part(_ generator: inout SeededGenerator) -> QueryExpression {
        let place = place(&generator)
        let op = ComparisonOperator.allCases.randomElement(using: &generator) ?? .less
        let names = ["name", "locationType", "latitude", "platformCode", "parentStation"]
        let property: QueryExpression = .property(.root, [names.randomElement(using: &generator) ?? "name"])
        let value = values.randomElement(using: &generator) ?? 0
        let numbers = (0..<3).map { _ in QueryValue.integer(.random(in: 1...2, using: &generator)) }
        switch Int.random(in: 0...8, using: &generator) {
        case 8:
            let list = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                values.randomElement(using: &generator) ?? .null
            }
            return .membership(property, list)
        case 0:
            return .box(
                .root, [], BoundingBox(around: place, meters: [800, 3_000].randomElement(using: &generator) ?? 1))
        case 1: return .comparison(op, .distance(.root, [], place), .value(value))
        case 2: return .comparison(op, property, .value(value))
        case 3: return .comparison(op, .value(value), property)
        case 4:
            let op = [TextOperator.beginsWith, .contains, .endsWith].randomElement(using: &generator) ?? .contains
            return .text(op, [[], .folded].randomElement(using: &generator) ?? [], property, .value(value))
        case 5:
            let prefixes = ["a", "gö", "\u{10FFFF}", "", "οδος", "οδό", "σ", "ς"]
            return .searchTerm(.root, [], prefix: prefixes.randomElement(using: &generator) ?? "")
        case 6:
            let yields: RelatedRows.Yield = Bool.random(using: &generator) ? .exists : .count
            return .related(
                RelatedRows(
                    of: .root, path: ["stopTimes"], variable: QueryVariable(1),
                    condition: .all(
                        zip([["trip", "directionID"], ["departureTime"], ["stopSequence"]], numbers).map {
                            .comparison(op, .property(QueryVariable(1), $0), .value($1))
                        }),
                    yields: yields))
        default: return .not(.comparison(op, property, .value(value)))
        }
    }
}
