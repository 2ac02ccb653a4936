/// A sequence of calls without times in the feed, between two calls of the trip that have times.
///
///     let gap = CallGap(
///         from: .init(time: 28_800, distance: 0), to: .init(time: 29_400, distance: 3), untimedCalls: 2)
///     gap.time(ofCall: 1, distance: 1.5)      // 29100: half of the way takes half of the time
///     gap.time(ofCall: 1, distance: nil)      // 29000: the first of three equal steps
///
/// The importer stores these times, and the fetch layer computes them again for trips that were changed in memory.
/// Times are seconds since noon minus 12 h of the service day. Distances are in the feed's own unit.
package struct CallGap {
    /// A call with a time.
    package struct End {
        package let time: Int64
        package let distance: Double?

        package init(time: Int64, distance: Double?) { (self.time, self.distance) = (time, distance) }
    }

    /// The longest sequence of calls that is filled: its calls wait in memory for the next call with a time. Calls on
    /// demand within the sequence count, too.
    package static let mostCalls = 10_000

    private let before: End
    private let after: End
    private let steps: Int64

    /// `before` is a departure, `after` an arrival.
    package init(from before: End, to after: End, untimedCalls: Int) {
        (self.before, self.after, steps) = (before, after, Int64(untimedCalls) + 1)
    }

    /// The time of a call; `number` counts the untimed calls from 1. Goes by distance if the distance grows between the
    /// two ends and the call's own distance is in that range. Otherwise all steps take the same time, also if the
    /// distances are so large that their product with the time would be infinite.
    ///
    /// Rounds down to the second. Decimal distances are seldom exact in binary, so a result less than a microsecond
    /// below a whole second counts as that second.
    package func time(ofCall number: Int, distance: Double?) -> Int64 {
        let span = after.time - before.time
        if let start = before.distance, let end = after.distance, let distance, start < end, start <= distance,
            distance <= end, (Double(span) * (end - start)).isFinite
        {
            let seconds = Double(span) * (distance - start) / (end - start)
            return before.time + Int64((seconds + 0.000_001).rounded(.down))
        }
        let (quotient, rest) = (span * Int64(number)).quotientAndRemainder(dividingBy: steps)
        return before.time + (rest < 0 ? quotient - 1 : quotient)
    }
}

/// Bits of `stop_time.filled_times`: the times of a call that the importer filled in.
package enum FilledTimes {
    package static let arrival: Int64 = 1
    package static let departure: Int64 = 2
    /// Both were interpolated.
    package static let both = arrival | departure
}
