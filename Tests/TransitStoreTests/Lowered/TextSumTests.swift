import SQLite
import Testing
import TransitStore

/// Sums and means of texts. SQLite takes the number that a text begins with; in memory the same must come out.
struct TextSumTests {
    private static let texts = [
        "12", " 7 ", "\t\n\u{B}\u{C}\r8", "3.5x", "abc", "1e2", "1e+2", "1e-2x", "1e", "1e+", "1.e1", "-", "+5", "--5",
        "-.5",
        ".5", ".", "1.", "", " ", "007", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "0x10",
        "1_000", "1,5", "\u{661}", "\u{FF11}", "\u{A0}1", "inf", "nan", "1e999", "-1e999", "12 3", "5\u{0}6", "1e5e5",
        "1..2",
        "123456789012345678901234567890", "0.1", "1e00000000000000000000002", "4\u{308}",
    ]

    private let store: TestStore

    init() throws {
        store = try TestStore { connection in
            for (id, text) in Self.texts.enumerated() {
                try connection.insertStop(id, "stop", nil, nil, platform: text)
            }
            // Columns of whole numbers also hold what SQLite cannot turn into one.
            for (id, value) in ["'abc'", "'12x'", "3", "2.5", "NULL", "9223372036854775807"].enumerated() {
                try connection.execute("UPDATE stop SET wheelchair_boarding = \(value) WHERE id % 6 = \(id)")
            }
        }
    }

    /// The aggregates over the stops that a condition finds.
    private func aggregates(_ condition: String) throws -> FetchRequest<Stop> {
        var request = FetchRequest<Stop>(where: try Condition(format: condition))
        request.propertiesToFetch = [
            .expression(.aggregate(.sum, .property(.root, ["platformCode"])), as: "sum"),
            .expression(.aggregate(.average, .property(.root, ["platformCode"])), as: "average"),
            .min(\.platformCode), .max(\.platformCode),
            .sum(\.wheelchairBoarding), .average(\.wheelchairBoarding), .min(\.wheelchairBoarding),
            .max(\.wheelchairBoarding), .count(),
            .count(\.platformCode), .count(\.wheelchairBoarding, as: "numbers"),
        ]
        return request
    }

    @Test func `the same with unsaved changes as without`() throws {
        let (plain, changed) = (try store.context(), try store.context())
        try changed.fetch(FetchRequest<Stop>())[0].set(\.name, to: "other")
        let singles = Self.texts.indices.map { "id < 0 OR id = \($0)" }
        let pairs = Self.texts.indices.flatMap { one in (0..<6).map { "id = \(one) OR id = \($0)" } }
        for condition in singles + pairs + ["id >= 0", "id < 6", "id % 6 < 3", "id < 0"] {
            let request = try aggregates("name != '' AND (\(condition))")
            let expected = Result { () throws(StoreError) in try plain.fetchRows(request) }
            #expect(Result { () throws(StoreError) in try changed.fetchRows(request) } == expected, "\(condition)")
        }
    }

    @Test func `whole numbers stay whole`() throws {
        let (plain, changed) = (try store.context(), try store.context())
        try changed.fetch(FetchRequest<Stop>())[0].set(\.name, to: "other")
        for context in [plain, changed] {
            func sum(_ condition: String) throws -> QueryValue {
                try context.fetchRows(aggregates("name != '' AND (\(condition))"))[0][0]
            }
            #expect(try sum("id = 0 OR id = 1") == 19)
            #expect(try sum("id = 0 OR id = 3") == 15.5)
            #expect(try sum("id = 0 OR id = 4") == 12.0)
        }
    }
}
