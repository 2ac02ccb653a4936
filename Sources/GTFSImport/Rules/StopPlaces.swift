import Cells
import Glibc
import SQLite

/// The places of all stops, in degrees and as points of a sphere. A stop without coordinates has those of its parent,
/// or else of its parent's parent.
///
/// Memory: 40 bytes for each stop.
struct StopPlaces: Sendable {
    /// All NaN for a stop without a place.
    private struct Place {
        var latitude = Double.nan
        var longitude = Double.nan
        /// Of a sphere of radius 1.
        var x = Double.nan
        var y = Double.nan
        var z = Double.nan

        var isKnown: Bool { @inline(__always) get { !x.isNaN } }

        init() {}

        init(latitude: Double, longitude: Double) {
            (self.latitude, self.longitude) = (latitude, longitude)
            let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
            let width = cos(latitude)
            (x, y, z) = (width * cos(longitude), width * sin(longitude), sin(latitude))
        }

        @inline(__always)
        func squareOfChord(to other: Place) -> Double {
            let (x, y, z) = (x - other.x, y - other.y, z - other.z)
            return x * x + y * y + z * z
        }
    }

    /// By the stop's id.
    private var places: [Place] = []
    private var cells: (latitude: Int, longitude: Int)?

    /// More than rounding changes in a distance, in meters.
    private static let slack = 0.01

    var count: Int { places.count }

    /// Notes which cells of stops.txt to read.
    mutating func begin(_ plan: TablePlan) {
        cells = nil
        guard plan.table == "stop", let latitude = plan.cell(of: "latitude"),
            let longitude = plan.cell(of: "longitude")
        else { return }
        cells = (latitude, longitude)
    }

    /// Adds the stops of a block of the table that was begun.
    mutating func add(_ batch: CellBatch) {
        guard let cells else { return }
        for row in batch.rows {
            add(Int(row.id), latitude: row.number(cells.latitude), longitude: row.number(cells.longitude))
        }
    }

    /// Adds a stop behind all others.
    mutating func add(_ stop: Int, latitude: Double, longitude: Double) {
        places.extend(to: stop, with: Place())
        places.append(Place(latitude: latitude, longitude: longitude))
    }

    /// Gives a stop without coordinates those of its parent, or else of its parent's parent. Call it once.
    mutating func take(_ parents: StopParents) {
        for _ in 0..<2 {
            let known = places
            for stop in parents.stops where places.indices.contains(stop) && !places[stop].isKnown {
                guard let parent = parents[stop], known.indices.contains(parent) else { continue }
                places[stop] = known[parent]
            }
        }
    }

    @inline(__always)
    func has(_ stop: Int) -> Bool { places.indices.contains(stop) && places[stop].isKnown }

    /// In degrees; nil for a stop without a place.
    func place(of stop: Int) -> (latitude: Double, longitude: Double)? {
        has(stop) ? (places[stop].latitude, places[stop].longitude) : nil
    }

    /// The length of a degree of longitude at a stop with a place, as a part of one of latitude.
    func widthOfDegree(at stop: Int) -> Double {
        (places[stop].x * places[stop].x + places[stop].y * places[stop].y).squareRoot()
    }

    /// Along a great circle, in meters; nil if a stop has no place.
    func distance(from first: Int, to second: Int) -> Double? {
        guard has(first), has(second) else { return nil }
        let (a, b) = (places[first], places[second])
        let (x, y, z) = (a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        return atan2((x * x + y * y + z * z).squareRoot(), a.x * b.x + a.y * b.y + a.z * b.z) * Sphere.radius
    }

    /// Bounds of the distance between two stops with places, in meters. They are close together for stops less than a
    /// hundred kilometers apart.
    @inline(__always)
    func roughDistance(from first: Int, to second: Int) -> ClosedRange<Double> {
        let square = places[first].squareOfChord(to: places[second])
        let chord = square.squareRoot() * Sphere.radius
        // An arc is never longer than this.
        let arc = chord * (1 + square / 7)
        return ClosedRange(uncheckedBounds: (max(0, chord - Self.slack), arc + Self.slack))
    }

    /// Whether two stops are surely less than `meters` apart; false if one has no place.
    @inline(__always)
    func areWithin(_ meters: Double, _ first: Int, _ second: Int) -> Bool {
        guard places.indices.contains(first), places.indices.contains(second) else { return false }
        let chord = (meters - Self.slack) / Sphere.radius
        // An arc of 10 km is a millimeter longer than its chord.
        return places[first].squareOfChord(to: places[second]) <= chord * chord
    }

    /// Registers the function `stop_distance(from, to)`.
    func register(on connection: Connection) throws(SQLiteError) {
        try connection.createNumberFunction("stop_distance", argumentCount: 2) { arguments in
            guard let from = arguments[0].flatMap({ Int(exactly: $0) }),
                let to = arguments[1].flatMap({ Int(exactly: $0) })
            else { return nil }
            return distance(from: from, to: to)
        }
    }
}

/// Distances on the earth as the reference validator computes them.
enum Sphere {
    static let radius = 6_371_010.0

    /// Along a great circle, by the haversine formula, between places in degrees.
    static func meters(
        from a: (latitude: Double, longitude: Double), to b: (latitude: Double, longitude: Double)
    ) -> Double {
        let radians = Double.pi / 180
        let height = sin((b.latitude - a.latitude) * radians / 2)
        let width = sin((b.longitude - a.longitude) * radians / 2)
        let part = height * height + width * width * cos(a.latitude * radians) * cos(b.latitude * radians)
        return 2 * atan2(part.squareRoot(), max(0, 1 - part).squareRoot()) * radius
    }
}
