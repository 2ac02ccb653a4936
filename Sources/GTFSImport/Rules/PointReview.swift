import GTFSSchema
import SQLite
import SQLitePages

/// What may be wrong with the distance of a point and the one before it, as the rules about shapes.txt name it in
/// schema/rules.tsv.
enum PointFault: String, CaseIterable {
    case falling = "distance_falls"
    case sameAtOnePlace = "distance_same_at_one_place"
    case sameNearby = "distance_same_nearby"
    case sameFarAway = "distance_same_far_away"
}

/// Finds the points of shapes whose distance does not grow, shape by shape in the order of their sequence.
final class PointReview {
    /// Receives a point that breaks a rule, and the sequence of the one before it.
    typealias Finding = (_ fault: PointFault, _ shape: Int64, _ sequence: Int64, _ before: Int64) throws -> Void

    private struct Point {
        let shape: Int64
        let sequence: Int64
        let distance: Double
        let latitude: Double
        let longitude: Double
    }

    /// From this on, two points at the same distance are an error (in meters, as in the reference validator).
    private static let leastError = 1.11

    private let reader: IndexTreeReader
    private let check: () throws -> Void
    private let columns: (distance: Int, latitude: Int, longitude: Int)
    private let cells: CellsOfRecord

    /// `plan` is that of shapes.txt. Nil if it lacks distances or coordinates.
    init?(_ plan: TablePlan, _ stored: StoredSequences, in place: StorePlace) throws {
        guard let distance = plan.cell(of: "shape_dist_traveled"), let latitude = plan.cell(of: "latitude"),
            let longitude = plan.cell(of: "longitude")
        else { return nil }
        columns = (distance, latitude, longitude)
        cells = CellsOfRecord(columns: max(distance, latitude, longitude) + 1)
        reader = try stored.reader(ofTable: plan.table)
        check = place.check
    }

    /// Visits the points that break a rule. Call it once.
    func forEach(_ body: Finding) throws {
        var before: Point?
        var interval = CheckInterval()
        while let record = try reader.next() {
            if interval.isOver() { try check() }
            cells.read(record)
            let point = Point(
                shape: cells.payloads[0], sequence: cells.payloads[1], distance: number(columns.distance),
                latitude: number(columns.latitude), longitude: number(columns.longitude))
            if let before, before.shape == point.shape, let fault = Self.fault(point, after: before) {
                try body(fault, point.shape, point.sequence, before.sequence)
            }
            before = point
        }
    }

    private func number(_ cell: Int) -> Double { cells.number(cell) ?? .nan }

    /// Nothing is wrong if one of the points has no distance.
    private static func fault(_ point: Point, after before: Point) -> PointFault? {
        if before.distance > point.distance { return .falling }
        guard before.distance == point.distance else { return nil }
        if before.latitude == point.latitude, before.longitude == point.longitude { return .sameAtOnePlace }
        let meters = Sphere.meters(
            from: (before.latitude, before.longitude), to: (point.latitude, point.longitude))
        return meters >= leastError ? .sameFarAway : meters > 0 ? .sameNearby : nil
    }
}
