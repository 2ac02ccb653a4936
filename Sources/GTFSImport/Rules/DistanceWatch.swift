import SystemFiles

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
