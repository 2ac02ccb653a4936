// Unsafe only where the text of a geometry is lent and cut into numbers.

import GTFSFeed

/// The extent of a GeoJSON geometry, read from its text: the first two numbers of every innermost array
/// (RFC 7946, section 3.1.1).
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
        var (index, place, isInText) = (0, 0, false)
        while index < text.count {
            let byte = text[index]
            if isInText {
                if byte == UInt8(ascii: "\\") { index += 1 }
                isInText = byte != UInt8(ascii: "\"")
            } else if byte == UInt8(ascii: "\"") {
                isInText = true
            } else if byte == UInt8(ascii: "[") {
                place = 0
            } else if byte == UInt8(ascii: ",") {
                place += 1
            } else if Self.isOfNumber(byte) {
                let start = index
                while index + 1 < text.count, Self.isOfNumber(text[index + 1]) { index += 1 }
                if let number = Numbers.parseFloat(UnsafeRawBufferPointer(rebasing: text[start...index]).bytes) {
                    add(number, at: place)
                }
            }
            index += 1
        }
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
