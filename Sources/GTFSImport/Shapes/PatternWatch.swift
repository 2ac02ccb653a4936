// Unsafe: reads cells where the reading stage left them.

import Cells
import KeySorting
import SystemFiles

/// Finds out which trips along a shape have the same calls at the same distances, while stop times pass. Only one trip
/// of each such pattern is compared with the shape.
///
/// The hash of a trip is the sum of its rows' hashes, so rows may come in any order. It includes `stop_sequence`: trips
/// that are numbered differently count as two patterns here.
///
/// Memory: 8 bytes for each trip, if the feed has shapes.
final class PatternWatch {
    // Unchecked: no access lasts beyond a call of this class's own functions.
    @exclusivity(unchecked) private var shapes = TripShapes()
    /// By the trip's id; 0 for a trip without calls.
    @exclusivity(unchecked) private var hashes: [UInt64] = []
    private var cells: (stop: Int, distance: Int?)?
    /// Whether any trip goes along a shape and calls anywhere.
    private(set) var hasPatterns = false

    /// Notes which cells of stop_times.txt to read. All trips must have passed, so that `shapes` has all their shapes.
    func begin(_ plan: TablePlan, _ shapes: TripShapes) {
        cells = nil
        guard plan.table == "stop_time", !shapes.isEmpty else { return }
        self.shapes = shapes
        hashes = [UInt64](repeating: 0, count: shapes.count)
        cells = plan.cell(of: "stop").map { ($0, plan.cell(of: "shape_dist_traveled")) }
    }

    /// Adds the rows of a block of the table that was begun.
    func add(_ batch: CellBatch) {
        guard let cells else { return }
        // Cell 0 is the trip, so 0 stands for a file without distances.
        let (stop, distance) = (cells.stop, cells.distance ?? 0)
        var (trip, sum) = (Int64(-1), UInt64(0))
        for row in batch.rows {
            if row.id != trip {
                add(sum, to: trip)
                (trip, sum) = (row.id, 0)
            }
            let place = row.isNull(stop) ? -1 : row.payloads[stop]
            let along = distance == 0 || row.isNull(distance) ? 0 : row.payloads[distance]
            sum &+= Self.hash(place, row.payloads[1], along)
        }
        add(sum, to: trip)
    }

    private func add(_ sum: UInt64, to trip: Int64) {
        guard shapes.shape(of: trip) != nil else { return }
        hashes[Int(trip)] &+= sum
        hasPatterns = true
    }

    @inline(__always)
    static func hash(_ stop: Int64, _ sequence: Int64, _ distance: Int64) -> UInt64 {
        let place = UInt64(bitPattern: stop &<< 32 ^ sequence) ^ 0x9E37_79B9_7F4A_7C15
        let product = place.multipliedFullWidth(by: UInt64(bitPattern: distance) ^ 0xBF58_476D_1CE4_E5B9)
        return product.high ^ product.low
    }

    /// Visits the shapes in the order of their ids, each with one trip of each pattern: the first one of trips.txt. The
    /// trips of a shape come in the order of trips.txt.
    func forEachShape(in space: SortingSpace, _ body: (_ shape: Int64, _ trips: [Int64]) throws -> Void) throws {
        let sorter = try sortedPatterns(in: space)
        var (last, shape, found): (SortKey?, UInt64, [UInt32]) = (nil, 0, [])
        func visit() throws {
            guard !found.isEmpty else { return }
            found.sort()
            try body(Int64(shape), found.map(Int64.init))
        }
        while let keys = try sorter.nextBatch() {
            for key in keys {
                defer { last = key }
                if let last, last.high == key.high, last.low >> 32 == key.low >> 32 { continue }
                if key.high >> 32 != shape {
                    try visit()
                    found.removeAll(keepingCapacity: true)
                    shape = key.high >> 32
                }
                found.append(UInt32(truncatingIfNeeded: key.low))
            }
        }
        try visit()
    }

    /// Keys of shape, hash and trip. Trips of one pattern that stand together give one key.
    private func sortedPatterns(in space: SortingSpace) throws(KeySortingError) -> KeySorter {
        let sorter = KeySorter(in: space)
        var latest: [UInt64] = []
        for trip in hashes.indices where hashes[trip] != 0 {
            guard let shape = shapes.shape(of: Int64(trip)) else { continue }
            let hash = hashes[trip]
            if latest.count <= shape {
                latest.append(contentsOf: repeatElement(0, count: max(shape + 1, 2 * latest.count) - latest.count))
            }
            if latest[shape] == hash { continue }
            latest[shape] = hash
            try sorter.append(SortKey(high: UInt64(shape) << 32 | hash >> 32, low: hash << 32 | UInt64(trip)))
        }
        return sorter
    }
}
