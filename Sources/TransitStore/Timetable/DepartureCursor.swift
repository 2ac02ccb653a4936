/// Goes through the time window of a request in stretches, so that it can stop early at a limit.
final class DepartureCursor {
    private let readers: [DepartureReader]
    private var rest: Range<Int64>
    private var stretch: Int64
    /// How many departures are still wanted; nil for all.
    private var wanted: Int?

    /// The length of a stretch if there is no limit, so that a lazy request for a year holds only one day in memory.
    private static let day: Int64 = 86_400
    private static let firstStretch: Int64 = 3_600
    /// With a limit, each stretch is twice as long as the previous one, up to this.
    private static let longestStretch: Int64 = 16 * 86_400

    /// Throws `unknownRow` for a stop that none of the stores has.
    init(_ request: DepartureRequest, readers: [DepartureReader]) throws {
        try Self.refuseUnknownStops(readers)
        self.readers = readers
        var (first, last) = (Int64.max, Int64.min)
        for reader in readers {
            guard let bounds = reader.bounds else { continue }
            (first, last) = (min(first, bounds.lowerBound), max(last, bounds.upperBound))
        }
        rest = first < last ? request.window.clamped(to: first..<last) : 0..<0
        wanted = request.limit > 0 ? request.limit : nil
        stretch = wanted == nil ? Self.day : Self.firstStretch
        // Reading departures checks whether the stop exists. If nothing will be read, it is checked here.
        if rest.isEmpty { for reader in readers { _ = try reader.places.takeInPlacesBelow(nil) } }
    }

    private static func refuseUnknownStops(_ readers: [DepartureReader]) throws {
        let others = readers.dropFirst().map { Set($0.places.unknownStops.map { ExactText($0) }) }
        for id in readers.first?.places.unknownStops ?? [] where others.allSatisfy({ $0.contains(ExactText(id)) }) {
            throw StoreError.unknownStop(id)
        }
    }

    /// The departures of the next stretch that has any, in order; nil after the last.
    func next() throws -> [Departure]? {
        while !rest.isEmpty, wanted != 0 {
            let end = min(rest.lowerBound + stretch, rest.upperBound)
            let window = rest.lowerBound..<end
            rest = end..<rest.upperBound
            if wanted != nil { stretch = min(stretch * 2, Self.longestStretch) }
            let found = try departures(in: window)
            guard !found.isEmpty else { continue }
            guard let most = wanted else { return found }
            let first = Array(found.prefix(most))
            wanted = most - first.count
            return first
        }
        return nil
    }

    /// The last departure, found from the end of the time window; nil if there is none.
    func last() throws -> Departure? {
        stretch = Self.firstStretch
        while !rest.isEmpty {
            let window = max(rest.upperBound - stretch, rest.lowerBound)..<rest.upperBound
            rest = rest.lowerBound..<window.lowerBound
            stretch = min(stretch * 2, Self.longestStretch)
            if let last = try departures(in: window).last { return last }
        }
        return nil
    }

    /// The departures of all stores, in order.
    private func departures(in window: Range<Int64>) throws -> [Departure] {
        let most = wanted ?? .max
        if readers.count == 1 { return try readers[0].departures(in: window, most: most) }
        let found = try readers.flatMap { try $0.departures(in: window, most: most) }
        // Each store's departures are in order already, and its place among the stores is their place in `found`.
        var keys = found.indices.map { (instant: found[$0].instant, place: $0) }
        keys.sort { ($0.instant, $0.place) < ($1.instant, $1.place) }
        return keys.map { found[$0.place] }
    }

    func all() throws -> [Departure] {
        guard var found = try next() else { return [] }
        while let more = try next() { found += more }
        return found
    }
}
