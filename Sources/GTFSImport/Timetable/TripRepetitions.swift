// Unsafe: reads cells where the reading stage left them.

import Cells

/// How often each trip is repeated by rows of frequencies.txt, gathered while they pass: SQLite sorts the rows by trip,
/// 0.6 µs for each, to say the same.
///
/// A row is usable when its start comes before its end and its headway is above 0.
struct TripRepetitions {
    /// Those of one trip.
    struct Repetition {
        /// Departures of vehicles by the usable rows.
        var starts: Int64 = 0
        /// The first departure of a usable row, in seconds; nil without one.
        var firstStart: Int64?
        /// The latest end of any row; nil where none has one.
        var latestEnd: Int64?
    }

    private var cells: (trip: Int?, start: Int?, end: Int?, headway: Int?)?
    private var byTrip: [Int64: Repetition] = [:]
    /// Rows whose trip is unknown.
    private(set) var ofNoTrip: Repetition?

    /// The trips in ascending order.
    var trips: [(trip: Int64, repetition: Repetition)] {
        byTrip.map { (trip: $0.key, repetition: $0.value) }.sorted { $0.trip < $1.trip }
    }

    /// What is asked of a row of frequencies.txt.
    mutating func begin(_ plan: TablePlan) {
        guard plan.table == "frequency" else { return cells = nil }
        let cell = { plan.cellColumns.firstIndex(of: $0) }
        cells = (cell("trip"), cell("start_time"), cell("end_time"), cell("headway_secs"))
    }

    /// Adds the rows of a block of the table that was begun.
    mutating func add(_ batch: CellBatch, stride: Int) {
        guard let cells else { return }
        for row in 0..<batch.rowCount {
            let (tags, payloads) = (batch.tags + row * stride, batch.payloads + row * stride)
            func integer(_ cell: Int?) -> Int64? {
                cell.flatMap { tags[$0] == CellTag.integer ? payloads[$0] : nil }
            }
            let (start, end, headway) = (integer(cells.start), integer(cells.end), integer(cells.headway))
            if let trip = integer(cells.trip) {
                byTrip[trip, default: Repetition()].add(start, end, headway)
            } else {
                ofNoTrip = ofNoTrip ?? Repetition()
                ofNoTrip?.add(start, end, headway)
            }
        }
    }
}

extension TripRepetitions.Repetition {
    fileprivate mutating func add(_ start: Int64?, _ end: Int64?, _ headway: Int64?) {
        guard let end else { return }
        latestEnd = max(latestEnd ?? .min, end)
        guard let start, start < end, let headway, headway > 0 else { return }
        // Rounded up: the last vehicle leaves before the end.
        starts += (end - start - 1) / headway + 1
        firstStart = min(firstStart ?? .max, start)
    }
}
