/// The rings of a polygon, or of several polygons that make one area, and what is wrong with how they lie.
///
/// A ring must not touch or cross itself. Two rings may touch at a point, but neither cross nor run along each other,
/// nor cut their polygon's area into parts. A hole lies in its polygon's first ring and in no other hole, and no
/// polygon lies in another one (OGC Simple Features, 06-103r4, sections 6.1.11.1 and 6.1.14).
///
/// Costs a sort of the positions, and a comparison for any two lines whose longitudes overlap.
struct PolygonRings {
    struct Ring {
        let place: String
        let polygon: Int
        let isHole: Bool
        let points: Range<Int>
    }

    /// More positions are not looked at; those of 16 MB of JSON would need 70 MB.
    static let mostPositions = 1_000_000
    /// The most looks at two lines, which take about a tenth of a second. Lines that are left then count as faultless.
    static let mostLooks = 50_000_000

    private var points: [PlanePoint] = []
    /// The position's number in its ring, from 1, by the point.
    private var numbers: [Int32] = []
    private(set) var rings: [Ring] = []
    private var ringStart = 0
    private var numberInRing: Int32 = 0
    private var looks = 0
    /// Rings that touch at a point: the lower index in the upper half, the higher one in the lower half.
    private var touching: Set<UInt64> = []
    /// Where rings of one polygon touch: the point, and one of the rings.
    private var touches: Set<Touch> = []
    /// Each new pair of touching rings counts as this many looks, which bounds the memory for such pairs.
    private static let looksForTouch = 1_000

    private struct Touch: Hashable {
        let ring: Int
        let point: PlanePoint
    }

    // MARK: Filling

    /// Adds a position of the ring at hand. Repeating the last one makes no line.
    mutating func add(_ position: GeoJSONGeometryRules.Position) {
        guard points.count < Self.mostPositions else { return }
        numberInRing += 1
        let point = PlanePoint(position)
        if points.count > ringStart, points.last == point { return }
        points.append(point)
        numbers.append(numberInRing)
    }

    mutating func endRing(_ place: String, isHole: Bool) {
        let polygon = (rings.last?.polygon ?? -1) + (isHole ? 0 : 1)
        rings.append(Ring(place: place, polygon: polygon, isHole: isHole, points: ringStart..<points.count))
        ringStart = points.count
        numberInRing = 0
    }

    /// Whether positions were left out because there are too many.
    var isCut: Bool { points.count >= Self.mostPositions }

    /// The lines of a ring, in their order.
    func lines(of ring: Ring) -> some Sequence<PlaneLine> { ring.points.dropLast().lazy.map(line) }

    /// The line that begins at a point.
    private func line(_ start: Int) -> PlaneLine { PlaneLine(start: points[start], end: points[start + 1]) }

    // MARK: Faults

    /// The first thing that is wrong, in words.
    mutating func fault() -> String? {
        guard !isCut else { return nil }
        return meetingLines() ?? singlePoint() ?? crossingAtPoint() ?? misplacedRing() ?? cutArea()
    }

    /// The first two lines that meet where they must not. Notes where rings touch.
    private mutating func meetingLines() -> String? {
        var lines: [(start: Int, ring: Int)] = []
        for (ring, points) in rings.map(\.points).enumerated() {
            for start in points.dropLast() { lines.append((start, ring)) }
        }
        lines.sort { line($0.start).west < line($1.start).west }
        var sweep = LineSweep(lines.makeIterator()) { [points] in
            PlaneLine(start: points[$0.start], end: points[$0.start + 1])
        }
        while let (one, own, spent) = sweep.next() {
            looks += spent
            guard looks < Self.mostLooks else { return nil }
            for (other, line) in sweep.reaching where own.sharesLatitude(with: line) {
                if one.ring == other.ring {
                    if meetsItself(rings[one.ring].points, one.start, other.start) { return words(one, other) }
                } else if let meeting = own.meeting(line) {
                    guard meeting == .touching else { return words(one, other) }
                    noteTouch(one, other)
                }
            }
        }
        return nil
    }

    private mutating func noteTouch(_ one: (start: Int, ring: Int), _ other: (start: Int, ring: Int)) {
        let (low, high) = (min(one.ring, other.ring), max(one.ring, other.ring))
        if touching.insert(UInt64(low) << 32 | UInt64(high)).inserted { looks += Self.looksForTouch }
        let (line, met) = (line(one.start), line(other.start))
        guard rings[low].polygon == rings[high].polygon,
            let point = [met.start, met.end].first(where: line.contains)
                ?? [line.start, line.end].first(where: met.contains)
        else { return }
        for ring in [low, high] where touches.insert(Touch(ring: ring, point: point)).inserted {
            looks += Self.looksForTouch
        }
    }

    private func singlePoint() -> String? {
        rings.first { $0.points.count < 2 }.map { "\($0.place) is a single point" }
    }

    private func words(_ one: (start: Int, ring: Int), _ two: (start: Int, ring: Int)) -> String {
        let (first, second) = one.start < two.start ? (one, two) : (two, one)
        let (ring, other) = (rings[first.ring].place, rings[second.ring].place)
        let (number, otherNumber) = (numbers[first.start], numbers[second.start])
        return first.ring == second.ring
            ? "\(ring) touches or crosses itself: the line from position \(number) meets the one from position "
                + "\(otherNumber)"
            : "\(ring) crosses \(other) or runs along it: the line from position \(number) meets the one from "
                + "position \(otherNumber) there"
    }

    /// The first two rings that cross at a corner: their lines only touch, but one ring goes on to the other side
    /// there.
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

    /// A hole must lie in its polygon's first ring. No hole lies in another hole of its polygon, and no polygon lies in
    /// another one, except in one of its holes.
    private mutating func misplacement(of ring: Ring, beside other: Ring) -> String? {
        let areOfOne = ring.polygon == other.polygon
        if ring.isHole, areOfOne, !other.isHole {
            return isWithin(ring, other) == false
                ? "\(ring.place) is a hole outside of \(other.place)" : nil
        }
        guard ring.isHole == other.isHole, ring.isHole == areOfOne,
            isWithin(ring, other) == true, ring.isHole || !isInHole(ring, of: other.polygon)
        else { return nil }
        return "\(ring.place) lies within \(other.place)"
    }

    /// Rings that touch each other one after the other, back to the first one, surround a part of the area. Goes from
    /// touch to touch and joins each ring with its points; joining what is joined already closes such a circle.
    private func cutArea() -> String? {
        var groups: [Int: Int] = [:]
        func group(of node: Int) -> Int {
            var node = node
            while let next = groups[node] {
                if let further = groups[next] { groups[node] = further }
                node = next
            }
            return node
        }
        let points = Dictionary(uniqueKeysWithValues: zip(Set(touches.map(\.point)), rings.count...))
        let order = touches.sorted { ($0.ring, $0.point.x, $0.point.y) < ($1.ring, $1.point.x, $1.point.y) }
        for touch in order {
            guard let point = points[touch.point] else { continue }
            let (ring, other) = (group(of: touch.ring), group(of: point))
            if ring == other {
                return "\(rings[touch.ring].place) touches other rings so that they cut the area into parts"
            }
            groups[ring] = other
        }
        return nil
    }

    private mutating func isInHole(_ ring: Ring, of polygon: Int) -> Bool {
        for hole in rings where hole.polygon == polygon && hole.isHole {
            if isWithin(ring, hole) != false { return true }
        }
        return false
    }

    /// Whether a ring lies within another one that it does not cross; nil if all its corners are on the other's lines.
    private mutating func isWithin(_ ring: Ring, _ other: Ring) -> Bool? { sides(of: ring, other, all: false).first }

    /// Whether the corners of a ring and the middles of its lines are within `other`; those on the lines of `other` are
    /// left out. Without `all`, ends after the first.
    private mutating func sides(of ring: Ring, _ other: Ring, all: Bool) -> [Bool] {
        var sides: [Bool] = []
        for index in ring.points.dropLast() {
            guard looks < Self.mostLooks, all || sides.isEmpty else { break }
            looks += 2 * other.points.count
            sides += [points[index], line(index).middle].compactMap {
                AreaPosition(of: $0, among: lines(of: other)).isInside
            }
        }
        return sides
    }

    /// Whether two lines of one ring meet anywhere but where one follows the other.
    private func meetsItself(_ ring: Range<Int>, _ one: Int, _ two: Int) -> Bool {
        let (first, second) = (min(one, two), max(one, two))
        if second == first + 1 { return line(first).foldsBack(to: points[second + 1]) }
        if first == ring.lowerBound, second == ring.upperBound - 2 {
            return line(second).foldsBack(to: points[first + 1])
        }
        return line(one).meeting(line(two)) != nil
    }
}
