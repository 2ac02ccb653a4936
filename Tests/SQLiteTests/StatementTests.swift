import TestSupport
import Testing

@testable import SQLite

/// Bound values come back unchanged, from statements that run once or often.
@Suite struct StatementTests {
    private static let integers: [Int64] = [.min, -1, 0, 1, 1 << 53, .max]
    private static let doubles: [Double] = [
        -0.0, 0.1, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity,
    ]
    private static let texts = [
        "", " ", "a", "Straße", "Київ", "東京", "🚋", "a\u{0}b", "\u{FEFF}x", "e\u{301}", "it's \"so\"",
        String(repeating: "long", count: 100_000),
    ]

    @Test func everyTypeComesBackAsItself() throws {
        let statement = try Connection.inMemory().prepare("SELECT ?1, typeof(?1)")
        func check(_ value: SQLiteValue, _ type: String) throws {
            statement.bind(1, value)
            #expect(try statement.step())
            #expect(statement.value(0) == value)
            #expect(statement.text(1) == type)
            #expect(try !statement.step())
            statement.reset()
        }
        for value in Self.integers { try check(.integer(value), "integer") }
        for value in Self.doubles { try check(.double(value), "real") }
        for value in Self.texts { try check(.text(value), "text") }
        try check(.null, "null")
    }

    @Test func doublesKeepEveryBit() throws {
        let statement = try Connection.inMemory().prepare("SELECT ?")
        var random = SeededGenerator(seed: 20)
        for _ in 0..<2000 {
            let value = Double(bitPattern: random.next())
            guard !value.isNaN else { continue }
            statement.bind(1, value)
            #expect(try statement.step())
            #expect(statement.double(0).bitPattern == value.bitPattern)
            statement.reset()
        }
    }

    @Test func optionalValuesAreNull() throws {
        let statement = try Connection.inMemory().prepare("SELECT ?, ?, ?, ?")
        statement.bind(1, String?.none)
        statement.bind(2, Int64?.none)
        statement.bind(3, String?.some("x"))
        statement.bind(4, Int64?.some(4))
        #expect(try statement.step())
        #expect((0..<4).map(statement.value) == [.null, .null, .text("x"), .integer(4)])
        #expect((0..<4).map(statement.isNull) == [true, true, false, false])
    }

    @Test func blobsAndBytesOfTextAreBound() throws {
        let statement = try Connection.inMemory().prepare("SELECT hex(?1), typeof(?1), length(?1)")
        let bytes: [UInt8] = [0, 255, 16, 39]
        bytes.withUnsafeBytes { statement.bind(1, blob: $0) }
        #expect(try statement.step())
        #expect((0..<3).map(statement.value) == [.text("00FF1027"), .text("blob"), .integer(4)])
        statement.reset()
        Array("ä\u{0}z".utf8).withUnsafeBytes { statement.bind(1, text: $0) }
        #expect(try statement.step())
        #expect((0..<2).map(statement.value) == [.text("C3A4007A"), .text("text")])
        statement.reset()
        statement.bind(1, text: UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(try statement.step())
        #expect((0..<2).map(statement.value) == [.text(""), .text("text")])
    }

    /// SQLite copies bound values, so their memory may change before the statement runs.
    @Test func boundBytesAreCopied() throws {
        let statement = try Connection.inMemory().prepare("SELECT ?, ?")
        var bytes = Array("before".utf8)
        bytes.withUnsafeBytes {
            statement.bind(1, text: $0)
            statement.bind(2, blob: $0)
        }
        for index in bytes.indices { bytes[index] = 88 }
        #expect(try statement.step())
        #expect(statement.text(0) == "before" && statement.text(1) == "before")
    }

    @Test func lentTextIsTheColumns() throws {
        let statement = try Connection.inMemory().prepare("SELECT 'Zoé', NULL, '', 12")
        #expect(try statement.step())
        #expect(statement.withText(0) { Array($0) } == Array("Zoé".utf8))
        #expect(statement.withText(1) { $0.count } == 0)
        #expect(statement.withText(2) { $0.count } == 0)
        #expect(statement.withText(3) { Array($0) } == Array("12".utf8))
    }

    @Test func textThatIsNoUTF8IsRepaired() throws {
        let statement = try Connection.inMemory().prepare("SELECT CAST(x'41FF42' AS TEXT), x'41FF'")
        #expect(try statement.step())
        #expect(statement.text(0) == "A\u{FFFD}B")
        #expect(statement.value(1) == .text("A\u{FFFD}"))
    }

    @Test func columnsHaveNames() throws {
        let statement = try Connection.inMemory().prepare("SELECT 1 AS one, 2 AS \"zwei \"\"2\"\"\"")
        #expect(statement.columnCount == 2)
        #expect(statement.columnName(0) == "one")
        #expect(statement.columnName(1) == "zwei \"2\"")
        #expect(statement.sql == "SELECT 1 AS one, 2 AS \"zwei \"\"2\"\"\"")
    }

    @Test func boundValuesStayThroughReset() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t(a, b)")
        let insert = try connection.prepare("INSERT INTO t VALUES(?, ?)")
        insert.bind(1, "fixed")
        for number in 1...3 as ClosedRange<Int64> {
            insert.bind(2, number)
            try insert.run()
        }
        #expect(
            try connection.rows("SELECT * FROM t")
                == (1...3).map { [.text("fixed"), .integer($0)] })
    }

    @Test func aStatementCanRunAgainAfterItFailed() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t(a UNIQUE)")
        let insert = try connection.prepare("INSERT INTO t VALUES(?)")
        insert.bind(1, Int64(1))
        try insert.run()
        #expect(try sqliteError { try insert.run() }?.primaryCode == 19)
        insert.bind(1, Int64(2))
        try insert.run()
        #expect(try connection.integer("SELECT count(*) FROM t") == 2)
    }

    /// A statement keeps its connection open.
    @Test func aStatementOutlivesTheVariableOfItsConnection() throws {
        let statement = try { try Connection.inMemory().prepare("SELECT 42") }()
        #expect(try statement.step())
        #expect(statement.integer(0) == 42)
    }
}
