import Foundation
import Glibc
import TestSupport
import Testing

@testable import SQLite

/// Connections to a file that is open already.
@Suite struct ImmutableFileTests {
    private func open(_ path: String, isMemoryMapped: Bool) throws -> ImmutableFile {
        try ImmutableFile(
            descriptor: Glibc.open(path, O_RDONLY | O_CLOEXEC), path: path, isMemoryMapped: isMemoryMapped)
    }

    /// A database with a table `t(a)` of the numbers from 1 to `count`, written by one statement.
    private func makeDatabase(_ folder: TemporaryFolder, count: Int) throws -> String {
        let path = folder.path("a.sqlite")
        let connection = try Connection(path: path, mode: .create)
        try connection.execute(
            """
            CREATE TABLE t(a INTEGER);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO t SELECT i FROM n
            """)
        return path
    }

    @Test(arguments: [true, false])
    func aFileIsReadWhateverBecomesOfItsName(isMemoryMapped: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try folder.makeDatabase("a.sqlite")
        let file = try open(path, isMemoryMapped: isMemoryMapped)
        let early = try Connection(file: file)
        #expect(try early.integer("SELECT sum(a) FROM t") == 6)
        #expect(rename(try folder.makeDatabase("b.sqlite", numbers: [40]), path) == 0)
        #expect(try Connection(file: file).integer("SELECT sum(a) FROM t") == 6)
        #expect(unlink(path) == 0)
        let late = try Connection(file: file)
        #expect(try late.integer("SELECT sum(a) FROM t") == 6)
        #expect(try early.integer("SELECT count(*) FROM t") == 3)

        #expect(folder.names.isEmpty)
    }

    @Test func itCannotBeWrittenAndOtherFilesAreWhereTheyWere() throws {
        let folder = try TemporaryFolder()
        let file = try open(folder.makeDatabase("a.sqlite"), isMemoryMapped: true)
        let connection = try Connection(file: file)
        #expect(try sqliteError { try connection.execute("DELETE FROM t") }?.primaryCode == 8)
        let other = try folder.makeDatabase("other.sqlite", numbers: [40])
        try connection.execute("ATTACH '\(other)' AS other")
        #expect(try connection.integer("SELECT sum(a) FROM t") == 6)
        #expect(try connection.integer("SELECT sum(a) FROM other.t") == 40)
        // A temporary table that does not fit in its cache goes to a file.
        try connection.execute("PRAGMA temp_store = FILE; PRAGMA cache_size = 10; CREATE TEMP TABLE many(x)")
        try connection.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO many SELECT printf('%040d', 20001 - i) FROM n
            """)
        #expect(try connection.text("SELECT x FROM many ORDER BY x LIMIT 1")?.hasSuffix("0001") == true)
        #expect(folder.names == ["a.sqlite", "other.sqlite"])
    }

    @Test func aFileThatIsCutShortOrNoDatabaseThrows() throws {
        let folder = try TemporaryFolder()
        let path = try makeDatabase(folder, count: 5_000)
        let file = try open(path, isMemoryMapped: false)
        #expect(truncate(path, 9_000) == 0)
        let error = try sqliteError { _ = try Connection(file: file).integer("SELECT sum(a) FROM t") }
        #expect(error?.isInputOutput == true)
        #expect(file.isChangedInPlace)
        let text = try open(folder.write("text", Array("stop_id,stop_name\n".utf8)), isMemoryMapped: true)
        #expect(
            try sqliteError { _ = try Connection(file: text).integer("SELECT 1 FROM t") }?.isCorruption == true)
        let folderItself = try open(folder.path, isMemoryMapped: true)
        #expect(try sqliteError { _ = try Connection(file: folderItself).integer("SELECT 1 FROM t") } != nil)
    }

    @Test func connectionsReadInParallelAndKeepTheFile() async throws {
        let folder = try TemporaryFolder()
        let path = try makeDatabase(folder, count: 20_000)
        var file: ImmutableFile? = try open(path, isMemoryMapped: true)
        weak let kept = file
        let sums = try await withThrowingTaskGroup(of: Int64?.self) { [file] group in
            for _ in 0..<16 {
                group.addTask { try file.flatMap { try Connection(file: $0).integer("SELECT sum(a) FROM t") } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums == Array(repeating: 200_010_000, count: 16))
        var connection: Connection? = try file.map { try Connection(file: $0) }
        file = nil
        unlink(path)
        #expect(try connection?.integer("SELECT sum(a) FROM t") == 200_010_000)
        #expect(kept != nil)
        connection = nil
        #expect(kept == nil)
    }
}
