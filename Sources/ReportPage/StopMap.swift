import Console
import Glibc

/// A map of stops as dots. A few stops get one dot each; many stops get one dot per small square.
///
/// The drawing's size depends on its area, not on the feed: 500,000 stops take some 100 kB.
struct StopMap {
    private typealias Point = (x: Double, y: Double)

    private static let width = 900.0
    private static let margin = 12.0
    /// Up to this many stops, each stop is a dot of its own.
    private static let mostSingleDots = 2_000
    /// The side of a square, in pixels of the drawing.
    private static let square = 5.0
    /// A square's dot grows by one size at each of these numbers of stops.
    private static let steps = [1, 4, 16, 64, 256]
    private static let kilometersPerDegree = 111.195

    private let stops: [(latitude: Double, longitude: Double)]
    private let area: Area

    /// The area that the map shows, in degrees.
    private struct Area {
        var (south, north, west, east) = (0.0, 0.0, 0.0, 0.0)

        func contains(_ stop: (latitude: Double, longitude: Double)) -> Bool {
            south <= stop.latitude && stop.latitude <= north && west <= stop.longitude && stop.longitude <= east
        }
    }

    init(_ stops: [(latitude: Double, longitude: Double)]) {
        let places = Self.unwrapped(stops.filter { Self.isPlace($0.latitude, $0.longitude) })
        area = Self.area(of: places)
        self.stops = places
    }

    /// The figure, or a sentence if no stop has a place.
    var html: String {
        let shown = stops.filter(area.contains)
        guard !shown.isEmpty else { return "<p>No stop has a place to show.</p>" }
        let outside = stops.count - shown.count
        let points = project(shown)
        let height = (points.map(\.y).max() ?? 0) + Self.margin + 24
        let words =
            "Map of \(NumberText.counted(shown.count, "stop")), from \(degrees(area.south, "south", "north")) to "
            + "\(degrees(area.north, "south", "north")) and from \(degrees(area.west, "west", "east")) to "
            + degrees(area.east, "west", "east")
        return """
            <figure>
            <svg viewBox="0 0 \(drawn(Self.width)) \(drawn(height))" role="img" aria-label="\(words)">
            \(shown.count <= Self.mostSingleDots ? singleDots(points) : squares(points))\(scaleBar(at: height - 10))</svg>
            <figcaption>\(words).\(shown.count <= Self.mostSingleDots ? "" : " Larger dots stand for more stops: 1, 4, 16, 64, 256 and more.")\
            \(outside == 0 ? "" : " \(NumberText.counted(outside, "stop")) far away from the others \(outside == 1 ? "is" : "are") left out.")</figcaption>
            </figure>

            """
    }

    private func degrees(_ value: Double, _ negative: String, _ positive: String) -> String {
        let value = abs(value) > 180 ? value - 360 : value
        let thousandths = Int((abs(value) * 1_000).rounded())
        let decimals = String(1_000 + thousandths % 1_000).dropFirst()
        return "\(thousandths / 1_000).\(decimals)° \(value < 0 ? negative : positive)"
    }

    // MARK: Places

    /// False for coordinates out of range, and for 0, 0, which feeds write for an unknown place.
    private static func isPlace(_ latitude: Double, _ longitude: Double) -> Bool {
        abs(latitude) <= 90 && abs(longitude) <= 180 && (abs(latitude) > 0.01 || abs(longitude) > 0.01)
    }

    /// If the stops lie on both sides of the date line, adds 360 degrees to western longitudes.
    private static func unwrapped(
        _ stops: [(latitude: Double, longitude: Double)]
    ) -> [(latitude: Double, longitude: Double)] {
        guard let west = stops.map(\.longitude).min(), let east = stops.map(\.longitude).max(), east - west > 180 else {
            return stops
        }
        let moved = stops.map { ($0.latitude, $0.longitude < 0 ? $0.longitude + 360 : $0.longitude) }
        let spread = (moved.map(\.1).max() ?? 0) - (moved.map(\.1).min() ?? 0)
        return spread < east - west ? moved.map { (latitude: $0.0, longitude: $0.1) } : stops
    }

    /// The area of nearly all stops. A stop placed on another continent by mistake must not shrink the others to one
    /// dot.
    private static func area(of stops: [(latitude: Double, longitude: Double)]) -> Area {
        let (south, north) = range(stops.map(\.latitude).sorted())
        let (west, east) = range(stops.map(\.longitude).sorted())
        return Area(south: south, north: north, west: west, east: east)
    }

    /// The range of the values without outliers. An outlier lies further from the middle 98 % of the values than these
    /// are wide, and further than 0.02 degrees.
    private static func range(_ sorted: [Double]) -> (Double, Double) {
        guard let first = sorted.first, let last = sorted.last else { return (0, 0) }
        let aside = sorted.count / 100
        let (low, high) = (sorted[aside], sorted[sorted.count - 1 - aside])
        let reach = max(high - low, 0.02)
        let inside = sorted.filter { low - reach <= $0 && $0 <= high + reach }
        return (inside.first ?? first, inside.last ?? last)
    }

    /// Degrees of longitude shrink with the latitude; within one feed's area a constant factor is enough.
    private var shrinking: Double { max(0.05, cos((area.south + area.north) / 2 * .pi / 180)) }

    private var pixelsPerDegree: Double {
        let room = Self.width - 2 * Self.margin
        let (wide, high) = ((area.east - area.west) * shrinking, area.north - area.south)
        return min(room / max(wide, 1e-4), 0.9 * room / max(high, 1e-4))
    }

    private func project(_ stops: [(latitude: Double, longitude: Double)]) -> [Point] {
        let scale = pixelsPerDegree
        let left = (Self.width - (area.east - area.west) * shrinking * scale) / 2
        return stops.map {
            (left + ($0.longitude - area.west) * shrinking * scale, Self.margin + (area.north - $0.latitude) * scale)
        }
    }

    // MARK: Dots

    /// Draws dots as lines of zero length with round ends, which take ten bytes each.
    private func dots(_ points: [String], width: Double, opacity: Double) -> String {
        guard !points.isEmpty else { return "" }
        return "<path class=\"dots\" stroke-width=\"\(drawn(width))\" stroke-opacity=\"\(drawn(opacity))\" d=\""
            + points.joined() + "\"/>\n"
    }

    private func singleDots(_ points: [Point]) -> String {
        dots(points.map { "M\(drawn($0.x)) \(drawn($0.y))h0" }, width: points.count < 300 ? 7 : 4.5, opacity: 0.7)
    }

    private func squares(_ points: [Point]) -> String {
        let columns = Int(Self.width / Self.square) + 1
        var counts: [Int: Int] = [:]
        for point in points {
            counts[Int(point.y / Self.square) * columns + Int(point.x / Self.square), default: 0] += 1
        }
        var classes = [[String]](repeating: [], count: Self.steps.count)
        for (place, count) in counts.sorted(by: { $0.key < $1.key }) {
            let (x, y) = (Double(place % columns) + 0.5, Double(place / columns) + 0.5)
            let size = (Self.steps.lastIndex { $0 <= count }) ?? 0
            classes[size].append("M\(drawn(x * Self.square)) \(drawn(y * Self.square))h0")
        }
        // Below 0.7, the contrast of the smallest dots on white is less than 3 to 1 (WCAG 2.2, 1.4.11).
        return classes.enumerated().map { dots($1, width: 1.8 + Double($0) * 1.1, opacity: 0.7 + Double($0) * 0.06) }
            .joined()
    }

    private func scaleBar(at y: Double) -> String {
        let pixelsPerKilometer = pixelsPerDegree / Self.kilometersPerDegree
        let lengths = [1_000.0, 500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05]
        guard let length = lengths.first(where: { $0 * pixelsPerKilometer <= Self.width / 4 }) else { return "" }
        let end = Self.margin + length * pixelsPerKilometer
        let words = length < 1 ? "\(Int(length * 1_000)) m" : "\(Int(length)) km"
        return
            "<path class=\"axis\" style=\"stroke:var(--soft)\" d=\"M\(drawn(Self.margin)) \(drawn(y - 4))v4H\(drawn(end))v-4\"/>"
            + "<text x=\"\(drawn(end + 6))\" y=\"\(drawn(y))\">\(words)</text>\n"
    }
}
