import SQLite
import TestSupport
import Testing

@testable import TransitStore

/// A sum in memory is that of the linked SQLite, to the last bit.
@Suite struct RunningSumTests {
    private static let odd: [QueryValue] = [
        .integer(.max), .integer(.min), .integer(1 << 53 + 1), .integer(-1 << 52), .integer(0), .double(1e16),
        .double(-1e16), .double(0.1), .double(1e308), .double(-1e308), .double(.leastNonzeroMagnitude), .text("0.7"),
        .text("12 x"),
    ]

    private static func values(_ random: inout SeededGenerator) -> [QueryValue] {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
            switch Int.random(in: 0..<4, using: &random) {
            case 0: odd.randomElement(using: &random) ?? .null
            case 1: .integer(.random(in: -1_000...1_000, using: &random))
            default: .double(.random(in: -100...100, using: &random))
            }
        }
    }

    @Test func `sums and means are SQLite's`() throws {
        let connection = try Connection(path: ":memory:", mode: .create)
        try connection.execute("CREATE TABLE number(value)")
        let insert = try connection.prepare("INSERT INTO number VALUES(?)")
        let sum = try connection.prepare("SELECT typeof(sum(value)), sum(value), sum(value) FROM number")
        let average = try connection.prepare("SELECT avg(value) FROM number")
        var random = SeededGenerator(seed: 346)
        for _ in 0..<5_000 {
            let values = Self.values(&random)
            try connection.execute("DELETE FROM number")
            var running = RunningSum()
            for value in values {
                running.add(value)
                switch value {
                case .null: insert.bindNull(1)
                case .integer(let value): insert.bind(1, value)
                case .double(let value): insert.bind(1, value)
                case .text(let value): insert.bind(1, value)
                }
                try insert.run()
            }
            let expected = Result { () throws -> QueryValue in
                defer { sum.reset() }
                _ = try sum.step()
                return sum.isNull(1)
                    ? .null : sum.text(0) == "integer" ? .integer(sum.integer(1)) : .double(sum.double(2))
            }
            #expect((try? running.sum()) == (try? expected.get()), "\(values)")
            _ = try average.step()
            #expect(running.average == (average.isNull(0) ? .null : .double(average.double(0))), "\(values)")
            average.reset()
        }
    }

    @Test func `SQLite 3.43 and later lose nothing by rounding`() throws {
        func sum(_ values: [QueryValue], isCompensated: Bool) -> QueryValue? {
            var running = RunningSum(isCompensated: isCompensated)
            for value in values { running.add(value) }
            return try? running.sum()
        }
        let tenths = Array(repeating: QueryValue.double(0.1), count: 10)
        #expect(sum(tenths, isCompensated: false) == .double(0.999_999_999_999_999_9))
        #expect(sum(tenths, isCompensated: true) == .double(1))
        #expect(sum([.integer(.max), .integer(1), .double(0.5)], isCompensated: false) == nil)
        #expect(sum([.integer(.max), .integer(1), .double(0.5)], isCompensated: true) == .double(0x1p63))
        #expect(sum([.integer(.max), .integer(1)], isCompensated: true) == nil)
    }
}
