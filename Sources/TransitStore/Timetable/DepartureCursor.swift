/// Goes through the time of a request stretch by stretch, so that a limit stops it early.
final class DepartureCursor {
    private let readers: [DepartureReader]
    private var rest: Range<Int64>
    private var stretch: Int64
    /// How many are still wanted; nil for all.
    private var wanted: Int?

    /// A day at most, so that a request for a year holds one in memory.
    private static let day: Int64 = 86_400
    private static let firstStretch: Int64 = 3_600
    /// Where hardly anything leaves, stretches grow up to this.
    private static let longestStretch: Int64 = 16 * 86_400

    init(_ request: DepartureRequest, readers: [DepartureReader]) {
        self.readers = readers
        let bounds = readers.compactMap(\.bounds)
        let first = bounds.map(\.lowerBound).min() ?? 0
        let last = bounds.map(\.upperBound).max() ?? 0
        rest = request.window.clamped(to: first..<last)
        wanted = request.limit > 0 ? request.limit : nil
        stretch = wanted == nil ? Self.day : Self.firstStretch
    }

    /// The departures of the next stretch that has any, in order; nil after the last.
    func next() throws -> [Departure]? {
        while !rest.isEmpty, wanted != 0 {
            let end = min(rest.lowerBound + stretch, rest.upperBound)
            let window = rest.lowerBound..<end
            rest = end..<rest.upperBound
            if wanted != nil { stretch = min(stretch * 2, Self.longestStretch) }
            var found = try readers.flatMap { try $0.departures(in: window, most: wanted ?? .max) }
            if readers.count > 1 { found.sort { $0.isOrderedBefore($1) } }
            if let most = wanted {
                found = Array(found.prefix(most))
                wanted = most - found.count
            }
            if !found.isEmpty { return found }
        }
        return nil
    }

    func all() throws -> [Departure] {
        guard var found = try next() else { return [] }
        while let more = try next() { found += more }
        return found
    }
}
