import TestSupport
import Testing

@testable import GTFSImport

/// How the rings of a polygon lie: against a slow twin, and against the verdicts of another library.
@Suite struct PolygonRingsTests {
    private typealias Point = (x: Int, y: Int)

    private static func fault(_ type: String, _ coordinates: String) throws -> String? {
        var rules = try #require(GeoJSONGeometryRules(geometryType: type))
        rules.check(GeoJSONValue(type: "array", text: coordinates.filter { $0 != " " }))
        try #require(rules.fault == nil)
        return rules.ringFault
    }

    @Test(arguments: [
        (
            "[[[2,2],[4,4],[4,2],[2,4],[2,2]]]",
            "ring 1 touches or crosses itself: the line from position 1 meets the one from position 3"
        ),
        (
            "[[[2,2],[6,2],[4,2],[4,5],[2,2]]]",
            "ring 1 touches or crosses itself: the line from position 1 meets the one from position 2"
        ),
        (
            "[[[2,2],[6,2],[6,2],[6,6],[4,2],[2,6],[2,2]]]",
            "ring 1 touches or crosses itself: the line from position 1 meets the one from position 5"
        ),
        (
            "[[[2,2],[8,2],[8,8],[2,8],[2,2]],[[7,3],[9,4],[7,5],[7,3]]]",
            "ring 1 crosses ring 2 or runs along it: the line from position 2 meets the one from position 1 there"
        ),
        ("[[[2,2],[4,2],[4,4],[2,4],[2,2]],[[6,6],[7,6],[7,7],[6,6]]]", "ring 2 is a hole outside of ring 1"),
        (
            "[[[2,2],[8,2],[8,8],[2,8],[2,2]],[[2,5],[5,4],[8,5],[5,6],[2,5]]]",
            "ring 2 touches other rings so that they cut the area into parts"
        ),
    ])
    func eachFaultNamesItsRingsAndPositions(coordinates: String, fault: String) throws {
        #expect(try Self.fault("Polygon", coordinates) == fault)
    }

    @Test func polygonsMayTouchAtAPointOnly() throws {
        let square = "[[[2,2],[4,2],[4,4],[2,4],[2,2]]]"
        let fault = "polygon 1, ring 1 crosses polygon 2, ring 1 or runs along it: the line from position 2 meets the "
        #expect(
            try Self.fault("MultiPolygon", "[\(square),[[[4,2],[6,2],[6,4],[4,4],[4,2]]]]") == fault
                + "one from position 4 there")
        #expect(try Self.fault("MultiPolygon", "[\(square),[[[4,4],[6,4],[6,6],[4,6],[4,4]]]]") == nil)
        #expect(
            try Self.fault("MultiPolygon", "[\(square),[[[7,7],[8,7],[8,8],[7,7]]],[[[5,5],[6,5],[6,6],[5,5]]]]") == nil
        )
    }

    /// What GEOS 3.14 says of these, the library behind PostGIS and Shapely.
    private static let verdicts: [(verdict: String, type: String, coordinates: String)] = [
        ("Hole lies outside shell", "Polygon", "[[[2,2],[8,2],[8,8],[2,8],[2,2]],[[7,9],[4,8],[3,9],[7,9]]]"),
        ("Hole lies outside shell", "Polygon", "[[[2,2],[8,2],[8,8],[2,8],[2,2]],[[8,6],[9,9],[9,5],[9,4],[8,6]]]"),
        (
            "Holes are nested", "Polygon",
            "[[[2,2],[8,2],[8,8],[2,8],[2,2]],[[3,7],[2,7],[4,6],[8,3],[3,7]],[[3,7],[3,6],[4,7],[2,4],[3,7]]]"
        ),
        (
            "Holes are nested", "Polygon",
            "[[[2,2],[8,2],[8,8],[2,8],[2,2]],[[5,6],[2,6],[8,8],[8,2],[5,6]],[[5,6],[7,4],[7,7],[5,6]]]"
        ),
        ("Nested shells", "MultiPolygon", "[[[[3,4],[8,3],[5,8],[2,4],[3,4]]],[[[5,5],[3,4],[3,5],[5,5]]]]"),
        ("Nested shells", "MultiPolygon", "[[[[4,6],[6,3],[6,6],[4,6]]],[[[2,6],[8,8],[7,2],[2,6]]]]"),
        (
            "Ring Self-intersection", "MultiPolygon",
            "[[[[3,8],[5,7],[5,3],[7,6],[3,8]]],[[[8,2],[2,3],[7,3],[2,2],[8,2]]]]"
        ),
        (
            "Ring Self-intersection", "MultiPolygon",
            "[[[[7,2],[5,3],[4,2],[2,7],[7,2]]],[[[4,8],[5,4],[8,6],[5,4],[6,6],[4,8]]]]"
        ),
        ("Ring Self-intersection", "Polygon", "[[[4,2],[4,6],[7,5],[5,5],[3,7],[4,2]]]"),
        ("Ring Self-intersection", "Polygon", "[[[7,3],[7,4],[2,3],[7,3],[6,2],[7,6],[7,3]]]"),
        ("Self-intersection", "MultiPolygon", "[[[[3,8],[8,2],[3,6],[6,5],[3,8]]],[[[3,2],[8,2],[3,8],[3,2]]]]"),
        ("Self-intersection", "MultiPolygon", "[[[[4,4],[3,6],[7,7],[4,4]]],[[[3,7],[3,5],[4,2],[3,7]]]]"),
        (
            "Self-intersection", "Polygon",
            "[[[2,2],[8,2],[8,8],[2,8],[2,2]],[[6,9],[7,4],[9,9],[4,2],[6,9]],[[2,7],[8,2],[8,7],[8,2],[2,7]]]"
        ),
        (
            "Self-intersection", "Polygon",
            "[[[2,2],[8,2],[8,8],[2,8],[2,2]],[[9,5],[2,4],[3,7],[9,5]],[[5,8],[3,5],[2,5],[8,6],[5,8]]]"
        ),
        (
            "Too few points in geometry component", "MultiPolygon",
            "[[[[4,8],[3,7],[4,3],[2,6],[4,8]]],[[[7,5],[2,7],[2,7],[7,5]]]]"
        ),
        (
            "Too few points in geometry component", "MultiPolygon",
            "[[[[5,8],[6,7],[6,4],[5,3],[5,8]]],[[[6,5],[6,5],[3,3],[6,5]]]]"
        ),
        (
            "Too few points in geometry component", "Polygon",
            "[[[2,2],[8,2],[8,8],[2,8],[2,2]],[[8,2],[3,4],[8,2],[8,2]]]"
        ),
        ("Too few points in geometry component", "Polygon", "[[[6,3],[4,4],[6,3],[6,3]]]"),
        (
            "Valid Geometry", "MultiPolygon",
            "[[[[5,6],[8,3],[7,7],[8,8],[5,6]]],[[[4,8],[2,8],[3,5],[8,8],[5,8],[4,8]]]]"
        ),
        ("Valid Geometry", "MultiPolygon", "[[[[6,3],[6,2],[8,7],[6,3]]],[[[6,2],[5,6],[4,5],[6,2]]]]"),
        ("Valid Geometry", "MultiPolygon", "[[[[7,5],[7,3],[3,4],[6,4],[7,7],[7,5]]],[[[3,8],[6,8],[3,4],[3,8]]]]"),
        ("Valid Geometry", "MultiPolygon", "[[[[7,7],[2,5],[3,3],[7,7]]],[[[3,2],[4,3],[5,3],[3,2]]]]"),
        ("Valid Geometry", "Polygon", "[[[3,4],[6,6],[4,3],[3,4]]]"),
        ("Valid Geometry", "Polygon", "[[[4,2],[4,4],[6,6],[2,6],[4,2]]]"),
        ("Valid Geometry", "Polygon", "[[[6,5],[5,7],[7,4],[5,4],[6,5]]]"),
        ("Valid Geometry", "Polygon", "[[[7,3],[4,7],[5,3],[7,3]]]"),
        ("Nested shells", "MultiPolygon", "[[[[3,3],[5,3],[5,5],[3,5],[3,3]]],[[[4,3],[5,4],[4,5],[3,4],[4,3]]]]"),
        (
            "Hole lies outside shell", "Polygon",
            "[[[3,10],[9,10],[9,20],[7,16],[7,13],[5,13],[5,16],[3,20],[3,10]],[[7,16],[5,16],[6,13],[7,16]]]"
        ),
        ("Self-intersection", "MultiPolygon", "[[[[5,3],[7,5],[5,7],[3,5],[5,3]]],[[[6,6],[7,6],[7,4],[6,4],[6,6]]]]"),
        ("Too few points", "Polygon", "[[[3,3],[3,3],[3,3],[3,3]]]"),
        (
            "Interior is disconnected", "Polygon",
            "[[[2,2],[8,2],[8,8],[2,8],[2,2]],[[2,5],[5,4],[8,5],[5,6],[2,5]]]"
        ),
        (
            "Interior is disconnected", "Polygon",
            "[[[2,2],[8,2],[8,8],[2,8],[2,2]],[[2,5],[4,4],[5,5],[2,5]],[[5,5],[6,4],[8,5],[5,5]]]"
        ),
        (
            "Valid Geometry", "Polygon",
            "[[[2,2],[8,2],[8,8],[2,8],[2,2]],[[2,5],[4,4],[5,5],[2,5]],[[5,5],[6,4],[7,5],[5,5]],[[5,5],[6,7],[4,7],[5,5]]]"
        ),
    ]

    @Test func polygonsThatAnotherLibraryHasJudged() throws {
        for (verdict, type, coordinates) in Self.verdicts {
            let fault = try Self.fault(type, coordinates)
            #expect((fault == nil) == (verdict == "Valid Geometry"), "\(verdict): \(coordinates): \(fault ?? "right")")
        }
    }

    /// A polygon may lie in the hole of another one, but not in its area.
    @Test func aPolygonMayLieInAHoleOfAnotherOnly() throws {
        let ground = "[[2,2],[9,2],[9,9],[2,9],[2,2]]", pond = "[[3,3],[7,3],[7,7],[3,7],[3,3]]"
        let island = "[[[4,4],[6,4],[6,6],[4,4]]]"
        #expect(try Self.fault("MultiPolygon", "[\(island),[\(ground),\(pond)]]") == nil)
        #expect(
            try Self.fault("MultiPolygon", "[\(island),[\(ground)]]")
                == "polygon 1, ring 1 lies within polygon 2, ring 1")
    }

    /// Twelve decimals are exact: the position is a hair beside the line, or on it.
    @Test func decimalsAreExact() throws {
        func ring(_ latitude: String) -> String {
            "[[[10.1,50.1],[10.3,50.3],[10.3,50.7],[10.2,\(latitude)],[10.1,50.7],[10.1,50.1]]]"
        }
        #expect(try Self.fault("Polygon", ring("50.200000000001")) == nil)
        #expect(try Self.fault("Polygon", ring("50.2")) != nil)
        #expect(try Self.fault("Polygon", ring("50.199999999999")) != nil)
    }

    /// Positions are compared as numbers: 4 and 4e0 are one place.
    @Test func numbersMayBeWrittenInSeveralWays() throws {
        #expect(try Self.fault("Polygon", "[[[-0.0,2],[4e0,2],[4,40E-1],[0,4],[0,2.00]]]") == nil)
        #expect(
            try Self.fault("Polygon", "[[[-0.0,2],[4e0,2],[0.0e5,20e-1],[4,4],[0,4],[0,2]]]")
                == "ring 1 touches or crosses itself: the line from position 1 meets the one from position 2")
    }

    /// The whole earth is an area, and so is half of it.
    @Test func ringsMayRunAlongTheEdgesOfTheMap() throws {
        #expect(try Self.fault("Polygon", "[[[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]]]") == nil)
        let (west, east) = (
            "[[[-180,-90],[0,-90],[0,90],[-180,90],[-180,-90]]]", "[[[0,-90],[180,-90],[180,90],[0,90],[0,-90]]]"
        )
        #expect(try Self.fault("Polygon", west) == nil && Self.fault("Polygon", east) == nil)
        #expect(try Self.fault("MultiPolygon", "[\(west),\(east)]") != nil)
    }

    /// Each two of the holes touch. Their pairs take bounded time and memory.
    @Test func manyHolesThatTouchAtAPointEnd() throws {
        let holes = (0..<4_900).map { hole in
            let (south, north) = (50 + Double(2 * hole) / 20_000, 50 + Double(2 * hole + 1) / 20_000)
            return "[[11,50.2],[10.5,\(south)],[10.5,\(north)],[11,50.2]]"
        }
        let shell = "[[10,49],[12,49],[12,51],[10,51],[10,49]]"
        #expect(try Self.fault("Polygon", "[" + ([shell] + holes).joined(separator: ",") + "]") == nil)
    }

    /// A long comb has many lines that overlap in longitude; the check ends without a verdict on all of them.
    @Test func aHugeCombEnds() throws {
        let teeth = (0..<40_000).map { "[\(-170 + Double($0 % 2) * 340),\(Double($0) / 1_000 + 2)]" }
        let comb = "[[" + (teeth + ["[-171,80]", teeth[0]]).joined(separator: ",") + "]]"
        #expect(try Self.fault("Polygon", comb) == nil)
    }

    /// One position tells whether a polygon of many positions lies within another one. The fault, behind all pairs with
    /// that polygon, ends the search.
    @Test func manyPolygonsBesideALongOneEnd() throws {
        func square(_ west: Double, _ side: Double) -> String {
            let (east, north) = (west + side, 40 + side)
            return "[[[\(west),40],[\(east),40],[\(east),\(north)],[\(west),\(north)],[\(west),40]]]"
        }
        let coast = (0..<200_000).map { "[\(Double($0) / 100_000),50]" } + ["[2,51]", "[0,51]", "[0.0,50]"]
        let island = "[[[10.2,40.2],[10.3,40.2],[10.3,40.3],[10.2,40.2]]]"
        let islands = (0..<30_000).map { square(12 + Double($0) / 1_000, 0.000_5) }
        let polygons = ["[[\(coast.joined(separator: ","))]]", island, square(10, 1)] + islands
        #expect(
            try Self.fault("MultiPolygon", "[\(polygons.joined(separator: ","))]")
                == "polygon 2, ring 1 lies within polygon 3, ring 1")
    }

    @Test func `random polygons on a small grid agree with the twin`() throws {
        var random = SeededGenerator(seed: 611)
        var counts = [0, 0]
        for _ in 0..<20_000 {
            let rings = (0..<Int.random(in: 1...2, using: &random)).map { _ in Self.ring(&random) }
            let text = rings.map { "[" + $0.map { "[\($0.x),\($0.y)]" }.joined(separator: ",") + "]" }
            // As two polygons, none is a hole.
            let coordinates = "[" + text.map { "[\($0)]" }.joined(separator: ",") + "]"
            let isWrong = Self.ringsMeet(rings)
            counts[isWrong ? 1 : 0] += 1
            let fault = try Self.fault("MultiPolygon", coordinates) ?? ""
            #expect(fault.contains(" meets the one ") == isWrong, "\(coordinates): \(fault)")
        }
        #expect(counts[0] > 2_000 && counts[1] > 2_000)
    }

    private static func ring(_ random: inout SeededGenerator) -> [Point] {
        let points = (0..<Int.random(in: 3...5, using: &random)).map { _ in
            Point(Int.random(in: 2...6, using: &random), Int.random(in: 2...6, using: &random))
        }
        return points + [points[0]]
    }

    // MARK: The twin

    /// Compares every two lines by the place along each where they meet.
    private static func ringsMeet(_ rings: [[Point]]) -> Bool {
        var lines: [(ring: Int, number: Int, count: Int, from: Point, to: Point)] = []
        for (index, points) in rings.enumerated() {
            let parts = zip(points, points.dropFirst()).filter { $0 != $1 }
            for (number, part) in parts.enumerated() { lines.append((index, number, parts.count, part.0, part.1)) }
        }
        for (index, one) in lines.enumerated() {
            for two in lines[..<index] {
                let meeting = meeting((one.from, one.to), (two.from, two.to))
                let isSameRing = one.ring == two.ring
                let follows = one.number - two.number == 1 || two.number == 0 && one.number == one.count - 1
                let isWrong =
                    switch meeting {
                    case .apart: false
                    case .along: true
                    case .crossing: true
                    case .touch: isSameRing && !follows
                    }
                if isWrong { return true }
            }
        }
        return false
    }

    private enum Meeting { case apart, touch, crossing, along }

    private static func meeting(_ one: (Point, Point), _ two: (Point, Point)) -> Meeting {
        let r = Point(one.1.x - one.0.x, one.1.y - one.0.y), s = Point(two.1.x - two.0.x, two.1.y - two.0.y)
        let between = Point(two.0.x - one.0.x, two.0.y - one.0.y)
        let product = r.x * s.y - r.y * s.x
        guard product == 0 else {
            // The places along both lines, times `product`.
            let sign = product.signum()
            let t = (between.x * s.y - between.y * s.x) * sign, u = (between.x * r.y - between.y * r.x) * sign
            guard (0...abs(product)).contains(t), (0...abs(product)).contains(u) else { return .apart }
            return [0, abs(product)].contains(t) || [0, abs(product)].contains(u) ? .touch : .crossing
        }
        guard between.x * r.y == between.y * r.x else { return .apart }
        let length = r.x * r.x + r.y * r.y
        let start = between.x * r.x + between.y * r.y, end = start + s.x * r.x + s.y * r.y
        let (low, high) = (max(0, min(start, end)), min(length, max(start, end)))
        return low > high ? .apart : low == high ? .touch : .along
    }
}
