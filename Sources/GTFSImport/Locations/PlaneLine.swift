/// A position of an outline, as a point in a plane.
///
/// The unit is half of 1e-12 degrees, and the coordinates of a position are even. So up to twelve decimals are exact,
/// and the middle of a line is exact, too.
struct PlanePoint: Hashable {
    let x: Int64
    let y: Int64

    init(x: Int64, y: Int64) { (self.x, self.y) = (x, y) }

    init(_ position: GeoJSONGeometryRules.Position) {
        func even(_ degrees: Double) -> Int64 { 2 * Int64((degrees * 1e12).rounded()) }
        (x, y) = (even(position.longitude), even(position.latitude))
    }
}

/// A straight line between two points. All answers are exact.
struct PlaneLine {
    /// How two lines meet.
    enum Meeting {
        /// Each has ends on both sides of the other.
        case crossing
        /// At one point, which is an end of one of them.
        case touching
        /// Along a line.
        case alongside
    }

    let start: PlanePoint
    let end: PlanePoint

    var west: Int64 { min(start.x, end.x) }
    var east: Int64 { max(start.x, end.x) }
    var south: Int64 { min(start.y, end.y) }
    var north: Int64 { max(start.y, end.y) }

    func sharesLatitude(with other: Self) -> Bool { north >= other.south && other.north >= south }

    func contains(_ point: PlanePoint) -> Bool { isWithinBox(point) && side(of: point) == 0 }

    /// On which side a point is: 1 is left, -1 right, 0 on the line or its extension.
    func side(of point: PlanePoint) -> Int {
        let left = Int128(end.x - start.x) * Int128(point.y - start.y)
        let right = Int128(end.y - start.y) * Int128(point.x - start.x)
        return left == right ? 0 : left > right ? 1 : -1
    }

    /// Nil if the lines do not meet.
    func meeting(_ other: Self) -> Meeting? {
        let (a, b) = (other.side(of: start), other.side(of: end))
        let (c, d) = (side(of: other.start), side(of: other.end))
        if a * b < 0, c * d < 0 { return .crossing }
        let touches =
            c == 0 && isWithinBox(other.start) || d == 0 && isWithinBox(other.end)
            || a == 0 && other.isWithinBox(start) || b == 0 && other.isWithinBox(end)
        guard touches else { return nil }
        guard (a, b, c, d) == (0, 0, 0, 0) else { return .touching }
        let sharesPoint =
            max(west, other.west) == min(east, other.east) && max(south, other.south) == min(north, other.north)
        return sharesPoint ? .touching : .alongside
    }

    /// Whether the line from `end` to `next` runs back over this one.
    func foldsBack(to next: PlanePoint) -> Bool {
        side(of: next) == 0 && isOpposite(to: PlaneLine(start: end, end: next))
    }

    /// Whether the other line goes back rather than on.
    func isOpposite(to other: Self) -> Bool {
        let along = Int128(end.x - start.x) * Int128(other.end.x - other.start.x)
        return along + Int128(end.y - start.y) * Int128(other.end.y - other.start.y) < 0
    }

    /// The point in the middle, exact if both ends are positions of outlines.
    var middle: PlanePoint { PlanePoint(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2) }

    private func isWithinBox(_ point: PlanePoint) -> Bool {
        point.x >= west && point.x <= east && point.y >= south && point.y <= north
    }
}

/// Where a point is, seen from lines that surround an area.
enum AreaPosition {
    case inside
    case outside
    case on(PlaneLine)

    /// Counts the lines east of the point.
    init(of point: PlanePoint, among lines: some Sequence<PlaneLine>) {
        var isInside = false
        for line in lines {
            // Most lines lie north or south of the point.
            guard point.y >= line.south, point.y <= line.north else { continue }
            let side = line.side(of: point)
            if side == 0, line.contains(point) {
                self = .on(line)
                return
            }
            if (line.start.y > point.y) != (line.end.y > point.y), (side > 0) == (line.end.y > line.start.y) {
                isInside.toggle()
            }
        }
        self = isInside ? .inside : .outside
    }

    /// Nil on a line.
    var isInside: Bool? {
        switch self {
        case .inside: true
        case .outside: false
        case .on: nil
        }
    }
}

/// Goes through lines from west to east. A line can meet only the lines before it that reach its longitude.
///
///     var sweep = LineSweep(numbersFromWestToEast) { lines[$0] }
///     while let (one, line, _) = sweep.next() {
///         for (other, otherLine) in sweep.reaching where line.sharesLatitude(with: otherLine) { … }
///     }
struct LineSweep<Elements: IteratorProtocol> {
    typealias Element = Elements.Element

    /// The lines before the present one that reach its longitude.
    private(set) var reaching: [(element: Element, line: PlaneLine)] = []
    private var present: (element: Element, line: PlaneLine)?
    private var rest: Elements
    private let line: (Element) -> PlaneLine

    /// `elements` come in the order of their lines' western ends.
    init(_ elements: Elements, line: @escaping (Element) -> PlaneLine) { (rest, self.line) = (elements, line) }

    /// The next line, and how many lines were looked at to find those that reach it.
    mutating func next() -> (element: Element, line: PlaneLine, looks: Int)? {
        if let present { reaching.append(present) }
        guard let element = rest.next() else { return nil }
        let (own, looks) = (line(element), reaching.count)
        reaching.removeAll { $0.line.east < own.west }
        present = (element, own)
        return (element, own, looks)
    }
}
