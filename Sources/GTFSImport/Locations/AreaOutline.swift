/// The lines around an area: one polygon or several, with their holes.
struct AreaOutline {
    /// Ring after ring; the area lies to the left of each line.
    let lines: [PlaneLine]
    let rings: [Range<Int>]
    /// The numbers of the lines, from west to east. Sorted once, as an area may be compared with many others.
    fileprivate let westToEast: [Int32]

    /// The rings must have passed the checks of `PolygonRings`.
    init(_ polygons: PolygonRings) {
        var (lines, rings): ([PlaneLine], [Range<Int>]) = ([], [])
        for ring in polygons.rings {
            let own = Array(polygons.lines(of: ring))
            rings.append(lines.count..<lines.count + own.count)
            let hasAreaLeft = Self.goCounterclockwise(own) != ring.isHole
            lines += hasAreaLeft ? own : own.reversed().map { PlaneLine(start: $0.end, end: $0.start) }
        }
        (self.lines, self.rings) = (lines, rings)
        westToEast = (0..<Int32(clamping: lines.count)).sorted { lines[Int($0)].west < lines[Int($1)].west }
    }

    private static func goCounterclockwise(_ ring: [PlaneLine]) -> Bool {
        guard let origin = ring.first?.start else { return false }
        let doubleArea = ring.reduce(Int128(0)) { sum, line in
            let left = Int128(line.start.x - origin.x) * Int128(line.end.y - origin.y)
            return sum + left - Int128(line.end.x - origin.x) * Int128(line.start.y - origin.y)
        }
        return doubleArea > 0
    }
}

/// Tells whether two areas overlap: each has a part that belongs to both, and a part of its own (`T*T***T**` of OGC
/// Simple Features, 06-103r4, section 6.1.15.3). So an area within another one does not overlap it.
struct AreaOverlap {
    private let first: AreaOutline
    private let second: AreaOutline
    /// At 0, the areas count as apart.
    private var looksLeft: Int
    /// Where a line touches lines of the other area, by the line's number.
    private var touches: [Int: [PlanePoint]] = [:]
    private var hasCommonPart = false
    private var hasFirstPart = false
    private var hasSecondPart = false

    private init(_ first: AreaOutline, _ second: AreaOutline, looksLeft: Int) {
        (self.first, self.second, self.looksLeft) = (first, second, looksLeft)
    }

    /// Costs a look at each line and at any two lines whose longitudes overlap, up to the first crossing. Takes these
    /// from `looksLeft`. If none is left, the areas count as apart.
    static func of(_ first: AreaOutline, _ second: AreaOutline, looksLeft: inout Int) -> Bool {
        var overlap = Self(first, second, looksLeft: looksLeft)
        defer { looksLeft = overlap.looksLeft }
        return overlap.cross() || overlap.haveAllParts()
    }

    private func isOfFirst(_ line: Int) -> Bool { line < first.lines.count }

    /// The lines of the first area have the first numbers, those of the second come next.
    private func line(_ number: Int) -> PlaneLine {
        isOfFirst(number) ? first.lines[number] : second.lines[number - first.lines.count]
    }

    // MARK: Lines that meet

    /// Whether a line of one area crosses a line of the other one: around the crossing there are parts of every kind.
    /// Notes where lines touch.
    private mutating func cross() -> Bool {
        var sweep = LineSweep(LinesOfBoth(first, second), line: line)
        while let (one, line, spent) = sweep.next() {
            looksLeft -= spent + 1
            guard looksLeft > 0 else { return false }
            for (other, otherLine) in sweep.reaching where isOfFirst(one) != isOfFirst(other) {
                if line.sharesLatitude(with: otherLine), cross(one, other) { return true }
            }
        }
        return false
    }

    private mutating func cross(_ one: Int, _ other: Int) -> Bool {
        let (ownLine, otherLine) = (line(one), line(other))
        guard let meeting = ownLine.meeting(otherLine) else { return false }
        if meeting == .crossing { return true }
        for (line, met) in [(ownLine, otherLine), (otherLine, ownLine)] {
            for end in [line.start, line.end] where met.contains(end) {
                touches[one, default: []].append(end)
                touches[other, default: []].append(end)
            }
        }
        return false
    }

    // MARK: Between touches

    private mutating func haveAllParts() -> Bool {
        for ring in first.rings where looksLeft > 0 { walk(ring) }
        let offset = first.lines.count
        for ring in second.rings where looksLeft > 0 { walk(ring.lowerBound + offset..<ring.upperBound + offset) }
        return looksLeft > 0 && hasCommonPart && hasFirstPart && hasSecondPart
    }

    /// Looks at one piece between any two touches: all others up to the next touch are on the same side.
    private mutating func walk(_ ring: Range<Int>) {
        var isKnown = false
        for index in ring {
            let line = line(index)
            var start = line.start
            func distance(_ point: PlanePoint) -> Int64 { abs(point.x - line.start.x) + abs(point.y - line.start.y) }
            for touch in (touches[index] ?? []).sorted(by: { distance($0) < distance($1) }) {
                if touch != start, !isKnown { look(at: PlaneLine(start: start, end: touch), ofFirst: isOfFirst(index)) }
                (start, isKnown) = (touch, false)
            }
            guard start != line.end, !isKnown else { continue }
            look(at: PlaneLine(start: start, end: line.end), ofFirst: isOfFirst(index))
            isKnown = true
        }
    }

    /// Notes which parts there are on both sides of a piece of an area's outline.
    private mutating func look(at piece: PlaneLine, ofFirst: Bool) {
        let other = ofFirst ? second : first
        looksLeft -= other.lines.count
        switch AreaPosition(of: piece.middle, among: other.lines) {
        case .inside: note(isCommon: true, isOfFirst: !ofFirst, isOfSecond: ofFirst)
        case .outside: note(isCommon: false, isOfFirst: ofFirst, isOfSecond: !ofFirst)
        case .on(let met):
            let areApart = piece.isOpposite(to: met)
            note(isCommon: !areApart, isOfFirst: areApart, isOfSecond: areApart)
        }
    }

    private mutating func note(isCommon: Bool, isOfFirst: Bool, isOfSecond: Bool) {
        if isCommon { hasCommonPart = true }
        if isOfFirst { hasFirstPart = true }
        if isOfSecond { hasSecondPart = true }
    }
}

/// The numbers of the lines of two areas, from west to east.
private struct LinesOfBoth: IteratorProtocol {
    private let first: AreaOutline
    private let second: AreaOutline
    private var (one, other) = (0, 0)

    init(_ first: AreaOutline, _ second: AreaOutline) { (self.first, self.second) = (first, second) }

    mutating func next() -> Int? {
        let (left, right) = (Self.line(one, of: first), Self.line(other, of: second))
        if let left, right.map({ left.west <= $0.west }) ?? true {
            one += 1
            return left.number
        }
        other += 1
        return right.map { first.lines.count + $0.number }
    }

    private static func line(_ place: Int, of area: AreaOutline) -> (number: Int, west: Int64)? {
        guard place < area.westToEast.count else { return nil }
        let number = Int(area.westToEast[place])
        return (number, area.lines[number].west)
    }
}
