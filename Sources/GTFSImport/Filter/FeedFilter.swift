// Unsafe only for cells: they are bytes in the reader's block.

import Console

/// Which part of a feed to store: the trips that meet every given condition, and everything these trips need.
///
///     var filter = FeedFilter()
///     filter.routes = ["U1", "U2"]
///     filter.dates = 20261122...20261231
///
/// If routes and agencies are both given, a trip must match both. A trip that calls once in the box keeps all its
/// calls.
public struct FeedFilter: Sendable, Equatable {
    /// IDs in routes.txt; nil for any.
    public var routes: [String]?
    /// IDs in agency.txt; nil for any.
    public var agencies: [String]?
    /// Service days as YYYYMMDD; the trip must run on at least one of them. Nil for any.
    public var dates: ClosedRange<Int64>?
    /// At least one of the trip's calls must lie in this box; nil for anywhere.
    public var box: FilterBox?

    public init() {}

    /// Whether the filter leaves nothing out.
    public var isEmpty: Bool { self == FeedFilter() }

    /// The filter as a JSON object, for `feed.options`. The same choice gives the same text, however it was written.
    var recorded: String {
        var json = JSONText()
        json.object { json in
            if let routes { json.member("routes") { Self.write(routes, into: &$0) } }
            if let agencies { json.member("agencies") { Self.write(agencies, into: &$0) } }
            if let dates { json.member("dates") { $0.string(Self.words(dates)) } }
            if let box { json.member("box") { $0.string(box.words) } }
        }
        return json.text
    }

    private static func write(_ ids: [String], into json: inout JSONText) {
        json.array { json in
            // By bytes, as IDs are compared: Swift takes é for equal to e with a combining accent.
            for id in Set(ids.map { Array($0.utf8) }).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                json.string(String(decoding: id, as: UTF8.self))
            }
        }
    }

    private static func words(_ dates: ClosedRange<Int64>) -> String {
        DateCell.text(dates.lowerBound) + ".." + DateCell.text(dates.upperBound)
    }

    /// The options that are set, for messages: "--routes and --box".
    var options: String {
        let names = [
            routes.map { _ in "--routes" }, agencies.map { _ in "--agencies" }, dates.map { _ in "--dates" },
            box.map { _ in "--box" },
        ].compactMap(\.self)
        return names.dropLast().joined(separator: ", ") + (names.count > 1 ? " and " : "") + (names.last ?? "")
    }
}

/// A box of coordinates in degrees. If `west` is greater than `east`, the box crosses the 180th meridian.
public struct FilterBox: Sendable, Equatable {
    public let south: Double
    public let west: Double
    public let north: Double
    public let east: Double

    public init(south: Double, west: Double, north: Double, east: Double) {
        (self.south, self.west, self.north, self.east) = (south, west, north, east)
    }

    var words: String { "\(south),\(west),\(north),\(east)" }

    func contains(latitude: Double, longitude: Double) -> Bool {
        guard south <= latitude, latitude <= north else { return false }
        return west > east ? longitude >= west || longitude <= east : west <= longitude && longitude <= east
    }

    /// Whether the smallest box around an area's outline overlaps this one. An outline that crosses the 180th meridian
    /// counts as reaching around the whole earth.
    func meets(outline geometry: String) -> Bool {
        guard let outline = OutlineExtent(geometry) else { return false }
        guard outline.south <= north, south <= outline.north else { return false }
        guard west > east else { return outline.west <= east && west <= outline.east }
        return outline.west <= 180 && west <= outline.east || outline.west <= east && -180 <= outline.east
    }
}

/// The extent of a GeoJSON geometry, read from its text: the first two numbers of every innermost array
/// (RFC 7946, section 3.1.1).
private struct OutlineExtent {
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
