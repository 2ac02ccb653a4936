import CFetch
import TransitStore

/// Searches for stops as people type them.
extension Contests {
    private static let limit = 20

    /// Fetches the best twenty stops for each text. The texts may be right or have a wrong letter.
    func searchStops(_ texts: [String]) throws -> Contest {
        let raw = try RawSearchConnection(path: path)
        return Contest(
            iterations: texts.count, turn: 5,
            ours: Contest.Side("TransitStore") { range in
                try range.reduce(into: Tally()) { tally, position in
                    tally += Tally(ranked: try context.searchStops(texts[position], limit: Self.limit))
                }
            },
            other: Contest.Side("C") { range in
                try range.reduce(into: Tally()) { $0 += try raw.stops(texts[$1], limit: Self.limit) }
            })
    }
}

/// The C side's connection for searches.
final class RawSearchConnection {
    private let search: OpaquePointer

    init(path: String) throws {
        guard let search = raw_search_open(path) else { throw BenchmarkError("C cannot open \(path)") }
        self.search = search
    }

    deinit { raw_search_close(search) }

    func stops(_ text: String, limit: Int) throws -> Tally {
        try Tally(raw_search_stops(search, text, Int32(limit)))
    }
}

extension Tally {
    /// A tally that depends on the order of the stops.
    fileprivate init(ranked stops: [Stop]) {
        self.init(stops)
        for (place, stop) in stops.enumerated() { sum &+= stop.id * place }
    }
}
