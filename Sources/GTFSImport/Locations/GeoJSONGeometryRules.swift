// Unsafe only where the bytes of a text are lent, and cut into numbers.

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
    /// The first thing that is wrong with how the rings lie, if nothing else is wrong.
    private(set) var ringFault: String?
    /// The first position within a degree of 0, 0, and its place in the geometry.
    private(set) var nearOrigin: (position: Position, place: String)?
    /// The same for a pole.
    private(set) var nearPole: (position: Position, place: String)?

    /// The name of each level of arrays, outermost first, then of the values in the innermost one.
    private let levels: [String]
    private var ringLevel: Int { levels.count - 3 }
    private var positionLevel: Int { levels.count - 2 }

    /// How many elements each open array has so far.
    private var open: [Int] = []
    private var numbers: [Double] = []
    private var firstOfRing: Position?
    private var lastOfRing: Position?
    private var rings = PolygonRings()
    /// The rings of a geometry without a fault; nil also if there are too many positions to tell.
    var soundRings: PolygonRings? { fault == nil && ringFault == nil && !rings.isCut ? rings : nil }

    /// Nil if the geometry is not a Polygon or MultiPolygon.
    init?(geometryType: String) {
        switch geometryType {
        case "Polygon": levels = ["coordinates", "ring", "position", "number"]
        case "MultiPolygon": levels = ["coordinates", "polygon", "ring", "position", "number"]
        default: return nil
        }
    }

    /// Checks the coordinates up to the first fault. An array must be JSON without white space, as the parser returns
    /// it. Takes a fifth of the time that SQLite's `json_tree` takes, which makes a row of each number.
    mutating func check(_ coordinates: GeoJSONValue) {
        guard coordinates.type == "array" else { return noteType(coordinates.type, "an array") }
        var text = coordinates.text
        text.withUTF8 { check(UnsafeRawBufferPointer($0)) }
    }

    private mutating func check(_ json: UnsafeRawBufferPointer) {
        var place = 0
        while place < json.count, fault == nil {
            switch json[place] {
            case UInt8(ascii: "["): beginArray()
            case UInt8(ascii: "]"): close()
            case UInt8(ascii: ","): break
            case UInt8(ascii: "\""): noteElement("text")
            case UInt8(ascii: "{"): noteElement("object")
            case UInt8(ascii: "t"), UInt8(ascii: "f"): noteElement(json[place] == UInt8(ascii: "t") ? "true" : "false")
            case UInt8(ascii: "n"): noteElement("null")
            default:
                let end = json[place...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "]") } ?? json.count
                addNumber(UnsafeRawBufferPointer(rebasing: json[place..<end]))
                place = end - 1
            }
            place += 1
        }
        if fault == nil { ringFault = rings.fault() }
    }

    private var isInPosition: Bool { open.count == levels.count - 1 }

    private mutating func countElement() {
        if let last = open.indices.last { open[last] += 1 }
    }

    private mutating func beginArray() {
        guard !isInPosition else { return noteElement("array") }
        countElement()
        open.append(0)
    }

    private mutating func addNumber(_ text: UnsafeRawBufferPointer) {
        guard isInPosition else { return noteElement("integer") }
        countElement()
        // A number that is too large for a double is beyond every limit.
        let tooLarge: Double = text.first == UInt8(ascii: "-") ? -.infinity : .infinity
        numbers.append(Numbers.parseFloat(text.bytes) ?? tooLarge)
    }

    /// Notes an element that is not what its array should have.
    private mutating func noteElement(_ type: String) {
        countElement()
        noteType(type, isInPosition ? "a number" : "an array")
    }

    private mutating func noteType(_ type: String, _ wanted: String) {
        fault = "\(place(of: open.count)) is \(JSONType.words(type)), not \(wanted)"
    }

    private mutating func close() {
        guard let elements = open.popLast() else { return }
        switch open.count {
        case positionLevel: closePosition()
        case ringLevel: closeRing(positions: elements)
        case let level:
            if elements == 0 { fault = "\(place(of: level)) has no \(levels[level + 1])" }
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
        rings.add(position)
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
        rings.endRing(place(of: ringLevel), isHole: (open.last ?? 1) > 1)
    }

    /// The place of the value at `level` that was visited or closed last, such as "polygon 2, ring 1".
    private func place(of level: Int) -> String {
        guard level > 0 else { return levels[0] }
        return (0..<level).map { "\(levels[$0 + 1]) \(open[$0])" }.joined(separator: ", ")
    }
}
