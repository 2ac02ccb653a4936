import Cells
import KeySorting

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
    func look(at batch: CellBatch, stride: Int) {
        blocks.add(batch, stride: stride)
        headsigns.add(batch, stride: stride)
        shapes.add(batch, stride: stride)
        speeds.add(batch, stride: stride)
        patterns.add(batch, stride: stride)
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
