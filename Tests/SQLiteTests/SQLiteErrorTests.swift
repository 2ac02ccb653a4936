import Foundation
import TestSupport
import Testing

@testable import SQLite

/// Errors name what went wrong and are classified by what can be done about them.
@Suite struct SQLiteErrorTests {
    private static let classes: [(name: String, codes: [Int32])] = [
        ("io", [13, 10, 10 | 3 << 8, 10 | 13 << 8]), ("corrupt", [11, 26, 11 | 1 << 8]), ("interrupt", [9]),
        ("open", [14, 8, 14 | 2 << 8, 8 | 6 << 8]), ("", [1, 5, 7, 19, 20, 19 | 8 << 8]),
    ]

    /// Each extended code (<https://sqlite.org/rescode.html>) belongs to one class.
    @Test(arguments: classes) func codesBelongToTheirKinds(name: String, codes: [Int32]) {
        for code in codes {
            let error = SQLiteError(code: code, message: "m", context: "c")
            #expect(error.isInputOutput == (name == "io"))
            #expect(error.isCorruption == (name == "corrupt"))
            #expect(error.isInterruption == (name == "interrupt"))
            #expect(error.isCannotOpen == (name == "open"))
            #expect(error.primaryCode == code & 0xFF)
            #expect(error.description == "SQLite error \(code): m - while working on c")
        }
    }

    @Test func limitsAreTold() throws {
        let connection = try Connection.inMemory()
        for sql in [
            // Beyond the parser's stack, which grows since SQLite 3.46; there, beyond the depth of an expression.
            "SELECT " + String(repeating: "abs(", count: 2_000) + "1" + String(repeating: ")", count: 2_000),
            "SELECT " + Array(repeating: "1", count: 2_000).joined(separator: " + "),
            "SELECT " + Array(repeating: "1", count: 3_000).joined(separator: ", "),
            "SELECT 1 FROM " + Array(repeating: "sqlite_schema", count: 70).joined(separator: ", "),
        ] {
            let error = try sqliteError { _ = try connection.prepare(sql) }
            #expect(error?.isTooComplex == true, "\(error?.message ?? "")")
        }
        // Names that sound like a limit are none.
        for sql in [
            "SELEKT 1", "SELECT * FROM \"too many\"", "SELECT 1 FROM sqlite_schema WHERE \"at most 3\" = too_long",
        ] {
            #expect(try sqliteError { _ = try connection.prepare(sql) }?.isTooComplex == false)
        }
    }

    @Test func syntaxErrorsNameTheStatement() throws {
        let connection = try Connection.inMemory()
        let error = try sqliteError { _ = try connection.prepare("SELEKT 1") }
        #expect(error == SQLiteError(code: 1, message: "near \"SELEKT\": syntax error", context: "SELEKT 1"))
    }

    @Test func longStatementsAreShortened() throws {
        let connection = try Connection.inMemory()
        let sql = "SELECT " + String(repeating: "ä", count: 300)
        let error = try sqliteError { _ = try connection.prepare(sql) }
        #expect(error?.context == String(sql.prefix(200)) + "…")
    }

    @Test func constraintsAreExtendedCodes() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t(a PRIMARY KEY); INSERT INTO t VALUES(1)")
        let insert = try connection.prepare("INSERT INTO t VALUES(?)")
        insert.bind(1, Int64(1))
        let error = try sqliteError { try insert.run() }
        #expect(
            error
                == SQLiteError(
                    code: 1555, message: "UNIQUE constraint failed: t.a", context: "INSERT INTO t VALUES(?)"))
    }

    @Test func aFullDiskIsInputOutput() throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(path: folder.makeDatabase("a.sqlite"), mode: .create)
        try connection.execute("PRAGMA max_page_count = 3")
        let error = try sqliteError { try connection.execute("INSERT INTO t SELECT zeroblob(50000)") }
        #expect(error?.isInputOutput == true)
        #expect(error?.message == "database or disk is full")
    }

    @Test func aFileThatIsNoDatabaseIsCorrupt() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a.sqlite", Array("<!DOCTYPE html>".utf8) + [UInt8](repeating: 32, count: 2000))
        for mode in [Connection.Mode.readOnly, .immutable, .create] {
            let error = try sqliteError { _ = try Connection(path: path, mode: mode).integer("SELECT 1 FROM t") }
            #expect(error == SQLiteError(code: 26, message: "file is not a database", context: "SELECT 1 FROM t"))
            #expect(error?.isCorruption == true)
        }
    }

    /// Reading a file with any wrong bytes gives an answer or an error and never crashes.
    @Test func damagedFilesThrowOrAnswer() throws {
        let folder = try TemporaryFolder()
        try folder.makeDatabase("a.sqlite", numbers: (0..<2000).map { $0 })
        let whole = try folder.bytes("a.sqlite")
        var random = SeededGenerator(seed: 19)
        var failures = 0
        for round in 0..<300 {
            var damaged = whole
            for _ in 0..<(1 + round % 8) {
                damaged[Int.random(in: 0..<whole.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if round % 3 == 0 { damaged.removeLast(Int.random(in: 1..<whole.count, using: &random)) }
            let path = try folder.write("b.sqlite", damaged)
            let error = try sqliteError {
                let connection = try Connection(path: path, mode: .immutable)
                _ = try connection.rows("SELECT * FROM t")
                _ = try connection.text("PRAGMA integrity_check")
            }
            if error != nil { failures += 1 }
        }
        #expect(failures > 50)
    }

    @Test func aCutFileIsCorrupt() throws {
        let folder = try TemporaryFolder()
        try folder.makeDatabase("a.sqlite", numbers: (0..<2000).map { $0 })
        let path = try folder.write("a.sqlite", Array(folder.bytes("a.sqlite").prefix(8192)))
        let error = try sqliteError { _ = try Connection(path: path, mode: .readOnly).rows("SELECT * FROM t") }
        #expect(error?.isCorruption == true)
        #expect(error?.message == "database disk image is malformed")
    }
}
