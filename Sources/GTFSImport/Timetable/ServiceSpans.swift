// Unsafe: one access to the array for all sets of a date.

import CivilTime

/// On which days each set of days begins and ends, and where it pauses: gathered while `service_day` is written.
struct ServiceSpans: Sendable {
    /// The last day before a pause and the first one after it, as dates.
    struct Pause: Sendable {
        let set: UInt32
        let last: Int64
        let next: Int64
    }

    /// The longest pause that is not noted, in days.
    private static let longestPause = 13

    /// The first and the last day of a set, counted from 1970.
    private struct Span {
        var first = Int32.max
        var last = Int32.min
    }

    /// Pauses of sets with greater ids are not held: only services of calendar.txt have notices about them.
    private let lastPausing: Int64
    /// By the set's id.
    private var spans: [Span] = []
    private(set) var pauses: [Pause] = []

    init(lastPausing: Int64) { self.lastPausing = lastPausing }

    /// Adds a day with the sets that run on it. Days come in ascending order, sets as well.
    mutating func add(_ day: CivilDay, _ sets: [UInt32]) {
        guard let last = sets.last else { return }
        spans.extend(to: Int(last) + 1, with: Span())
        let today = Int32(clamping: day.daysSince1970)
        spans.withUnsafeMutableBufferPointer { spans in
            for set in sets {
                let before = spans[Int(set)].last
                spans[Int(set)].last = today
                if before == .min {
                    spans[Int(set)].first = today
                } else if today - before > Self.longestPause + 1, set <= lastPausing {
                    pauses.append(Pause(set: set, last: Self.date(before), next: Self.date(today)))
                }
            }
        }
    }

    private static func date(_ day: Int32) -> Int64 { Int64(CivilDay(daysSince1970: Int64(day)).number) }

    /// The first and the last day of a set, as dates; nil for one that never runs.
    func span(of set: UInt32) -> (first: Int64, last: Int64)? {
        guard spans.indices.contains(Int(set)), spans[Int(set)].last != .min else { return nil }
        return (Self.date(spans[Int(set)].first), Self.date(spans[Int(set)].last))
    }
}
