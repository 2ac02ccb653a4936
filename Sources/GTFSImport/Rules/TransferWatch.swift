// Unsafe: reads cells where the reading stage left them.

import Cells

/// Tells, while transfers pass, whether any may lead far away. Only then are distances computed: a query over half a
/// million transfers would take a third of the time of importing them.
struct TransferWatch {
    /// The shortest distance that is noted, in meters.
    private static let far = 2_000.0

    private var cells: (from: Int, to: Int)?
    /// Whether any transfer may be longer than 2 km, or is from or to a stop without a place.
    private(set) var mayBeFar = false

    /// Notes which cells of transfers.txt to read.
    mutating func begin(_ plan: TablePlan) {
        cells = nil
        guard plan.table == "transfer", let from = plan.cell(of: "from_stop"),
            let to = plan.cell(of: "to_stop")
        else { return }
        cells = (from, to)
    }

    /// Looks at the rows of a block of the table that was begun, once all stops are known.
    mutating func look(at batch: CellBatch, stride: Int, _ stops: StopPlaces) {
        guard let cells, !mayBeFar else { return }
        for row in 0..<batch.rowCount {
            let (tags, payloads) = (batch.tags + row * stride, batch.payloads + row * stride)
            guard tags[cells.from] == CellTag.integer, tags[cells.to] == CellTag.integer else { continue }
            let (from, to) = (Int(payloads[cells.from]), Int(payloads[cells.to]))
            if !stops.areWithin(Self.far, from, to) { return mayBeFar = true }
        }
    }
}
