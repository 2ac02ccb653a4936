import FoundationEssentials
import SQLite
import Testing

@testable import TransitStore

/// The cost of a search by place depends on what it finds, not on the number of stops.
@Suite struct PlaceWorkTests {
    private static let place = Coordinate(latitude: 52.499_249, longitude: 13.418_167)

    /// Twenty stops within 700 m of the place; the others where a poor index would look: north and south of it in the
    /// same longitudes, east and west of it in the same latitudes.
    private func context(others: Int) throws -> StoreContext {
        let fixture = try TestStore { connection in
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19)
                INSERT INTO stop(id, stop_id, name, latitude, longitude)
                SELECT i, 'near' || i, 'Near', 52.499249 + (i % 5 - 2) * 0.002, 13.418167 + (i / 5 - 2) * 0.003 FROM n;
                WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(others))
                INSERT INTO stop(id, stop_id, name, latitude, longitude)
                SELECT 100 + i, 'far' || i, 'Far',
                    iif(i % 2, 52.499249 + (i % 7 - 3) * 0.001, 40 + i * 10.0 / \(others)),
                    iif(i % 2, 20 + i * 30.0 / \(others), 13.418167 + (i % 7 - 3) * 0.001) FROM n
                """)
        }
        return try fixture.context()
    }

    /// How many rows a request finds, and how many instructions of SQLite's virtual machine it takes.
    private func work(
        _ request: FetchRequest<Stop>, _ context: StoreContext, traits: StoreTraits? = nil
    ) throws -> (rows: Int, instructions: Int) {
        let select = try request.select(for: .objects, model: .typed, traits: traits ?? context.stores[0].traits)
        var (rows, instructions) = (0, 0)
        try context.run(select.sql, store: 0) { statement in
            _ = statement.takeInstructionCount()
            while try statement.step() { rows += 1 }
            instructions = statement.takeInstructionCount()
            return rows
        }
        return (rows, instructions)
    }

    @Test func workDoesNotGrowWithTheNumberOfStops() throws {
        let few = try context(others: 5_000)
        let many = try context(others: 60_000)
        var nearest = FetchRequest<Stop>(where: .within(meters: 800, of: Self.place))
        nearest.sortDescriptors = [.distance(from: Self.place)]
        nearest.fetchLimit = 5
        let (west, east, south, north) = (13.410, 13.426, 52.494, 52.504)
        let box: Predicate<Stop> = #Predicate {
            west <= $0.longitude! && $0.longitude! <= east && south <= $0.latitude! && $0.latitude! <= north
        }
        let requests = [
            FetchRequest<Stop>(where: .within(meters: 800, of: Self.place)), nearest, FetchRequest<Stop>(where: box),
        ]
        for request in requests {
            let (small, large) = (try work(request, few), try work(request, many))
            #expect(small.rows == large.rows)
            #expect(small.rows >= 5)
            #expect(small.instructions == large.instructions, "\(request)")
        }
        // The compound index of longitude and latitude is not enough: it reads all stops of the same longitudes.
        let compound = requests[0]
        let (small, large) = (
            try work(compound, few, traits: StoreTraits.none), try work(compound, many, traits: StoreTraits.none)
        )
        #expect(small.rows == large.rows)
        #expect(large.instructions > 8 * small.instructions)
    }
}
