import CFetch
import TransitStore

/// A store opened by C, against which fetches are measured.
final class RawConnection: @unchecked Sendable {
    // @unchecked: one thread at a time uses a connection. The contests with threads give each thread its own.
    private let store: OpaquePointer

    init(path: String) throws {
        guard let store = raw_open(path) else { throw BenchmarkError("C cannot open \(path)") }
        self.store = store
    }

    deinit { raw_close(store) }

    func count(of table: String) -> Int { Int(raw_count(store, table)) }

    func stops(within meters: Double, of place: Coordinate) throws -> Tally {
        try Tally(raw_within(store, place.latitude, place.longitude, meters))
    }

    func stops(within meters: Double, departing query: Workload.Query) throws -> Tally {
        let (from, to) = (Int32(query.from.seconds), Int32(query.to.seconds))
        return try Tally(raw_departing(store, query.place.latitude, query.place.longitude, meters, from, to))
    }

    func search(_ prefix: String) throws -> Tally { try Tally(raw_search(store, prefix)) }

    func walk() throws -> Tally { try Tally(raw_walk(store)) }

    static func firstResult(path: String, within meters: Double, of place: Coordinate) throws -> Tally {
        try Tally(raw_first_result(path, place.latitude, place.longitude, meters))
    }
}
