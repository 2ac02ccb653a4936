import Testing

@testable import TransitStore

/// Boxes over several cells of longitude. The cells become rows that drive the search.
@Suite struct JoinedCellsTests {
    private static let cells = "CAST((t0.longitude + 180) * 100 AS INTEGER)"

    /// Stops in columns that are a hundredth of a degree apart. Some are shifted east by 0.004 or 0.008 degrees.
    private func grid() throws -> StoreContext {
        try TestStore { connection in
            var id = 0
            for east in -3...12 {
                for north in -2...6 {
                    let shift = Double((east * 7 + north) % 3) * 0.004
                    try connection.insertStop(
                        id, "Stop \(id % 5)", 52.5 + Double(north) * 0.004, 13.4 + Double(east) * 0.01 + shift,
                        type: id % 2)
                    id += 1
                }
            }
        }.context()
    }

    private func box(_ west: Double, _ east: Double) -> Condition<Stop> {
        let (south, north) = (52.5, 52.513)
        return Condition(
            .box(
                .root, [],
                BoundingBox(minLatitude: south, maxLatitude: north, minLongitude: west, maxLongitude: east)))
    }

    /// Expects this SQL from FROM onwards, and the same rows by SQL and in memory.
    private func expectRows(_ condition: Condition<Stop>, sql: String, in context: StoreContext) throws {
        let request = FetchRequest<Stop>(where: condition)
        let plan = try context.explain(request, bigTable: 1)
        #expect(plan.sql.text.hasPrefix("SELECT"))
        let start = try #require(plan.sql.text.firstRange(of: " FROM "))
        #expect(plan.sql.text[start.lowerBound...] == " " + sql)
        let found = try context.fetch(request)
        let expected = try context.fetch(FetchRequest<Stop>()).filter { stop in
            var evaluator = ExpressionEvaluator(stop)
            return try evaluator.holds(condition.query())
        }
        #expect(!found.isEmpty && found.count == Set(found.map(\.id)).count)
        #expect(Set(found.map(\.id)) == Set(expected.map(\.id)))
        #expect(try context.fetchCount(request) == expected.count)
        #expect(try Set(context.fetchIDs(request)) == Set(expected.map(\.objectID)))
    }

    @Test func cellsAreRows() throws {
        let context = try grid()
        try expectRows(
            box(13.405, 13.425),
            sql: "FROM (VALUES (?), (?), (?)) AS cell CROSS JOIN stop AS t0 WHERE \(Self.cells) = cell.column1 "
                + "AND t0.longitude >= ? AND t0.longitude <= ? AND t0.latitude >= ? AND t0.latitude <= ?", in: context)
        let plan = try context.explain(FetchRequest<Stop>(where: box(13.405, 13.425)), bigTable: 1)
        #expect(plan.warnings == [])
        #expect(
            plan.steps.contains { $0.hasPrefix("SEARCH t0 USING INDEX stop_cell_latitude (<expr>=? AND latitude>?") })
    }

    @Test func oneCellNeedsNoRows() throws {
        try expectRows(
            box(13.401, 13.409),
            sql: "FROM stop AS t0 WHERE \(Self.cells) = ? AND t0.longitude >= ? AND t0.longitude <= ? "
                + "AND t0.latitude >= ? AND t0.latitude <= ?", in: grid())
    }

    /// With two boxes, the first drives the search. The second compares its cells with IN.
    @Test func ofTwoBoxesTheFirstIsJoined() throws {
        try expectRows(
            box(13.395, 13.425) && box(13.405, 13.445),
            sql: "FROM (VALUES (?), (?), (?), (?)) AS cell CROSS JOIN stop AS t0 WHERE (\(Self.cells) = cell.column1 "
                + "AND t0.longitude >= ? AND t0.longitude <= ? AND t0.latitude >= ? AND t0.latitude <= ?) AND "
                + "(\(Self.cells) IN (?, ?, ?, ?, ?) AND t0.longitude >= ? AND t0.longitude <= ? "
                + "AND t0.latitude >= ? AND t0.latitude <= ?)", in: grid())
    }

    @Test func aBoxThatIsAskedForTwiceFindsTheSameStops() throws {
        let context = try grid()
        let twice = FetchRequest<Stop>(where: box(13.405, 13.425) && box(13.405, 13.425))
        #expect(try context.fetchCount(twice) == context.fetchCount(FetchRequest<Stop>(where: box(13.405, 13.425))))
    }

    /// An alternative may find rows outside the box, so the box's cells cannot drive the search.
    @Test func aBoxAmongAlternativesDoesNotDrive() throws {
        try expectRows(
            box(13.405, 13.425) || Condition(.comparison(.equal, .property(.root, ["id"]), .value(.integer(0)))),
            sql: "FROM stop AS t0 WHERE t0.id = ? OR (\(Self.cells) IN (?, ?, ?) AND t0.longitude >= ? "
                + "AND t0.longitude <= ? AND t0.latitude >= ? AND t0.latitude <= ?)", in: grid())
    }

    @Test func aBoxGoesWithOrderLimitAndDistinctRows() throws {
        let context = try grid()
        var request = FetchRequest<Stop>(entity: "Station", where: box(13.395, 13.445))
        request.sortDescriptors = [.descending(\.name), .ascending(\.id)]
        request.fetchLimit = 4
        request.fetchOffset = 2
        let all = try context.fetch(FetchRequest<Stop>(where: box(13.395, 13.445))).filter { $0.locationType == 1 }
        let sorted = all.sorted { ($1.name, $0.id) < ($0.name, $1.id) }.map(\.id)
        #expect(try context.fetch(request).map(\.id) == Array(sorted.dropFirst(2).prefix(4)))
        var names = FetchRequest<Stop>(where: box(13.395, 13.445))
        names.propertiesToFetch = [.attribute(\.name)]
        names.returnsDistinctResults = true
        #expect(try Set(context.fetchRows(names).compactMap { $0["name"] }).count == 5)
    }

    /// Boxes with the same number of cells may share a statement, so they are asked for one after the other.
    @Test func boxesOfAnyNumberOfCellsFindTheirStops() throws {
        let context = try grid()
        for (west, east) in [(13.405, 13.425), (13.415, 13.435), (13.405, 13.445), (13.425, 13.445), (13.401, 13.409)] {
            let found = try context.fetch(FetchRequest<Stop>(where: box(west, east)))
            let expected = try context.fetch(FetchRequest<Stop>()).filter {
                (west...east).contains($0.longitude ?? 0) && (52.5...52.513).contains($0.latitude ?? 0)
            }
            #expect(Set(found.map(\.id)) == Set(expected.map(\.id)))
        }
    }
}
