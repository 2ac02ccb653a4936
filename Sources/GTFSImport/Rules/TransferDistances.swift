// Unsafe: reads cells where the reading stage left them.

import Cells
import Glibc
import SQLite

/// Tells, while stops and transfers pass, whether any transfer may lead far away. Only then are distances computed: a
/// query over half a million transfers would take a third of the time of importing them.
///
/// Memory: 8 bytes for each stop.
struct TransferWatch {
    /// Coordinates in degrees, within 2 m. Not numbers for a stop without a place.
    private struct Place {
        var latitude = Float.nan
        var longitude = Float.nan
    }

    /// 10 m less than the shortest distance that is noted, in degrees of latitude.
    private static let near: Float = 1_990 / 111_195

    /// By the stop's id.
    private var places: [Place] = []
    private var stopCells: (latitude: Int, longitude: Int)?
    private var transferCells: (from: Int, to: Int)?
    /// Whether any transfer may be longer than 2 km, or is from or to a stop that has its parent's place.
    private(set) var mayBeFar = false

    /// Notes which cells of stops.txt or transfers.txt to read.
    mutating func begin(_ plan: TablePlan) {
        (stopCells, transferCells) = (nil, nil)
        func cell(_ column: String) -> Int? { plan.cellColumns.firstIndex(of: column) }
        if plan.table == "stop", let latitude = cell("latitude"), let longitude = cell("longitude") {
            stopCells = (latitude, longitude)
        }
        if plan.table == "transfer", let from = cell("from_stop"), let to = cell("to_stop") {
            transferCells = (from, to)
        }
    }

    /// Looks at the rows of a block of the table that was begun.
    mutating func look(at batch: CellBatch, stride: Int) {
        if let stopCells { add(batch, stride: stride, stopCells) }
        if let transferCells, !mayBeFar { mayBeFar = hasFar(batch, stride: stride, transferCells) }
    }

    private mutating func add(_ batch: CellBatch, stride: Int, _ cells: (latitude: Int, longitude: Int)) {
        for row in 0..<batch.rowCount {
            let (tags, payloads) = (batch.tags + row * stride, batch.payloads + row * stride)
            let stop = Int(payloads[0])
            if places.count < stop { places.append(contentsOf: repeatElement(Place(), count: stop - places.count)) }
            let latitude = SequenceLook.number(tags[cells.latitude], payloads[cells.latitude])
            let longitude = SequenceLook.number(tags[cells.longitude], payloads[cells.longitude])
            places.append(Place(latitude: Float(latitude), longitude: Float(longitude)))
        }
    }

    private func hasFar(_ batch: CellBatch, stride: Int, _ cells: (from: Int, to: Int)) -> Bool {
        places.withUnsafeBufferPointer { places in
            for row in 0..<batch.rowCount {
                let (tags, payloads) = (batch.tags + row * stride, batch.payloads + row * stride)
                guard tags[cells.from] == CellTag.integer, tags[cells.to] == CellTag.integer else { continue }
                let (from, to) = (Int(payloads[cells.from]), Int(payloads[cells.to]))
                guard places.indices.contains(from), places.indices.contains(to) else { continue }
                if !Self.isNear(places[from], places[to]) { return true }
            }
            return false
        }
    }

    /// The chord of a haversine, with a cosine that is a little too large. False if any coordinate is not a number.
    @inline(__always)
    private static func isNear(_ a: Place, _ b: Place) -> Bool {
        let (north, east) = (a.latitude - b.latitude, a.longitude - b.longitude)
        if north * north + east * east <= near * near { return true }
        let angle = min(abs(a.latitude), abs(b.latitude)) * (.pi / 180)
        let square = angle * angle
        let cosine = 1 - square / 2 + square * square / 24
        return north * north + cosine * cosine * east * east <= near * near
    }
}

/// The places of all stops on a sphere. A stop without coordinates has those of its parent, or else of its parent's
/// parent.
struct StopSphere: Sendable {
    private struct Point {
        let x: Double
        let y: Double
        let z: Double

        init(latitude: Double, longitude: Double) {
            let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
            (x, y, z) = (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
        }
    }

    /// By the stop's id.
    private var points: [Point?] = []

    init() {}

    /// Reads all stops.
    init(_ connection: Connection) throws(SQLiteError) {
        let rows = try connection.prepare("SELECT id, latitude, longitude, parent_station FROM stop ORDER BY id")
        var parents: [(stop: Int, parent: Int)] = []
        while try rows.step() {
            let stop = Int(rows.integer(0))
            if points.count <= stop { points.append(contentsOf: repeatElement(nil, count: stop + 1 - points.count)) }
            if !rows.isNull(1), !rows.isNull(2) {
                points[stop] = Point(latitude: rows.double(1), longitude: rows.double(2))
            } else if !rows.isNull(3) {
                parents.append((stop, Int(rows.integer(3))))
            }
        }
        for _ in 0..<2 {
            let known = points
            for (stop, parent) in parents where points[stop] == nil && known.indices.contains(parent) {
                points[stop] = known[parent]
            }
        }
    }

    /// Whether a stop has a place.
    func has(_ stop: Int) -> Bool { points.indices.contains(stop) && points[stop] != nil }

    /// The great-circle distance in meters; nil if a stop has no place.
    func distance(from first: Int, to second: Int) -> Double? {
        guard points.indices.contains(first), points.indices.contains(second), let a = points[first],
            let b = points[second]
        else { return nil }
        let (x, y, z) = (a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        return atan2((x * x + y * y + z * z).squareRoot(), a.x * b.x + a.y * b.y + a.z * b.z) * Sphere.radius
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
