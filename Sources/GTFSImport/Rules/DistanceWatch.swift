// Unsafe: reads cells where the reading stage left them.

import Cells
import SystemFiles

/// Finds trips whose last call may lie further along the shape than the shape is long, while shapes, trips and stop
/// times pass.
///
/// Memory: 8 bytes for each shape and 4 for each trip, if shapes have distances.
final class DistanceWatch {
    // Unchecked: no access lasts beyond a call of this class's own functions, which trips call one by one.
    /// By the shape's id: the distance of its last point; not a number if that has none.
    @exclusivity(unchecked) private var lengths: [Double] = []
    /// By the trip's id: one more than the id of its shape, 0 for none.
    @exclusivity(unchecked) private var shapes: [UInt32] = []
    private var shapeCell: Int?
    /// By their ids.
    @exclusivity(unchecked) private var long = BitSet()

    /// The trips that were found, in the order of their ids.
    var longTrips: some Sequence<Int> { shapes.indices.lazy.filter { self.long.contains($0) } }
    var hasLongTrips: Bool { !long.isEmpty }

    /// Whether any trip may have a shape with distances.
    var hasShapes: Bool { !shapes.isEmpty }

    /// Notes which cells of trips.txt to read.
    func begin(_ plan: TablePlan) {
        shapeCell = plan.table == "trip" && !lengths.isEmpty ? plan.cellColumns.firstIndex(of: "shape") : nil
    }

    /// Adds the trips of a block of the table that was begun.
    func add(_ batch: CellBatch, stride: Int) {
        guard let shapeCell else { return }
        for row in 0..<batch.rowCount {
            let (tags, payloads) = (batch.tags + row * stride, batch.payloads + row * stride)
            let trip = Int(payloads[0])
            if shapes.count < trip { shapes.append(contentsOf: repeatElement(0, count: trip - shapes.count)) }
            shapes.append(tags[shapeCell] == CellTag.integer ? UInt32(clamping: payloads[shapeCell] + 1) : 0)
        }
    }

    /// Notes the distance of a shape's last point. The greatest distance is at least as great.
    func endShape(_ shape: Int64, at distance: Double) {
        guard shape >= 0 else { return }
        if lengths.count <= Int(shape) {
            lengths.append(contentsOf: repeatElement(.nan, count: Int(shape) + 1 - lengths.count))
        }
        lengths[Int(shape)] = distance
    }

    /// Notes the distance of a trip's last call.
    func endTrip(_ trip: Int64, at distance: Double) {
        guard distance > 0, trip < shapes.count, shapes[Int(trip)] > 0 else { return }
        let shape = Int(shapes[Int(trip)]) - 1
        if !lengths.indices.contains(shape) || !(distance <= lengths[shape]) { long.insert(Int(trip)) }
    }
}
