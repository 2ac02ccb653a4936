/// The rings of a polygon, or of several polygons that make one area, and what is wrong with how they lie.
///
/// A ring must not touch or cross itself. Two rings may touch at a point, but neither cross nor run along each other. A
/// hole lies in its polygon's first ring and in no other hole, and no polygon lies in another one (OGC Simple Features,
/// 06-103r4, sections 6.1.11.1 and 6.1.14).
///
/// Coordinates are even numbers of half 1e-12 degrees: up to twelve decimals are exact, and so are the middles of
/// lines. Costs a sort of the positions, and a comparison for any two lines whose longitudes overlap.
struct PolygonRings {
    private struct Point: Equatable {
        let x: Int64
        let y: Int64
        /// The position's number in its ring, from 1.
        let number: Int32
    }

    private struct Ring {
        let place: String
        let polygon: Int
        let isHole: Bool
        let points: Range<Int>
    }

    /// More positions are not looked at; those of 16 MB of JSON would need 70 MB.
    static let mostPositions = 1_000_000
    /// After so many looks at two lines, about a tenth of a second, the rest counts as right.
    static let mostLooks = 50_000_000

    private var points: [Point] = []
    private var rings: [Ring] = []
    private var ringStart = 0
    private var numberInRing: Int32 = 0
    private var looks = 0
    /// Rings that touch at a point: the lower index in the upper half, the higher one in the lower half.
    private var touching: Set<UInt64> = []
    /// What a pair of touching rings counts for, so that they take little memory.
    private static let looksForTouch = 1_000

    // MARK: Filling

    /// Adds a position of the ring at hand. Repeating the last one makes no line.
    mutating func add(_ position: GeoJSONGeometryRules.Position) {
        guard points.count < Self.mostPositions else { return }
        numberInRing += 1
        let (x, y) = (Self.even(position.longitude), Self.even(position.latitude))
        if points.count > ringStart, let last = points.last, (last.x, last.y) == (x, y) { return }
        points.append(Point(x: x, y: y, number: numberInRing))
    }

    private static func even(_ degrees: Double) -> Int64 { 2 * Int64((degrees * 1e12).rounded()) }

    mutating func endRing(_ place: String, isHole: Bool) {
        let polygon = (rings.last?.polygon ?? -1) + (isHole ? 0 : 1)
        rings.append(Ring(place: place, polygon: polygon, isHole: isHole, points: ringStart..<points.count))
        ringStart = points.count
        numberInRing = 0
    }

    // MARK: Faults

    /// The first thing that is wrong, in words.
    mutating func fault() -> String? {
        guard points.count < Self.mostPositions else { return nil }
        return meetingLines() ?? singlePoint() ?? crossingAtPoint() ?? misplacedRing()
    }

    /// Goes through all lines from west to east, and compares each with those that still reach its longitude.
    private mutating func meetingLines() -> String? {
        var lines: [(start: Int, ring: Int)] = []
        for (ring, points) in rings.map(\.points).enumerated() {
            for start in points.dropLast() { lines.append((start, ring)) }
        }
        lines.sort { west(of: $0.start) < west(of: $1.start) }
        var reaching: [(start: Int, ring: Int)] = []
        for line in lines {
            looks += reaching.count
            guard looks < Self.mostLooks else { return nil }
            let west = west(of: line.start)
            reaching.removeAll { east(of: $0.start) < west }
            for other in reaching where latitudesOverlap(line.start, other.start) {
                if line.ring == other.ring {
                    if meetsItself(rings[line.ring].points, line.start, other.start) { return words(line, other) }
                } else if let isTouch = meets(line.start, other.start) {
                    guard isTouch else { return words(line, other) }
                    let (low, high) = (min(line.ring, other.ring), max(line.ring, other.ring))
                    if touching.insert(UInt64(low) << 32 | UInt64(high)).inserted { looks += Self.looksForTouch }
                }
            }
            reaching.append(line)
        }
        return nil
    }

    private func singlePoint() -> String? {
        rings.first { $0.points.count < 2 }.map { "\($0.place) is a single point" }
    }

    private func words(_ one: (start: Int, ring: Int), _ two: (start: Int, ring: Int)) -> String {
        let (first, second) = one.start < two.start ? (one, two) : (two, one)
        let (ring, other) = (rings[first.ring].place, rings[second.ring].place)
        let (number, otherNumber) = (points[first.start].number, points[second.start].number)
        return first.ring == second.ring
            ? "\(ring) touches or crosses itself: the line from position \(number) meets the one from position "
                + "\(otherNumber)"
            : "\(ring) crosses \(other) or runs along it: the line from position \(number) meets the one from "
                + "position \(otherNumber) there"
    }

    /// Two rings may touch in a corner where one goes on to the other side.
    private mutating func crossingAtPoint() -> String? {
        for pair in touching.sorted() {
            let (one, two) = (rings[Int(pair >> 32)], rings[Int(pair & 0xFFFF_FFFF)])
            if Set(sides(of: one, two, all: true)).count > 1 || Set(sides(of: two, one, all: true)).count > 1 {
                return "\(one.place) crosses \(two.place)"
            }
        }
        return nil
    }

    private mutating func misplacedRing() -> String? {
        for ring in rings {
            for other in rings where other.points.lowerBound != ring.points.lowerBound {
                looks += 1
                guard looks < Self.mostLooks else { return nil }
                if let fault = misplacement(of: ring, beside: other) { return fault }
            }
        }
        return nil
    }

    /// A hole must lie in the first ring of its polygon, no two holes of a polygon in each other, and no two polygons.
    private mutating func misplacement(of ring: Ring, beside other: Ring) -> String? {
        let areOfOne = ring.polygon == other.polygon
        if ring.isHole, areOfOne, !other.isHole {
            return sides(of: ring, other, all: false).first == .outside
                ? "\(ring.place) is a hole outside of \(other.place)" : nil
        }
        guard ring.isHole == other.isHole, ring.isHole == areOfOne,
            sides(of: ring, other, all: false).first == .inside, ring.isHole || !isInHole(ring, of: other.polygon)
        else { return nil }
        return "\(ring.place) lies within \(other.place)"
    }

    private mutating func isInHole(_ ring: Ring, of polygon: Int) -> Bool {
        for hole in rings where hole.polygon == polygon && hole.isHole {
            if sides(of: ring, hole, all: false).first != .outside { return true }
        }
        return false
    }

    private enum Side { case inside, outside }

    /// On which sides of `other` the corners of a ring and the middles of its lines are; those on the lines of `other`
    /// are left out. Without `all`, ends after the first.
    private mutating func sides(of ring: Ring, _ other: Ring, all: Bool) -> [Side] {
        var sides: [Side] = []
        for index in ring.points.dropLast() where looks < Self.mostLooks && (all || sides.isEmpty) {
            looks += 2 * other.points.count
            let (corner, next) = (points[index], points[index + 1])
            let middle = Point(x: (corner.x + next.x) / 2, y: (corner.y + next.y) / 2, number: corner.number)
            sides += [corner, middle].compactMap { side(of: $0, other.points) }
        }
        return sides
    }

    // MARK: Lines

    private func west(of line: Int) -> Int64 { min(points[line].x, points[line + 1].x) }
    private func east(of line: Int) -> Int64 { max(points[line].x, points[line + 1].x) }

    private func latitudesOverlap(_ one: Int, _ two: Int) -> Bool {
        let (a, b, c, d) = (points[one].y, points[one + 1].y, points[two].y, points[two + 1].y)
        return max(a, b) >= min(c, d) && max(c, d) >= min(a, b)
    }

    /// Whether two lines of one ring meet anywhere but where one follows the other.
    private func meetsItself(_ ring: Range<Int>, _ one: Int, _ two: Int) -> Bool {
        let (first, second) = (min(one, two), max(one, two))
        if second == first + 1 { return foldsBack(points[first], points[second], points[second + 1]) }
        if first == ring.lowerBound, second == ring.upperBound - 2 {
            return foldsBack(points[second], points[first], points[first + 1])
        }
        let turns = turns(one, two)
        return turns.areCrossing || touches(turns, one, two)
    }

    /// Whether lines of two rings meet, and if so, whether they only touch at a point.
    private func meets(_ one: Int, _ two: Int) -> Bool? {
        let turns = turns(one, two)
        if turns.areCrossing { return false }
        guard touches(turns, one, two) else { return nil }
        guard (turns.a, turns.b, turns.c, turns.d) == (0, 0, 0, 0) else { return true }
        let (a, b, c, d) = (points[one], points[one + 1], points[two], points[two + 1])
        return max(min(a.x, b.x), min(c.x, d.x)) == min(max(a.x, b.x), max(c.x, d.x))
            && max(min(a.y, b.y), min(c.y, d.y)) == min(max(a.y, b.y), max(c.y, d.y))
    }

    /// Whether an end of one line is on the other.
    private func touches(_ turns: Turns, _ one: Int, _ two: Int) -> Bool {
        turns.c == 0 && isWithinBox(points[two], of: one) || turns.d == 0 && isWithinBox(points[two + 1], of: one)
            || turns.a == 0 && isWithinBox(points[one], of: two)
            || turns.b == 0 && isWithinBox(points[one + 1], of: two)
    }

    /// Whether the line from `middle` runs back over the line to `middle`.
    private func foldsBack(_ start: Point, _ middle: Point, _ end: Point) -> Bool {
        guard turn(start, middle, end) == 0 else { return false }
        let (x, y) = (Int128(start.x - middle.x), Int128(start.y - middle.y))
        return x * Int128(end.x - middle.x) + y * Int128(end.y - middle.y) > 0
    }

    private func isWithinBox(_ point: Point, of line: Int) -> Bool {
        let (a, b) = (points[line], points[line + 1])
        return point.x >= min(a.x, b.x) && point.x <= max(a.x, b.x) && point.y >= min(a.y, b.y)
            && point.y <= max(a.y, b.y)
    }

    /// On which side of the other line the ends of two lines are, a to b and c to d: 1 is left, -1 right, 0 on it.
    private struct Turns {
        let a: Int
        let b: Int
        let c: Int
        let d: Int
        var areCrossing: Bool { a * b < 0 && c * d < 0 }
    }

    private func turns(_ one: Int, _ two: Int) -> Turns {
        let (a, b, c, d) = (points[one], points[one + 1], points[two], points[two + 1])
        return Turns(a: turn(c, d, a), b: turn(c, d, b), c: turn(a, b, c), d: turn(a, b, d))
    }

    private func turn(_ a: Point, _ b: Point, _ c: Point) -> Int {
        let left = Int128(b.x - a.x) * Int128(c.y - a.y)
        let right = Int128(b.y - a.y) * Int128(c.x - a.x)
        return left == right ? 0 : left > right ? 1 : -1
    }

    /// Counts the lines east of a point; nil if the point is on a line.
    private func side(of point: Point, _ ring: Range<Int>) -> Side? {
        var isInside = false
        for line in ring.dropLast() {
            let (a, b) = (points[line], points[line + 1])
            // Most lines lie north or south of the point.
            guard point.y >= min(a.y, b.y), point.y <= max(a.y, b.y) else { continue }
            let turn = turn(a, b, point)
            if turn == 0, isWithinBox(point, of: line) { return nil }
            if (a.y > point.y) != (b.y > point.y), (turn > 0) == (b.y > a.y) { isInside.toggle() }
        }
        return isInside ? .inside : .outside
    }
}
