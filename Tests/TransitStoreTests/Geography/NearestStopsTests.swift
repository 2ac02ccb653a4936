import FoundationEssentials
import TestSupport
import Testing
import TransitStore

/// Compares the nearest stops with a sort by all distances.
struct NearestStopsTests {
    private static func randomStops(_ count: Int, _ generator: inout SeededGenerator) -> [Coordinate] {
        (0..<count).map { number in
            // Cities, the whole earth, both sides of the 180th meridian, the poles, and the very same place.
            switch number % 6 {
            case 0:
                Coordinate(
                    latitude: .random(in: 52.3...52.6, using: &generator),
                    longitude: .random(in: 13.2...13.6, using: &generator))
            case 1:
                Coordinate(
                    latitude: .random(in: -90...90, using: &generator),
                    longitude: .random(in: -180...180, using: &generator))
            case 2:
                Coordinate(
                    latitude: .random(in: -18 ... -16, using: &generator),
                    longitude: .random(in: 179...180, using: &generator))
            case 3:
                Coordinate(
                    latitude: .random(in: -18 ... -16, using: &generator),
                    longitude: .random(in: -180 ... -179, using: &generator))
            case 4:
                Coordinate(
                    latitude: [90, -90, 89.99, -89.99].randomElement(using: &generator) ?? 90,
                    longitude: .random(in: -180...180, using: &generator))
            default: Coordinate(latitude: 52.5, longitude: 13.4)
            }
        }
    }

    @Test(arguments: [1, 7, 400]) func `the nearest stops are those of all distances`(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let stops = Self.randomStops(count, &generator)
        let context = try TestStore { connection in
            for (id, stop) in stops.enumerated() {
                try connection.insertStop(id, "S", stop.latitude, stop.longitude)
            }
            try connection.insertStop(count, "Nowhere", nil, nil)
        }.context()
        let places =
            Self.randomStops(60, &generator)
            + [(0, 0), (90, 0), (-90, 77), (0, 180), (0, -180), (52.5, 13.4), (52.5, 13.41), (-17, 180)].map {
                Coordinate(latitude: $0.0, longitude: $0.1)
            }
        for place in places {
            let sorted = stops.indices.sorted {
                let (one, other) = (stops[$0].distance(to: place), stops[$1].distance(to: place))
                return one == other ? $0 < $1 : one < other
            }
            for limit in [1, 5, count + 1] {
                let found = try context.nearestStops(to: place, limit: limit).map(\.id)
                #expect(found == Array(sorted.prefix(limit)), "\(limit) at \(place)")
            }
        }
    }

    /// The distance from one place to another and the one back may differ in their last digit.
    @Test func `of two stops at one place the first comes first, however distances are rounded`() throws {
        var generator = SeededGenerator(seed: 400)
        let places = (0..<200).map { number in
            Coordinate(latitude: Double(number) * 0.7 - 70, longitude: .random(in: -170...170, using: &generator))
        }
        let context = try TestStore { connection in
            for (number, place) in places.enumerated() {
                for id in [2 * number, 2 * number + 1] {
                    try connection.insertStop(id, "S", place.latitude, place.longitude)
                }
            }
        }.context()
        for (number, place) in places.enumerated() {
            let north = Coordinate(latitude: place.latitude + 0.013, longitude: place.longitude + 0.021)
            #expect(try context.nearestStops(to: north, limit: 1).map(\.id) == [2 * number])
        }
    }

    @Test func `stops are searched until enough meet the condition`() throws {
        let context = try TestStore { connection in
            for id in 0..<300 {
                try connection.insertStop(id, "S", 52 + Double(id) / 1_000, 13, type: id == 250 ? 1 : 0)
            }
        }.context()
        let place = Coordinate(latitude: 52, longitude: 13)
        let isStation = Condition<Stop>(#Predicate { $0.locationType == 1 })
        #expect(try context.nearestStops(to: place, limit: 1, where: isStation).map(\.id) == [250])
        #expect(try context.nearestStops(to: place, limit: 3, where: isStation).map(\.id) == [250])
        let found = try context.nearestStops(to: place, where: #Predicate { $0.locationType == 1 })
        #expect(found.map(\.id) == [250])
        #expect(try context.nearestStops(to: place, limit: 0).map(\.id) == Array(0..<300))
        #expect(try context.nearestStops(to: place, limit: -1, where: isStation).map(\.id) == [250])
        // With an optional parameter, `.none` would mean no condition.
        #expect(try context.nearestStops(to: place, limit: 3, where: .none) == [])
        #expect(throws: StoreError.self) { try context.nearestStops(to: Coordinate(latitude: 91, longitude: 0)) }
        #expect(throws: StoreError.self) { try context.nearestStops(to: Coordinate(latitude: .nan, longitude: 0)) }
    }

    /// Few stops meet the condition, many do, or the limit is as large as the table.
    @Test func `the nearest of many stops that meet a condition are those of all distances`() throws {
        var generator = SeededGenerator(seed: 11)
        let stops = Self.randomStops(3_000, &generator)
        let kinds = stops.map { _ in [0, 0, 0, 0, 0, 0, 1, 2].randomElement(using: &generator) ?? 0 }
        let rare = Int.random(in: stops.indices, using: &generator)
        let context = try TestStore { connection in
            for (id, stop) in stops.enumerated() {
                try connection.insertStop(
                    id, id == rare ? "Rare" : "S", stop.latitude, stop.longitude, type: kinds[id])
            }
        }.context()
        let conditions: [(Condition<Stop>, (Int) -> Bool)] = [
            (Condition(#Predicate { $0.locationType == 1 }), { kinds[$0] == 1 }),
            (Condition(#Predicate { $0.name == "Rare" }), { $0 == rare }),
            (Condition(#Predicate { _ in false }), { _ in false }), (.all, { _ in true }),
        ]
        for (condition, holds) in conditions {
            for place in Self.randomStops(2, &generator) {
                let sorted = stops.indices.filter(holds).map { (stops[$0].distance(to: place), $0) }.sorted(by: <).map(
                    \.1)
                for limit in [1, 40, 2_999, 0] {
                    let found = try context.nearestStops(to: place, limit: limit, where: condition).map(\.id)
                    #expect(found == Array(sorted.prefix(limit > 0 ? limit : .max)), "\(limit) at \(place)")
                }
            }
        }
    }

    @Test func `unsaved changes take part in a search for the nearest stops`() throws {
        let context = try TestStore { connection in
            for id in 0..<5 { try connection.insertStop(id, "S", 52 + Double(id) / 1_000, 13) }
        }.context()
        let stops = try (0..<5).compactMap { try context.object(Stop.self, id: $0) }
        try stops[4].setValue(52.0, for: "latitude")
        context.delete(stops[1])
        let place = Coordinate(latitude: 52, longitude: 13)
        let isAny = Condition<Stop>(#Predicate { $0.id >= 0 })
        #expect(try context.nearestStops(to: place, limit: 3).map(\.id) == [0, 4, 2])
        #expect(try context.nearestStops(to: place, limit: 0).map(\.id) == [0, 4, 2, 3])
        #expect(try context.nearestStops(to: place, limit: 2_000, where: isAny).map(\.id) == [0, 4, 2, 3])
        // Of two stops as far away, the one with the smaller id comes first, whether it was changed or not.
        #expect(try context.nearestStops(to: place, limit: 1).map(\.id) == [0])
        try stops[0].setValue(52.003, for: "latitude")
        let there = Coordinate(latitude: 52.003, longitude: 13)
        #expect(try context.nearestStops(to: there, limit: 1).map(\.id) == [0])
        #expect(try context.nearestStops(to: there, limit: 2).map(\.id) == [0, 3])
    }

    /// Stops move, appear, vanish and lose their coordinates. Boxes, circles and the nearest stops are those of a loop
    /// over all stops.
    @Test func `places of unsaved changes are searched like those of the store`() throws {
        var generator = SeededGenerator(seed: 5)
        let places = Self.randomStops(200, &generator)
        let context = try TestStore { connection in
            for (id, place) in places.enumerated() {
                try connection.insertStop(id, "S", place.latitude, place.longitude)
            }
        }.context()
        var found = 0
        for round in 0..<40 {
            let stop =
                round % 4 == 0
                ? context.insert(Stop.self)
                : try #require(try context.fetch(FetchRequest<Stop>()).randomElement(using: &generator))
            if round % 4 == 3 {
                context.delete(stop)
            } else {
                let place = try #require(Self.randomStops(6, &generator).randomElement(using: &generator))
                try stop.set(\.latitude, to: round % 9 == 8 ? nil : place.latitude)
                try stop.set(\.longitude, to: place.longitude)
            }
            let all = try context.fetch(FetchRequest<Stop>())
            for place in Self.randomStops(3, &generator) {
                let meters = try #require([10_000.0, 1_000_000, 9_000_000].randomElement(using: &generator))
                let near = all.filter { $0.coordinate?.isWithin(meters, of: place) == true }
                let box = BoundingBox(around: place, meters: meters)
                let boxed = all.filter { stop in
                    stop.coordinate.map { box.contains(latitude: $0.latitude, longitude: $0.longitude) } ?? false
                }
                let circle = FetchRequest<Stop>(where: .within(meters: meters, of: place))
                #expect(try Set(context.fetch(circle)) == Set(near), "\(round)")
                #expect(try context.fetchCount(circle) == near.count, "\(round)")
                #expect(try Set(context.fetch(FetchRequest<Stop>(where: .within(box)))) == Set(boxed), "\(round)")
                let distances = all.compactMap { $0.coordinate?.distance(to: place) }.sorted().prefix(7)
                let nearest = try context.nearestStops(to: place, limit: 7).compactMap { $0.coordinate }
                #expect(nearest.map { $0.distance(to: place) } == Array(distances), "\(round)")
                found += near.count
            }
        }
        #expect(found > 1_000, "\(found)")
    }

    /// Only a damaged store has such places. Boxes and circles do not find them either.
    @Test(arguments: [Double.infinity, -Double.infinity, 91, -90.5])
    func `places that are not on earth are nowhere near`(latitude: Double) throws {
        let context = try TestStore { connection in
            try connection.insertStop(0, "Off the earth", latitude, 13)
            for id in 1...5 { try connection.insertStop(id, "S", 52, 13 + Double(id) / 10) }
        }.context()
        let place = Coordinate(latitude: 52, longitude: 13)
        let isAny = Condition<Stop>(#Predicate { $0.id >= 0 })
        for limit in [0, 1, 3, 10] {
            let expected = Array([1, 2, 3, 4, 5].prefix(limit > 0 ? limit : 5))
            #expect(try context.nearestStops(to: place, limit: limit).map(\.id) == expected)
            #expect(try context.nearestStops(to: place, limit: limit, where: isAny).map(\.id) == expected)
        }
    }

    /// The 2,000 stops lie in as many cells.
    @Test func `a condition that few stops meet is not tested cell by cell`() throws {
        let context = try TestStore { connection in
            for id in 0..<2_000 {
                try connection.insertStop(id, id % 900 == 0 ? "Rare" : "S", 52.5, Double(id) / 100)
            }
        }.context()
        let place = Coordinate(latitude: 52.5, longitude: 10.5)
        for (name, expected) in [("Rare", [900, 1_800, 0]), ("None", [])] {
            let before = context.statistics.statements
            let isNamed = Condition<Stop>(#Predicate { $0.name == name })
            #expect(try context.nearestStops(to: place, limit: 3, where: isNamed).map(\.id) == expected)
            #expect(context.statistics.statements - before < 5_000)
        }
    }

    @Test func `the countryside costs as much as the city`() throws {
        let context = try TestStore { connection in
            for id in 0..<2_000 { try connection.insertStop(id, "S", 52.5, 13.3 + Double(id) / 10_000) }
            try connection.insertStop(2_000, "Village", -33, -70)
        }.context()
        for place in [Coordinate(latitude: 52.5, longitude: 13.4), Coordinate(latitude: -33.01, longitude: -70.2)] {
            let before = context.statistics.statements
            _ = try context.nearestStops(to: place, limit: 1)
            #expect(context.statistics.statements - before < 16)
        }
    }
}
