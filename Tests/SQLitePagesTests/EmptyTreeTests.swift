import Glibc
import SQLite
import TestSupport
import Testing

@testable import SQLitePages

/// Empty tables and indexes as SQLite itself makes them.
@Suite struct EmptyTreeTests {
    private static let statements = [
        "CREATE TABLE a(id INTEGER PRIMARY KEY, x)", "CREATE TABLE c(x)", "CREATE INDEX a_x ON a(x)",
        "CREATE TABLE b(x PRIMARY KEY, y) WITHOUT ROWID",
    ]
    private static let trees: [EmptyTree] = [.table, .index, .index, .table]

    private func database(_ folder: TemporaryFolder, _ name: String, pageSize: Int) throws -> Connection {
        let connection = try Connection(path: folder.path(name), mode: .create)
        try connection.execute("PRAGMA page_size = \(pageSize); CREATE TABLE first(x)")
        return connection
    }

    @Test(arguments: [512, 4_096, 65_536]) func theirPagesAreThoseOfSQLite(pageSize: Int) throws {
        let folder = try TemporaryFolder()
        let twin = try database(folder, "twin", pageSize: pageSize)
        for sql in Self.statements { try twin.execute(sql) }
        let connection = try database(folder, "ours", pageSize: pageSize)
        let descriptor = open(folder.path("ours"), O_RDWR)
        defer { close(descriptor) }
        let sums = PageSums(pageSize: pageSize)
        let (roots, pageCount) = try EmptyTree.append(
            Self.trees, to: descriptor, pageSize: pageSize, after: 2, sums: sums)
        #expect(roots == [3, 5, 6, 4] && pageCount == 6)
        try DatabaseHeader.setPageCount(descriptor, to: pageCount)
        let (ours, theirs) = try (folder.bytes("ours"), folder.bytes("twin"))
        #expect(ours.count == theirs.count)
        #expect(ours[(2 * pageSize)...] == theirs[(2 * pageSize)...])
        #expect(try connection.integer("PRAGMA page_count") == 6)
        for page in 2..<6 {
            let bytes = ours[(page * pageSize)..<((page + 1) * pageSize)]
            #expect(sums[page] == bytes.withUnsafeBytes(PageSum.of))
        }
    }
}
