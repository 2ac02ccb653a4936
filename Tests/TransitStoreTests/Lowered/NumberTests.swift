import FoundationEssentials
import SQLite
import Testing

@testable import TransitStore

@Suite struct NotANumberTests {
    let fixture = Result { try TestStore.berlin() }
    private func context() throws -> StoreContext { try fixture.get().context() }

    /// SQLite stores NaN as NULL, and no comparison with NULL holds.
    @Test func notANumberIsNoValue() throws {
        let context = try context()
        let zoo = try #require(try context.object(Stop.self, id: 7))
        try zoo.setValue(.double(.nan), for: "longitude")
        #expect(zoo.value(of: "longitude") == .null)
        let east = FetchRequest<Stop>(where: #Predicate { $0.id == 7 && $0.longitude! > 0 })
        #expect(try context.fetchCount(east) == 0)
        let placed = FetchRequest<Stop>(where: try Condition(format: "id = 7 AND longitude != NIL"))
        #expect(try context.fetchCount(placed) == 0)
        // The same answers as from SQL alone.
        let nan = QueryExpression.value(.double(.nan))
        let longitude = QueryExpression.property(.root, ["longitude"])
        for op in [ComparisonOperator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] {
            let request = FetchRequest<Stop>(where: Condition(.comparison(op, longitude, nan)))
            var unchanged = request
            unchanged.includesPendingChanges = false
            context.rollback()
            try zoo.setValue("Zoo", for: "name")
            #expect(try context.fetchCount(request) == context.fetchCount(unchanged), "\(op)")
        }
    }
}

@Suite struct ComparisonTests {
    /// Integers and doubles around the limits of both: in memory as by SQLite.
    @Test func integersAndDoublesAreComparedExactly() throws {
        let integers: [Int64] = [.min, .min + 1, -1, 0, 1, 3, 1 << 53, (1 << 53) + 1, (1 << 62) + 1, .max - 1, .max]
        let doubles = [
            -.infinity, -0x1p64, -0x1p63, -0x1.fffffffffffffp62, -1.5, -0.0, 0.5, 3, 3.5, 0x1p53, 0x1p53 + 2, 0x1p62,
            0x1.fffffffffffffp62, 0x1p63, 0x1p64, .infinity,
        ]
        let connection = try Connection(path: ":memory:", mode: .create)
        let statement = try connection.prepare("SELECT (?1 > ?2) - (?1 < ?2)")
        for integer in integers {
            for double in doubles {
                statement.bind(1, integer)
                statement.bind(2, double)
                #expect(try statement.step())
                let expected = Int(statement.integer(0))
                statement.reset()
                #expect(QueryValue.integer(integer).compare(.double(double)) == expected, "\(integer) and \(double)")
                #expect(QueryValue.double(double).compare(.integer(integer)) == -expected, "\(double) and \(integer)")
            }
        }
    }
}

@Suite struct ServiceTimeTextTests {
    @Test(arguments: ["8:+5", "+8:00", "-1:00", "8:0:00", "8", "8:60", "٨:00", "", ":00", "8:00:", "4294967296:00"])
    func isNotATime(text: String) { #expect(ServiceTime(text) == nil) }

    @Test(arguments: [("8:05", 29_100), ("08:05:09", 29_109), ("100:00:00", 360_000)])
    func isATime(text: String, seconds: Int) { #expect(ServiceTime(text)?.seconds == seconds) }
}

@Suite struct SumTests {
    @Test func sumsThatOverflowAreRefusedAlike() throws {
        let test = try TestStore.berlin()
        var request = FetchRequest<Stop>()
        request.propertiesToFetch = [.expression(.aggregate(.sum, .value(.integer(.max))), as: "sum")]
        let changed = try test.context()
        try #require(try changed.object(Stop.self, id: 7)).setValue("Zoo 2", for: "name")
        let several = StoreCoordinator([try test.open(), try test.open()]).makeContext()
        for context in [try test.context(), changed, several] {
            #expect(
                throws: StoreError(
                    .overflow,
                    "A sum of whole numbers does not fit into 64 bits; sum up fractions, or ask for the average")
            ) { try context.fetchRows(request) }
        }
        request.propertiesToFetch = [.expression(.aggregate(.sum, .value(.integer(2))), as: "sum")]
        #expect(try several.fetchRows(request).map { $0["sum"] } == [32])
        request.propertiesToFetch = [.expression(.aggregate(.sum, .value(.double(1e300))), as: "sum")]
        #expect(try changed.fetchRows(request).map { $0["sum"] } == [.double(8e300)])
    }
}

/// A division by zero has no result, as in SQL. Swift's would be infinite, or end the program.
@Suite struct DivisionByZeroTests {
    private let fixture = Result { try TestStore.berlin() }

    @Test(arguments: [
        "departureTime / (stopSequence - 1)", "departureTime % (stopSequence - 1)", "1.5 / (stopSequence - 1)",
        "departureTime / 0", "0 / 0.0", "-1 / (0 * stopSequence)", "1 + 1 / (stopSequence - 1)",
    ])
    func `a division by zero gives the same answers with unsaved changes as without`(format: String) throws {
        let context = try fixture.get().context()
        var requests: [FetchRequest<StopTime>] = []
        for op in ["=", "!=", "<", "<=", ">", ">="] {
            for test in ["\(format) \(op) 5", "NOT \(format) \(op) 5", "\(format) \(op) NIL"] {
                requests.append(FetchRequest(where: try Condition(format: test)))
            }
        }
        var table = FetchRequest<StopTime>()
        table.propertiesToFetch = [try FetchedProperty(format: format, as: "quotient"), .attribute(\.stopSequence)]
        table.sortDescriptors = [.ascending(\.trip.id), .ascending(\.stopSequence)]
        let (found, rows) = (try requests.map { try context.fetchIDs($0) }, try context.fetchRows(table))
        #expect(rows.contains { $0["quotient"] == .null })
        for call in try context.fetch(FetchRequest<StopTime>()) { try call.set(\.stopHeadsign, to: "x") }
        for (request, before) in zip(requests, found) {
            #expect(try Set(context.fetchIDs(request)) == Set(before), "\(request.predicate)")
            #expect(try context.fetchCount(request) == before.count, "\(request.predicate)")
        }
        #expect(try context.fetchRows(table) == rows)
    }

    @Test func `a division by zero has no result in a predicate either`() throws {
        let context = try fixture.get().context()
        let level = try #require(try context.fetchFirst(FetchRequest<Level>(where: #Predicate { $0.levelIndex == 0 })))
        let infinity = Double.infinity
        let predicates: [(Predicate<Level>, Int)] = [
            (#Predicate { 1 / $0.levelIndex > 5 }, 0), (#Predicate { 1 / $0.levelIndex == infinity }, 0),
            (#Predicate { 1 / $0.levelIndex != 5 }, 2),
        ]
        for isChanged in [false, true] {
            if isChanged { try level.set(\.name, to: "Platz") }
            for (predicate, count) in predicates {
                #expect(try context.fetchCount(FetchRequest(where: predicate)) == count, "\(isChanged)")
            }
        }
    }

    /// A level without an index reads as 0.0, which is a fraction as 0.0 of the feed is: half of 1 + 0.0 is 0.5, not 0.
    @Test func `an empty fraction is calculated with and grouped as 0.0`() throws {
        let levels = ["0, 'a', NULL", "1, 'b', 0", "2, 'c', 1", "3, 'd', NULL"]
        let store = try TestStore { try $0.insert("level", "id, level_id, level_index", levels) }
        let context = try store.context()
        let half = FetchRequest<Level>(where: try Condition(format: "(levelIndex + 1) / 2 = 0.5"))
        let groups = FetchRequest<Level>(sortedBy: .ascending(\.levelIndex))
            .selecting(.attribute(\.levelIndex), .count()).groups(by: .attribute(\.levelIndex))
        for isChanged in [false, true] {
            for level in try context.fetch(FetchRequest<Level>()) where isChanged {
                try level.setValue(level.value(of: "levelIndex") ?? .null, for: "levelIndex")
            }
            #expect(try Set(context.fetch(half).map(\.id)) == [0, 1, 3], "\(isChanged)")
            #expect(try context.fetchRows(groups).map { $0[0] } == [0.0, 1.0], "\(isChanged)")
            let sections = try FetchedResults(FetchRequest<Level>(), sectionedBy: \.levelIndex, in: context).sections
            #expect(sections.map(\.name) == [0.0, 1.0] && sections.map(\.count) == [3, 1], "\(isChanged)")
        }
    }
}
