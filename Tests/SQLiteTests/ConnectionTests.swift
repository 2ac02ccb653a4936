import Foundation
import Glibc
import TestSupport
import Testing

@testable import SQLite

/// Opens files of every kind in every mode.
@Suite struct ConnectionTests {
    /// Names that mean something in a URI, in SQL or to a shell.
    static let names = [
        "plain.sqlite", "a b.sqlite", "what?mode=rwc.sqlite", "part#1.sqlite", "100%25.sqlite", "50%.sqlite",
        "Köln-Süd.sqlite", "Київ.sqlite", "東京.sqlite", "it's \"one\".sqlite", "a&b=c;d+e.sqlite", "back\\slash.sqlite",
        "new\nline.sqlite", "٣.sqlite", "file:x.sqlite", "-rf.sqlite", "🚋.sqlite",
    ]

    @Test(arguments: names)
    func anyNameOpensInEveryMode(name: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.makeDatabase(name)
        #expect(folder.names == [name])
        for mode in [Connection.Mode.readOnly, .immutable, .create] {
            let connection = try Connection(path: path, mode: mode)
            #expect(try connection.integer("SELECT sum(a) FROM t") == 6)
        }
        #expect(folder.names == [name])
    }

    @Test func aPathWithTwoSlashesIsNoHostName() throws {
        let folder = try TemporaryFolder()
        let path = try folder.makeDatabase("a.sqlite")
        for mode in [Connection.Mode.readOnly, .immutable] {
            #expect(try Connection(path: "/" + path, mode: mode).integer("SELECT count(*) FROM t") == 3)
        }
    }

    @Test func aRelativePathOpensInEveryMode() throws {
        let folder = try TemporaryFolder()
        let path = try folder.makeDatabase("a.sqlite")
        let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
        let relative = String(repeating: "../", count: depth) + path.dropFirst()
        for mode in [Connection.Mode.readOnly, .immutable] {
            #expect(try Connection(path: relative, mode: mode).integer("SELECT count(*) FROM t") == 3)
        }
    }

    @Test func onlyCreateMakesAFile() throws {
        let folder = try TemporaryFolder()
        for mode in [Connection.Mode.readOnly, .immutable] {
            let error = try sqliteError { _ = try Connection(path: folder.path("none.sqlite"), mode: mode) }
            #expect(
                error
                    == SQLiteError(
                        code: 14, message: "unable to open database file", context: folder.path("none.sqlite")))
            #expect(error?.isCannotOpen == true)
        }
        #expect(folder.names.isEmpty)
    }

    @Test(arguments: [Connection.Mode.readOnly, .immutable])
    func readersCannotWrite(mode: Connection.Mode) throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(path: folder.makeDatabase("a.sqlite"), mode: mode)
        let error = try sqliteError { try connection.execute("DELETE FROM t") }
        #expect(error?.primaryCode == 8)
        #expect(
            error?.description
                == "SQLite error 8: attempt to write a readonly database - while working on DELETE FROM t")
        #expect(try connection.integer("SELECT count(*) FROM t") == 3)
    }

    /// The immutable mode takes no lock, so it can read a file that another connection has locked exclusively.
    @Test func immutableTakesNoLock() throws {
        let folder = try TemporaryFolder()
        let path = try folder.makeDatabase("a.sqlite")
        let writer = try Connection(path: path, mode: .create)
        try writer.execute("BEGIN EXCLUSIVE")
        let reader = try Connection(path: path, mode: .readOnly)
        #expect(try sqliteError { _ = try reader.integer("SELECT count(*) FROM t") }?.primaryCode == 5)
        #expect(try Connection(path: path, mode: .immutable).integer("SELECT count(*) FROM t") == 3)
    }

    @Test func executeRunsAllStatementsAndStopsAtTheFirstError() throws {
        let connection = try Connection.inMemory()
        let error = try sqliteError {
            try connection.execute("CREATE TABLE a(x); CREATE TABLE a(x); CREATE TABLE b(x)")
        }
        #expect(error?.message == "table a already exists")
        #expect(try connection.text("SELECT group_concat(name) FROM sqlite_schema") == "a")
    }

    @Test func aQueryForASingleValueGivesItOrNil() throws {
        let connection = try Connection.inMemory()
        #expect(try connection.integer("SELECT 1 WHERE 0") == nil)
        #expect(try connection.integer("SELECT NULL") == nil)
        #expect(try connection.integer("SELECT -7") == -7)
        #expect(try connection.text("SELECT 1 WHERE 0") == nil)
        #expect(try connection.text("SELECT NULL") == nil)
        #expect(try connection.text("SELECT ''") == "")
        #expect(try connection.text("SELECT 'ß' || 1") == "ß1")
    }

    @Test func changesAreThoseOfTheLastStatement() throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(path: folder.makeDatabase("a.sqlite"), mode: .create)
        try connection.execute("UPDATE t SET a = a + 1 WHERE a > 1")
        #expect(connection.changes == 2)
    }

    @Test func temporaryFilesOfAPrivateFileAreCounted() throws {
        let folder = try TemporaryFolder()
        let place = folder.path("t-")
        @Sendable func unnamed() -> Int32 {
            let path = place + UUID().uuidString
            defer { unlink(path) }
            return open(path, O_RDWR | O_CREAT, 0o600)
        }
        let file = try PrivateFile(descriptor: unnamed(), path: "a", makeTemporary: unnamed)
        do {
            let connection = try Connection(file: file)
            #expect(file.temporaryBytes == 0)
            try connection.execute(
                """
                PRAGMA temp_store = FILE; PRAGMA temp.cache_size = 10; CREATE TEMP TABLE t(a);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
                INSERT INTO t SELECT zeroblob(4000) FROM n
                """)
            #expect(file.temporaryBytes > 90 * 4096)
        }
        #expect(file.temporaryBytes == 0)
    }

    /// Writes to the file fail on one thread, and making temporary files on another.
    @Test func `a failure has the number of its own system call`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.makeDatabase("a.sqlite")
        let file = try PrivateFile(descriptor: open(path, O_RDONLY), path: path) {
            errno = EMFILE
            return -1
        }
        let statements = [
            "UPDATE t SET a = a + 1",
            "PRAGMA temp_store = FILE; PRAGMA temp.cache_size = 1; DROP TABLE IF EXISTS temp.u; "
                + "CREATE TEMP TABLE u AS SELECT zeroblob(100000)",
        ]
        await withTaskGroup(of: Int.self) { group in
            for statement in statements {
                group.addTask {
                    (0..<500).count { _ in
                        let connection = try? Connection(file: file)
                        return (try? connection?.execute("PRAGMA journal_mode = OFF; " + statement)) == nil
                    }
                }
            }
            group.addTask {
                (0..<100_000).count { _ in
                    let failure = file.failure
                    return failure == nil || failure == SystemFailure(number: EBADF, action: .writing)
                        || failure == SystemFailure(number: EMFILE, action: .makingTemporary)
                }
            }
            let counts = await group.reduce(into: []) { $0.append($1) }
            #expect(counts.sorted() == [500, 500, 100_000])
        }
    }

    @Test func noStatementTouchesAFileThatIsLent() throws {
        let folder = try TemporaryFolder()
        let path = try folder.makeDatabase("a.sqlite")
        let file = try PrivateFile(descriptor: open(path, O_RDWR), path: path) { -1 }
        let connection = try Connection(file: file)
        try connection.execute(
            "PRAGMA journal_mode = OFF; PRAGMA temp_store = MEMORY; CREATE TEMP TABLE other(a); BEGIN")
        let loan = file.lend()
        let error = try sqliteError { _ = try connection.integer("SELECT count(*) FROM t") }
        #expect(error?.code == 5)
        try connection.execute("INSERT INTO other VALUES(1)")
        do {
            let second = file.lend()
            second.end()
            second.end()
        }
        #expect(try sqliteError { try connection.execute("INSERT INTO t VALUES(4)") }?.code == 5)
        loan.end()
        #expect(try connection.integer("SELECT count(*) FROM t") == 3)
        try connection.execute("INSERT INTO t VALUES(4); COMMIT")
        _ = file.lend()
        #expect(try connection.integer("SELECT count(*) FROM t") == 4)
    }

    /// Since version 3.52, SQLite would write 10491.458632284501.
    @Test func numbersBecomeTextsOf15Digits() throws {
        let connection = try Connection.inMemory()
        #expect(
            try connection.text("SELECT 10491.4586322845 || ' ' || CAST(1 / 3.0 AS TEXT)")
                == "10491.4586322845 0.333333333333333")
    }

    @Test func libraryVersionIsTheLibrarys() throws {
        #expect(try Connection.inMemory().text("SELECT sqlite_version()") == Connection.libraryVersion)
    }
}
