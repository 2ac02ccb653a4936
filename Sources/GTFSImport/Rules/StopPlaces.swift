// Unsafe: reads cells where the reading stage left them.

import Cells
import Glibc

/// The places of all stops as points of a sphere, to see quickly about how far apart two stops are.
///
/// Memory: 16 bytes for each stop.
struct StopPlaces {
    /// By the stop's id: a point in meters, within half a meter of the place. Not numbers for a stop without a place.
    private var points: [SIMD4<Float>] = []
    private var cells: (latitude: Int, longitude: Int)?

    /// What rounding adds to a distance at most, or takes from it, in meters.
    private static let slack: Float = 2

    /// A seventh, for a sphere of radius 1.
    private static let bend = Float(1 / (7 * Sphere.radius * Sphere.radius))

    var count: Int { points.count }

    /// Notes which cells of stops.txt to read.
    mutating func begin(_ plan: TablePlan) {
        cells = nil
        guard plan.table == "stop", let latitude = plan.cellColumns.firstIndex(of: "latitude"),
            let longitude = plan.cellColumns.firstIndex(of: "longitude")
        else { return }
        cells = (latitude, longitude)
    }

    /// Adds the stops of a block of the table that was begun.
    mutating func add(_ batch: CellBatch, stride: Int) {
        guard let cells else { return }
        for row in 0..<batch.rowCount {
            let (tags, payloads) = (batch.tags + row * stride, batch.payloads + row * stride)
            let stop = Int(payloads[0])
            let missing = stop - points.count
            if missing > 0 { points.append(contentsOf: repeatElement(Self.nowhere, count: missing)) }
            points.append(
                Self.point(
                    SequenceLook.number(tags[cells.latitude], payloads[cells.latitude]),
                    SequenceLook.number(tags[cells.longitude], payloads[cells.longitude])))
        }
    }

    private static let nowhere = SIMD4<Float>(repeating: .nan)

    private static func point(_ latitude: Double, _ longitude: Double) -> SIMD4<Float> {
        let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
        let width = cos(latitude) * Sphere.radius
        return SIMD4(
            Float(width * cos(longitude)), Float(width * sin(longitude)), Float(sin(latitude) * Sphere.radius), 0)
    }

    /// Gives a stop without coordinates those of its parent, or else of its parent's parent.
    mutating func takeParents(_ parents: [UInt32?]) {
        for _ in 0..<2 {
            let known = points
            for (stop, parent) in parents.enumerated() {
                guard let parent, points.indices.contains(stop), points[stop].x.isNaN,
                    known.indices.contains(Int(parent))
                else { continue }
                points[stop] = known[Int(parent)]
            }
        }
    }

    @inline(__always)
    func has(_ stop: Int) -> Bool { points.indices.contains(stop) && !points[stop].x.isNaN }

    /// The bounds of the distance of two stops in meters, close together unless they are a hundred kilometers apart.
    @inline(__always)
    func distance(from first: Int, to second: Int) -> ClosedRange<Float> {
        let difference = points[first] - points[second]
        let square = (difference * difference).sum()
        let chord = square.squareRoot()
        // An arc is never longer than this.
        let arc = chord * (1 + square * Self.bend)
        return ClosedRange(uncheckedBounds: (max(0, chord - Self.slack), arc + Self.slack))
    }
}
