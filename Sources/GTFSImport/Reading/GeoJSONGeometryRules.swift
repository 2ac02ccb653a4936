/// Checks the coordinates of a Polygon or MultiPolygon (RFC 7946, section 3.1.6), value by value in document order.
///
/// A polygon is an array of rings. A ring is an array of positions. A position is an array of longitude, latitude and
/// perhaps altitude.
struct GeoJSONGeometryRules {
    /// A longitude and a latitude in degrees.
    struct Position: Equatable {
        let longitude: Double
        let latitude: Double

        var text: String { "\(longitude), \(latitude)" }
    }

    /// The first thing that is wrong, in words.
    private(set) var fault: String?
    /// The first position that is within a degree of 0, 0 or of a pole, and where it is in the geometry.
    private(set) var nearOrigin: (position: Position, place: String)?
    private(set) var nearPole: (position: Position, place: String)?

    /// The name of each level of arrays, outermost first, then of the values in the innermost one.
    private let levels: [String]
    private var ringLevel: Int { levels.count - 3 }
    private var positionLevel: Int { levels.count - 2 }

    /// The arrays that are open, and how many elements each has so far.
    private var open: [(id: Int64, elements: Int)] = []
    private var numbers: [Double] = []
    private var firstOfRing: Position?
    private var lastOfRing: Position?

    /// Nil if the geometry is not a Polygon or MultiPolygon.
    init?(geometryType: String) {
        switch geometryType {
        case "Polygon": levels = ["coordinates", "ring", "position", "number"]
        case "MultiPolygon": levels = ["coordinates", "polygon", "ring", "position", "number"]
        default: return nil
        }
    }

    /// Takes the next value; `parent` is the array that contains it.
    mutating func visit(id: Int64, parent: Int64, type: String, number: Double) {
        while let last = open.last, last.id != parent { close() }
        guard fault == nil else { return }
        let level = open.count
        if let last = open.indices.last { open[last].elements += 1 }
        if level == levels.count - 1 {
            guard type == "integer" || type == "real" else { return noteType(type, "a number") }
            numbers.append(number)
        } else {
            guard type == "array" else { return noteType(type, "an array") }
            open.append((id, 0))
        }
    }

    /// Call after the last value.
    mutating func finish() {
        while !open.isEmpty { close() }
    }

    private mutating func noteType(_ type: String, _ wanted: String) {
        fault = "\(place(of: open.count)) is \(JSONType.words(type)), not \(wanted)"
    }

    private mutating func close() {
        guard let array = open.popLast(), fault == nil else { return }
        switch open.count {
        case positionLevel: closePosition()
        case ringLevel: closeRing(positions: array.elements)
        case let level:
            if array.elements == 0 { fault = "\(place(of: level)) has no \(levels[level + 1])" }
        }
    }

    private mutating func closePosition() {
        defer { numbers.removeAll(keepingCapacity: true) }
        guard numbers.count >= 2 else {
            return fault = "\(place(of: positionLevel)) lacks longitude or latitude"
        }
        let position = Position(longitude: numbers[0], latitude: numbers[1])
        guard abs(position.longitude) <= 180, abs(position.latitude) <= 90 else {
            let fault = "is \(position.text), beyond longitude -180 to 180 and latitude -90 to 90"
            return self.fault = "\(place(of: positionLevel)) \(fault)"
        }
        if firstOfRing == nil { firstOfRing = position }
        lastOfRing = position
        if CoordinateRule.isNearOrigin(position.latitude, position.longitude) {
            if nearOrigin == nil { nearOrigin = (position, place(of: positionLevel)) }
        } else if nearPole == nil, CoordinateRule.isNearPole(position.latitude) {
            nearPole = (position, place(of: positionLevel))
        }
    }

    private mutating func closeRing(positions: Int) {
        defer {
            firstOfRing = nil
            lastOfRing = nil
        }
        guard positions >= 4, let first = firstOfRing, let last = lastOfRing else {
            return fault = "\(place(of: ringLevel)) has \(positions) positions where at least 4 are needed"
        }
        if first != last {
            fault = "\(place(of: ringLevel)) begins at \(first.text) and ends at \(last.text), so it is not closed"
        }
    }

    /// The place of the value at `level` that was visited or closed last, such as "polygon 2, ring 1".
    private func place(of level: Int) -> String {
        guard level > 0 else { return levels[0] }
        return (0..<level).map { "\(levels[$0 + 1]) \(open[$0].elements)" }.joined(separator: ", ")
    }
}
