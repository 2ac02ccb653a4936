import Cells
import KeySorting
import SystemFiles

/// Hears of each trip or shape after each group of its rows that stand together. If a trip is split into several
/// groups, the last call is about all of its stored rows and replaces the earlier ones.
protocol SequenceEndsWatching: AnyObject {
    /// `arrival` is that of the last row, if it has one.
    func end(_ look: SequenceLook, arrival: Int64)
}

/// What rules about trips need to know, gathered while stops, routes, shapes, trips and stop times pass, so that they
/// cost next to nothing for a feed that cannot break them.
final class TripWatch {
    // Unchecked: no access lasts beyond a call of this class's own functions.
    @exclusivity(unchecked) private(set) var shapes = TripShapes()
    let blocks = BlockWatch()
    let headsigns: HeadsignWatch
    let distances = DistanceWatch()
    let speeds = SpeedWatch()
    let patterns = PatternWatch()

    init(in space: SortingSpace) { headsigns = HeadsignWatch(in: space) }

    /// Notes which cells of the table to read.
    func begin(_ plan: TablePlan) {
        blocks.begin(plan)
        headsigns.begin(plan)
        shapes.begin(plan)
        speeds.begin(plan)
        patterns.begin(plan, shapes)
    }

    /// Looks at the rows of a block of the table that was begun.
    func look(at batch: CellBatch) {
        blocks.add(batch)
        headsigns.add(batch)
        shapes.add(batch)
        speeds.add(batch)
        patterns.add(batch)
    }

    /// Begins the rows of trips or shapes; all trips and shapes must be known. Returns the object to be told when each
    /// trip or shape of the table ends; nil if no rule needs it.
    func beginSequences(of plan: TablePlan) -> (any SequenceEndsWatching)? {
        let hasDistances = plan.cell(of: "shape_dist_traveled") != nil
        if plan.table == "shape_point" { return hasDistances ? ShapeEnds(distances) : nil }
        headsigns.beginCalls()
        blocks.beginCalls()
        let ends = TripEnds(self, hasDistances: hasDistances)
        return ends.isNeeded ? ends : nil
    }
}

private final class ShapeEnds: SequenceEndsWatching {
    private let distances: DistanceWatch

    init(_ distances: DistanceWatch) { self.distances = distances }

    func end(_ look: SequenceLook, arrival: Int64) { distances.endShape(look.parent, at: look.distance) }
}

private final class TripEnds: SequenceEndsWatching {
    private let blocks: BlockWatch?
    private let headsigns: HeadsignWatch?
    private let distances: DistanceWatch?
    private let shapes: TripShapes

    init(_ trips: TripWatch, hasDistances: Bool) {
        blocks = trips.blocks.hasBlocks ? trips.blocks : nil
        headsigns = trips.headsigns.isWatching ? trips.headsigns : nil
        shapes = trips.shapes
        distances = hasDistances && trips.distances.hasShapes && !shapes.isEmpty ? trips.distances : nil
    }

    var isNeeded: Bool { blocks != nil || headsigns != nil || distances != nil }

    func end(_ look: SequenceLook, arrival: Int64) {
        blocks?.end(look, arrival: arrival)
        headsigns?.end(look.parent, sequence: look.sequence)
        if let distances, let shape = shapes.shape(of: look.parent) {
            distances.endTrip(look.parent, along: shape, at: look.distance)
        }
    }
}

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
    mutating func add(_ batch: CellBatch) {
        guard let shapeCell else { return }
        for row in batch.rows {
            shapes.extend(to: Int(row.id), with: 0)
            let shape = row.integer(shapeCell)
            shapes.append(shape.map { UInt32(clamping: $0 + 1) } ?? 0)
            if shape != nil { isEmpty = false }
        }
    }

    /// The shape of a trip; nil if it has none.
    @inline(__always)
    func shape(of trip: Int64) -> Int? {
        guard trip >= 0, trip < shapes.count, shapes[Int(trip)] > 0 else { return nil }
        return Int(shapes[Int(trip)]) - 1
    }
}

/// Finds trips whose last call may lie further along the shape than the shape is long, while shapes and stop times
/// pass.
///
/// Memory: 8 bytes for each shape, if shapes have distances.
final class DistanceWatch {
    // Unchecked: no access lasts beyond a call of this class's own functions, which trips call one by one.
    /// By the shape's id: the distance of its last point; not a number if that has none.
    @exclusivity(unchecked) private var lengths: [Double] = []
    /// By their ids.
    @exclusivity(unchecked) private var long = BitSet()
    /// The last trip that was found.
    private var last = -1

    /// The trips that were found, in the order of their ids.
    var longTrips: some Sequence<Int> { (0..<last + 1).lazy.filter { self.long.contains($0) } }
    var hasLongTrips: Bool { last >= 0 }

    /// Whether any shape has distances.
    var hasShapes: Bool { !lengths.isEmpty }

    /// Notes the distance of a shape's last point. The greatest distance is at least as great.
    func endShape(_ shape: Int64, at distance: Double) {
        guard shape >= 0 else { return }
        lengths.extend(to: Int(shape) + 1, with: .nan)
        lengths[Int(shape)] = distance
    }

    /// Notes the distance of the last call of a trip with this shape.
    func endTrip(_ trip: Int64, along shape: Int, at distance: Double) {
        guard distance > 0 else { return }
        if !lengths.indices.contains(shape) || !(distance <= lengths[shape]) {
            long.insert(Int(trip))
            last = max(last, Int(trip))
        }
    }
}
