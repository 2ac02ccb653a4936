import GTFSSchema

/// Fills the times of a trip's calls as the importer does, for trips that were changed in memory.
///
/// A call with only one time uses it for both. A call without times is interpolated between the departure of the timed
/// call before it and the arrival of the timed call after it (`CallGap`). A call on demand has no instant and is
/// ignored as a neighbour.
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
        for index in calls.indices {
            if let time = calls[index].ownTime {
                calls[index].arrival = time
                calls[index].departure = calls[index].departure ?? time
                if let before { interpolate(&calls, waiting, from: before, to: index) }
                (before, waiting) = (index, [])
            } else if let first = waiting.first, index - first >= CallGap.mostCalls {
                (before, waiting) = (nil, [])
            } else if before != nil, !calls[index].isOnDemand {
                waiting.append(index)
            }
        }
    }

    private var ownTime: Int64? { isOnDemand ? nil : arrival ?? departure }

    private static func interpolate(_ calls: inout [CallTimes], _ waiting: [Int], from before: Int, to after: Int) {
        guard let start = calls[before].departure, let end = calls[after].arrival else { return }
        let gap = CallGap(
            from: .init(time: start, distance: calls[before].distance),
            to: .init(time: end, distance: calls[after].distance), untimedCalls: waiting.count)
        for (place, index) in waiting.enumerated() {
            let time = gap.time(ofCall: place + 1, distance: calls[index].distance)
            (calls[index].arrival, calls[index].departure) = (time, time)
            calls[index].isInterpolated = true
        }
    }
}
