import FoundationEssentials
import GTFSSchema
import Glibc
import TestSupport
import Testing

@testable import TransitStore

@Suite struct PlaceTests {
    /// The 180th meridian has two longitudes, -180 and 180. A circle that only touches it contains both.
    @Test(arguments: [-180.0, 180.0]) func aPlaceOnTheMeridianIsFoundByBothNames(longitude: Double) throws {
        let context = try TestStore { connection in
            try connection.insertStop(0, "West", 52, -180)
            try connection.insertStop(1, "East", 52, 180)
        }.context()
        for meters in [0.0, 1, 1_000] {
            let place = Coordinate(latitude: 52, longitude: longitude)
            let request = FetchRequest<Stop>(where: .within(meters: meters, of: place))
            #expect(try Set(context.fetch(request).map(\.id)) == [0, 1], "\(meters) m")
            #expect(BoundingBox(around: place, meters: meters).contains(latitude: 52, longitude: -longitude))
        }
    }

    let fixture = Result { try TestStore.berlin() }
    private func context() throws -> StoreContext { try fixture.get().context() }

    @Test func aBoxIsSearchedBeforeTheExactDistance() throws {
        let context = try context()
        let near = FetchRequest<Stop>(where: .within(meters: 80, of: TestStore.pointOfInterest))
        let sql = try near.sql()
        #expect(
            sql.text.hasSuffix(
                "FROM stop AS t0 WHERE (t0.longitude >= ? AND t0.longitude <= ? AND t0.latitude >= ? AND t0.latitude <= ?) "
                    + "AND is_within(t0.latitude, t0.longitude, ?, ?, ?)"))
        #expect(try context.fetch(near).map(\.id) == [1, 2])
        let plan = try context.explain(near, bigTable: 1)
        #expect(plan.steps == ["SEARCH t0 USING INDEX stop_cell_latitude (<expr>=? AND latitude>? AND latitude<?)"])
        #expect(plan.warnings == [])
        let wide = FetchRequest<Stop>(where: .within(meters: 800, of: TestStore.pointOfInterest))
        #expect(try context.fetch(wide).map(\.id).sorted() == [0, 1, 2])
        let close = FetchRequest<Stop>(where: .within(meters: 600, of: TestStore.pointOfInterest))
        #expect(try context.fetchCount(close) == 2)
    }

    @Test func distancesAreGeodesic() {
        let paris = Coordinate(latitude: 48.856_614, longitude: 2.352_222)
        let newYork = Coordinate(latitude: 40.712_776, longitude: -74.005_974)
        // GeographicLib's GeodSolve gives 5,852,9xx m for these; Vincenty's formula agrees to the millimetre.
        #expect(abs(paris.distance(to: newYork) - 5_853_100) < 1_000)
        let one = Coordinate(latitude: 0, longitude: 0)
        #expect(abs(one.distance(to: Coordinate(latitude: 0, longitude: 1)) - 111_319.491) < 0.001)
        #expect(abs(one.distance(to: Coordinate(latitude: 1, longitude: 0)) - 110_574.389) < 0.001)
        #expect(one.distance(to: one) == 0)
    }

    /// The lengths are those of GeographicLib 2.1. Vincenty's formula does not converge for these points.
    @Test(arguments: [
        (0, 0, 0.3, 179.9, 19_970_142.0462), (0, 0, 0, 179.5, 19_980_861.9089), (0, 0, 0, 180, 20_003_931.4586),
        (0, -45.02, 0, 135.39, 19_988_418.0299), (15.5574, 0, -15.5574, -179.5113, 19_981_892.5859),
        (-30, 10, 29.9, -170.2, 19_989_832.8276), (90, 0, -90, 77, 20_003_931.4586),
        (41.3, -176, -41.25, 3.9, 19_997_574.0365), (1e-9, 0, -1e-9, 179.6, 19_989_165.4160),
    ])
    func `distances to the other side of the earth are geodesic`(
        latitude: Double, longitude: Double, otherLatitude: Double, otherLongitude: Double, meters: Double
    ) {
        let one = Coordinate(latitude: latitude, longitude: longitude)
        let other = Coordinate(latitude: otherLatitude, longitude: otherLongitude)
        #expect(abs(one.distance(to: other) - meters) < 0.0005)
        #expect(abs(other.distance(to: one) - meters) < 0.0005)
        #expect(!one.isWithin(meters - 0.001, of: other) && one.isWithin(meters + 0.001, of: other))
    }

    @Test(arguments: [90.0, -90]) func `a pole has all longitudes`(latitude: Double) throws {
        let context = try TestStore { connection in
            for (id, longitude) in [0.0, 77, 180, -180, -12.5].enumerated() {
                try connection.insertStop(id, "Pole", latitude, longitude)
            }
            try connection.insertStop(5, "Beside it", latitude * 0.999_999, 77)
        }.context()
        let pole = Coordinate(latitude: latitude, longitude: 77)
        let request = FetchRequest<Stop>(where: .within(meters: 0, of: pole))
        #expect(try context.fetch(request).map(\.id).sorted() == [0, 1, 2, 3, 4])
        #expect(pole.distance(to: Coordinate(latitude: latitude, longitude: -12.5)) == 0)
        #expect(try context.nearestStops(to: pole, limit: 5).map(\.id) == [0, 1, 2, 3, 4])
    }

    /// A box that ends on the 180th meridian has it as an edge, whichever longitude it has in the feed.
    @Test(arguments: [(170.0, 180.0), (-180, -170), (180, -170), (170, -180), (180, 180), (-180, -180), (180, -180)])
    func `a box contains the 180th meridian by both names`(west: Double, east: Double) throws {
        let context = try TestStore { connection in
            try connection.insertStop(0, "West", 52, -180)
            try connection.insertStop(1, "East", 52, 180)
            try connection.insertStop(2, "Other side", 52, 0)
            try connection.insertStop(3, "Other latitude", 54, 180)
        }.context()
        let box = BoundingBox(minLatitude: 51, maxLatitude: 53, minLongitude: west, maxLongitude: east)
        let request = FetchRequest<Stop>(where: .within(box))
        #expect(try context.fetch(request).map(\.id).sorted() == [0, 1])
        #expect(box.contains(latitude: 52, longitude: 180) && box.contains(latitude: 52, longitude: -180))
        #expect(!box.contains(latitude: 52, longitude: 0) && !box.contains(latitude: 54, longitude: 180))
        try #require(try context.object(Stop.self, id: 2)).set(\.longitude, to: -180)
        #expect(try context.fetch(request).map(\.id).sorted() == [0, 1, 2])
        let all = BoundingBox(minLatitude: -90, maxLatitude: 90, minLongitude: -180, maxLongitude: 180)
        #expect(try context.fetchCount(FetchRequest<Stop>(where: .within(all))) == 4)
    }

    /// The import stores a longitude out of range as it is, so bounds in words and predicates may ask for it.
    @Test func `bounds beyond the 180th meridian find what is there`() throws {
        let context = try TestStore { connection in
            for (id, longitude) in [-540.0, -185, -180, 0, 180, 180.004, 185, 540].enumerated() {
                try connection.insertStop(id, "Stop", 52, longitude)
            }
        }.context()
        func found(_ west: Double, _ east: Double) throws -> [Int] {
            let words = "longitude >= \(west) AND longitude <= \(east) AND latitude >= 50 AND latitude <= 53"
            return try context.fetch(FetchRequest<Stop>(where: Condition(format: words))).map(\.id).sorted()
        }
        func expectAll() throws {
            #expect(try found(180.2, 200) == [6])
            #expect(try found(179.9, 600) == [4, 5, 6, 7])
            #expect(try found(-200, -180.2) == [1])
            #expect(try found(-600, -179.9) == [0, 1, 2])
            #expect(try found(-1e300, 1e300) == Array(0...7))
        }
        try expectAll()
        // The same with unsaved changes.
        try #require(try context.object(Stop.self, id: 3)).set(\.longitude, to: 181)
        try #require(try context.object(Stop.self, id: 6)).set(\.name, to: "Other")
        #expect(try found(180.2, 200) == [3, 6])
        try #require(try context.object(Stop.self, id: 7)).set(\.longitude, to: 10)
        #expect(try found(-180, 200) == [2, 3, 4, 5, 6, 7])
        #expect(try found(-600, 180) == [0, 1, 2, 4, 7])
    }

    @Test func withinIsTheDistanceCompared() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<5_000 {
            let place = Coordinate(
                latitude: .random(in: -90...90, using: &generator),
                longitude: .random(in: -180...180, using: &generator))
            let step = Double.random(in: 0...0.1, using: &generator)
            let other = Coordinate(latitude: place.latitude * (1 - step), longitude: place.longitude * (1 + step))
            let distance = place.distance(to: other)
            for meters in [distance * 0.5, distance * 0.9999, distance, distance * 1.0001, distance * 2] {
                #expect(place.isWithin(meters, of: other) == (distance <= meters))
            }
        }
    }

    /// Conditions about places are created in their simplified form.
    @Test func placesNeedNoSimplifying() throws {
        for (latitude, longitude, meters) in [(52.5, 13.4, 80.0), (0, 180, 0), (-90, 0, 1e7), (89.99, -179.9, 800)] {
            let place = Coordinate(latitude: latitude, longitude: longitude)
            let near = try Condition<Stop>.within(meters: meters, of: place).query()
            #expect(try Condition<Stop>(near).query() == near)
            let call = try Condition<StopTime>.within(meters: meters, of: place, at: \.stop).query()
            #expect(try Condition<StopTime>(call).query() == call)
        }
    }

    /// Distances from about a millimetre to about 100 km. A faster formula estimates these first.
    @Test func withinIsTheDistanceComparedNearby() {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<20_000 {
            let belts = [-90.0...90, 88...90, -90 ... -89.999, -0.01...0.01]
            let latitudes = belts.randomElement(using: &generator) ?? 0...1
            let place = Coordinate(
                latitude: .random(in: latitudes, using: &generator),
                longitude: .random(in: -180...180, using: &generator))
            let reach = pow(10, Double.random(in: -8 ... -0.2, using: &generator))
            let other = Coordinate(
                latitude: min(max(place.latitude + .random(in: -reach...reach, using: &generator), -90), 90),
                longitude: place.longitude + .random(in: -reach...reach, using: &generator))
            let distance = place.distance(to: other)
            for factor in [0, 0.5, 0.985, 0.992, 0.9999, 1, 1.0001, 1.008, 1.015, 2] {
                let meters = distance * factor
                #expect(place.isWithin(meters, of: other) == (distance <= meters), "\(place) \(other) \(factor)")
            }
        }
    }

    @Test func sortedByDistance() throws {
        var request = FetchRequest<Stop>(where: #Predicate { $0.latitude != nil })
        request.sortDescriptors = [.distance(from: TestStore.pointOfInterest)]
        #expect(request.description.hasSuffix("ORDER BY distance(t0.latitude, t0.longitude, 52.499249, 13.418167)"))
        #expect(try context().fetch(request).map(\.id) == [1, 2, 0, 4, 3, 7, 6])
    }

    @Test func rowsAreFoundByThePlaceOfARelatedRow() throws {
        let request = FetchRequest<StopTime>(
            where: .within(meters: 80, of: TestStore.pointOfInterest, at: \.stop))
        #expect(try context().fetch(request).allSatisfy { $0.stop.id == 2 })
        #expect(try context().fetchCount(request) == 5)
    }

    @Test func aBoxInAPredicateIsRecognized() throws {
        let (west, east, south, north) = (13.4, 13.44, 52.49, 52.51)
        let request = FetchRequest<Stop>(
            where: #Predicate<Stop> { south <= $0.latitude! && $0.latitude! <= north }
                && #Predicate<Stop> { west <= $0.longitude! && $0.longitude! <= east && $0.name != "" })
        #expect(
            request.description.hasSuffix(
                "WHERE COALESCE(t0.name, '') <> '' AND (t0.longitude >= 13.4 AND t0.longitude <= 13.44 AND "
                    + "t0.latitude >= 52.49 AND t0.latitude <= 52.51)"))
        #expect(try context().fetch(request).map(\.id).sorted() == [0, 1, 2])
        let box = BoundingBox(minLatitude: south, maxLatitude: north, minLongitude: west, maxLongitude: east)
        let same: Condition<Stop> = .within(box) && #Predicate { $0.name != "" }
        #expect(request.predicate == same)
    }

    /// A box includes its edges, but `<` and `>` exclude them.
    @Test(arguments: [
        ("longitude > 13.4", "longitude <= 14 AND latitude >= 52 AND latitude <= 53", 2),
        ("longitude < 13.4", "longitude >= 13 AND latitude >= 52 AND latitude <= 53", 1),
        ("latitude > 52.5", "longitude >= 13 AND longitude <= 14 AND latitude <= 53", 2),
        ("latitude < 52.5", "longitude >= 13 AND longitude <= 14 AND latitude >= 52", 1),
    ])
    func `a box whose edge is left out`(edge: String, others: String, found: Int) throws {
        let test = try TestStore { connection in
            for (id, place) in [(52.5, 13.4), (52.4, 13.3), (52.6, 13.5)].enumerated() {
                try connection.insertStop(id, "Stop", place.0, place.1)
            }
        }
        let request = FetchRequest<Stop>(where: try Condition(format: "\(edge) AND \(others)"))
        #expect(request.description.contains("(t0.longitude >= "))
        #expect(try test.context().fetch(request).map(\.id) == [found])
    }

    /// An open store recognizes the index by its name.
    @Test func theIndexOfCellsHasTheNameAndTheExpression() throws {
        let index = try #require(StoreSchema.indexes.first { $0.name == LongitudeCell.indexName })
        let expression = LongitudeCell.expression(alias: "t0").replacing("t0.", with: "")
        #expect(index.table == "stop" && index.sql.contains("(\(expression), latitude"))
    }

    @Test func theCompoundIndexIsUsedWhereThereAreNoCells() throws {
        let test = try TestStore.berlin(indexes: ["DROP INDEX stop_cell_latitude"])
        let context = try test.context()
        let near = FetchRequest<Stop>(where: .within(meters: 80, of: TestStore.pointOfInterest))
        #expect(try context.fetch(near).map(\.id) == [1, 2])
        let plan = try context.explain(near, bigTable: 1)
        #expect(plan.steps == ["SEARCH t0 USING INDEX stop_longitude_latitude (longitude>? AND longitude<?)"])
    }

    @Test func placesAreFoundAcrossTheAntimeridianAndAtThePoles() throws {
        let test = try TestStore { connection in
            try connection.insertStop(0, "West", 0, 179.9995)
            try connection.insertStop(1, "East", 0, -179.9995)
            try connection.insertStop(2, "Far", 0, 179)
            try connection.insertStop(3, "Pole, one side", 89.9999, 10)
            try connection.insertStop(4, "Pole, other side", 89.9999, -170)
            try connection.insertStop(5, "South", -89.9999, 0)
        }
        let context = try test.context()
        let west = FetchRequest<Stop>(where: .within(meters: 200, of: Coordinate(latitude: 0, longitude: 180)))
        #expect(west.description.contains("(t0.longitude >= 179.99"))
        #expect(try context.fetch(west).map(\.id) == [0, 1])
        let pole = FetchRequest<Stop>(where: .within(meters: 50, of: Coordinate(latitude: 90, longitude: 77)))
        #expect(try context.fetch(pole).map(\.id).sorted() == [3, 4])
        let crossing = BoundingBox(around: Coordinate(latitude: 0, longitude: 179.9999), meters: 100)
        #expect(crossing.crossesAntimeridian)
        #expect(crossing.contains(latitude: 0, longitude: -179.9999))
    }

    @Test func theBoxHoldsAllThatIsWithin() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let place = Coordinate(
                latitude: .random(in: -90...90, using: &generator),
                longitude: .random(in: -180...180, using: &generator))
            let meters = Double.random(in: 1...200_000, using: &generator)
            let box = BoundingBox(around: place, meters: meters)
            let other = Coordinate(
                latitude: min(90, max(-90, place.latitude + .random(in: -2...2, using: &generator))),
                longitude: .random(in: -180...180, using: &generator))
            guard place.distance(to: other) <= meters else { continue }
            #expect(box.contains(latitude: other.latitude, longitude: other.longitude), "\(place) \(meters) \(other)")
        }
    }

    /// Places and distances that the command line refuses are refused here as well, instead of finding nothing.
    @Test func impossiblePlacesAndDistancesAreRefused() throws {
        let context = try fixture.get().context()
        let (here, nowhere) = (TestStore.pointOfInterest, Coordinate(latitude: 95, longitude: 13))
        for (condition, message) in [
            (.within(meters: -1, of: here), "A distance is 0 metres or more, not -1.0"),
            (.within(meters: .nan, of: here), "A distance is 0 metres or more, not nan"),
            (.within(meters: .infinity, of: here), "A distance is 0 metres or more, not inf"),
            (
                .within(meters: 80, of: nowhere),
                "A place has a latitude from -90 to 90 and a longitude from -180 to 180, not 95.0, 13.0"
            ),
            (
                .within(BoundingBox(minLatitude: 50, maxLatitude: .nan, minLongitude: 13, maxLongitude: 14)),
                "A place has a latitude from -90 to 90 and a longitude from -180 to 180, not nan, 14.0"
            ),
        ] as [(Condition<Stop>, String)] {
            #expect(throws: StoreError(.unsuitableValue, message)) { try context.fetch(FetchRequest(where: condition)) }
        }
        var sorted = FetchRequest<Stop>()
        sorted.sortDescriptors = [.distance(from: nowhere)]
        #expect(throws: StoreError.self) { try context.fetch(sorted) }
        let atStops: Condition<StopTime> = .within(meters: -1, of: here, at: \.stop)
        #expect(throws: StoreError.self) { try atStops.validate() }
        #expect(try context.fetchCount(FetchRequest<Stop>(where: .within(meters: 0, of: here))) == 1)
    }
}
