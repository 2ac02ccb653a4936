/// Fills the times of a trip's calls as the importer does, for trips that were changed in memory.
///
/// A call with only one time uses it for both. A call without times is interpolated between the departure of the timed
/// call before it and the arrival of the timed call after it. The interpolation uses the distance along the shape if
/// all three calls have one and these ascend; otherwise it uses the call's position between them. Results are rounded
/// down to the second. A call on demand has no instant and is ignored as a neighbour.
struct CallTimes {
    var arrival: Int64?
    var departure: Int64?
    var distance: Double?
    var isOnDemand = false
    /// Whether both times are interpolated.
    private(set) var isInterpolated = false

    init(arrival: Int64?, departure: Int64?, distance: Double?, isOnDemand: Bool) {
        (self.arrival, self.departure) = (arrival, departure)
        (self.distance, self.isOnDemand) = (distance, isOnDemand)
    }

    /// Fills the calls of a trip, which are in the order of their sequence.
    static func fill(_ calls: inout [CallTimes]) {
        var before: Int?
        var waiting: [Int] = []
        for index in calls.indices where !calls[index].isOnDemand {
            guard let time = calls[index].arrival ?? calls[index].departure else {
                if before != nil { waiting.append(index) }
                continue
            }
            calls[index].arrival = time
            calls[index].departure = calls[index].departure ?? time
            if let before { interpolate(&calls, waiting, from: before, to: index) }
            (before, waiting) = (index, [])
        }
    }

    private static func interpolate(_ calls: inout [CallTimes], _ waiting: [Int], from before: Int, to after: Int) {
        guard let start = calls[before].departure, let end = calls[after].arrival else { return }
        let distances = (calls[before].distance, calls[after].distance)
        for (place, index) in waiting.enumerated() {
            let time: Int64
            if case (let first?, let last?) = distances, let distance = calls[index].distance, first < last,
                first <= distance, distance <= last, (last - first).isFinite
            {
                let seconds = Double(end - start) * (distance - first) / (last - first)
                // Decimal distances are seldom exact in binary: a time up to a microsecond below a second counts as
                // that second.
                time = start + Int64((seconds + 0.000_001).rounded(.down))
            } else {
                let (quotient, rest) = ((end - start) * Int64(place + 1))
                    .quotientAndRemainder(dividingBy: Int64(waiting.count + 1))
                time = start + (rest < 0 ? quotient - 1 : quotient)
            }
            (calls[index].arrival, calls[index].departure) = (time, time)
            calls[index].isInterpolated = true
        }
    }
}
