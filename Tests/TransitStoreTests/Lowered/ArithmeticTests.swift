import FoundationEssentials
import SQLite
import Testing

@testable import TransitStore

/// Arithmetic in memory gives what SQLite gives, also where numbers do not fit into 64 bits.
@Suite struct ArithmeticTests {
    private static let operands: [QueryValue] =
        EdgeNumbers.integers.map { .integer(Int64($0)) } + EdgeNumbers.doubles.filter { !$0.isNaN }.map { .double($0) }
        + [
            .integer(-2), .integer(7), .double(-1), .double(1.9), .double(-7.5), .double(0x1p63), .double(-0x1p63),
            .double(0x1.fffffffffffffp62), .double(1.844674407370955e19),
        ]

    @Test(arguments: ArithmeticOperator.allCases)
    func `each operator gives in memory what SQLite gives`(op: ArithmeticOperator) throws {
        let connection = try Connection(path: ":memory:", mode: .create)
        let statement = try connection.prepare("SELECT ?1 \(op.rawValue) ?2")
        for left in Self.operands {
            for right in Self.operands {
                statement.bind(1, left.sqliteValue)
                statement.bind(2, right.sqliteValue)
                #expect(try statement.step())
                let expected = QueryValue(statement.value(0))
                statement.reset()
                let result = op.apply(left, right)
                #expect(
                    result == expected || result.isNull && expected.isNull, "\(left) \(op.rawValue) \(right): \(result)"
                )
            }
        }
    }

    /// The same rows and values with unsaved changes and without.
    @Test(arguments: [
        "1e300 % (id + 2)", "latitude * 1e20 % 7", "9223372036854775807 * (id + 2) % 10", "INFINITY % (id + 2)",
        "(0 - 9223372036854775807 - 1) % (id - 8)", "latitude % 7", "7 % (latitude - 52)", "-1e19 % -3",
        "latitude & 7", "1e300 | id", "~latitude", "7 << (id - 3)", "-9 >> latitude", "id << 62", "abs(3 - latitude)",
    ])
    func `a calculation is the same with unsaved changes and without`(format: String) throws {
        let context = try TestStore.berlin().context()
        var table = FetchRequest<Stop>(sortedBy: .ascending(\.id))
        table.propertiesToFetch = [.attribute(\.id), try FetchedProperty(format: format, as: "rest")]
        let rows = try context.fetchRows(table)
        let conditions = ["\(format) = 7", "\(format) >= 1", "NOT \(format) < 0", "\(format) = NIL"]
        let requests = try conditions.map { FetchRequest<Stop>(where: try Condition(format: $0)) }
        let found = try requests.map { try context.fetchIDs($0) }
        for stop in try context.fetch(FetchRequest<Stop>()) { try stop.set(\.code, to: "x") }
        #expect(try context.fetchRows(table) == rows)
        for (request, before) in zip(requests, found) {
            #expect(try Set(context.fetchIDs(request)) == Set(before), "\(request.predicate)")
        }
    }

    /// Whole numbers beyond Int64 are bound as doubles, but a remainder and a quotient of two of them are exact.
    @Test func `constants beyond Int64 are computed as by Foundation`() throws {
        let context = try TestStore.berlin().context()
        let (big, ten, max) = (UInt64.max, 10 as UInt64, UInt.max)
        let predicates: [(Predicate<Stop>, Bool)] = [
            (#Predicate { $0.id >= 0 && big % 7 == 1 }, true), (#Predicate { $0.id >= 0 && big % ten == 5 }, true),
            (#Predicate { $0.id >= 0 && ten % big == 10 }, true),
            (#Predicate { $0.id >= 0 && max % 1000 == 615 }, true),
            (#Predicate { $0.id >= 0 && big / 5_000_000_000_000_000_000 == 3 }, true),
            (#Predicate { $0.id >= 0 && big % ten == 6 }, false),
        ]
        for isChanged in [false, true] {
            if isChanged { try context.object(Stop.self, id: 7)?.set(\.code, to: "x") }
            for (predicate, holds) in predicates {
                let stop = try #require(try context.object(Stop.self, id: 7))
                #expect(try predicate.evaluate(stop) == holds)
                #expect(try context.fetchCount(FetchRequest(where: predicate)) == (holds ? 8 : 0), "\(predicate)")
            }
        }
        // Foundation would end the program; a request finds nothing.
        let zero = 0 as UInt64
        let none = FetchRequest<Stop>(where: #Predicate { $0.id >= 0 && big % zero == 0 })
        #expect(try context.fetchCount(none) == 0)
    }
}
