import TestSupport
import Testing

@testable import SQLite

/// Rows from memory, in the form in which the writing stage of an import passes them.
@Suite struct BatchTableTests {
    private typealias Row = [SQLiteValue]

    private func rows(_ batches: [[Row]], columns: Int, other: Set<Int> = []) throws -> [Row] {
        let connection = try Connection.inMemory()
        let source = BatchSource(batches.map { Batch($0, textInOther: other) })
        try connection.createBatchTable("incoming", columns: columns, source: source)
        return try connection.rows("SELECT * FROM incoming")
    }

    @Test func everyTagComesThrough() throws {
        let row: Row = [
            .null, .integer(.min), .integer(.max), .double(-0.5), .double(.infinity), .text(""), .text("Straße"),
            .text("a\u{0}b"), .integer(0), .double(.leastNonzeroMagnitude),
        ]
        #expect(try rows([[row, row.reversed()]], columns: row.count) == [row, row.reversed()])
    }

    @Test func textsComeFromEitherPlace() throws {
        let batch: [Row] = (0..<50).map { [.text("here \($0)"), .text("there \($0)"), .text("")] }
        #expect(try rows([batch], columns: 3, other: [1, 2]) == batch)
    }

    @Test(arguments: [[], [0], [0, 0, 0], [1], [3, 0, 2], [0, 0, 5, 0], [1, 1, 1]])
    func batchesFollowOneAnother(sizes: [Int]) throws {
        var next: Int64 = 0
        let batches = sizes.map { size in
            (0..<size).map { _ -> Row in
                next += 1
                return [.integer(next), .text("\(next)")]
            }
        }
        #expect(try rows(batches, columns: 2) == batches.flatMap(\.self))
    }

    /// Random rows come back from SQLite unchanged.
    @Test func randomBatchesComeBackRowByRow() throws {
        var random = SeededGenerator(seed: 21)
        for _ in 0..<20 {
            let columns = Int.random(in: 1...12, using: &random)
            let batches = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                (0..<Int.random(in: 0...200, using: &random)).map { _ in
                    (0..<columns).map { _ in SQLiteValue.random(using: &random) }
                }
            }
            let other = Set((0..<columns).filter { _ in Bool.random(using: &random) })
            #expect(try rows(batches, columns: columns, other: other) == batches.flatMap(\.self))
        }
    }

    @Test func insertCopiesWhatItReads() throws {
        let connection = try Connection.inMemory()
        let source = BatchSource([Batch([[.text("one")]]), Batch([[.text("two")]])])
        try connection.createBatchTable("incoming", columns: 1, source: source)
        try connection.execute("CREATE TABLE t(a); INSERT INTO t SELECT * FROM incoming")
        #expect(connection.changes == 2)
        source.add(Batch([[.text("three")]]))
        try connection.execute("INSERT INTO t SELECT c0 FROM incoming")
        #expect(try connection.text("SELECT group_concat(a) FROM t") == "one,two,three")
    }

    @Test func aPreparedStatementRunsAgain() throws {
        let connection = try Connection.inMemory()
        let source = BatchSource([])
        try connection.createBatchTable("incoming", columns: 1, source: source)
        try connection.execute("CREATE TABLE t(a)")
        let insert = try connection.prepare("INSERT INTO t SELECT c0 FROM incoming WHERE c0 % 2")
        for round in 0..<5 as Range<Int64> {
            source.add(Batch((0..<10).map { [.integer(round * 10 + $0)] }))
            try insert.run()
        }
        #expect(try connection.integer("SELECT count(*) FROM t") == 25)
        #expect(try connection.integer("SELECT sum(a) FROM t") == (0..<50).filter { $0 % 2 == 1 }.reduce(0, +))
    }

    /// The rest of a batch is lost when its statement ends early. The next statement continues with the next batch.
    @Test func aStatementThatEndsEarly() throws {
        let connection = try Connection.inMemory()
        let source = BatchSource([Batch([[.integer(1)], [.integer(2)]]), Batch([[.integer(3)]])])
        try connection.createBatchTable("incoming", columns: 1, source: source)
        #expect(try connection.rows("SELECT c0 FROM incoming LIMIT 1") == [[.integer(1)]])
        let statement = try connection.prepare("SELECT c0 FROM incoming")
        #expect(try statement.step())
        #expect(statement.integer(0) == 3)
        statement.reset()
        #expect(try connection.rows("SELECT c0 FROM incoming").isEmpty)
    }

    @Test func anErrorInTheMiddleLeavesTheTableUsable() throws {
        let connection = try Connection.inMemory()
        let source = BatchSource([Batch([[.integer(1)], [.integer(1)]])])
        try connection.createBatchTable("incoming", columns: 1, source: source)
        try connection.execute("CREATE TABLE t(a UNIQUE)")
        let insert = try connection.prepare("INSERT INTO t SELECT c0 FROM incoming")
        #expect(try sqliteError { try insert.run() }?.message == "UNIQUE constraint failed: t.a")
        source.add(Batch([[.integer(2)]]))
        try insert.run()
        #expect(try connection.integer("SELECT group_concat(a) FROM t") == 2)
    }

    @Test func theTableKeepsItsSourceAndLetsItGo() throws {
        weak var kept: BatchSource?
        do {
            let connection = try Connection.inMemory()
            do {
                let source = BatchSource([Batch([[.text("still there")]])])
                kept = source
                try connection.createBatchTable("incoming", columns: 1, source: source)
            }
            #expect(kept != nil)
            #expect(try connection.text("SELECT c0 FROM incoming") == "still there")
        }
        #expect(kept == nil)
    }

    @Test(arguments: ["plain", "two words", "a\"b", "it's", "select", "Straße", "x.y", "[z]", "semi;colon"])
    func anyNameWillDo(name: String) throws {
        let connection = try Connection.inMemory()
        try connection.createBatchTable(name, columns: 1, source: BatchSource([Batch([[.integer(7)]])]))
        let quoted = name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        #expect(try connection.integer("SELECT c0 FROM temp.\"\(quoted)\"") == 7)
    }

    @Test(arguments: ["incoming", "INCOMING", "Incoming"])
    func aNameThatIsTakenThrows(name: String) throws {
        let connection = try Connection.inMemory()
        try connection.createBatchTable("incoming", columns: 1, source: BatchSource([Batch([[.integer(1)]])]))
        let error = try sqliteError { try connection.createBatchTable(name, columns: 1, source: BatchSource([])) }
        #expect(error?.message == "table \"\(name)\" already exists")
        #expect(try connection.integer("SELECT c0 FROM incoming") == 1)
    }

    /// A feed may contain a file with the name of the batch table.
    @Test func aTableOfTheSameNameDoesNotHideIt() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE incoming(c0); INSERT INTO incoming VALUES('a table')")
        try connection.createBatchTable("incoming", columns: 1, source: BatchSource([Batch([[.text("a batch")]])]))
        #expect(try connection.text("SELECT c0 FROM temp.incoming") == "a batch")
        #expect(try connection.text("SELECT c0 FROM main.incoming") == "a table")
        #expect(try connection.integer("SELECT count(*) FROM sqlite_temp_master") == 0)
    }

    @Test func asManyColumnsAsSQLiteTakes() throws {
        let row: Row = (0..<2000).map { .integer($0) }
        #expect(try rows([[row]], columns: 2000) == [row])
        #expect(throws: SQLiteError.self) { try rows([[row + [.null]]], columns: 2001) }
    }
}
