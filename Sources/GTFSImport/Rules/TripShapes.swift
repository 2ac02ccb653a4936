// Unsafe: reads cells where the reading stage left them.

import Cells

/// The shapes of all trips, gathered while trips pass, if the feed has points of shapes.
///
/// Memory: 4 bytes for each trip.
struct TripShapes {
    /// By the trip's id: one more than the id of its shape, 0 for none.
    private var shapes: [UInt32] = []
    private var hasPoints = false
    private var shapeCell: Int?
    /// Whether no trip has a shape.
    private(set) var isEmpty = true

    /// One more than the greatest id of a trip so far; 0 if the feed has no points of shapes.
    var count: Int { shapes.count }

    /// Notes which cells of trips.txt to read. Shapes come before trips.
    mutating func begin(_ plan: TablePlan) {
        if plan.table == "shape_point" { hasPoints = true }
        shapeCell = plan.table == "trip" && hasPoints ? plan.cell(of: "shape") : nil
    }

    /// Adds the trips of a block of the table that was begun.
    mutating func add(_ batch: CellBatch, stride: Int) {
        guard let shapeCell else { return }
        for row in 0..<batch.rowCount {
            let (tags, payloads) = (batch.tags + row * stride, batch.payloads + row * stride)
            shapes.extend(to: Int(payloads[0]), with: 0)
            let hasShape = tags[shapeCell] == CellTag.integer
            shapes.append(hasShape ? UInt32(clamping: payloads[shapeCell] + 1) : 0)
            if hasShape { isEmpty = false }
        }
    }

    /// The shape of a trip; nil if it has none.
    @inline(__always)
    func shape(of trip: Int64) -> Int? {
        guard trip >= 0, trip < shapes.count, shapes[Int(trip)] > 0 else { return nil }
        return Int(shapes[Int(trip)]) - 1
    }
}
