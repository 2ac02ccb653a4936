// Unsafe only where the text of a geometry is lent and cut into numbers.

import GTFSFeed

/// The extent of a GeoJSON geometry, read from its text: the first two numbers of every innermost array of its
/// coordinates (RFC 7946, section 3.1.1), also of the geometries in a collection.
struct OutlineExtent {
    private(set) var south = Double.infinity
    private(set) var west = Double.infinity
    private(set) var north = -Double.infinity
    private(set) var east = -Double.infinity

    /// Nil if the text has no position.
    init?(_ geometry: String) {
        var geometry = geometry
        geometry.withUTF8 { read(UnsafeRawBufferPointer($0)) }
        guard west <= east, south <= north else { return nil }
    }

    private mutating func read(_ text: UnsafeRawBufferPointer) {
        var (index, place, depth) = (0, 0, 0)
        var isOfCoordinates = false
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""):
                let end = Self.endOfText(from: index, text)
                if depth == 0 { isOfCoordinates = text[index..<end].elementsEqual("\"coordinates\"".utf8) }
                index = end - 1
            case UInt8(ascii: "["): (place, depth) = (0, depth + (isOfCoordinates ? 1 : 0))
            case UInt8(ascii: "]"): depth = max(0, depth - 1)
            case UInt8(ascii: ","): place += 1
            case _ where Self.isOfNumber(byte):
                let start = index
                while index + 1 < text.count, Self.isOfNumber(text[index + 1]) { index += 1 }
                let number = Numbers.parseFloat(UnsafeRawBufferPointer(rebasing: text[start...index]).bytes)
                if depth > 0, let number { add(number, at: place) }
            default: break
            }
            index += 1
        }
    }

    /// The place behind the closing quote of a text.
    private static func endOfText(from start: Int, _ text: UnsafeRawBufferPointer) -> Int {
        var index = start + 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, text.count)
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || "+-.eE".utf8.contains(byte) }

    private mutating func add(_ number: Double, at place: Int) {
        switch place {
        case 0: (west, east) = (min(west, number), max(east, number))
        case 1: (south, north) = (min(south, number), max(north, number))
        default: break
        }
    }
}
