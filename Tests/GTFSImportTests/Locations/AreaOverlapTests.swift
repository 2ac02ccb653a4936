import TestSupport
import Testing

@testable import GTFSImport

/// Whether two areas overlap: against a slow twin that counts squares.
@Suite struct AreaOverlapTests {
    private static func outline(_ type: String, _ coordinates: String) throws -> AreaOutline {
        var rules = try #require(GeoJSONGeometryRules(geometryType: type))
        rules.check(GeoJSONValue(type: "array", text: coordinates))
        return AreaOutline(try #require(rules.soundRings, "\(coordinates) \(rules.ringFault ?? "")"))
    }

    private static func overlap(_ one: AreaOutline, _ other: AreaOutline) -> Bool {
        var looksLeft = 1_000_000
        let overlap = AreaOverlap.of(one, other, looksLeft: &looksLeft)
        #expect(looksLeft > 0)
        return overlap
    }

    /// Areas of unit squares on a chessboard, with their outlines as coordinates.
    private struct Tiles {
        var squares: Set<Int> = []
        private var polygons: [String] = []

        /// A few shapes that neither meet nor surround each other: each has a column of the board of its own.
        init(using random: inout SeededGenerator) {
            for column in 0..<Int.random(in: 1...2, using: &random) {
                let (west, south) = (
                    column * 7 + Int.random(in: 0...2, using: &random), Int.random(in: 0...3, using: &random)
                )
                add(Int.random(in: 0..<5, using: &random), west, south, using: &random)
            }
        }

        private mutating func add(_ shape: Int, _ x: Int, _ y: Int, using random: inout SeededGenerator) {
            let (width, height) = (Int.random(in: 1...4, using: &random), Int.random(in: 1...4, using: &random))
            switch shape {
            case 0, 1:
                fill(x..<x + width, y..<y + height)
                polygons.append("[\(Self.box(x, y, width, height))]")
            case 2:
                // An L.
                fill(x..<x + 4, y..<y + 1)
                fill(x..<x + 1, y..<y + 4)
                let corners = [(x, y), (x + 4, y), (x + 4, y + 1), (x + 1, y + 1), (x + 1, y + 4), (x, y + 4), (x, y)]
                polygons.append("[\(Self.ring(corners))]")
            case 3:
                // A frame around a hole, whose lines go the same way or the other way.
                fill(x..<x + 4, y..<y + 4)
                let (left, low) = (x + Int.random(in: 0...2, using: &random), y + 1)
                guard left > x else { return polygons.append("[\(Self.box(x, y, 4, 4))]") }
                squares.subtract([left + 32 * low])
                let hole = Self.corners(left, low, 1, 1)
                let ring = Self.ring(Bool.random(using: &random) ? hole : hole.reversed())
                polygons.append("[\(Self.box(x, y, 4, 4)),\(ring)]")
            default:
                // A square whose lines have a corner in their middle.
                fill(x..<x + 2, y..<y + 2)
                let corners = [(x, y), (x, y + 1), (x, y + 2), (x + 1, y + 2), (x + 2, y + 2), (x + 2, y), (x, y)]
                polygons.append("[\(Self.ring(corners))]")
            }
        }

        private mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>) {
            for x in columns { squares.formUnion(rows.map { x + 32 * $0 }) }
        }

        private static func corners(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [(Int, Int)] {
            [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
        }

        private static func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> String {
            ring(corners(x, y, width, height))
        }

        /// The board leans, so that no line runs along a meridian. What overlaps still does.
        private static func ring(_ corners: [(Int, Int)]) -> String {
            "[" + corners.map { "[\(2 * $0.0 + $0.1),\(3 * $0.1 - $0.0)]" }.joined(separator: ",") + "]"
        }

        var outline: AreaOutline {
            get throws { try AreaOverlapTests.outline("MultiPolygon", "[\(polygons.joined(separator: ","))]") }
        }
    }

    @Test func randomAreasAgreeWithCountedSquares() throws {
        var random = SeededGenerator(seed: 73)
        var overlaps = 0
        for _ in 0..<4_000 {
            let (one, other) = (Tiles(using: &random), Tiles(using: &random))
            let (a, b) = (one.squares, other.squares)
            let expected = !a.isDisjoint(with: b) && !a.isSubset(of: b) && !b.isSubset(of: a)
            if expected { overlaps += 1 }
            let (first, second) = (try one.outline, try other.outline)
            #expect(Self.overlap(first, second) == expected, "\(one) \(other)")
            #expect(Self.overlap(second, first) == expected, "\(other) \(one)")
        }
        #expect((400..<3_600).contains(overlaps), "\(overlaps)")
    }

    /// What GEOS 3.14 says of polygons that touch at corners and along lines, cross, and lie in each other.
    @Test(arguments: [
        ("[[5,3],[8,6],[2,8],[5,3]]", "[[2,7],[4,2],[5,4],[2,7]]", true),
        ("[[3,6],[3,2],[4,2],[3,6]]", "[[2,7],[7,2],[3,2],[2,7]]", false),
        ("[[6,7],[6,3],[7,4],[6,7]]", "[[6,3],[7,4],[5,5],[6,3]]", true),
        ("[[8,3],[2,2],[5,3],[8,3],[8,3]]", "[[4,5],[8,3],[8,6],[4,5]]", false),
        ("[[2,4],[8,2],[7,7],[7,4],[2,4]]", "[[6,5],[6,7],[7,4],[2,4],[6,5]]", false),
        ("[[4,4],[4,2],[8,2],[2,8],[4,4]],[[6,3],[4,6],[4,5],[6,3]]", "[[2,4],[5,7],[7,2],[2,3],[2,4]]", true),
        ("[[8,4],[4,2],[4,7],[4,8],[8,4]]", "[[4,3],[4,2],[8,4],[4,3]]", false),
        ("[[5,4],[5,5],[6,5],[6,5],[4,6],[5,4]]", "[[8,5],[2,8],[5,2],[8,5]]", false),
        ("[[8,3],[8,8],[3,5],[2,7],[2,3],[8,3]],[[6,6],[8,7],[7,4],[6,6]]", "[[3,6],[8,4],[8,6],[6,6],[3,6]]", true),
        ("[[7,8],[7,8],[8,6],[6,8],[7,8]]", "[[3,8],[7,7],[7,2],[3,8]],[[7,4],[6,7],[6,4],[7,4]]", false),
        ("[[5,2],[8,6],[8,7],[5,8],[4,5],[5,2]],[[5,8],[7,7],[6,6],[5,8]]", "[[8,7],[7,7],[5,4],[8,6],[8,7]]", false),
    ])
    func polygonsThatAnotherLibraryHasJudged(one: String, other: String, verdict: Bool) throws {
        let (first, second) = (try Self.outline("Polygon", "[\(one)]"), try Self.outline("Polygon", "[\(other)]"))
        #expect(Self.overlap(first, second) == verdict)
        #expect(Self.overlap(second, first) == verdict)
    }

    /// A ten-thousandth of a millimeter decides.
    @Test func areasThatOnlyTouchDoNotOverlap() throws {
        let square = try Self.outline("Polygon", "[[[8,50],[9,50],[9,51],[8,51],[8,50]]]")
        for (west, expected) in [("9", false), ("8.999999999999", true), ("9.000000000001", false)] {
            let other = try Self.outline("Polygon", "[[[\(west),50.2],[10,50.2],[10,50.8],[\(west),50.2]]]")
            #expect(Self.overlap(square, other) == expected, "\(west)")
        }
    }

    @Test func theSearchEnds() throws {
        let corners = (0..<150).map { "[\($0),0]" } + ["[150,80]", "[0,80]", "[0,0]"]
        let one = try Self.outline("Polygon", "[[\(corners.joined(separator: ","))]]")
        var looksLeft = 400
        #expect(!AreaOverlap.of(one, one, looksLeft: &looksLeft))
        #expect(looksLeft <= 0)
    }
}
