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

    /// A filter that leaves nothing out.
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
    /// Degrees, -90 to 90.
    public let south: Double
    /// Degrees, -180 to 180.
    public let west: Double
    /// Degrees, -90 to 90.
    public let north: Double
    /// Degrees, -180 to 180.
    public let east: Double

    /// A box by its edges.
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
